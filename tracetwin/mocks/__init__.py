"""Stand-ins for interfaces, callables and ducks: what they offer, answer, and how they are built."""
