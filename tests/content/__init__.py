"""Tests of the content that ships: armies, powers, tables, missions."""
