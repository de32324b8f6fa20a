"""A toy rulebook of quite another shape, built from the public parts alone."""
