"""Parameters and other names of a function, as advice speaks of them."""

from __future__ import annotations

import ast
from collections.abc import Collection

from tracetwin.analysis.entries import Definition
from tracetwin.analysis.slices import Slice


def either(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def parameters(node: Definition) -> list[ast.arg]:
    """Return the parameters of a function, but for those that it has as a method."""
    found = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return [one for one in found if one.arg not in ("self", "cls")]


def kinds_asked(cut: Slice, names: Collection[str]) -> list[str]:
    """Return the hints that a condition asks for by `isinstance`."""
    asked = (call.args for call in cut.asked if len(call.args) == 2)
    parts = ((one.id, kind) for one, kind in asked if isinstance(one, ast.Name) and one.id in names)
    return [f"`{name}: {ast.unparse(kind)}`" for name, kind in parts]
