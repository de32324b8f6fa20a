"""`python -m rolloff` is the same as the `rolloff` command."""

from rolloff.cli import main

if __name__ == "__main__":
    main()
