"""The parts of an object that a snapshot names, as expressions."""

from __future__ import annotations

import re
from typing import Final

from tracetwin.emit.source.identifiers import is_name
from tracetwin.emit.source.layout import Atom, LaidOut, call

_FUNCTION: Final = re.compile(
    r"(bool|bytes|complex|dict|float|frozenset|int|len|list|set|str|tuple)\(\)", re.ASCII
)
_METHOD: Final = re.compile(r"\.(\w+)\((\*?|-?\d+|True|False|\"[\w .-]*\")\)", re.ASCII)
_TAKING: Final = re.compile(r"\.(\w+)\(\)\*(?:len|\.(\w+))\(\)", re.ASCII)


def is_emptying(name: str) -> bool:
    """Return whether a part is what an object gives out until nothing is left: to be asked for last."""
    return name.startswith(".") and "()*" in name


def part_of(value: str, name: str) -> LaidOut | None:
    """The expression of a part as an ``object`` snapshot calls it; None where that can't be written.

    That is an attribute, ``"list()"`` for a function of it, ``".size()"`` for a method, ``".get(*)"`` for
    what a method says of each of its items, or ``".pop()*len()"`` for what it gives out so many times.
    An attribute can have any text for a name, so nothing is taken for one of these that only begins so.
    """
    if is_name(name):
        return Atom(f"{value}.{name}")
    if function := _FUNCTION.fullmatch(name):
        return call(function.group(1), [Atom(value)])
    if taking := _TAKING.fullmatch(name):
        method, counter = taking.groups()
        number = f"{value}.{counter}()" if counter else f"len({value})"
        return Atom(f"[{value}.{method}() for _ in range({number})]")
    if not (asking := _METHOD.fullmatch(name)):
        return None
    method, given = asking.groups()
    if given != "*":
        return Atom(value + name)
    source = f"{value}[key]" if method == "__getitem__" else f"{value}.{method}(key)"
    return Atom(f"{{key: {source} for key in {value}}}")
