"""The dialects of test files, one per module: how tests, checks and expected exceptions are written."""
