"""The compendium edition."""
