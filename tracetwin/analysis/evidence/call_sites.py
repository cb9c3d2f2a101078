"""Calls of the functions of the target: in itself, in its doctests, in other files of the project."""

from __future__ import annotations

import ast
import functools
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, Final

from tracetwin.analysis.evidence import library_calls
from tracetwin.analysis.evidence.call_names import (
    Bindings,
    File,
    ParameterOf,
    add,
    bindings,
    doctests,
    import_names,
    imported,
    makes_its_own,
    parametrized,
    parsed_file,
    returned,
    statements,
    target_name,
)
from tracetwin.analysis.evidence.expressions import dotted
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.passed_values import ArgumentReader, Bound, literals
from tracetwin.analysis.evidence.project_files import users
from tracetwin.analysis.scopes import module_of
from tracetwin.analysis.sources import FunctionNode, Source, arguments, read, receiver_of, returned_by
from tracetwin.support.data import dataclass

MOST_CALLS: Final = 40
"""Of one function; the first ones, so those of tests."""

MOST_MODULES: Final = 16
"""Modules of which the calls are kept."""

MOST_HOMES: Final = 3
"""Other modules whose calls are read for what their functions pass on to those of one module."""

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


class CallSites:
    """The calls of the functions of one module."""

    def __init__(self, module: ModuleType, source: Source) -> None:
        self._module = module
        self._source = source
        self._sites: dict[str, list[CallSite]] | None = None
        self._results: dict[str, tuple[list[ast.expr], Bound] | None] = {}
        self._homes: set[str] = set()

    def note(self, qualname: str, node: FunctionNode, facts: dict[str, ValueFacts], method: bool) -> None:
        """Add what the arguments of calls say of the parameters of a function.

        `method`: the first parameter is bound.
        """
        for site in self._of(qualname):
            is_bound = method and not site.on_class
            for item, argument in arguments(node, site.node, is_bound):
                if item.arg in facts and item.annotation is None:
                    self._reader(site).note(argument, facts[item.arg])

    def note_named_tuple(self, qualname: str, fields: Sequence[str], facts: dict[str, ValueFacts]) -> None:
        """Add what calls say of the fields of a named tuple, whose constructor nobody wrote."""
        for site in self._of(qualname):
            starred = (i for i, item in enumerate(site.node.args) if isinstance(item, ast.Starred))
            by_name = [(item.arg, item.value) for item in site.node.keywords]
            for name, value in (*zip(fields, site.node.args[: next(starred, None)], strict=False), *by_name):
                if name in fields:
                    self._reader(site).note(value, facts.setdefault(str(name), ValueFacts()))

    def _reader(self, site: CallSite) -> ArgumentReader:
        classes = functools.partial(self._class_of, site.file)
        results = functools.partial(self._returned_by, site.file)
        return ArgumentReader(site.bound, classes, results, self._passed)

    def _passed(self, parameter: ParameterOf) -> Iterator[tuple[ast.expr, ArgumentReader]]:
        """The arguments that calls give for a parameter of a function, also of another loaded module."""
        home = sys.modules.get(parameter.module) if parameter.module else self._module
        if home is self._module:
            yield from self._given(parameter, self._reader)
        elif isinstance(home, ModuleType) and (home.__name__ in self._homes or len(self._homes) < MOST_HOMES):
            self._homes.add(home.__name__)
            there = call_sites(home)
            yield from there._given(parameter, there._reader_at_home)  # noqa: SLF001 - of this class

    def _reader_at_home(self, site: CallSite) -> ArgumentReader:
        """A reader that does not go on to further modules."""
        return replace(self._reader(site), passed=self._passed_at_home)

    def _passed_at_home(self, parameter: ParameterOf) -> Iterator[tuple[ast.expr, ArgumentReader]]:
        if not parameter.module:
            yield from self._given(parameter, self._reader_at_home)

    def _given(
        self, parameter: ParameterOf, reader: Callable[[CallSite], ArgumentReader]
    ) -> Iterator[tuple[ast.expr, ArgumentReader]]:
        """The arguments for a parameter of a function of the target."""
        node = self._source.function(parameter.function) if parameter.function else None
        if node is None:
            return
        is_bound = self._source.class_(parameter.function.rpartition(".")[0]) is not None
        for site in self._of(parameter.function):
            for item, argument in arguments(node, site.node, is_bound and not site.on_class):
                if item.arg == parameter.parameter.arg:
                    yield argument, reader(site)

    def _returned_by(self, file: File, name: str) -> tuple[list[ast.expr], Bound] | None:
        """The expressions that a function of the target returns, by its name in a file, and its own names."""
        qualname = target_name(file, name) if name else None
        if qualname is None:
            return None
        if qualname not in self._results:
            node = self._source.function(qualname)
            self._results[qualname] = None if node is None else _results(node)
        return self._results[qualname]

    def literals(self, qualname: str) -> list[Any]:
        """The constants that are passed to a function, in order."""
        found: dict[str, Any] = {}
        for site in self._of(qualname):
            for argument in (*site.node.args, *(item.value for item in site.node.keywords)):
                found.update((repr(value), value) for value in literals(argument, site.bound))
        return list(found.values())

    def _of(self, qualname: str) -> list[CallSite]:
        if self._sites is None:
            self._sites = {}
            for text, name in users(self._module):
                self._look_at(parsed_file(text), File(module=name), name)
            own = self._own_names()
            for text in doctests(self._source.tree):
                self._look_at(parsed_file(text), own, "")
            self._look_at(self._source.tree, own, "")
        return self._sites.get(qualname.removesuffix(".__init__"), [])

    def _own_names(self) -> File:
        """In the target its own names mean themselves."""
        names = {name: name for name in self._source.definitions if "." not in name}
        for name, item in vars(self._module).items():  # also those that a call made
            if isinstance(item, type) and module_of(item) == self._module.__name__:
                names.setdefault(name, name)
        return File(names, imported(self._source.tree, self._module.__name__))

    def _look_at(self, tree: ast.Module | None, file: File, name: str) -> None:
        if tree is None:
            return
        if name:
            import_names(tree, file, name, self._module.__name__, self._source)
            if not file.names:
                return
        file.fixtures.update(returned(tree))
        assert self._sites is not None
        for qualname, site in _Walker(file, self._source).run(tree):
            row = self._sites.setdefault(qualname, [])
            if len(row) < MOST_CALLS:
                row.append(site)

    def _class_of(self, file: File, name: str) -> type | None:
        """The class that a name means in a file: of the target, or of a library that is loaded."""
        if not name:
            return None
        qualname = target_name(file, name)
        home: Any = self._module
        if qualname is None:
            first, _, rest = name.partition(".")
            module, attribute = file.imports.get(first, ("", None))
            home = sys.modules.get(module)
            qualname = ".".join(part for part in (attribute, rest) if part)
            if not module:
                home = sys.modules.get(file.module)
                if first not in (vars(home) if isinstance(home, ModuleType) else ()):
                    return library_calls.BUILTIN_TYPES.get(name)
                qualname = name
        for part in qualname.split("."):
            home = vars(home).get(part) if isinstance(home, (type, ModuleType)) else None
        return home if isinstance(home, type) else None


