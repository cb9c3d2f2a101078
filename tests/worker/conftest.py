from __future__ import annotations

from tests.process.conftest import make_worker

__all__ = ["make_worker"]
