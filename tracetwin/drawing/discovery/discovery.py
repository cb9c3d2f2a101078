"""Finds what a module offers to be called, with a plan for each parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from tracetwin.analysis.scopes import is_defined_in, qualname_of, unwrapped
from tracetwin.analysis.sources import Source
from tracetwin.drawing.discovery.class_members import ClassMembers, lines_of, planned
from tracetwin.drawing.discovery.held_objects import through_objects
from tracetwin.drawing.discovery.inherited import home_of
from tracetwin.drawing.discovery.invokables import PlannedInvokable
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.discovery.special_methods import CONSTRUCTORS, is_callable_dunder
from tracetwin.drawing.mocks.members import while_planning
from tracetwin.drawing.rules.user_rules import Guide
from tracetwin.model.asking import asked
from tracetwin.support.text import did_you_mean


def discover(
    module: ModuleType, selection: tuple[str, ...] = (), guide: Guide | None = None
) -> list[PlannedInvokable]:
    """All invokables of a module in the order of its text, or those selected by qualified name.

    A selected class stands for everything in it; names with a leading underscore must be selected, unless
    the guide says that private names are wanted. What the guide does not permit is left out.
    """
    return Discovery(module, selection, guide).run()


def missing(module: ModuleType, selection: tuple[str, ...]) -> list[str]:
    """The selected names that name nothing to call."""
    if not selection:
        return []
    found = [item.qualname for item in discover(module, selection)]
    return [name for name in selection if not any(within(other, name) for other in found)]


def undefined(module: ModuleType, qualname: str) -> str:
    """A sentence that a module has nothing of this name; "" where it has."""
    thing: Any = module
    seen: list[str] = []
    for part in qualname.split("."):
        within, thing = thing, inspect.getattr_static(thing, part, undefined)
        if thing is undefined:
            inside = f"'{'.'.join(seen)}'" if seen else "the module"
            return f"{inside} defines no '{part}'{did_you_mean(part, _names_in(within))}"
        home = home_of(within, part) if isinstance(within, type) else None
        if home is not None and not is_defined_in(home, module):
            there = f"{home.__module__}:{home.__qualname__}.{part}"
            return f"'{'.'.join(seen)}' inherits '{part}'; its code is in another module: name {there}"
        seen.append(part)
    return ""


def _names_in(thing: Any) -> list[str]:
    """Return the names of what a module or a class has."""
    return [name for base in getattr(thing, "__mro__", (thing,)) for name in list(vars(base))]


class Discovery:
    """One walk over a module."""

    def __init__(
        self,
        module: ModuleType,
        selection: tuple[str, ...] = (),
        guide: Guide | None = None,
        changing: Mapping[str, Sequence[str]] | None = None,
        planner: Planner | None = None,
        *,
        makes: bool = True,
    ) -> None:
        """Find nothing yet.

        Args:
            module: what is walked over.
            selection: the names that are asked for; none for all public ones.
            guide: the user's rules.
            changing: the methods that change instances of classes.
            planner: that of an earlier walk, which knows much already.
            makes: whether receivers are planned; else there are objects already.
        """
        self.module = module
        self.selection = selection
        self.guide = guide or Guide()
        self.planner = planner or Planner(module, guide=self.guide, changing=changing)
        self.source: Source = self.planner.source
        self._members = ClassMembers(module, self.planner, self._wanted, selection, makes=makes)
        self._makes = makes
        self._hidden = False

    def run(self) -> list[PlannedInvokable]:
        """Every invokable, sorted by line."""
        with while_planning():
            return self._run()

    def _run(self) -> list[PlannedInvokable]:
        found: list[PlannedInvokable] = []
        seen: set[int] = set()
        own = [(name, thing) for name, thing in list(vars(self.module).items()) if self._is_own(name, thing)]
        # Under two names a thing is one target: that of its definition.
        own.sort(key=lambda pair: _name_of(pair[1]) != pair[0])
        for name, thing in own:
            if id(thing) not in seen:
                seen.add(id(thing))
                found += self._invokables(name, thing, seen)
        found += self._through_objects()
        if self._makes:
            self.planner.instances.warm()
        permitted = [item for item in found if self.guide.permits(self.module.__name__, item.qualname)]
        return sorted(permitted, key=lambda item: (item.first_line, item.qualname))

    def hidden(self) -> list[PlannedInvokable]:
        """Every private invokable that can be named outside of its class, sorted by line."""
        self._hidden = True
        try:
            return [item for item in self.run() if item.definition in self.source.definitions]
        finally:
            self._hidden = False

    def _invokables(self, name: str, thing: Any, seen: set[int]) -> list[PlannedInvokable]:
        """The invokables that one global of the module offers."""
        if isinstance(thing, type):
            return self._members.of(name, thing, seen)
        if isinstance(inner := unwrapped(thing), type):
            # A decorator put a function in the place of the class, which makes its instances.
            return self._members.of(name, inner, seen, name)
        return [self._function(name, thing)] if self._wanted(name) else []

    def _through_objects(self) -> Iterator[PlannedInvokable]:
        """Yield the invokables of objects of private classes that the module holds."""
        for name, owner, function in through_objects(self.module):
            written = f"{owner.__qualname__}.{function.__name__}"
            if self._wanted(name) and written in self.source.definitions:
                first, last = lines_of(self.planner, written, function)
                made = PlannedInvokable(name, "function", None, first, last, written=written)
                yield planned(self.planner, made, function, written, owner, skip_first=True)

    def _wanted(self, qualname: str) -> bool:
        """True if a name is selected, or public where nothing is selected."""
        public = self._is_public(qualname)
        if not self.selection:
            return public
        for name in self.selection:
            if qualname == name or (name == qualname.rpartition(".")[0] and qualname.endswith(CONSTRUCTORS)):
                return True
            if qualname.startswith(name + "."):  # inside of a selected class: its public part
                return self._is_public(qualname[len(name) + 1 :])
        return False

    def _is_public(self, name: str) -> bool:
        """True if no part of a name is private, or private ones are wanted."""
        parts = name.split(".")
        if self._hidden and not any(_is_private(part) and not part.startswith("__") for part in parts):
            return False
        if self.guide.private or self._hidden:
            return not any(_is_special(part) for part in parts)
        return not any(_is_private(part) for part in parts)

    def _is_own(self, name: str, thing: object) -> bool:
        """True if a global was defined by this module, decorated or not."""
        if isinstance(thing, type):
            if not is_defined_in(thing, self.module):
                return False
            return name in self.source.definitions or qualname_of(thing) == name
        if isinstance(thing, (BuiltinFunctionType, ModuleType)) or not callable(thing):
            return False
        node = self.source.function(name)
        own: Any = thing
        if getattr(own, "__module__", None) == self.module.__name__ and (
            type(own) is FunctionType or asked(own, "__wrapped__") is not None
        ):
            return True
        if type(own) is FunctionType and own.__code__.co_filename == getattr(self.module, "__file__", None):
            return node is not None
        return node is not None and bool(node.decorator_list)

    # Functions

    def _function(self, name: str, thing: Callable[..., Any]) -> PlannedInvokable:
        first, last = lines_of(self.planner, name, thing)
        made = PlannedInvokable(name, "function", None, first, last)
        return planned(self.planner, made, thing, name, None, skip_first=False)


def _name_of(thing: Any) -> Any:
    """The name that something says to have; None where the question fails."""
    try:
        return getattr(thing, "__name__", None)
    except BaseException:  # noqa: BLE001 - code of the target, such as a metaclass
        return None


def _is_special(part: str) -> bool:
    """True if a name is one of the language's own that no test calls."""
    special = part.startswith("__") and part.endswith("__")
    return special and not is_callable_dunder(part) and part not in CONSTRUCTORS


def _is_private(part: str) -> bool:
    return part.startswith("_") and not is_callable_dunder(part) and part not in CONSTRUCTORS


def within(qualname: str, name: str) -> bool:
    """True if a qualified name is another, or is that of something in it."""
    return qualname == name or qualname.startswith(name + ".")
