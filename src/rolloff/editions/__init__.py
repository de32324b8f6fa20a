"""Rulebooks as values: what differs between them, their tables and their clauses."""
