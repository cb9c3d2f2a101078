"""Looks up what a configuration names: modules, what they define, and where factories are imported from.

The names that a module defines, read from its source, to check names in the configuration.

Nothing is imported. Where a source does not tell (a base class from elsewhere, `from x import *`), every name
may be there.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from fnmatch import fnmatchcase
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Final

from tracetwin.config.schema import Wrong
from tracetwin.support.data import dataclass
from tracetwin.support.errors import TargetError
from tracetwin.target import names, source
from tracetwin.target.module import TargetModule
from tracetwin.target.roots import absolute
from tracetwin.target.source import FUNCTIONS

_CLOSED_BASES: Final = frozenset(("object", "ABC", "Generic", "Protocol"))
"""Base classes from elsewhere that bring no names to call."""

_CONSTRUCTORS: Final = ("__init__", "__new__")


@dataclass
class Index:
    """The names of one module.

    Attributes:
        entries: what each qualified name stands for: a definition, or None for whatever else is assigned.
        imported: names that the module imports.
        open: classes of which the source does not tell all, "" for the module itself.
    """

    entries: dict[str, ast.AST | None] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool:
        """Return True if the module may define this qualified name."""
        return name in self.entries or self._in_open(name) or name.partition(".")[0] in self.imported

    def matches(self, pattern: str) -> bool:
        """Return True if a pattern may match something that can be called."""
        names = (form for name in self.entries for form in (name, f"{name}.__init__"))
        return any(fnmatchcase(name, pattern) for name in names) or self._in_open(pattern)

    def _in_open(self, name: str) -> bool:
        owner = name.rpartition(".")[0]
        return any(fnmatchcase(known, owner) for known in self.open)

    def parameters(self, name: str) -> tuple[str, ...] | None:
        """The names that a precondition of a call may use, `self` included; None where nothing tells."""
        found = self.entries.get(name)
        if isinstance(found, ast.ClassDef):
            return self._constructed(name, found)
        if not isinstance(found, FUNCTIONS):
            return None
        arguments = found.args
        listed = [*arguments.posonlyargs, *arguments.args]
        owner = self.entries.get(name.removesuffix(".setter").rpartition(".")[0])
        is_method = isinstance(owner, ast.ClassDef) and "staticmethod" not in _decorators(found)
        if is_method:
            listed = listed[1:]
        variadic = (arg for arg in (arguments.vararg, arguments.kwarg) if arg is not None)
        names = [arg.arg for arg in (*listed, *arguments.kwonlyargs, *variadic)]
        has_self = is_method and not {"classmethod", *_CONSTRUCTORS} & {*_decorators(found), found.name}
        return (*(["self"] if has_self else []), *names)

    def _constructed(self, name: str, node: ast.ClassDef) -> tuple[str, ...] | None:
        for maker in _CONSTRUCTORS:
            if isinstance(self.entries.get(f"{name}.{maker}"), FUNCTIONS):
                return self.parameters(f"{name}.{maker}")
        return None if name in self.open or node.decorator_list else ()


def index_of(tree: ast.Module) -> Index:
    """The names of a module by its syntax tree."""
    index = Index()
    _Walk(index).body(tree.body, "")
    for name in [name for name, node in index.entries.items() if isinstance(node, ast.ClassDef)]:
        _inherit(index, name, set())
    own = [node for node in tree.body if not isinstance(node, (*FUNCTIONS, ast.ClassDef))]
    called = (node.func for part in own for node in ast.walk(part) if isinstance(node, ast.Call))
    if any(isinstance(name, ast.Name) and name.id in _UNTOLD for name in called):
        index.open.add("")
    return index


_UNTOLD: Final = frozenset({"globals", "vars", "locals", "exec"})
"""Functions by which a module defines names that its source does not tell, as `hashlib` does."""


class _Walk:
    """Collects definitions, through whatever stands around them."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def body(self, statements: Iterable[ast.stmt], prefix: str) -> None:
        for node in statements:
            if isinstance(node, FUNCTIONS):
                self._function(node, prefix)
            elif isinstance(node, ast.ClassDef):
                self._index.entries[prefix + node.name] = node
                self.body(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self._import(node)
            else:
                for name in _assigned(node):
                    self._index.entries.setdefault(prefix + name, None)
                for part in ("body", "orelse", "finalbody"):
                    self.body(getattr(node, part, ()), prefix)
                for handler in getattr(node, "handlers", ()):
                    self.body(handler.body, prefix)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, prefix: str) -> None:
        name = node.name
        if f"{name}.setter" in _decorators(node):
            name = f"{name}.setter"
        self._index.entries[prefix + name] = node
        first = next(iter([*node.args.posonlyargs, *node.args.args]), None)
        if prefix and first is not None:
            for inner in ast.walk(node):
                if (
                    isinstance(inner, ast.Attribute)
                    and isinstance(inner.ctx, ast.Store)
                    and isinstance(inner.value, ast.Name)
                    and inner.value.id == first.arg
                ):
                    self._index.entries.setdefault(prefix + inner.attr, None)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self._index.open.add("")
            self._index.imported.add(alias.asname or alias.name.partition(".")[0])


def _assigned(node: ast.stmt) -> Iterator[str]:
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        targets = [node.target]
    for target in targets:
        for inner in ast.walk(target):
            if isinstance(inner, ast.Name):
                yield inner.id