def _distinct(*qualnames: str | None) -> Collection[str]:
    """The names that there are, each once; constructors have those of their classes."""
    return dict.fromkeys(name.removesuffix(".__init__") for name in qualnames if name is not None)


def _results(node: FunctionNode) -> tuple[list[ast.expr], Bound] | None:
    """The expressions that a function returns, and what its own names stand for; None without any."""
    own = bindings(node.body)
    values = [value for value in returned_by(node) if value is not None]
    return (values, lambda name: own.get(name, [])) if values else None


@functools.lru_cache(maxsize=MOST_MODULES)
def call_sites(module: ModuleType) -> CallSites:
    """The call sites of a module; looked for when they are first asked for."""
    return CallSites(module, read(module))


class _Walker(ast.NodeVisitor):
    """Finds the calls in one file."""

    def __init__(self, file: File, source: Source) -> None:
        self._file = file
        self._source = source
        self._scopes: tuple[Bindings, ...] = ()
        self._this: list[tuple[ast.ClassDef, str]] = []
        self._classes: dict[str, ast.ClassDef] = {}
        self._is_method = False
        self._depth = 0
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
        outer_is_method, self._is_method = self._is_method, True
        self.generic_visit(node)
        self._is_method = outer_is_method
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
        around = self._is_method, self._depth
        self._is_method, self._depth = False, self._depth + 1
        self.generic_visit(node)
        self._is_method, self._depth = around
        self._scopes = outer

    visit_AsyncFunctionDef = visit_FunctionDef

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
