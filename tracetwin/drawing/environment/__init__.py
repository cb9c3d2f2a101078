"""Reads of the environment, drawn as inputs and patched in tests."""
