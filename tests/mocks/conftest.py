"""Modules written by tests."""

from __future__ import annotations

from tests.inputs.conftest import make_module

__all__ = ["make_module"]
