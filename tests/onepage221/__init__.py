"""One Page 2.21: its attacks, by scripted dice."""
