"""Functions in C that refuse a subclass of str, where Python code of the library hands them a traced text."""

from __future__ import annotations

import sys
from collections.abc import Callable

from runtime.values import SStr


def tolerate_traced() -> None:
    """Have `sys.intern`, which `pathlib` calls for the parts of a path, leave traced texts as they are."""
    real: Callable[[str], str] = sys.intern

    def intern(string: str, /) -> str:
        return string if type(string) is SStr else real(string)

    sys.intern = intern
