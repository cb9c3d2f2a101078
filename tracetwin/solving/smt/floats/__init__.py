"""Floats as reals and as IEEE floats."""
