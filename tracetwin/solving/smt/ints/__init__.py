"""Ints and bools as unbounded z3 integers."""
