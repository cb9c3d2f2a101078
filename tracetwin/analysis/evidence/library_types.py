"""Evidence from a library's stubs or annotations for the arguments that it is given."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Final

from tracetwin.analysis.evidence.expressions import FollowedExpressions, dotted
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.spelled_types import Alias, Lookup, Meaning, note_type, usual
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.evidence.stubs import Stub, any_stub
from tracetwin.analysis.scopes import is_anything, text_of, unwrapped
from tracetwin.analysis.sources import FunctionNode, is_static
from tracetwin.model.asking import asked
from tracetwin.model.class_stand_in import real_class
from tracetwin.support.syntax import expression

MOST_STEPS: Final = 8
"""So often a name may lead on to another module or class."""

_WITHOUT_NEWS: Final = frozenset(("typing", "typing_extensions", "types", "collections.abc", "builtins"))
"""Modules whose names are known without reading their stubs."""


def note_call(_name: str, node: ast.Call, where: FollowedExpressions) -> None:
    """Add what a function from elsewhere says of the followed values among its arguments."""
    arguments: list[tuple[int | str, ast.expr]] = list(enumerate(node.args))
    arguments += [(keyword.arg or "", keyword.value) for keyword in node.keywords]
    followed = [(place, facts) for place, value in arguments if (facts := where.facts(value)) is not None]
    if not followed:
        return
    called = where.constant(node.func) or _method(node.func, where)
    if not callable(called):
        return
    stub, definitions, skipped = _declared(called)
    if stub is None:
        _note_annotated(called, followed)
        return
    for place, facts in followed:
        found = [_annotation(definition, place, skipped) for definition in definitions]
        if known := {ast.dump(item): item for item in found if item is not None}:
            either = ast.Subscript(ast.Name("Union"), ast.Tuple(list(known.values())))
            note_type(either, facts, _lookup(stub), Strength.NEEDED, exclusive=True)


def _method(node: ast.expr, where: FollowedExpressions) -> Any:
    """The method of an object whose class is plain to see: ``parser.parse_args`` of a new parser."""
    if not isinstance(node, ast.Attribute) or (cls := where.class_of(node.value)) is None:
        return None
    found = inspect.getattr_static(cls, node.attr, None)
    return found if isinstance(found, FunctionType) else None


def _declared(called: Callable[..., Any]) -> tuple[Stub | None, list[FunctionNode], int]:
    """The definitions in stubs of what is called, and how many of their parameters are bound already."""
    module, path = asked(called, "__module__"), asked(called, "__qualname__")
    receiver = asked(called, "__self__")
    if module is None and isinstance(receiver, type):  # class methods written in C
        module = receiver.__module__
    if not isinstance(module, str) or not isinstance(path, str) or module == "builtins":
        return None, [], 0
    names = [f"{path}.__init__", f"{path}.__new__"] if isinstance(called, type) else [path]
    for home in dict.fromkeys((module, module.lstrip("_"))):  # `_functools` is described where it is used
        for name in names:
            stub, nodes = find(home, name)
            if nodes:
                return stub, nodes, int("." in name and not is_static(nodes[0]))
    return None, [], 0


def result_of(module: str, qualname: str) -> ValueFacts | None:
    """Return what a stub says that a function or method gives; None where there is none that says it."""
    stub, nodes = find(module, qualname)
    said = {ast.dump(node.returns): node.returns for node in nodes if node.returns is not None}
    if stub is None or not said:
        return None
    facts = ValueFacts()
    either = ast.Subscript(ast.Name("Union"), ast.Tuple(list(said.values())))
    return facts if note_type(either, facts, _lookup(stub), Strength.DECLARED, exclusive=True) else None


def find(module: str, qualname: str, steps: int = MOST_STEPS) -> tuple[Stub | None, list[FunctionNode]]:
    """The definitions of a function or method, and the stub that has them; through imports and bases."""
    stub = any_stub(module) if steps else None
    if stub is None:
        return None, []
    if qualname in stub.functions:
        return stub, stub.functions[qualname]
    owner, _, method = qualname.rpartition(".")
    if owner in stub.classes:
        for base in stub.classes[owner].bases:
            name = dotted(base.value if isinstance(base, ast.Subscript) else base)
            found = find(stub.module, f"{name}.{method}", steps - 1) if name else (None, [])
            if found[1]:
                return found
        return None, []
    first, _, rest = qualname.partition(".")
    if first in stub.imports:
        home, attribute = stub.imports[first]
        return find(home, ".".join(part for part in (attribute, rest) if part), steps - 1)
    for home in stub.stars:
        found = find(home, qualname, steps - 1)
        if found[1]:
            return found
    return None, []


def _annotation(node: FunctionNode, place: int | str, skipped: int) -> ast.expr | None:
    """The annotation of the parameter that takes an argument, by position or by name."""
    positional = [*node.args.posonlyargs, *node.args.args][skipped:]
    if isinstance(place, int):
        taking = positional[place] if place < len(positional) else node.args.vararg
    else:
        by_name = {item.arg: item for item in [*positional, *node.args.kwonlyargs]}
        taking = by_name.get(place, node.args.kwarg if place else None)
    return None if taking is None else taking.annotation


def _lookup(stub: Stub, steps: int = MOST_STEPS) -> Lookup:
    """Returns the meaning of names in a stub."""

    def meaning(name: str) -> Meaning:
        first, _, rest = name.partition(".")
        if not stub.defines(first) and (kind := usual(name)) is not None:
            return kind
        if name in stub.aliases:
            return _alias(stub.aliases[name], meaning)
        if name in stub.classes:
            return usual(name) or _loaded(stub.module, name)
        if not steps or first not in stub.imports:
            return None
        home, attribute = stub.imports[first]
        further = None if home in _WITHOUT_NEWS else any_stub(home)
        if further is None:
            return None
        return _lookup(further, steps - 1)(".".join(part for part in (attribute, rest) if part))

    return meaning


def _alias(value: ast.expr, lookup: Lookup) -> Meaning:
    """The meaning of an alias: another type, or the constraints or bound of a type variable."""
    if not isinstance(value, ast.Call):
        return Alias(value, lookup)
    bound = next((item.value for item in value.keywords if item.arg == "bound"), None)
    if bound is not None:
        return Alias(bound, lookup)
    if len(value.args) > 1:  # the constraints of a type variable, the type below a new one
        return Alias(ast.Subscript(ast.Name("Union"), ast.Tuple(value.args[1:])), lookup)
    return None


def _loaded(module: str, name: str) -> type | None:
    """A class of a module that is there already: nothing is imported for a guess."""
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = real_class(vars(found).get(part)) if isinstance(found, (type, ModuleType)) else None
    return found if isinstance(found, type) and not getattr(found, "_is_protocol", False) else None


def _note_annotated(called: Callable[..., Any], followed: list[tuple[int | str, ValueFacts]]) -> None:
    """Add what the annotations of a Python function itself say."""
    try:
        parameters = list(inspect.signature(called).parameters.values())
    except Exception:  # noqa: BLE001 - signatures may be computed, by anybody's code
        return
    function = unwrapped(called.__init__ if isinstance(called, type) else called)  # type: ignore[misc]
    names = getattr(function, "__globals__", {})

    def meaning(name: str) -> Meaning:
        found = names.get(name)
        return usual(name) or (found if isinstance(found, type) else None)

    for place, facts in followed:
        for index, item in enumerate(parameters):
            annotation = item.annotation
            if place not in (index, item.name) or annotation is item.empty or is_anything(annotation):
                continue
            if (node := expression(text_of(annotation))) is not None:
                note_type(node, facts, meaning, Strength.NEEDED, exclusive=True)
