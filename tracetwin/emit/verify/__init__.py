"""Runs of a written test file in every way in which tests may be run."""
