"""Criteria: what tests should cover, one file each."""
