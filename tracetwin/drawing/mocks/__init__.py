"""Mocks: stand-ins for interfaces, callables and untyped objects."""
