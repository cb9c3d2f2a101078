"""Ints as bit-vectors."""
