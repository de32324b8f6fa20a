"""Special rules shared by editions, one file each."""
