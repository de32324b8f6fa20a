"""Verbs: how any edition is played. Editions compose these; nothing here knows an edition by name."""
