"""The compendium edition: Initiative steps, armour facings, Hull Points, and a long list of universal special rules."""
