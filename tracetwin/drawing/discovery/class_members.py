"""The invokables of a class: constructor, methods, properties, descriptors, static methods."""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from tracetwin.analysis.scopes import brief, code_within, is_defined_in, unwrapped
from tracetwin.drawing.discovery.inherited import (
    from_private_bases,
    members_of,
    selected_from_bases,
    through_hooks,
)
from tracetwin.drawing.discovery.invokables import PlannedInvokable
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.discovery.special_methods import CONSTRUCTORS, OF_DESCRIPTORS, is_callable_dunder
from tracetwin.drawing.mocks.members import is_trivial
from tracetwin.drawing.mocks.plan import MockPlan
from tracetwin.drawing.objects.construct import ConstructPlan
from tracetwin.drawing.objects.example_values import with_values
from tracetwin.drawing.objects.exit_arguments import EXITS, exit_parameters
from tracetwin.drawing.objects.prepared import only_constructed
from tracetwin.drawing.plans.plans import MemberPlan, Plan, UnionPlan, one_of
from tracetwin.drawing.plans.special_forms import is_protocol, subclasses
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable

_IN_C = (BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType, ClassMethodDescriptorType)


def class_named(module: ModuleType, qualname: str) -> type:
    """The class of a module under a qualified name, also where a decorator put a function in its place.

    Raises:
        LookupError: there is none.
    """
    found: Any = module
    for part in qualname.split("."):
        found = inspect.getattr_static(found, part, None)
        if not isinstance(found, type):
            found = unwrapped(found)
    if isinstance(found, type):
        return found
    raise LookupError(f"{module.__name__} has no class {qualname}")


