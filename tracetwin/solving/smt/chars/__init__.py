"""Texts as lists of code points."""
