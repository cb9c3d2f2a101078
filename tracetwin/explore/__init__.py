"""The search for inputs: the concolic loop, object states, method summaries."""