class ClassMembers:
    """The invokables of the classes of one module."""

    def __init__(
        self,
        module: ModuleType,
        planner: Planner,
        wanted: Callable[[str], bool],
        selection: Sequence[str],
        *,
        makes: bool = True,
    ) -> None:
        """Take what to look at; `makes`: whether receivers are planned."""
        self._makes = makes
        self._module = module
        self._planner = planner
        self._source = planner.source
        self._wanted = wanted
        self._selection = selection

    def of(self, name: str, cls: type, seen: set[int], maker: str = "") -> list[PlannedInvokable]:
        """The invokables of a class and of the classes in it, or one with the reason why there are none.

        `maker` is the name of the function that stands in the class's place, `seen` the ids of what is done.
        """
        try:
            return list(self._class(name, cls, seen, maker))
        except BaseException as error:  # noqa: BLE001 - a metaclass may forbid to look at its classes
            node = self._source.class_(name)
            first, last = (0, 0) if node is None else (node.lineno, node.end_lineno or node.lineno)
            problem = f"class {name} can't be looked at: {brief(error)}"
            return (
                [PlannedInvokable(name, "constructor", name, first, last, (), problem)]
                if self._wanted(name)
                else []
            )

    def _class(self, qualname: str, cls: type, seen: set[int], maker: str) -> Iterator[PlannedInvokable]:
        seen.add(id(cls))
        members = list(members_of(cls).items())
        for name, member in members:
            inner = isinstance(member, type) and member.__module__ == cls.__module__
            if inner and id(member) not in seen and member.__qualname__ == f"{cls.__qualname__}.{name}":
                yield from self._class(f"{qualname}.{name}", member, seen, "")
        wanted = [(f"{qualname}.{name}", name, member) for name, member in members]
        wanted = [row for row in wanted if self._wanted(row[0]) and self._is_written(row[0], row[2])]
        if any(row[1] in OF_DESCRIPTORS for row in wanted) and self._is_held_by_a_class(cls):
            wanted = [row for row in wanted if row[1] not in OF_DESCRIPTORS]  # called through the attribute
        wanted += self._inherited(qualname, cls, {name for name, _ in members})
        if is_protocol(cls):
            wanted = [row for row in wanted if not self._is_declared(row[0])]
        if not wanted:
            return
        if issubclass(cls, type):
            yield from self._of_metaclass(wanted, cls)
            return
        receiver, problem = self._receiver(cls, maker)
        if is_protocol(cls) and receiver is None:
            return  # its methods have no bodies, and nothing here implements it
        for full, _, member in wanted:
            made = PlannedInvokable(full, "method", qualname, 0, 0, (), problem, receiver)
            yield from self._member(made, member, cls, maker)

    def _is_held_by_a_class(self, cls: type) -> bool:
        """True if a class of the module has an instance of another one in its body."""
        held = (thing for item in _classes_of(self._module) for thing in list(vars(item).values()))
        return any(type(thing) is cls for thing in held)

    def _inherited(self, qualname: str, cls: type, own: set[str]) -> list[tuple[str, str, Any]]:
        """The members that a class has from bases and that are called through it."""
        hooks = {name: (base, name, member) for base, name, member in through_hooks(cls, self._module, own)}
        private = from_private_bases(cls, self._module, own)
        asked_for = selected_from_bases(cls, qualname, self._module, self._selection)
        rows = [
            (f"{qualname}.{name}", name, member)
            for base, name, member in (*private, *asked_for)
            if not self._wanted(f"{base.__qualname__}.{name}")
            and self._is_written(f"{base.__qualname__}.{name}", member)
            and hooks.pop(name, True)
        ]
        rows += [(f"{qualname}.{name}", name, member) for _, name, member in hooks.values()]
        return [row for row in rows if row[1] not in CONSTRUCTORS and self._wanted(row[0])]

    def _tested(self, plan: Plan) -> Plan:
        """Instances that exist; where there are none, a mock that leaves the code of the class as it is."""
        if isinstance(plan, MockPlan):
            return self._planner.mocks.receiver(plan)
        if isinstance(plan, UnionPlan):
            return one_of([part for part in plan.plans if not isinstance(part, MockPlan)])
        return plan

    def _receiver(self, cls: type, maker: str) -> tuple[Plan | None, str | None]:
        if not self._makes:
            return None, None
        try:
            if not maker:
                plan: Plan = self._tested(self._planner.resolver.plan(cls, self._planner.scope(None, cls)))
            else:
                parameters = self._planner.constructor(cls, self._planner.scope(None, cls))
                plan = ConstructPlan(cls, self._module.__name__, maker, parameters)
        except Unbuildable as error:
            return None, f"an instance of {cls.__qualname__} could not be built: {error}"
        except BaseException as error:  # noqa: BLE001 - as above
            return None, f"an instance of {cls.__qualname__} could not be built: {brief(error)}"
        if not isinstance(plan, MemberPlan) and issubclass(cls, enum.Enum):
            return None, f"the enum {cls.__qualname__} has no members"
        shown = self._planner.guide.learned.constructions(cls)
        return with_values(only_constructed(plan), shown), None

    def _is_written(self, qualname: str, member: Any) -> bool:
        """True if a member of a class is code of this module, not generated by `dataclass` and the like."""
        name = qualname.rpartition(".")[2]
        plain = plain_of(member)
        if isinstance(plain, (type, *_IN_C)) or getattr(plain, "__isabstractmethod__", False):
            return False
        if qualname in self._source.definitions:
            return True
        if name.startswith("__"):
            return False
        code = code_of(member)
        if code is None:
            return _is_own_descriptor(member, self._module)
        return bool(code.co_filename == getattr(self._module, "__file__", None))

    def _is_declared(self, qualname: str) -> bool:
        """True if a method only says what others do."""
        node = self._source.function(qualname)
        return node is not None and is_trivial(node)

    def _member(
        self, made: PlannedInvokable, member: Any, cls: type, maker: str
    ) -> Iterator[PlannedInvokable]:
        owner, name = str(made.owner), made.name
        thing = plain_of(member)
        home = next((base for base in cls.__mro__ if name in vars(base)), cls)
        inner = f"{home.__qualname__}.{name}"
        first, last = lines_of(self._planner, inner, thing)
        made = replace(made, first_line=first, last_line=last)
        if name in CONSTRUCTORS:
            if name == next(item for item in CONSTRUCTORS if f"{owner}.{item}" in self._source.definitions):
                made = replace(made, qualname=owner, kind="constructor", receiver=None, problem=None)
                yield self._constructor(made, cls, maker)
        elif isinstance(member, (property, functools.cached_property)):
            yield from self._property(made, member, cls)
        elif isinstance(member, staticmethod):
            made = replace(made, kind="staticmethod", receiver=None, problem=None)
            yield planned(self._planner, made, thing, inner, cls, skip_first=False)
        elif isinstance(member, classmethod):
            made = replace(made, kind="classmethod", receiver=None, problem=None)
            made = replace(made, path=self._through_subclass(cls, name))
            yield planned(self._planner, made, thing, inner, cls, skip_first=True)
        elif isinstance(member, functools.partialmethod):
            yield planned(self._planner, made, getattr(cls, name), inner, cls, skip_first=True)
        elif callable(thing) and (not name.startswith("__") or is_callable_dunder(name)):
            done = planned(self._planner, made, thing, inner, cls, skip_first=True)
            yield self._leaving(done, inner) if name in EXITS else done
        elif _is_own_descriptor(member, self._module):
            yield from self._descriptor(made, member, cls)
        elif self._is_computed(member, inner, first):
            yield replace(made, kind="property", access="get")

    def _is_computed(self, member: Any, qualname: str, line: int) -> bool:
        """True if a decorator of another library made a method into a value that is read, by its text."""
        if callable(member) or not hasattr(type(member), "__get__"):
            return False
        node = self._source.function(qualname, line)
        return node is not None and len(node.args.posonlyargs + node.args.args) == 1

    def _leaving(self, made: PlannedInvokable, qualname: str) -> PlannedInvokable:
        node = self._source.function(qualname, made.first_line)
        return replace(made, parameters=exit_parameters(made.parameters, node, self._module))

    def _of_metaclass(self, wanted: list[tuple[str, str, Any]], cls: type) -> Iterator[PlannedInvokable]:
        """The methods of a metaclass, called on a class that it made; `__call__` is what makes instances."""
        made = [item for item in _classes_of(self._module) if isinstance(item, cls)]
        for full, name, member in wanted:
            if name.startswith("__") or not isinstance(member, FunctionType):
                continue
            first, last = lines_of(self._planner, f"{cls.__qualname__}.{name}", member)
            fit = next((item for item in made if not any(name in vars(base) for base in item.__mro__)), None)
            problem = None if fit else f"no class of the module is made by {cls.__qualname__}"
            path = f"{fit.__qualname__}.{name}" if fit else ""
            owner = full.rpartition(".")[0]
            row = PlannedInvokable(full, "classmethod", owner, first, last, (), problem, path=path)
            yield planned(self._planner, row, member, f"{cls.__qualname__}.{name}", cls, skip_first=True)

    def _through_subclass(self, cls: type, name: str) -> str:
        """For a class method of an abstract class: its name in a concrete class that inherits it."""
        if not inspect.isabstract(cls):
            return ""
        for item in sorted(self._concrete(cls), key=_has_constructor):
            if inspect.getattr_static(item, name) is inspect.getattr_static(cls, name):
                return f"{item.__qualname__}.{name}"
        return ""

    def _concrete(self, cls: type) -> list[type]:
        """The classes of the module that derive from an abstract one and can be made, by their names."""
        found = []
        for item in subclasses(cls):
            if is_defined_in(item, self._module) and not inspect.isabstract(item):
                try:
                    recipes.reference(item, self._module)
                except recipes.NotNameable:
                    continue
                found.append(item)
        return sorted(found, key=lambda item: item.__name__.startswith("_"))

    def _constructor(self, made: PlannedInvokable, cls: type, maker: str) -> PlannedInvokable:
        """Calling the class, of an abstract one a class derived from it; the lines are the function's."""
        if issubclass(cls, enum.Enum):
            return replace(made, problem="the members of an enum are made by its class")
        called = cls
        if maker:
            made = replace(made, path=maker)
        elif inspect.isabstract(cls) or is_protocol(cls):
            concrete = sorted(self._concrete(cls), key=_has_constructor)
            if not concrete:
                return replace(made, problem=f"abstract class {cls.__qualname__} can't be instantiated")
            called = concrete[0]
            made = replace(made, path=called.__qualname__)
        try:
            if not maker:
                recipes.reference(called, self._module)
            parameters = self._planner.constructor(called, self._planner.scope(None, called))
        except (Unbuildable, recipes.NotNameable) as error:
            return replace(made, problem=str(error))
        except BaseException as error:  # noqa: BLE001 - as above
            return replace(made, problem=f"its signature can't be read: {brief(error)}")
        return replace(made, parameters=parameters)

    def _property(self, made: PlannedInvokable, member: Any, cls: type) -> Iterator[PlannedInvokable]:
        yield replace(made, kind="property", access="get")
        for access, function in (
            ("set", getattr(member, "fset", None)),
            ("del", getattr(member, "fdel", None)),
        ):
            if function is None:
                continue
            name = f"{cls.__qualname__}.{made.name}"
            first, last = lines_of(self._planner, name, function)
            if code_of(function) is None or (first, last) == (made.first_line, made.last_line):
                continue
            row = _accessing(made, access, first, last)
            yield planned(self._planner, row, function, name, cls, skip_first=True)

    def _descriptor(self, made: PlannedInvokable, member: Any, cls: type) -> Iterator[PlannedInvokable]:
        """Invokables for reading, storing and deleting through a descriptor of the module's own."""
        kind = type(member)
        for access, name in (("get", "__get__"), ("set", "__set__"), ("del", "__delete__")):
            function: Any = getattr(kind, name, None)
            if not isinstance(unwrapped(function), FunctionType):
                continue
            inner = f"{next(base for base in kind.__mro__ if name in vars(base)).__qualname__}.{name}"
            first, last = lines_of(self._planner, inner, function)
            if access == "get":
                yield replace(made, kind="property", access="get", first_line=first, last_line=last)
                continue
            row = _accessing(made, access, first, last)
            done = planned(self._planner, row, function, inner, cls, skip_first=True)
            yield replace(done, parameters=done.parameters[1:])  # the instance comes by itself


