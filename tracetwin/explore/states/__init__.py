"""Symbolic states of objects: canonical form, subsumption, breadth-first exploration (Symstra)."""
