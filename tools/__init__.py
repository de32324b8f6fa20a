"""Tools for people who work on Rolloff: clauses, coverage, mutants and the rules reference."""
