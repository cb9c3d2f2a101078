"""Reads and writes of a run: attributes, elements, globals."""
