"""The abilities of the commentary edition: one small class to a file."""
