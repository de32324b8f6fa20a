"""Many games at once: matches between opponents, and measurements of the engine itself."""
