"""Calls of the functions of a target: where they stand, and what their arguments say of parameters."""
