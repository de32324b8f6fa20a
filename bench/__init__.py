"""Measurements of the numbers the design holds; `make bench` runs them, no test asserts them."""
