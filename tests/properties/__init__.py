"""Whole games held against the invariants, and other statements about every game."""
