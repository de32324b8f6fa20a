"""One suite for every edition that can be played."""
