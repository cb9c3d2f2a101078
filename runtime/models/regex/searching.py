"""`match`, `fullmatch`, `search`: whether there is a match is decided; its groups are expressions."""

from __future__ import annotations

import re
from typing import Any

from runtime.expr import Sort, apply
from runtime.models.regex.calls import Call
from runtime.models.regex.matches import TracedMatch, TracedMatches
from runtime.private_builtins import keep_builtins
from runtime.values import check, wrap

keep_builtins(globals())


def searched(call: Call, native: re.Match[Any] | None) -> Any:
    """Return a match, or None."""
    node = call.texts(f"re.{call.name}", Sort.OBJ)
    check(wrap(native is None, apply("is_none", Sort.BOOL, node)))
    return None if native is None else TracedMatch(native, call, node)


def found_in_turn(call: Call, native: Any) -> Any:
    """Return `finditer`."""
    return TracedMatches(native, call)
