"""Models of the methods of str and bytes, and of the formats that are read from them."""
