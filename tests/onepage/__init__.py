"""The One Page family, clause by clause, through the public way in: a situation, scripted dice and answers."""
