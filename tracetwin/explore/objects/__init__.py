"""Sequences of calls: the objects of a class, explored for all its members at once."""
