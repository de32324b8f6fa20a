"""Rolloff: a referee for tabletop miniature wargames."""

__version__ = "0.1.0"
