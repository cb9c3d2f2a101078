"""Operators of expressions that stand for functions of the library rather than for operators of Python."""
