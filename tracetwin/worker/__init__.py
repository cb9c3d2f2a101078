"""Sandboxed worker processes: the parent's handle on them, and what runs inside them."""
