"""Models of what is asked of any object: its length, its class, its text."""
