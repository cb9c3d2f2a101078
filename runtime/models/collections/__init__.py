"""Models of what looks into collections, orders them or goes through them."""
