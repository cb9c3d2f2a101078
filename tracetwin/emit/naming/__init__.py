"""Names of tests, variables and stub classes."""
