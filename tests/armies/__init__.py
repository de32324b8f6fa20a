"""Tests of weapons, cards, lists, prices and tables."""
