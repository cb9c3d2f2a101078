"""The user's `[tool.tracetwin]`: found, read, checked, and turned into options and rules."""
