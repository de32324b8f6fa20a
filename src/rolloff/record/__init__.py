"""Games written down: sessions, and records that are played again to verify them."""
