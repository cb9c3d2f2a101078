"""The modules that tests of drawing write."""

from __future__ import annotations

from tests.drawing.conftest import make_module

__all__ = ["make_module"]
