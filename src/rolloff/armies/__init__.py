"""Armies: books of units, lists chosen from them, what they cost, tables and missions to fight them on."""
