"""What a traced twin calls: traced values, expressions, the trace of a run. Standard library only.

PYTEST_DONT_REWRITE: the plugin's distribution holds us, and pytest would warn that we were imported before.
"""
