"""Traced values, expressions, the trace of a run, and the functions that twins call; standard library only.

PYTEST_DONT_REWRITE: the plugin's distribution holds us, and pytest would warn that we were imported before.
"""
