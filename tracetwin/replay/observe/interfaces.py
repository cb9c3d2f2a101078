"""Interfaces that mocks stand for: a test that derives from one repeats its signatures.

Annotations and defaults as they are written, with what their names stand for, for another file to use.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import types
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

from tracetwin.analysis.sources import FunctionNode, Source, read
from tracetwin.drawing.mocks.members import CALLED, InterfaceMember, members_of, remember
from tracetwin.drawing.plans.special_forms import is_protocol
from tracetwin.model import recipes
from tracetwin.model.case import Case
from tracetwin.model.observation import DescribedMember, DescribedParameter, Interface, Spelled
from tracetwin.replay.observe.stored import mocks_of

_Signature: TypeAlias = tuple[tuple[DescribedParameter, ...], Spelled | None]
"""The parameters of a member, and what it returns."""


def of_case(case: Case) -> tuple[Interface, ...]:
    """The interfaces that the mocks of a case derive from, each with what a class has to define."""
    used: dict[tuple[str, str], set[str]] = {}
    for mock in mocks_of(case):
        for base in mock.bases:
            used.setdefault(base, set()).update(mock.members)
    return tuple(described(base, recipes.class_at(*base), names) for base, names in used.items())


def look_ahead(case: Case) -> None:
    """Look once at the interfaces of a case that are imported, for all cases to come."""
    for mock in mocks_of(case):
        for module, qualname in mock.bases:
            if module in sys.modules:
                with suppress(Exception):  # the case itself says what is wrong
                    _remember(recipes.class_at(module, qualname), mock.members)


_REMEMBERED: Final[dict[int, tuple[InterfaceMember, _Signature]]] = {}


def _remember(cls: type, used: Container[str]) -> None:
    remember(cls)
    for name, member in members_of(cls).items():
        if id(member) not in _REMEMBERED and (member.is_abstract or name in used):
            _REMEMBERED[id(member)] = (member, _signature(member))


def described(place: tuple[str, str], cls: type, used: set[str]) -> Interface:
    """One interface."""
    abstract: frozenset[str] = getattr(cls, "__abstractmethods__", frozenset())
    members: dict[str, DescribedMember] = {}
    for name, member in members_of(cls).items():
        of_protocol = is_protocol(member.owner) and member.is_abstract
        needed = name in abstract or of_protocol
        known = member.signature is not None or member.kind not in CALLED  # C code may say nothing of it
        if needed or (known and name in used):
            _, (parameters, returns) = _REMEMBERED.get(id(member)) or (member, _signature(member))
            members[name] = DescribedMember(member.kind, needed, parameters, returns)
    return Interface(*place, _starts(cls), members)


def _starts(cls: type) -> bool:
    """True if a constructor of Python code runs when an instance is made."""
    made = getattr(cls, "__init__", None)
    return inspect.isfunction(made) and made.__module__ != "typing"


def _signature(member: InterfaceMember) -> _Signature:
    speller = Speller(member.owner)
    qualname = f"{member.owner.__qualname__}.{member.name}"
    if member.function is None:
        return _bare(member), _of_attribute(member, speller)
    node = speller.source.function(qualname, member.function.__code__.co_firstlineno)
    if node is None or member.overloads or member.is_manager:
        return _bare(member), None
    bound = member.kind != "staticmethod"
    return tuple(_written(node, speller)[bound:]), speller.annotation(node.returns)


def _of_attribute(member: InterfaceMember, speller: Speller) -> Spelled | None:
    """The annotation in the body of the class."""
    body = speller.source.class_(member.owner.__qualname__)
    for item in () if body is None else body.body:
        if isinstance(item, ast.AnnAssign) and ast.unparse(item.target) == member.name:
            return speller.annotation(item.annotation)
    return None


def _written(node: FunctionNode, speller: Speller) -> list[DescribedParameter]:
    """All parameters, with annotations and defaults."""
    args = node.args
    plain = [*args.posonlyargs, *args.args]
    defaults: Sequence[ast.expr | None] = [*[None] * (len(plain) - len(args.defaults)), *args.defaults]
    kinds = [0] * len(args.posonlyargs) + [1] * len(args.args)
    rows = [*zip(plain, kinds, defaults, strict=True)]
    rows += [(args.vararg, 2, None)] if args.vararg else []
    rows += [(arg, 3, default) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    rows += [(args.kwarg, 4, None)] if args.kwarg else []
    return [
        DescribedParameter(arg.arg, kind, speller.annotation(arg.annotation), _default(default, speller))
        for arg, kind, default in rows
    ]


def _default(node: ast.expr | None, speller: Speller) -> Spelled | None:
    return None if node is None else speller.default(node) or Spelled("None")


def _bare(member: InterfaceMember) -> tuple[DescribedParameter, ...]:
    """The parameters of a function that there is no source of, or whose source says another thing."""
    return tuple(
        DescribedParameter(
            one.name, int(one.kind), None, None if one.default is one.empty else _plain(one.default)
        )
        for one in member.parameters
    )


def _plain(default: object) -> Spelled:
    known = type(default) in recipes.SCALARS and default == default  # noqa: PLR0124 - not a NaN
    return Spelled(repr(default) if known else "None")


_VARIABLES = ("TypeVar", "ParamSpec", "TypeVarTuple")

_METHODS = (types.FunctionType, property, classmethod, staticmethod)
"""Members that no annotation speaks of: beside a method `list`, `list[str]` is still a list."""


class Unspeakable(Exception):
    """A name that means nothing outside of its class or function."""


class Speller:
    """Reads what stands in the body of one class."""

    def __init__(self, owner: type) -> None:
        self.owner = owner
        self.module = sys.modules.get(owner.__module__) or types.ModuleType(owner.__module__)
        self.source: Source = read(self.module)

    def annotation(self, node: ast.expr | None) -> Spelled | None:
        """An annotation without the quotes; None where there is none, or none that another file can use."""
        try:
            return None if node is None else self._spelled(_Unquoted().visit(node), hidden=_METHODS)
        except (Unspeakable, SyntaxError, ValueError):
            return None

    def default(self, node: ast.expr | None) -> Spelled | None:
        """A default; None as for annotations."""
        try:
            return None if node is None else self._spelled(node)
        except Unspeakable:
            return None

    def _spelled(self, node: ast.expr, hidden: tuple[type, ...] = ()) -> Spelled:
        names = tuple((name, *self._place(name, hidden)) for name in dict.fromkeys(_dotted_names(node)))
        return Spelled(ast.unparse(node), names)

    def _place(self, name: str, hidden: tuple[type, ...]) -> tuple[str, str]:
        """Where to import from what a dotted name stands for; members of these types are passed over."""
        first, *rest = name.split(".")
        if first in self.source.checking_imports and not hasattr(self.module, first):
            module, attribute = self.source.checking_imports[first]
            if attribute == "":  # ``import module.submodule``
                inside = name.startswith(f"{module}.")
                return (module, name[len(module) + 1 :]) if inside else (first, ".".join(rest))
            where = module, ".".join([*([attribute] if attribute else []), *rest])
            if module in sys.modules and not _exists(*where):
                raise Unspeakable(name)  # there, too, it is for checkers only
            return where
        own = {member: value for member, value in vars(self.owner).items() if not isinstance(value, hidden)}
        for place in (own, vars(self.module)):
            if first in place:
                return self._known(name, place[first], rest)
        if hasattr(builtins, first):
            return "builtins", name
        raise Unspeakable(name)

    def _known(self, name: str, start: Any, rest: list[str]) -> tuple[str, str]:
        found = start
        for part in rest:
            found = getattr(found, part, None)
        if type(found).__name__ in _VARIABLES:
            raise Unspeakable(name)
        try:
            return recipes.reference(found)
        except recipes.NotNameable:
            pass  # an alias or a constant: it has the name that the module gives it
        if isinstance(start, types.ModuleType) and rest:
            if not _exists(start.__name__, ".".join(rest)):
                raise Unspeakable(name)
            return start.__name__, ".".join(rest)
        if vars(self.module).get(name.partition(".")[0]) is not start:
            raise Unspeakable(name)
        return self.module.__name__, name


def _exists(module: str, qualname: str) -> bool:
    """True if a module holds a name; the module itself does where that is empty."""
    found: Any = sys.modules.get(module)
    for part in filter(None, qualname.split(".")):
        found = getattr(found, part, None)
    return found is not None


class _Unquoted(ast.NodeTransformer):
    """Annotations in quotes as expressions, and of annotated types the type."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        inner: ast.expr = self.visit(ast.parse(node.value, mode="eval").body)
        return inner

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        name = ast.unparse(node.value).rpartition(".")[2]
        if name == "Literal":
            return node
        if name == "Annotated" and isinstance(node.slice, ast.Tuple):
            first: ast.expr = self.visit(node.slice.elts[0])
            return first
        return ast.Subscript(self.visit(node.value), self.visit(node.slice), node.ctx)


def _dotted_names(node: ast.AST) -> Iterator[str]:
    """The names, each with all attributes that are asked of it."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute) and _is_dotted(node):
        yield ast.unparse(node)
    else:
        for part in ast.iter_child_nodes(node):
            yield from _dotted_names(part)


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
