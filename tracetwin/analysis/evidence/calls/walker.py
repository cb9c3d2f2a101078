"""Walks a file for the calls of a target's functions, with what names stand for around each of them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection
from typing import Final

from tracetwin.analysis.evidence.calls.names import (
    Bindings,
    File,
    ParameterOf,
    add,
    bindings,
    makes_its_own,
    parametrized,
    statements,
    target_name,
)
from tracetwin.analysis.evidence.expressions import dotted
from tracetwin.analysis.sources import FunctionNode, Source, receiver_of
from tracetwin.support.data import dataclass

MOST_BASES: Final = 6
"""Bases of bases that are looked at."""


@dataclass(frozen=True)
class CallSite:
    """One call of a function of the target.

    Attributes:
        scopes: what names are given around it, innermost first.
        file: where it is.
        on_class: a method is called on its class, with its receiver as the first argument.
    """

    node: ast.Call
    scopes: tuple[Bindings, ...]
    file: File
    on_class: bool = False

    def bound(self, name: str) -> list[ast.expr]:
        """The expressions that a name may stand for there."""
        return next((scope[name] for scope in self.scopes if name in scope), [])


class CallWalker(ast.NodeVisitor):
    """Finds the calls in one file."""

    def __init__(self, file: File, source: Source) -> None:
        self._file = file
        self._source = source
        self._scopes: tuple[Bindings, ...] = ()
        self._this: list[tuple[ast.ClassDef, str]] = []
        self._classes: dict[str, ast.ClassDef] = {}
        self._is_method = False  # what is defined here is a member of the class around it
        self._depth = 0  # of functions
        self._found: list[tuple[str, CallSite]] = []

    def run(self, tree: ast.Module) -> list[tuple[str, CallSite]]:
        """The calls in order."""
        self._scopes = (bindings(tree.body),)
        classes = [item for item in statements(tree.body) if isinstance(item, ast.ClassDef)]
        often = Counter(item.name for item in classes)
        self._classes = {item.name: item for item in classes if often[item.name] == 1}
        self.visit(tree)
        return self._found

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        outer = self._scopes
        attributes: Bindings = {}
        for item in statements(node.body):
            if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
                passed = self._parameters(item, f"{self._path(node)}.{item.name}")
                for name, values in bindings(item.body).items():
                    if "." in name:
                        held = (passed.get(dotted(value) or "", value) for value in values)
                        attributes.setdefault(name, []).extend(held)
        self._scopes = (attributes, *outer)
        self._this.append((node, self._file.names.get(node.name, "")))
        self._inside(node, is_method=True, depth=self._depth)
        self._this.pop()
        self._scopes = outer

    def visit_FunctionDef(self, node: FunctionNode) -> None:
        outer = self._scopes
        inner = bindings(node.body)
        for item in node.decorator_list:
            add(inner, parametrized(item))
        receiver = receiver_of(node) if self._is_method else None
        for name, value in self._parameters(node, self._path(node)).items():
            if name in inner:
                continue
            if name == receiver:
                inner[name] = [self._receiver(node)]
            elif name in self._file.fixtures:
                inner[name] = self._file.fixtures[name]
            else:
                inner[name] = [value]
        self._scopes = (inner, *outer)
        self._inside(node, is_method=False, depth=self._depth + 1)
        self._scopes = outer

    visit_AsyncFunctionDef = visit_FunctionDef

    def _inside(self, node: FunctionNode | ast.ClassDef, *, is_method: bool, depth: int) -> None:
        around = self._is_method, self._depth
        self._is_method, self._depth = is_method, depth
        self.generic_visit(node)
        self._is_method, self._depth = around

    def _path(self, node: FunctionNode | ast.ClassDef) -> str:
        """The qualified name of what is defined where the walk is; "" inside of functions."""
        return "" if self._depth else ".".join([*(cls.name for cls, _ in self._this), node.name])

    def _parameters(self, node: FunctionNode, function: str) -> dict[str, ParameterOf]:
        """By name, expressions for what the parameters of a function get."""
        items = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        return {item.arg: ParameterOf(self._file.module, function, item) for item in items}

    def _receiver(self, method: FunctionNode) -> ast.expr:
        """An expression for what the first parameter of a method gets: an instance of its class, or that."""
        cls = ast.parse(".".join(cls.name for cls, _ in self._this), mode="eval").body
        is_bound_to_class = any(dotted(item) == "classmethod" for item in method.decorator_list)
        return cls if is_bound_to_class else ast.Call(cls, [], [])

    def visit_Call(self, node: ast.Call) -> None:
        on_class = self._is_on_class(node.func)
        for qualname in self._called(node.func):
            self._found.append((qualname, CallSite(node, self._scopes, self._file, on_class)))
        self.generic_visit(node)

    def _called(self, node: ast.expr) -> Collection[str]:
        """The qualified names of what is called, where that is in the target.

        Of a class that is its own name, and that of the base whose constructor it has.
        """
        name = dotted(node)
        found = target_name(self._file, name) if name else None
        if found is not None and (cls := self._source.class_(found)) is not None:
            constructor = None if makes_its_own(cls) else self._method(found, "__init__")
        elif found is None and name in self._classes:
            constructor = self._inherited(self._classes[name], "__init__")
        elif found is None and isinstance(node, ast.Attribute):
            return _distinct(self._of_object(node.value, node.attr))
        else:
            constructor = None
        return _distinct(found, constructor)

    def _is_on_class(self, node: ast.expr) -> bool:
        """True for `Base.method` where that is a plain method, which gets its receiver as an argument."""
        found = target_name(self._file, dotted(node)) if isinstance(node, ast.Attribute) else None
        function = None if found is None else self._source.function(found)
        if found is None or function is None or self._source.class_(found.rpartition(".")[0]) is None:
            return False
        is_bound = any(dotted(item) in ("classmethod", "staticmethod") for item in function.decorator_list)
        return not is_bound and function.name not in ("__class_getitem__", "__init_subclass__")

    def _of_object(self, value: ast.expr, name: str) -> str | None:
        """The method of that name that an object has, or that `super()` means."""
        if isinstance(value, ast.Call) and dotted(value.func) == "super":
            around = self._this[-1][0] if self._this else None
            return None if around is None else self._inherited(around, name, own=False)
        owner = self._class_of(value)
        return None if owner is None else self._method(owner, name)

    def _inherited(self, cls: ast.ClassDef, name: str, *, own: bool = True, depth: int = 0) -> str | None:
        """The method of the target that a class of this file has by its bases; `own`: unless it has one."""
        has_own = any(getattr(item, "name", "") == name for item in cls.body)
        if depth > MOST_BASES or (own and (has_own or (name == "__init__" and makes_its_own(cls)))):
            return None
        for base in filter(None, map(dotted, cls.bases)):
            method, found = None, target_name(self._file, base)
            if found is not None:
                method = self._method(found, name)
            elif base in self._classes:
                method = self._inherited(self._classes[base], name, depth=depth + 1)
            if method is not None:
                return method
        return None

    def _class_of(self, node: ast.expr, depth: int = 0) -> str | None:
        """The class of the target that an expression is an instance of."""
        if depth > 3:
            return None
        if isinstance(node, ast.Call):
            name = self._called_name(node)
            return name if name is not None and self._source.class_(name) is not None else None
        name = dotted(node)
        if name == "self" and self._this and self._this[-1][1]:
            return self._this[-1][1]
        values = next((scope[name] for scope in self._scopes if name in scope), []) if name else []
        found = (self._class_of(value, depth + 1) for value in values)
        return next((item for item in found if item is not None), None)

    def _called_name(self, node: ast.Call) -> str | None:
        """The name that a call calls; `Account.open(...)` makes an account, if `open` is a class method."""
        name = target_name(self._file, dotted(node.func)) if dotted(node.func) else None
        if name is None or self._source.class_(name) is not None:
            return name
        owner, _, _ = name.rpartition(".")
        function = self._source.function(name)
        made = function is not None and any(dotted(d) == "classmethod" for d in function.decorator_list)
        return owner if made else name

    def _method(self, owner: str, name: str) -> str | None:
        """The method of a class or of the bases that are in the target."""
        waiting, seen = [owner], set()
        while waiting:
            cls = waiting.pop(0)
            if cls in seen:
                continue
            if self._source.function(f"{cls}.{name}") is not None:
                return f"{cls}.{name}"
            seen.add(cls)
            node = self._source.class_(cls)
            bases = [] if node is None else [dotted(base) for base in node.bases]
            waiting += [base for base in bases if base and base not in seen]
        return None


def _distinct(*qualnames: str | None) -> Collection[str]:
    """The names that there are, each once; constructors have those of their classes."""
    return dict.fromkeys(name.removesuffix(".__init__") for name in qualnames if name is not None)
