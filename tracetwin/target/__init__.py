"""Targets: the modules that a user's words stand for, their files, names, import roots and sources."""
