"""Changes of a source: which functions they can affect."""
