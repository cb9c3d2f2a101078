"""Texts as sequences."""
