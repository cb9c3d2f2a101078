"""Exceptions of the interpreter as arguments: with a message, or with what the code reads of them."""

from __future__ import annotations

import ast
import errno
import os
from collections.abc import Sequence
from typing import Any, Final

from tracetwin.analysis.sources import Source, walk
from tracetwin.drawing.adapters.interface import Adapter
from tracetwin.drawing.adapters.making import constant, holder, one_of_calls
from tracetwin.drawing.plans.plans import NONE, IntPlan, Plan, StrPlan, one_of

_USUAL: Final = ("ENOENT", "EACCES")
"""Errors of the system where the code reads their number and names none."""

_MOST: Final = 8
_OF_UNICODE: Final = {
    UnicodeDecodeError: ("utf-8", b"a\xff", 1, 2, "invalid start byte"),
    UnicodeEncodeError: ("ascii", "a\xe9", 1, 2, "ordinal not in range(128)"),
    UnicodeTranslateError: ("a\xe9", 1, 2, "character maps to <undefined>"),
}


class _Exceptions(Adapter):
    name = "exceptions of the interpreter"

    def owns(self, thing: Any) -> bool:
        return isinstance(thing, type) and thing.__module__ == "builtins" and issubclass(thing, BaseException)

    def plan(self, thing: Any, args: Sequence[Any] = ()) -> Plan:
        return _planned(thing, frozenset())

    def plan_for(self, source: Source, thing: Any, args: Sequence[Any] = ()) -> Plan:
        return _planned(thing, frozenset(_named(source.tree)))


def _planned(cls: type[BaseException], named: frozenset[str]) -> Plan:
    """The plan of an exception for code with these names of attributes and of errors."""
    if cls in _OF_UNICODE:
        return constant("builtins", cls.__name__, *_OF_UNICODE[cls])
    if cls is SystemExit:
        return holder("builtins", "SystemExit", code=one_of([IntPlan(), StrPlan(), NONE]))
    message: Plan = one_of([StrPlan(), IntPlan()]) if "args" in named else StrPlan()
    plain = holder("builtins", cls.__name__, message=message)
    if cls is not OSError or "errno" not in named:
        return plain
    numbers = [name for name in sorted(named) if hasattr(errno, name) and name.startswith("E")]
    known = [getattr(errno, name) for name in (numbers or _USUAL)[:_MOST]]
    calls = [(number, os.strerror(number)) for number in known]
    return one_of([plain, one_of_calls("builtins", "OSError", calls)])


def _named(tree: ast.Module) -> set[str]:
    """The attributes that a module reads, and the names of errors that it imports."""
    found = {node.attr for node in walk(tree) if isinstance(node, ast.Attribute)}
    found |= {node.id for node in walk(tree) if isinstance(node, ast.Name) and node.id.startswith("E")}
    return found


ADAPTER = _Exceptions()
