"""Effects of functions: which calls change which objects and which shared state."""
