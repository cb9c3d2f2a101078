"""Questions put to z3."""
