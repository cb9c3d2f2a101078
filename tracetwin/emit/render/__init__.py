"""The text of a test file: each test from its setup to its assertions, and the file around them."""
