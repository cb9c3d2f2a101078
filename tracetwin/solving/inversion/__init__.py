"""Operand values for which an expression has a wished value."""
