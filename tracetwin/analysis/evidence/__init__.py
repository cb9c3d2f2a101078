"""Evidence for the types of values: uses, calls, documentation, stubs."""
