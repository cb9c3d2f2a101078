"""A folder that stands on `PYTHONPATH` while the project's tests run."""
