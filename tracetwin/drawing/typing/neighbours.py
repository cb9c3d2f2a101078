"""Classes of other modules that an object may be of, by the attributes that the code uses."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Final

from runtime.classes import bases_of
from tracetwin.analysis.evidence.facts import LIBRARY
from tracetwin.analysis.scopes import module_of, namespace_of, own_annotations, qualname_of
from tracetwin.analysis.sources import Source, kept_on, read, receiver_of
from tracetwin.drawing.adapters.syntax_trees import places_of

MOST_MODULES: Final = 60
"""Modules of the package that are looked at."""
MOST_FITTING: Final = 3
"""Classes that are tried for one object."""
MOST_KNOWN: Final = 4096
"""Classes of which it is kept what their instances have."""
_IMPORTED: Final = ("datetime", "date", "time", "timedelta", "path")
"""Kinds of values of the library for which code mostly names their classes somewhere."""


class Neighbours:
    """The public classes that a module imports from its project, and those of its package beside it.

    The package's modules are those that were loaded when this was made, so that no run changes what is found.
    """

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        top, dot, _ = module.__name__.partition(".")
        is_package = bool(dot) or hasattr(module, "__path__")
        names = [name for name in list(sys.modules) if is_package and name.partition(".")[0] == top]
        self._names = [name for name in names if name != module.__name__][:MOST_MODULES]
        self._classes: dict[type, frozenset[str]] | None = None

    def fitting(self, used: set[str]) -> list[type]:
        """The classes whose instances have all these attributes.

        Imported ones come first, then those with a constructor (others are mostly there to be extended), then
        the plainest.
        """
        if self._classes is None:
            self._classes = {item: _mentioned(item) for item in self.candidates()}
            self._classes.update((item, frozenset(_fields_of(item))) for item in self._nodes())
        imported = {id(item) for item in self._imported()}

        def rank(cls: type) -> tuple[bool, bool, int]:
            plain = inspect.getattr_static(cls, "__init__") is object.__init__
            return id(cls) not in imported, plain, len(self.attributes(cls))

        likely = (cls for cls, mentioned in self._classes.items() if used <= mentioned)
        found = [cls for cls in likely if used <= self.attributes(cls)]
        return sorted(found, key=rank)[:MOST_FITTING]

    def strange_kinds(self) -> frozenset[str]:
        """The kinds of values of the library that a module which works with them would import."""
        held = list(vars(self._module).values())
        homes = {item.__name__ for item in held if isinstance(item, ModuleType)}
        homes |= {module_of(item) for item in held if isinstance(item, type)}
        return frozenset(kind for kind in _IMPORTED if LIBRARY[kind][0] not in homes)

    def attributes(self, cls: type) -> frozenset[str]:
        """The attributes of a class's instances, by the sources of all that it extends."""
        return _attributes_by_source(cls)

    def _nodes(self) -> list[type]:
        """The nodes of syntax trees, where the module works with them."""
        if not any(held is ast for held in list(vars(self._module).values())):
            return []
        public = [item for name, item in vars(ast).items() if name[0] != "_" and isinstance(item, type)]
        return [item for item in public if issubclass(item, ast.AST) and item.__doc__ and item._fields]

    def candidates(self) -> list[type]:
        """The classes of other modules that values may be of, those that the module imports first."""
        return [*self._imported(), *self._beside()]

    def _imported(self) -> list[type]:
        return [item for item in list(vars(self._module).values()) if self._is_candidate(item)]

    def _beside(self) -> list[type]:
        modules = [sys.modules.get(name) for name in self._names]
        found = (vars(module).values() for module in modules if isinstance(module, ModuleType))
        return [item for values in found for item in list(values) if self._is_candidate(item)]

    def _is_candidate(self, item: object) -> bool:
        """True for a public class of the project's other modules of which there can be instances."""
        if not isinstance(item, type) or type(item).__hash__ is not type.__hash__:
            return False
        home = module_of(item)
        if home == self._module.__name__ or home.partition(".")[0] in sys.stdlib_module_names:
            return False
        public = not qualname_of(item).startswith("_")
        return public and not issubclass(item, BaseException) and not inspect.isabstract(item)


@functools.lru_cache(maxsize=MOST_KNOWN)  # each module that is looked at asks for those of all others
def _attributes_by_source(cls: type) -> frozenset[str]:
    return attributes_of(cls, source_of)


def attributes_of(cls: type, find: Callable[[type], Source]) -> frozenset[str]:
    """The attributes of a class's instances: members, annotated fields, what its methods assign."""
    found: set[str] = set()
    if issubclass(cls, ast.AST):
        return frozenset(_fields_of(cls))
    for base in bases_of(cls)[:-1]:
        found |= {*namespace_of(base), *own_annotations(base)}
        for node in find(base).methods(qualname_of(base)).values():
            found |= kept_on(node, receiver_of(node) or "")
    return frozenset(found)


def _fields_of(node: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a node of a syntax tree, and where it stands."""
    return (*node._fields, *places_of(node))


def source_of(cls: type) -> Source:
    """The source of the module that a class is from."""
    home = sys.modules.get(module_of(cls))
    return Source() if home is None else read(home)


@functools.lru_cache(maxsize=MOST_KNOWN)
def _mentioned(cls: type) -> frozenset[str]:
    """The names in a class and in the code of its methods: all that an instance may have is among them."""
    found: set[str] = set()
    for base in bases_of(cls)[:-1]:
        found |= {*namespace_of(base), *own_annotations(base)}
        for member in list(namespace_of(base).values()):
            function = member.fget if isinstance(member, property) else member
            if isinstance(function, FunctionType):
                code = function.__code__
                found.update(code.co_names, (item for item in code.co_consts if isinstance(item, str)))
    return frozenset(found)
