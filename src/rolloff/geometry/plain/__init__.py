"""The plain twins of the kernels: the same answers in Python alone."""
