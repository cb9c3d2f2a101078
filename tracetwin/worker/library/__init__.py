"""Modules of the standard library that run as twins of their sources."""
