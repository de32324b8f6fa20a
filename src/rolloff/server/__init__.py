"""The table over HTTP and WebSocket: battles, seats and spectators, on this machine alone."""
