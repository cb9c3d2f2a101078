"""Follows values that are passed on into the functions that get them, a few levels deep."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any, Final

from tracetwin.analysis.evidence.dispatch import note_dispatch
from tracetwin.analysis.evidence.expressions import FollowedExpressions, Names, OnCall
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.inner_functions import note_recursion
from tracetwin.analysis.evidence.library_types import note_call
from tracetwin.analysis.evidence.observe import Observer
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.scopes import is_anything, unwrapped
from tracetwin.analysis.sources import FunctionNode, Source, arguments, read, receiver_of, returned_by, walk

MOST_METHODS: Final = 20
"""Calls of methods in one function that are looked into."""

DEEPEST: Final = 3
"""Functions that a value is followed through, each called by the one before."""

MOST_HANDED_ON: Final = 8
"""Parameters of another function that ``**kwargs`` are thought to be for."""

SIMPLE: Final = {"int": int, "str": str, "float": float, "bool": bool, "bytes": bytes}


class Callees:
    """The functions that the code of one module calls.

    Attributes:
        passed_on: the facts of values that functions of the module get, with the function and its parameter.
    """

    def __init__(self, module: ModuleType, source: Source, kept: Callable[[str], Names]) -> None:
        self._source = source
        self._kept = kept
        self._globals = dict(vars(module))
        self.passed_on: list[tuple[ValueFacts, str, str]] = []
        self._package = module.__name__.partition(".")[0]

    def follower(self, caller: str, owner: str | None, depth: int = 1) -> OnCall:
        """Returns the handler of the calls in one function, which so many calls led to.

        Beyond the first it follows only what nothing else is known of.
        """
        if depth > DEEPEST:
            return note_call

        def follow(name: str, node: ast.Call, observer: FollowedExpressions) -> None:
            qualname, inner, shares = self._called(name, node, owner, observer.this)
            callee = self._source.function(qualname)
            if callee is None:
                self._elsewhere(name, node, observer)
                return
            if qualname == caller:
                note_recursion(observer, callee, node, method="." in qualname)
                return
            own = observer.names.items() if shares else ()
            shared = {key: item for key, item in own if key.startswith("self.")}
            method = "." in qualname
            names = passed(callee, inner, observer, method)
            self._note_passed(qualname, names)
            names = {
                key: facts
                for key, facts in names.items()
                if facts not in observer.strays and (depth == 1 or facts.is_blank)
            }
            if names:
                this = receiver_of(callee) if method else None
                further = self.follower(qualname, qualname.rpartition(".")[0] or None, depth + 1)
                inside = Observer({**shared, **names}, self._globals, further, this)
                inside.run(callee)
                if (result := _given_back(callee, inside)) is not None and result not in inside.strays:
                    observer.given_back[node] = result
                cls = self._source.class_(qualname.rpartition(".")[0])
                note_dispatch(callee, names, self._globals, {}, cls)
            if qualname.endswith(".__init__") and not shares:  # what becomes of it is for the methods to tell
                known = self._kept(qualname.removesuffix(".__init__"))
                for parameter, facts in names.items():
                    if parameter in known:
                        facts.adopt(known[parameter])

        return follow

    def _elsewhere(self, name: str, node: ast.Call, observer: FollowedExpressions) -> None:
        """Of the project's functions in other modules the code tells, of all others what they declare."""
        note_call(name, node, observer)
        called: Any = observer.constant(node.func)
        if isinstance(called, type):
            called = vars(called).get("__init__")
        self._look_into(unwrapped(called), node, observer)

    def _note_passed(self, qualname: str, names: Names) -> None:
        self.passed_on += [(facts, qualname, name) for name, facts in names.items()]

    def follow_methods(
        self, observer: Observer, having: Callable[[set[str]], tuple[Sequence[type], bool]]
    ) -> None:
        """Look into the methods that a function calls of objects whose class their attributes tell.

        `having` gives the classes that have some attributes.
        """
        for receiver, node in observer.method_calls[:MOST_METHODS]:
            classes, _ = having({*receiver.attributes, *receiver.methods})
            if classes and isinstance(node.func, ast.Attribute):
                self._look_into(inspect.getattr_static(classes[0], node.func.attr, None), node, observer)

    def _look_into(self, function: object, node: ast.Call, observer: FollowedExpressions) -> None:
        if not isinstance(function, FunctionType):
            return
        is_own = function.__module__ == self._globals.get("__name__")
        found = None if is_own else of_project(function, self._package)
        source = self._source if is_own else found and found[0]
        callee = source.function(function.__qualname__) if source else None
        if callee is None:
            return
        method = "." in function.__qualname__
        names = passed(callee, node, observer, method, named=False)
        if is_own:
            self._note_passed(function.__qualname__, names)
        if names:
            this = receiver_of(callee) if method else None
            Observer(names, vars(found[1]) if found else self._globals, note_call, this).run(callee)

    def _called(
        self, name: str, node: ast.Call, owner: str | None, this: str | None
    ) -> tuple[str, ast.Call, bool]:
        """The qualified name of what is called, the call without `self`, and whether it is on `self`."""
        if owner is not None and this is not None:
            base, _, attribute = name.rpartition(".")
            if base == this:
                return self._defined(owner, attribute), node, True
            match node.func:
                case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attribute):
                    return self._defined(owner, attribute, above=True), node, True
                case _:
                    pass
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Name) and first.id == this and self._source.class_(base) is not None:
                return name, ast.Call(node.func, node.args[1:], node.keywords), True
        return f"{name}.__init__" if self._source.class_(name) is not None else name, node, False

    def _defined(self, owner: str, method: str, *, above: bool = False) -> str:
        """The qualified name of a method where a class, or one of its bases here, defines it; else ""."""
        waiting, seen = [owner], {""}
        while waiting:
            name = waiting.pop(0)
            if not (above and name == owner) and self._source.function(f"{name}.{method}") is not None:
                return f"{name}.{method}"
            seen.add(name)
            node = self._source.class_(name)
            bases = [] if node is None else [ast.unparse(base) for base in node.bases]
            waiting += [base for base in bases if base not in seen]
        return ""


