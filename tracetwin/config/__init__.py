"""What `[tool.tracetwin]` of a `pyproject.toml` says: read, checked, and turned into rules for the worker."""
