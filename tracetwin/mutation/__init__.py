"""Mutants of the code under test: made, switched on one by one, and noticed or not."""
