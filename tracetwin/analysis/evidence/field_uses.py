"""Uses of fields, classes and keywords in functions of a module: evidence for what parameters get."""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from runtime.classes import classes_in
from tracetwin.analysis.evidence.callees import left_open, needed
from tracetwin.analysis.evidence.expressions import Names, dotted, texts_in
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.scopes import qualname_of
from tracetwin.analysis.sources import Source, arguments, walk

_ASKING = frozenset(
    "isinstance issubclass type callable hasattr isclass isfunction ismethod isroutine ismodule".split()
)
"""Functions that tell what an object is."""

_DEEPEST: Final = 3
"""Functions through which keywords are followed."""


def taken_for_given(source: Source, qualname: str, name: str, depth: int = 0) -> frozenset[str]:
    """Return the keys that a function looks up in ``**name``, or hands on, without asking for them first.

    None where it handles exceptions, of which the lack of one may be the cause, nor where it fills in keys
    that its text does not name.
    """
    node = source.function(qualname)
    if node is None or any(isinstance(part, ast.ExceptHandler) or _fills(part, name) for part in walk(node)):
        return frozenset()
    taken: set[object] = set()
    asked: set[object] = set()
    for part in walk(node):
        match part:
            case ast.Subscript(ast.Name(id), ast.Constant(key), ast.Load()) if id == name:
                taken.add(key)
            case ast.AugAssign(ast.Subscript(ast.Name(id), ast.Constant(key))) if id == name:
                taken.add(key)
            case ast.Call(ast.Attribute(ast.Name(id)), [ast.Constant(key), *_]) if id == name:
                asked.add(key)
            case ast.Assign([ast.Subscript(ast.Name(id), ast.Constant(key))]) if id == name:
                asked.add(key)
            case ast.Compare(ast.Constant(key), _, [ast.Name(id)]) if id == name:
                asked.add(key)
            case ast.Call() if depth < _DEEPEST and _hands_on(part, name):
                taken |= _handed_on(source, part, depth)
            case _:
                pass
    return frozenset(key for key in taken - asked if isinstance(key, str))


def _fills(node: ast.AST, name: str) -> bool:
    """Return whether a part of a function stores keys in ``**name`` that it does not spell out."""
    match node:
        case ast.Subscript(ast.Name(id), key, ast.Store()):
            return id == name and not isinstance(key, ast.Constant)
        case ast.Call(ast.Attribute(ast.Name(id), "update")):
            return id == name
        case ast.Call(ast.Attribute(ast.Name(id), "setdefault"), [key, *_]):
            return id == name and not isinstance(key, ast.Constant)
        case ast.Name(id, ast.Store()):
            return id == name
        case _:
            return False


def _hands_on(node: ast.Call, name: str) -> bool:
    """Return whether a call passes ``**name``."""
    spread = [one.value for one in node.keywords if one.arg is None]
    return any(isinstance(value, ast.Name) and value.id == name for value in spread)


def _handed_on(source: Source, node: ast.Call, depth: int) -> frozenset[str]:
    """Return the keys that who is called by name, a function or a class of the module, needs."""
    called = ast.unparse(node.func)
    qualname = f"{called}.__init__" if source.class_(called) is not None else called
    callee = source.function(qualname)
    if callee is None:
        return frozenset()
    method = qualname.endswith(".__init__")
    found = {item.arg for item in left_open(callee, node, method)} & needed(callee)
    if callee.args.kwarg is not None:
        found |= taken_for_given(source, qualname, callee.args.kwarg.arg, depth + 1)
    return frozenset(found - {item.arg for item, _ in arguments(callee, node, method)})


def listed_fields(node: ast.ClassDef) -> Iterator[str]:
    """The names that a class lists in ``_fields`` and the like, which nobody may store by name."""
    for part in node.body:
        match part:
            case ast.Assign([ast.Name(name)], ast.Tuple(items) | ast.List(items)) if name.endswith("fields"):
                yield from (value for item in items if isinstance(value := getattr(item, "value", 0), str))
            case _:
                continue


