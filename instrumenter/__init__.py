"""Source to twin: rewrites every operation of a module into a call of the twin interface.

Importing this package, or loading a twin from a warm cache, does not import libcst.

PYTEST_DONT_REWRITE: the plugin's distribution holds us, and pytest would warn that we were imported before.
"""
