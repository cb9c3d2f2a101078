"""Learning from the project's own tests: the arguments that they pass."""
