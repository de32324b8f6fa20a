"""Odds, held against every fall of the dice."""
