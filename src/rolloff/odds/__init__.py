"""Exact odds: the calculator's public face. What it says of a shot is, by construction, the odds of that shot."""
