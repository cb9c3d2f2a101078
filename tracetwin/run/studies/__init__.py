"""The work behind `tracetwin explore` and `tracetwin summary`, and the def-use criterion."""
