"""Calls of what is written in C: by its model, or as it is with a note of what was lost."""
