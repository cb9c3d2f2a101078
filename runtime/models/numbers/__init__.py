"""Models of what numbers do."""
