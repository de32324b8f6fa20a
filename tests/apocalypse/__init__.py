"""Apocalypse 3.3: its attacks, by scripted dice."""
