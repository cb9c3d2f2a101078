"""Gives a twin's syntax tree the positions of its original; `relocate.py` puts the parts together."""
