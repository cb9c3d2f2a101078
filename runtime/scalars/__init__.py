"""Traced numbers and texts: their operators and methods."""
