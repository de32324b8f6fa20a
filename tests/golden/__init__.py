"""Golden playthroughs: whole games as plain text, and counts over many."""