def _accessing(made: PlannedInvokable, access: str, first: int, last: int) -> PlannedInvokable:
    ending = {"set": "setter", "del": "deleter"}[access]
    qualname = f"{made.qualname}.{ending}"
    return replace(made, qualname=qualname, kind="property", access=access, first_line=first, last_line=last)


def planned(
    planner: Planner,
    made: PlannedInvokable,
    thing: Callable[..., Any],
    qualname: str,
    owner: type | None,
    *,
    skip_first: bool,
) -> PlannedInvokable:
    """The invokable with its parameters, or with the reason why there are none."""
    try:
        scope = planner.scope(thing, owner)
        parameters = planner.parameters(thing, qualname=qualname, scope=scope, skip_first=skip_first)
    except Unbuildable as error:
        return replace(made, problem=made.problem or str(error))
    except BaseException as error:  # noqa: BLE001 - annotations and metaclasses run code of the target
        return replace(made, problem=made.problem or f"its signature can't be read: {brief(error)}")
    return replace(made, parameters=parameters)


def lines_of(planner: Planner, qualname: str, thing: Any) -> tuple[int, int]:
    """The first and the last line of a definition, (0, 0) where it is not in this module's text."""
    code = code_of(thing)
    node = planner.source.function(qualname, None if code is None else code.co_firstlineno)
    if node is not None:
        return node.lineno, node.end_lineno or node.lineno
    if code is None or code.co_filename != getattr(planner.module, "__file__", None):
        return 0, 0
    lines = [line for _, _, line in code.co_lines() if line]
    return code.co_firstlineno, max(lines, default=code.co_firstlineno)


