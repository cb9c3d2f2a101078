"""The functions that a twin calls in place of its operations."""
