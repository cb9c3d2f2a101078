"""Nodes of syntax trees: made field by field, as the grammar says that stands in their documentation."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from tracetwin.analysis.sources import Source, walk
from tracetwin.drawing.adapters.interface import Adapter
from tracetwin.drawing.adapters.making import one_of_calls
from tracetwin.drawing.plans.containers import ListPlan
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import NONE, BoolPlan, Built, FloatPlan, IntPlan, Plan, StrPlan, one_of
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import Call
from tracetwin.support.data import dataclass

_TEXTS: Final = ("x = 1", "def f(a):\n    return a", "print('a', b=2)", "")
_EXPRESSIONS: Final = ("a + 1", "f(1)", "[]")
_FIRST: Final = tuple("Constant Name Expr Assign Return Call Attribute BinOp If FunctionDef Load Add".split())
"""Nodes that come before others that the code does not name."""
_LEAVES: Final = ("Constant", "Name", "Pass", "Expr", "Load", "Add", "USub", "Eq", "And", "MatchValue")
_DEEPEST: Final = 3
_MOST_KINDS: Final = (12, 8, 5, 2)
"""Kinds of nodes to choose among, by how deep the node stands."""
_PLACES: Final = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_SIMPLE: Final[Mapping[str, Plan]] = {
    "identifier": StrPlan("a"),
    "string": StrPlan("a"),
    "int": IntPlan(),
    "constant": one_of([IntPlan(1), StrPlan("a"), NONE, BoolPlan(), FloatPlan()]),
}


class _Field(NamedTuple):
    """A field of a node: of which kind its value is, whether there may be none (?) or several (*)."""

    kind: str
    amount: str
    name: str


@dataclass(frozen=True)
class NodePlan(Plan):
    """A node of one class.

    Attributes:
        kind: the name of the class in `ast`.
        mentioned: names that the code speaks of: which other nodes there may be, and where they stand.
        depth: how many nodes it stands in.
    """

    kind: str
    mentioned: frozenset[str]
    depth: int = 0
    COMPOSITE = True
    HASHABLE: ClassVar[bool] = True

    def build(self, draw: Draw, name: str) -> Built:
        values, recipes = {}, []
        for field, plan in self._plans():
            value, recipe = plan.build(draw, f"{name}.{field}")
            values[field] = value
            recipes.append((field, recipe))
        return self.produces()(**values), Call("ast", self.kind, (), tuple(recipes))

    def _plans(self) -> Iterator[tuple[str, Plan]]:
        """Yield the fields that are passed, with their plans."""
        for field in _fields(self.kind):
            if field.kind == "expr_context" and not self.mentioned & {"ctx", "Load", "Store", "Del"}:
                continue
            if field.amount == "?" and (self.depth or field.name not in self.mentioned):
                continue
            plan = _of_kind(field.kind, self.mentioned, self.depth + 1)
            if field.amount == "*":
                plan = ListPlan(None if self.depth >= _DEEPEST else plan, 0 if self.depth else 1)
            yield field.name, one_of([NONE, plan]) if field.amount == "?" else plan
        for place in _PLACES:
            if place in self.mentioned and place in places_of(self.produces()):
                yield place, IntPlan(int("lineno" in place))

    def describe(self) -> str:
        return self.kind

    def produces(self) -> type[ast.AST]:
        found: type[ast.AST] = getattr(ast, self.kind)
        return found


class _SyntaxTrees(Adapter):
    name = "syntax trees"

    def owns(self, thing: Any) -> bool:
        return isinstance(thing, type) and thing.__module__ in ("ast", "_ast") and ast.AST in thing.__mro__

    def plan(self, thing: Any, args: Sequence[Any] = ()) -> Plan:
        return self._planned(thing, frozenset())

    def plan_for(self, source: Source, thing: Any, args: Sequence[Any] = ()) -> Plan:
        return self._planned(thing, _mentioned(source.tree))

    def _planned(self, thing: Any, mentioned: frozenset[str]) -> Plan:
        if thing is ast.Expression:
            return one_of_calls("ast", "parse", [(text, "<unknown>", "eval") for text in _EXPRESSIONS])
        if issubclass(thing, ast.mod):
            return one_of_calls("ast", "parse", [(text,) for text in _TEXTS])
        if thing is not ast.AST:
            return _of_kind(thing.__name__, mentioned, 0)
        named = [kind for kind in _in_order(mentioned, mentioned) if _fields(kind) or kind in _LEAVES]
        nodes = [NodePlan(kind, mentioned) for kind in named if isinstance(getattr(ast, kind, None), type)]
        return one_of([self.plan(ast.Module), *nodes])


def places_of(node: type[ast.AST]) -> tuple[str, ...]:
    """The attributes that tell where a node stands; () where it has none."""
    return node._attributes  # noqa: SLF001 - public by its documentation


def _of_kind(kind: str, mentioned: frozenset[str], depth: int) -> Plan:
    """The plan of a value of a kind that the grammar has.

    Raises:
        Unbuildable: there is nothing of that kind in the grammar.
    """
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    kinds = _alternatives(kind)
    if not kinds:
        raise Unbuildable(f"the syntax tree has no {kind}")
    if kinds == (kind,):
        return NodePlan(kind, mentioned, depth)
    most = _MOST_KINDS[min(depth, _DEEPEST)]
    chosen = [one for one in kinds if one in _LEAVES] if depth >= _DEEPEST else []
    return one_of([NodePlan(one, mentioned, depth) for one in (chosen or _in_order(kinds, mentioned))[:most]])


def _in_order(kinds: Sequence[str] | frozenset[str], mentioned: frozenset[str]) -> list[str]:
    """Kinds of nodes, those first that the code names, then those that are frequent."""
    rank = {kind: place for place, kind in enumerate(_FIRST)}
    return sorted(sorted(kinds), key=lambda kind: (kind not in mentioned, rank.get(kind, len(rank))))


def _grammar(kind: str) -> str:
    """The rule of the grammar that stands in the documentation of a class."""
    return getattr(getattr(ast, kind, None), "__doc__", None) or ""


@functools.cache
def _alternatives(kind: str) -> tuple[str, ...]:
    """The kinds of nodes that one of a kind may be: itself, if it is no sum of others."""
    rule = _grammar(kind)
    if " = " not in rule.partition("(")[0]:
        return (kind,) if rule.startswith(kind) else ()
    return tuple(re.findall(r"[=|] (\w+)", rule))


@functools.cache
def _fields(kind: str) -> tuple[_Field, ...]:
    """The fields of a node."""
    if _alternatives(kind) != (kind,):
        return ()
    inside = _grammar(kind).partition("(")[2].rpartition(")")[0]
    return tuple(_Field(*part) for part in re.findall(r"(\w+)([?*]?) (\w+)", inside))


@functools.lru_cache(maxsize=8)
def _mentioned(tree: ast.Module) -> frozenset[str]:
    """The names in a module, of classes also those that its visitors are called after."""
    found: set[str] = set()
    for node in walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                found.add(name)
            case ast.FunctionDef(name=name) if name.startswith("visit"):
                found.add(name.removeprefix("visit").removeprefix("_"))
            case ast.Constant(value=str(name)) if name.isidentifier():
                found.add(name)
            case _:
                pass
    if found & {"compile", "fix_missing_locations", "unparse"}:
        found |= {"ctx", *_PLACES[:2]}
    return frozenset(found)


ADAPTER = _SyntaxTrees()
