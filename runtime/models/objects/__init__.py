"""Models of functions of any object: its length, its class, its text."""
