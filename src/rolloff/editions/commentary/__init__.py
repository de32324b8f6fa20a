"""The commentary edition: whole-army turns, hit, wound, save and damage, with modifiers, keywords and abilities."""
