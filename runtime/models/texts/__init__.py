"""Models of what str and bytes do, and of the formats that are read from them."""
