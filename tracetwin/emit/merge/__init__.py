"""Generated files that are there already: what of them stays, and how new tests come into them."""
