"""Distances, sight, reach and paths on the table: one small exact library with two equal twins."""
