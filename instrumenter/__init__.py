"""Source to twin: rewrites every operation of a module into a call of the twin interface.

Importing this package, or loading a twin from a warm cache, does not import libcst.
"""
