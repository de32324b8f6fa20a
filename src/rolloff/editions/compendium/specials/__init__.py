"""The special rules of the compendium that take part in an attack, one to a file."""
