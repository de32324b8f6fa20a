"""Games written down: situations, the wire between engine and viewers, sessions, and verifiable records."""
