"""How the tables of battles came to their form, step by step."""
