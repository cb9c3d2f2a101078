"""Calls of the functions of the target: in itself, in its doctests, in other files of the project."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, Final

from tracetwin.analysis.evidence import library_calls
from tracetwin.analysis.evidence.calls.names import (
    File,
    ParameterOf,
    bindings,
    doctests,
    import_names,
    imported,
    parsed_file,
    returned,
    target_name,
)
from tracetwin.analysis.evidence.calls.passed_values import ArgumentReader, Bound, literals
from tracetwin.analysis.evidence.calls.walker import CallSite, CallWalker
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.project_files import users
from tracetwin.analysis.scopes import module_of
from tracetwin.analysis.sources import FunctionNode, Source, arguments, read, returned_by

MOST_CALLS: Final = 40
"""Of one function; the first ones, so those of tests."""

MOST_MODULES: Final = 16
"""Modules of which the calls are kept."""

MOST_HOMES: Final = 3
"""Other modules whose calls are read for what their functions pass on to those of one module: the first ones.

Each is walked with up to `MOST_FILES` users of its own.
"""


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
        for qualname, site in CallWalker(file, self._source).run(tree):
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


def _results(node: FunctionNode) -> tuple[list[ast.expr], Bound] | None:
    """The expressions that a function returns, and what its own names stand for; None without any."""
    own = bindings(node.body)
    values = [value for value in returned_by(node) if value is not None]
    return (values, lambda name: own.get(name, [])) if values else None


@functools.lru_cache(maxsize=MOST_MODULES)
def call_sites(module: ModuleType) -> CallSites:
    """The call sites of a module; looked for when they are first asked for."""
    return CallSites(module, read(module))
