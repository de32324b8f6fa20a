"""A table written down: the forms of situations, questions and cases, rulings on them, and the wire to viewers."""
