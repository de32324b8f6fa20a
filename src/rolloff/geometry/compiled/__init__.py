"""The compiled kernels behind the same functions as their plain twins."""
