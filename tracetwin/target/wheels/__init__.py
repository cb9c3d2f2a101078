"""Targets in wheels: opened, checked, unpacked, and given what they need."""
