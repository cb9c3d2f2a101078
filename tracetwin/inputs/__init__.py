"""Which things of a module can be called, and how their arguments are made."""
