"""The verbs every edition shares, one at a time."""
