"""The signature of a stub's method: the interface's, with annotations where their names can be imported."""

from __future__ import annotations

import ast
from collections.abc import Container, Sequence

from tracetwin.emit.mocks.body import Names
from tracetwin.emit.source.identifiers import Unwritable, checked
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import Atom, LaidOut
from tracetwin.model.observation import DescribedMember, DescribedParameter, MockCall, Spelled
from tracetwin.model.recipe import NONE, MockMember, RecordedCall
from tracetwin.support.data import dataclass

_ONLY, _PLAIN, _REST, _KEYWORD, _NAMED = range(5)
"""Kinds of parameters, as `inspect` counts them."""


@dataclass(frozen=True)
class Signature:
    """The parameters and the result of a method.

    Attributes:
        nodes: the parameters after `self`.
        names: what the body calls them.
        returns: the annotation of the result, "" where there is none.
    """

    nodes: tuple[LaidOut, ...]
    names: Names
    returns: str


def signature_of(
    known: DescribedMember | None,
    used: MockMember | None,
    space: Namespace,
    members: Container[str] = (),
    made: Sequence[MockCall] = (),
) -> Signature:
    """Return the signature of a member.

    Args:
        known: what the interface says of it, None where it has none.
        used: the answers that it gives.
        space: the names of the file.
        members: those of its class, which hide what has the same name.
        made: the calls of it that were seen, of which some may have no answer of their own.
    """
    calls: list[RecordedCall | MockCall] = [*(used.calls if used else ()), *made]
    rows = _of_calls(calls) if known is None else known.parameters
    returns = "" if known is None else spelled(known.returns, space, members)
    if known is not None and _contradicts(returns, used):
        returns = ""
    positional = [row.name for row in rows if row.kind in (_ONLY, _PLAIN, _KEYWORD)]
    rest = next((row.name for row in rows if row.kind == _REST), "")
    named = next((row.name for row in rows if row.kind == _NAMED), "")
    return Signature(tuple(_nodes(rows, space, members)), Names(positional, rest, named), returns)


def function_of(count: int) -> DescribedMember | None:
    """Return what is known of a function that takes so many arguments, None where it may take any."""
    if count < 0:
        return None
    parameters = (DescribedParameter(_letter(i), _PLAIN, None, None) for i in range(count))
    return DescribedMember("function", True, tuple(parameters), None)


def _letter(position: int) -> str:
    return "abcdefgh"[position] if position < 8 else f"a{position}"


def spelled(text: Spelled | None, space: Namespace, members: Container[str] = ()) -> str:
    """Return an annotation or default as this file writes it, "" for none, or where a name has no import.

    In a class with such members, those are what their names mean: builtins are then written as
    `builtins.list`.
    """
    if text is None:
        return ""
    try:
        given = {one[0]: _from_within(one[1], one[2], space, members) for one in text.names}
        tree = ast.parse(text.text, mode="eval")
    except (Unwritable, SyntaxError, ValueError):
        return ""
    first = {name.partition(".")[0] for name in given}
    if any(isinstance(node, ast.Name) and node.id not in first for node in ast.walk(tree)):
        return ""  # it speaks of something that nobody knows
    renamed = any(name != other for name, other in given.items())
    return ast.unparse(_Renaming(given).visit(tree) if renamed else tree)


def _from_within(module: str, qualname: str, space: Namespace, members: Container[str]) -> str:
    """A name as it is written in a class with those members."""
    name = space.name(module, qualname)
    if name.partition(".")[0] not in members:
        return name
    if module != "builtins":
        raise Unwritable(f"{name} is hidden by a member of the class")
    space.modules.add("builtins")
    return f"builtins.{name}"


class _Renaming(ast.NodeTransformer):
    def __init__(self, given: dict[str, str]) -> None:
        self._given = given

    def _instead(self, node: ast.expr) -> ast.expr:
        text = ast.unparse(node)
        return ast.parse(self._given[text], mode="eval").body if text in self._given else node

    visit_Name = visit_Attribute = _instead


def _nodes(rows: Sequence[DescribedParameter], space: Namespace, members: Container[str]) -> list[LaidOut]:
    nodes: list[LaidOut] = []
    starred = False
    for position, row in enumerate(rows):
        if row.kind == _KEYWORD and not starred:
            nodes.append(Atom("*"))
        starred = starred or row.kind in (_REST, _KEYWORD)
        typed = _typed(checked(row.name), row.kind, spelled(row.annotation, space, members))
        default = row.default
        nodes.append(Atom(typed if default is None else _with_default(typed, default, space, members)))
        following = rows[position + 1].kind if position + 1 < len(rows) else None
        if row.kind == _ONLY and following != _ONLY:
            nodes.append(Atom("/"))
    return nodes


def _typed(name: str, kind: int, annotation: str) -> str:
    stars = {_REST: "*", _NAMED: "**"}.get(kind, "")
    return f"{stars}{name}: {annotation}" if annotation else f"{stars}{name}"


def _with_default(typed: str, default: Spelled, space: Namespace, members: Container[str]) -> str:
    value = spelled(default, space, members) or "None"
    if value == "None" and default.text != "None":
        typed = typed.partition(": ")[0]  # it stands for a default that this file can't name
    return f"{typed} = {value}" if ": " in typed else f"{typed}={value}"


def _of_calls(calls: Sequence[RecordedCall | MockCall]) -> Sequence[DescribedParameter]:
    """Parameters for the arguments that a member without a signature was called with."""
    if not calls:
        return [DescribedParameter("args", _REST, None, None)]
    counts = [len(call.args) for call in calls]
    rows: list[DescribedParameter] = []
    for position in range(max(counts)):
        default = Spelled("None") if position >= min(counts) else None
        rows.append(DescribedParameter(_letter(position), _PLAIN, None, default))
    names = dict.fromkeys(name for call in calls for name, _ in call.kwargs)
    for name in names:
        always = all(name in dict(call.kwargs) for call in calls)
        rows.append(DescribedParameter(name, _KEYWORD, None, None if always else Spelled("None")))
    return rows


def _contradicts(returns: str, used: MockMember | None) -> bool:
    """Return whether a result is None that the annotation doesn't speak of: type checkers would say so."""
    if used is None or not returns or used.kind in ("generator", "asyncgen"):
        return False
    speaks = any(word in returns for word in ("None", "Optional", "Any", "object"))
    return not speaks and any(
        call.answer.recipe == NONE and not call.answer.raises for call in used.calls
    )