def annotated_fields(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a class annotates, as data classes do, with their annotations."""
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id, part.annotation


def asked_classes(function: ast.AST, name: str, names: Mapping[str, Any]) -> tuple[type, ...]:
    """The classes that a function asks a parameter, or something with a dotted name, for, in order."""
    found: dict[int, type] = {}
    for node in walk(function):
        for part in _tests(node, name):
            for cls in classes_in(meaning(part, names)) or ():
                found[id(cls)] = cls
    return tuple(found.values())


def asks_for_class(node: ast.AST, name: str) -> bool:
    """True if a part of a function asks for the class of a value, or matches it with patterns."""
    asked: ast.expr | None
    if isinstance(node, ast.Match):
        asked = node.subject
    elif isinstance(node, ast.Attribute) and node.attr == "__class__":
        asked = node.value
    elif isinstance(node, ast.Call) and node.args:
        asked = node.args[0] if dotted(node.func).removeprefix("inspect.") in _ASKING else None
    else:
        return False
    return isinstance(asked, ast.Name) and asked.id == name


def refuses_others(function: ast.AST, name: str) -> bool:
    """Return whether a function raises, or answers `NotImplemented`, for other classes than it asks for."""
    return any(
        any(_tests(asked, name)) and _refuses(body)
        for node in walk(function)
        for asked, body in _other_ways(node)
    )


def _other_ways(node: ast.AST) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
    """Conditions, with the statements that run where they do not hold, also behind an `if` that is left."""
    match node:
        case ast.If(ast.UnaryOp(ast.Not(), ast.Call() as test), [*body]):
            yield test, body
        case ast.If(ast.Call() as test, _, [*body]):
            yield test, body
        case _:
            pass
    for held in (getattr(node, part, None) for part in ("body", "orelse")):
        block = held if isinstance(held, list) else []
        for inner, following in itertools.pairwise(block):
            match inner:
                case ast.If(ast.Call() as test, [*_, ast.Return() | ast.Raise()], []):
                    yield test, [following]
                case _:
                    pass


def _refuses(body: list[ast.stmt]) -> bool:
    """True if statements end in an exception or in the answer of an operator that others may know better."""
    match body[-1:]:
        case [ast.Raise() | ast.Return(ast.Name("NotImplemented"))]:
            return True
        case _:
            return False


def elements_named(function: ast.AST, name: str) -> list[str]:
    """Return the names that the elements of a parameter, or of an attribute, have in its loops."""
    loops = (node for node in walk(function) if isinstance(node, (ast.For, ast.comprehension)))
    return [
        loop.target.id
        for loop in loops
        if isinstance(loop.target, ast.Name) and dotted(loop.iter) == name
    ]


def _tests(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """The expressions that a part of a function compares the class of the parameter with."""
    match node:
        case ast.Call(func=ast.Name("isinstance"), args=[asked, what]) if dotted(asked) == name:
            yield from what.elts if isinstance(what, ast.Tuple) else [what]
        case ast.Match(subject=asked, cases=cases) if dotted(asked) == name:
            for case in cases:
                yield from (part.cls for part in ast.walk(case.pattern) if isinstance(part, ast.MatchClass))


def meaning(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The value of a name, or of something in a module or class; None where it is not known."""
    if isinstance(node, ast.Attribute):
        held = _is_holder(node, names)
        return inspect.getattr_static(meaning(node.value, names), node.attr, None) if held else None
    return names.get(node.id) if isinstance(node, ast.Name) else None


def _is_holder(node: ast.Attribute, names: Mapping[str, Any]) -> bool:
    """True if what stands before a dot is a module or class: nothing of the program runs to look into it."""
    return isinstance(meaning(node.value, names), (type, type(ast)))


_MOST_DEPTH = 4


def spread(
    everything: Iterable[ValueFacts],
    classes: Mapping[type, frozenset[str]],
    shared: Callable[[str], Names],
) -> None:
    """Add what is done with `order.voucher` to what is known of the field `voucher` of the class `Order`.

    A value is an instance of a class where that is said, or where no other class has all that is used.
    """
    for facts in everything:
        for value in _inside(facts, 0):
            cls = _class_of(value, classes)
            if cls is None:
                continue
            fields = shared(qualname_of(cls))
            for name, part in value.attributes.items():
                field = fields.setdefault(f"self.{name}", ValueFacts())
                if field.is_declared:
                    part.echo(field)
                field.adopt(part)


def _inside(facts: ValueFacts, depth: int) -> Iterator[ValueFacts]:
    """A value and what is taken from it."""
    yield facts
    if depth == _MOST_DEPTH:
        return
    parts = [*facts.attributes.values(), *facts.keys.values(), *facts.arity, facts.element, facts.key]
    for part in parts:
        if part is not None:
            yield from _inside(part, depth + 1)


def _class_of(facts: ValueFacts, classes: Mapping[type, frozenset[str]]) -> type | None:
    named = {item if isinstance(item, str) else getattr(item, "__qualname__", "") for item, _ in facts.named}
    said = [cls for cls in classes if qualname_of(cls) in named]
    used = {*facts.attributes, *facts.methods}
    fitting = said or [cls for cls, known in classes.items() if used and used <= known]
    return fitting[0] if len(fitting) == 1 else None


_MOST_KEYS: Final = 6


def compared_keys(function: ast.AST, name: str, names: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys of ``**name`` for which a function looks as it goes over all of them."""
    over = {one for node in walk(function) for one in _keys_gone_over(node, name)}
    found: dict[str, None] = {}
    for node in walk(function) if over else ():
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id in over:
            for other in node.comparators:
                found.update(dict.fromkeys(texts_in(other, names)))
    return tuple(key for key in found if key.isidentifier())[:_MOST_KEYS]


def _keys_gone_over(node: ast.AST, name: str) -> Iterator[str]:
    """Yield the variables that take the keys of a mapping one after the other."""
    match node:
        case ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source):
            pass
        case _:
            return
    match target, source:
        case ast.Tuple([ast.Name(key), _]), ast.Call(ast.Attribute(ast.Name(asked), "items")):
            pass
        case ast.Name(key), (ast.Call(ast.Attribute(ast.Name(asked), "keys")) | ast.Name(asked)):
            pass
        case _:
            return
    if asked == name:
        yield key
