"""Rulebooks as values: what differs between them, their tables and their clauses."""

from __future__ import annotations

from typing import Final

USUAL: Final = "onepage-3.0"
"""The rulebook that is meant where nobody names one."""
