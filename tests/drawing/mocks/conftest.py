"""Modules written by tests."""

from __future__ import annotations

from tests.drawing.conftest import make_module

__all__ = ["make_module"]
