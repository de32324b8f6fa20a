"""The One Page family: alternate activations, Quality tests, four rounds. Each edition of it is a value of `Book`."""
