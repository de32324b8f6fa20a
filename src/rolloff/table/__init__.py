"""Nouns of the table: cards, state, events, requests and errors."""
