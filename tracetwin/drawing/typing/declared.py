"""Declarations in the stub of the target itself: annotations that stand in another file."""

from __future__ import annotations

import ast
import functools
from types import ModuleType
from typing import Any, Final, Union

from tracetwin.analysis.evidence.expressions import dotted
from tracetwin.analysis.evidence.stubs import Stub, stub_of
from tracetwin.analysis.scopes import Scope, is_anything
from tracetwin.analysis.sources import FunctionNode, Source
from tracetwin.model.errors import Unbuildable

_FACTORIES: Final = frozenset(("TypeVar", "NewType", "ParamSpec", "TypeVarTuple"))


class Declared:
    """The declarations for one module, read when they are first asked for.

    A name in a stub means what it means in the module, else what the stub imports. Annotations with names
    that mean nothing at run time, such as protocols that only the stub defines, are left out.
    """

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def parameters(self, qualname: str, node: FunctionNode | None) -> dict[str, Any]:
        """The annotations of a function's parameters."""
        stub = self._stub
        definitions = [] if stub is None else stub.functions.get(qualname, [])
        found: dict[str, list[Any]] = {}
        for definition in definitions:
            for name, annotation in _by_name(definition, node):
                value = self._evaluated(annotation)
                if value is not _UNKNOWN:
                    found.setdefault(name, []).append(value)
        return {name: values[0] if len(values) == 1 else _either(values) for name, values in found.items()}

    def attribute(self, qualname: str, name: str) -> Any | None:
        """The annotation of an attribute of a class, None where there is none."""
        annotation = None if self._stub is None else self._stub.values.get(f"{qualname}.{name}")
        value = _UNKNOWN if annotation is None else self._evaluated(annotation)
        return None if value is _UNKNOWN else value

    @functools.cached_property
    def _stub(self) -> Stub | None:
        file = getattr(self._module, "__file__", None)
        return stub_of(self._module.__name__, file if isinstance(file, str) else None)

    @functools.cached_property
    def _scope(self) -> Scope:
        assert self._stub is not None
        names = dict(vars(self._module))
        scope = Scope(self._module, Source(checking_imports=self._stub.imports), names)
        for name, value in self._stub.aliases.items():
            if name not in names and _is_harmless(value):
                try:
                    names[name] = scope.evaluate(ast.unparse(value))
                except Unbuildable:
                    continue
        return scope

    def _evaluated(self, annotation: ast.expr) -> Any:
        try:
            value = self._scope.evaluate(ast.unparse(annotation))
            if isinstance(value, str):
                value = self._scope.evaluate(value)
        except Unbuildable:
            return _UNKNOWN
        return _UNKNOWN if is_anything(value) else value


_UNKNOWN: Final = object()


def _either(values: list[Any]) -> Any:
    """The union of what overloads say."""
    try:
        return Union[tuple(values)]  # noqa: UP007 - of values
    except TypeError:
        return values[0]


def _is_harmless(value: ast.expr) -> bool:
    """True if nothing is called but what makes type variables."""
    calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
    return all(dotted(call.func).rpartition(".")[2] in _FACTORIES for call in calls)


def _by_name(definition: FunctionNode, node: FunctionNode | None) -> list[tuple[str, ast.expr]]:
    """The annotations of a declaration by the parameter names of the source."""
    mine = [] if node is None else [item.arg for item in [*node.args.posonlyargs, *node.args.args]]
    keyword = [] if node is None else [item.arg for item in node.args.kwonlyargs]
    found = []
    for index, item in enumerate([*definition.args.posonlyargs, *definition.args.args]):
        known = node is None or item.arg in (*mine, *keyword)
        name = item.arg if known else mine[index] if index < len(mine) else ""
        found.append((name, item.annotation))
    found += [(item.arg, item.annotation) for item in definition.args.kwonlyargs]
    variadic = [(definition.args.vararg, node and node.args.vararg)]
    variadic.append((definition.args.kwarg, node and node.args.kwarg))
    found += [((own or item).arg, item.annotation) for item, own in variadic if item is not None]
    return [(name, annotation) for name, annotation in found if name and annotation is not None]
