"""Turns cases and observations into the text of a test file."""
