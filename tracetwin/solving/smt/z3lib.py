"""The only place that imports z3 (untyped, and slow to load: import this module lazily)."""

from __future__ import annotations

import importlib
from typing import Any, Final

z3: Final[Any] = importlib.import_module("z3")