def _has_constructor(cls: type) -> bool:
    """True if a class has a constructor of its own."""
    return any(name in vars(cls) for name in CONSTRUCTORS)


def _classes_of(module: ModuleType) -> list[type]:
    return [
        item for item in list(vars(module).values())
        if isinstance(item, type) and is_defined_in(item, module)
    ]  # fmt: skip


def _is_own_descriptor(member: Any, module: ModuleType) -> bool:
    """True if a member of a class is an instance of a descriptor class that was written in this project."""
    kind = type(member)
    if isinstance(member, (type, FunctionType, property)) or not hasattr(kind, "__get__"):
        return False
    own = kind.__module__ == module.__name__ or recipes.is_traced(kind.__module__)
    return own and (hasattr(kind, "__set__") or not callable(member))


def plain_of(member: Any) -> Any:
    """The function in a class's dict entry."""
    if isinstance(member, (classmethod, staticmethod)):
        return member.__func__
    if isinstance(member, property):
        return member.fget or member.fset
    if isinstance(member, (functools.cached_property, functools.singledispatchmethod)):
        return member.func
    return member


def code_of(thing: Any) -> Any:
    """The code object behind a function, a wrapper or a member of a class, None where there is none."""
    thing = unwrapped(plain_of(thing))
    if isinstance(thing, (functools.partialmethod, functools.partial)):
        thing = thing.func
    return code_within(thing)
