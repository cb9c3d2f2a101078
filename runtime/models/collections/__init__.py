"""Models of callables that look into collections, order them or go through them."""
