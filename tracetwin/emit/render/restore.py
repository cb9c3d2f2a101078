"""Tests that change the state of their module put it back: `@unittest.mock.patch("shop.orders", [])`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracetwin.emit.render.identifiers import Unwritable
from tracetwin.emit.render.imports import Namespace
from tracetwin.emit.render.layout import Atom, Node, Text, call, lay_out
from tracetwin.emit.render.literals import Writer, is_plain

INDENT = 4
LONGEST = 60


def decorators(leaks: Sequence[tuple[str, str, Any]], space: Namespace, writer: Writer) -> list[str]:
    """The lines above a test.

    Args:
        leaks: what it changes, as `tracetwin.replay.observe.leaks` found it.
        space: where names come from.
        writer: writes the values that were there before.
    """
    lines: list[str] = []
    for path, how, before in leaks:
        patch = space.name("unittest.mock", "patch")
        place = Text(f"{space.target}.{path}")
        if how == "dict":
            node = call(f"{patch}.dict", [place])
        else:
            try:
                value = _value(path, before, space, writer)
            except Unwritable:
                continue  # what can't be put back makes other tests fail, which is noticed
            node = call(patch, [place, value])
        lines += lay_out("@", node, "", INDENT)
    return lines


def _value(path: str, before: Any, space: Namespace, writer: Writer) -> Node:
    """What was there before the first test: its literal where that is short, else a copy."""
    if is_plain(before):
        node = writer.snap(before)
        if len(node.flat()) <= LONGEST:
            return node
    return call(space.name("copy", "deepcopy"), [Atom(space.name(space.target, path))])
