"""Pieces of source text: values, names, imports, layout, checks, and what a page may hold."""