def _given_back(callee: FunctionNode, inside: Observer) -> ValueFacts | None:
    """Return the facts of what a function returns, None where that is not always the same."""
    found = [None if value is None else inside.facts(value) for value in returned_by(callee)]
    first = found[0] if found else None
    return first if all(facts is first for facts in found) else None


def results_in_module(node: FunctionNode) -> list[ast.expr]:
    """The expressions that a function returns, as far as they speak of nothing but names of the module."""
    parts = walk(node)
    own = {part.arg for part in parts if isinstance(part, ast.arg)}
    own |= {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    values = filter(None, returned_by(node))
    return [value for value in values if own.isdisjoint(_names_looked_up(value))]


def _names_looked_up(node: ast.expr) -> set[str]:
    """The names that decide what an expression is: not those that only say which entry, or are passed."""
    match node:
        case ast.Subscript(value=inner) | ast.Call(func=inner) | ast.Attribute(value=inner):
            return _names_looked_up(inner)
        case _:
            return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def of_project(function: FunctionType, package: str) -> tuple[Source, ModuleType] | None:
    """The source and the module of a function of the package or of others that are not installed."""
    module = sys.modules.get(function.__module__)
    file = getattr(module, "__file__", None)
    top = function.__module__.partition(".")[0]
    if module is None or not isinstance(file, str) or ("-packages" in file and top != package):
        return None
    if top in sys.stdlib_module_names:
        return None
    return read(module), module


def passed(
    callee: FunctionNode, node: ast.Call, observer: FollowedExpressions, method: bool, *, named: bool = True
) -> Names:
    """The caller's facts of the arguments, by the callee's parameter names.

    `method`: the first parameter is bound; `named`: annotations of the callee mean the same to the caller.
    """
    names: Names = {}
    pairs = [(item, observer.facts(argument)) for item, argument in arguments(callee, node, method)]
    for keyword in node.keywords:
        facts = observer.facts(keyword.value) if keyword.arg is None else None
        if facts is not None and facts.is_mapping:
            left = left_open(callee, node, method)
            pairs += [(item, facts.at(item.arg)) for item in left[:MOST_HANDED_ON]]
            pairs += [(callee.args.kwarg, facts)] if callee.args.kwarg is not None else []
    for item, facts in pairs:
        if facts is None:
            continue
        names[item.arg] = facts
        if named and item.annotation is not None and item is not callee.args.kwarg:
            text = ast.unparse(item.annotation).strip("'\"")
            if not is_anything(text):
                facts.name(SIMPLE.get(text, text), Strength.PASSED)
    return names


def left_open(callee: FunctionNode, node: ast.Call, method: bool) -> list[ast.arg]:
    """The parameters that ``**kwargs`` may fill, those without defaults first."""
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return []  # which of them is left over can't be told
    given = {item.arg for item, _ in arguments(callee, node, method)}
    bound = receiver_of(callee) if method else None
    items = [*callee.args.args, *callee.args.kwonlyargs]
    left = [item for item in items if item.arg not in given and item.arg != bound]
    return sorted(left, key=lambda item: item.arg not in needed(callee))


def needed(callee: FunctionNode) -> frozenset[str]:
    """The names of the parameters without defaults that may be given by keyword."""
    spec = callee.args
    plain = spec.args[: len(spec.args) - len(spec.defaults)] if len(spec.defaults) <= len(spec.args) else []
    only = [item for item, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default is None]
    return frozenset(item.arg for item in (*plain, *only))