def _decorators(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    return {ast.unparse(decorator) for decorator in node.decorator_list}


def _inherit(index: Index, name: str, above: set[str]) -> None:
    """Give a class the members of its bases in the module; with a base from elsewhere it is open."""
    node = index.entries.get(name)
    if not isinstance(node, ast.ClassDef) or name in above:
        return
    if any(keyword.arg == "metaclass" for keyword in node.keywords) and not node.bases:
        index.open.add(name)
    for base in node.bases:
        known = _known_base(index, name, base)
        if known is not None:
            _inherit(index, known, {*above, name})
            _copy(index, known, name)
        elif ast.unparse(base).partition("[")[0].rpartition(".")[2] not in _CLOSED_BASES:
            index.open.add(name)


def _known_base(index: Index, name: str, base: ast.expr) -> str | None:
    """The qualified name of a base class that the module defines."""
    text = ast.unparse(base).partition("[")[0]
    scope = name.rpartition(".")[0]
    for known in (f"{scope}.{text}", text):
        if known != name and isinstance(index.entries.get(known), ast.ClassDef):
            return known
    return None


def _copy(index: Index, base: str, name: str) -> None:
    for entry, found in list(index.entries.items()):
        if entry.startswith(f"{base}."):
            index.entries.setdefault(f"{name}{entry[len(base) :]}", found)
    if base in index.open:
        index.open.add(name)


_WILD: Final = frozenset("*?[")
_UNREAD: Final = Index(open={""})
"""Stands for a module without source: it may define anything."""


class Known:
    """The modules that names of a configuration may lie in; nothing is imported.

    A module is looked for beneath the import roots of the targets, the folder of the configuration and the
    current one, then as an import would.
    """

    def __init__(self, modules: Sequence[TargetModule], file: Path | None) -> None:
        self._targets = {module.name: module for module in modules}
        beside = [] if file is None else [file.parent]
        places: list[str | Path] = [*(module.root for module in modules), *beside, Path.cwd()]
        self._places = list(dict.fromkeys(absolute(place) for place in places))
        self._indexes: dict[str, Index | None] = {}

    def check_pattern(self, pattern: str) -> None:
        """Make sure that a pattern may match something to call.

        Raises:
            Wrong: it can't.
        """
        module, _, name = pattern.partition(":")
        if _WILD & set(module):
            # What it is about may not be among the targets of this run.
            matched = [known for known in self._targets if fnmatchcase(known, module)]
            indexes = [self.index(known) for known in matched]
        else:
            indexes = [self._required(module, f"'{pattern}' matches nothing")]
        if indexes and not any(index is None or index.matches(name) for index in indexes):
            meant = _meant(name, indexes)
            raise Wrong(f"'{pattern}' matches nothing that {module} defines{meant}")

    def check_type(self, dotted: str) -> None:
        """Make sure that a dotted name leads to a module and to something in it.

        Raises:
            Wrong: it doesn't.
        """
        parts = dotted.split(".")
        for length in range(len(parts) - 1, 0, -1):
            index = self.index(".".join(parts[:length]))
            if index is not None:
                name = ".".join(parts[length:])
                if not index.has(name):
                    raise Wrong(f"there is no {name} in {'.'.join(parts[:length])}{_meant(name, [index])}")
                return
        raise Wrong(f"there is no module that '{dotted}' could be in; {self._where()}")

    def place_of(self, maker: str) -> list[str]:
        """The folders to be added to the path, so that a callable can be imported.

        Raises:
            Wrong: it is not there.
        """
        module, _, name = maker.partition(":")
        index = self._required(module, f"'{maker}' can't be imported")
        if not index.has(name):
            raise Wrong(f"'{maker}' can't be imported: {module} defines no {name}{_meant(name, [index])}")
        top = module.partition(".")[0]
        found = [str(place) for place in self._places if PathFinder.find_spec(top, [str(place)]) is not None]
        return found[:1]

    def parameters(self, target: str) -> tuple[str, ...] | None:
        """The names that the precondition of a call may use; None where the source does not tell.

        Raises:
            Wrong: there is nothing of this name.
        """
        module, _, name = target.partition(":")
        index = self._required(module, f"there is no target '{target}'")
        for ending in (".__init__", ".__new__"):
            if name.endswith(ending):
                name = name.removesuffix(ending)
        if name not in index.entries and not index.matches(name):
            raise Wrong(f"there is no target '{target}': {module} defines no {name}{_meant(name, [index])}")
        return index.parameters(name)

    def _required(self, module: str, wrong: str) -> Index:
        index = self.index(module)
        if index is None:
            raise Wrong(f"{wrong}: there is no module {module}; {self._where()}")
        return index

    def _where(self) -> str:
        return f"it was looked for in {', '.join(map(str, self._places))} and where Python imports from"

    def index(self, module: str) -> Index | None:
        """Return the names that a module defines, None where there is no such module."""
        if module not in self._indexes:
            self._indexes[module] = self._read(module)
        return self._indexes[module]

    def _read(self, module: str) -> Index | None:
        target = self._targets.get(module)
        if target is not None:
            return _index(target.file)
        for place in self._places:
            spec = self._find(module, place)
            if spec is not None:
                return _index(spec.origin if spec.has_location and spec.origin else "")
        return None

    @staticmethod
    def _find(module: str, place: Path) -> ModuleSpec | None:
        try:
            return names.find(module, module, [str(place)])
        except TargetError:
            return None


def _index(file: str) -> Index:
    if not file.endswith(".py"):
        return _UNREAD
    try:
        return index_of(source.parse(file, source.read(file, file)))
    except TargetError:
        return _UNREAD  # where it is a target, that is said of it


def _meant(name: str, indexes: Iterable[Index | None]) -> str:
    """The name that was meant, for the end of a sentence."""
    candidates = sorted({known for index in indexes if index is not None for known in index.entries})
    near = difflib.get_close_matches(name, candidates, n=1)
    return f"; did you mean {near[0]}?" if near else "; correct the name, or take it out"
