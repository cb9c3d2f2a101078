"""Models of the functions and methods of numbers."""
