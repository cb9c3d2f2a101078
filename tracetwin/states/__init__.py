"""Symbolic states of objects (Symstra): canonical form, subsumption, breadth-first exploration."""
