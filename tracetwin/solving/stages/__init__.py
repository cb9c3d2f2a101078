"""The stages of the chain that work without z3."""
