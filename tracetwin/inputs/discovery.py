"""Finds what a module offers to be called, with a plan for each parameter."""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable, Iterator
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

from tracetwin.inputs import recipes
from tracetwin.inputs.invokables import Invokable
from tracetwin.inputs.planner import Planner, is_protocol
from tracetwin.inputs.plans import MemberPlan, Plan, Unbuildable
from tracetwin.inputs.scopes import unwrapped
from tracetwin.inputs.sources import Source

DUNDERS = frozenset(
    f"__{name}__"
    for name in (
        "len contains getitem setitem delitem iter next reversed call eq ne lt le gt ge hash bool repr str"
        " format bytes enter exit aenter aexit aiter anext await missing index int float complex abs neg pos"
        " invert round trunc floor ceil"
        " add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift"
        " radd rsub rmul rtruediv rfloordiv rmod rpow rmatmul rand ror rxor rlshift rrshift"
        " iadd isub imul itruediv ifloordiv imod ipow iand ior ixor getattr"
    ).split()
)

CONSTRUCTORS = ("__init__", "__new__", "__post_init__")


def discover(module: ModuleType, selection: tuple[str, ...] = ()) -> list[Invokable]:
    """All invokables of a module in the order of its text, or those selected by qualified name.

    A selected class stands for everything in it; names with a leading underscore must be selected.
    """
    return Discovery(module, selection).run()


def missing(module: ModuleType, selection: tuple[str, ...]) -> list[str]:
    """The selected names that name nothing to call."""
    found = [item.qualname for item in discover(module, selection)]
    return [name for name in selection if not any(_within(other, name) for other in found)]


def undefined(module: ModuleType, qualname: str) -> str:
    """Where a module has nothing of this name, a sentence that says so, else ""."""
    thing: Any = module
    seen: list[str] = []
    for part in qualname.split("."):
        thing = inspect.getattr_static(thing, part, undefined)
        if thing is undefined:
            inside = f"'{'.'.join(seen)}'" if seen else "the module"
            return f"{inside} defines no '{part}'"
        seen.append(part)
    return ""


class Discovery:
    """One walk over a module."""

    def __init__(self, module: ModuleType, selection: tuple[str, ...] = ()) -> None:
        self.module = module
        self.selection = selection
        self.planner = Planner(module)
        self.source: Source = self.planner.source

    def run(self) -> list[Invokable]:
        """Every invokable, sorted by line."""
        found: list[Invokable] = []
        seen: set[int] = set()
        own = [(name, thing) for name, thing in list(vars(self.module).items()) if self._is_own(name, thing)]
        # Under two names a thing is one target: that of its definition.
        own.sort(key=lambda pair: getattr(pair[1], "__name__", None) != pair[0])
        for name, thing in own:
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            if isinstance(thing, type):
                found += self._class_or_problem(name, thing, seen)
            elif self._wanted(name):
                found.append(self._function(name, thing))
        return sorted(found, key=lambda item: (item.first_line, item.qualname))

    def _wanted(self, qualname: str) -> bool:
        """Whether a name is selected, or public where nothing is selected."""
        public = not any(_is_private(part) for part in qualname.split("."))
        if not self.selection:
            return public
        for name in self.selection:
            if qualname == name or (name == qualname.rpartition(".")[0] and qualname.endswith(CONSTRUCTORS)):
                return True
            if qualname.startswith(name + "."):  # inside of a selected class: its public part
                return not any(_is_private(part) for part in qualname[len(name) + 1 :].split("."))
        return False

    def _is_own(self, name: str, thing: object) -> bool:
        """Whether a global was defined by this module, decorated or not."""
        if isinstance(thing, type):
            if thing.__module__ != self.module.__name__:
                return False
            return name in self.source.definitions or thing.__qualname__ == name
        if isinstance(thing, (BuiltinFunctionType, ModuleType)) or not callable(thing):
            return False
        node = self.source.function(name)
        own: Any = thing
        if getattr(own, "__module__", None) == self.module.__name__ and (
            type(own) is FunctionType or getattr(own, "__wrapped__", None) is not None
        ):
            return True
        return node is not None and bool(node.decorator_list)

    # Functions

    def _function(self, name: str, thing: Callable[..., Any]) -> Invokable:
        first, last = self._lines(name, thing)
        made = Invokable(name, "function", None, first, last, result=_result_of(thing))
        return self._planned(made, thing, name, None, skip_first=False)

    def _lines(self, qualname: str, thing: Any) -> tuple[int, int]:
        code = _code_of(thing)
        node = self.source.function(qualname, None if code is None else code.co_firstlineno)
        if node is not None:
            return node.lineno, node.end_lineno or node.lineno
        if code is None or code.co_filename != getattr(self.module, "__file__", None):
            return 0, 0
        lines = [line for _, _, line in code.co_lines() if line]
        return code.co_firstlineno, max(lines, default=code.co_firstlineno)

    def _planned(
        self,
        made: Invokable,
        thing: Callable[..., Any],
        qualname: str,
        owner: type | None,
        *,
        skip_first: bool,
    ) -> Invokable:
        """The invokable with its parameters, or with the reason why there are none."""
        try:
            scope = self.planner.scope(thing, owner)
            parameters = self.planner.parameters(thing, qualname=qualname, scope=scope, skip_first=skip_first)
        except Unbuildable as error:
            return replace(made, problem=made.problem or str(error))
        except Exception as error:  # noqa: BLE001 - annotations and metaclasses run code of the target
            return replace(made, problem=made.problem or f"its signature can't be read: {_brief(error)}")
        return replace(made, parameters=parameters)

    # Classes

    def _class_or_problem(self, name: str, cls: type, seen: set[int]) -> list[Invokable]:
        try:
            return list(self._class(name, cls, seen))
        except Exception as error:  # noqa: BLE001 - a metaclass may forbid to look at its classes
            node = self.source.class_(name)
            first, last = (0, 0) if node is None else (node.lineno, node.end_lineno or node.lineno)
            problem = f"class {name} can't be looked at: {_brief(error)}"
            return (
                [Invokable(name, "constructor", name, first, last, (), problem)] if self._wanted(name) else []
            )

    def _class(self, qualname: str, cls: type, seen: set[int]) -> Iterator[Invokable]:
        seen.add(id(cls))
        members = list(vars(cls).items())
        for name, member in members:
            inner = isinstance(member, type) and member.__module__ == cls.__module__
            if inner and id(member) not in seen and member.__qualname__ == f"{cls.__qualname__}.{name}":
                yield from self._class(f"{qualname}.{name}", member, seen)
        wanted = [(f"{qualname}.{name}", name, member) for name, member in members]
        wanted = [row for row in wanted if self._wanted(row[0]) and self._is_written(row[0], row[2])]
        if not wanted:
            return
        receiver, problem = self._receiver(cls)
        if is_protocol(cls) and receiver is None:
            return  # its methods have no bodies, and nothing here implements it
        for full, name, member in wanted:
            yield from self._member(full, name, member, cls, receiver, problem)

    def _receiver(self, cls: type) -> tuple[Plan | None, str | None]:
        try:
            plan = self.planner.resolver.plan(cls, self.planner.scope(None, cls))
        except Unbuildable as error:
            return None, f"an instance of {cls.__qualname__} could not be built: {error}"
        except Exception as error:  # noqa: BLE001 - as above
            return None, f"an instance of {cls.__qualname__} could not be built: {_brief(error)}"
        if not isinstance(plan, MemberPlan) and issubclass(cls, enum.Enum):
            return None, f"the enum {cls.__qualname__} has no members"
        return plan, None

    def _is_written(self, qualname: str, member: Any) -> bool:
        """Whether a member of a class is code of this module, not generated by `dataclass` and the like."""
        name = qualname.rpartition(".")[2]
        plain = _plain(member)
        if isinstance(plain, (type, *_IN_C)) or getattr(plain, "__isabstractmethod__", False):
            return False
        if qualname in self.source.definitions:
            return True
        code = _code_of(member)
        if code is None or name.startswith("__"):
            return False
        return bool(code.co_filename == getattr(self.module, "__file__", None))

    def _member(
        self, full: str, name: str, member: Any, cls: type, receiver: Plan | None, problem: str | None
    ) -> Iterator[Invokable]:
        owner = full.rpartition(".")[0]
        thing = _plain(member)
        first, last = self._lines(f"{cls.__qualname__}.{name}", thing)
        made = Invokable(full, "method", owner, first, last, (), problem, receiver, _result_of(thing))
        inner = f"{cls.__qualname__}.{name}"
        if name in CONSTRUCTORS:
            if name == next(item for item in CONSTRUCTORS if f"{owner}.{item}" in self.source.definitions):
                made = replace(made, qualname=owner, kind="constructor", receiver=None, problem=None)
                yield self._constructor(made, cls)
        elif isinstance(member, (property, functools.cached_property)):
            yield from self._property(made, member, cls)
        elif isinstance(member, staticmethod):
            made = replace(made, kind="staticmethod", receiver=None, problem=None)
            yield self._planned(made, thing, inner, cls, skip_first=False)
        elif isinstance(member, classmethod):
            made = replace(made, kind="classmethod", receiver=None, problem=None)
            yield self._planned(made, thing, inner, cls, skip_first=True)
        elif callable(thing) and (not name.startswith("__") or name in DUNDERS):
            yield self._planned(made, thing, inner, cls, skip_first=True)

    def _constructor(self, made: Invokable, cls: type) -> Invokable:
        """Calling the class; the lines are those of the function behind it."""
        if issubclass(cls, enum.Enum):
            return replace(made, problem="the members of an enum are made by its class")
        if inspect.isabstract(cls) or is_protocol(cls):
            return replace(made, problem=f"abstract class {cls.__qualname__} can't be instantiated")
        try:
            recipes.reference(cls, self.module)
            parameters = self.planner.constructor(cls, self.planner.scope(None, cls))
        except (Unbuildable, recipes.NotNameable) as error:
            return replace(made, problem=str(error))
        except Exception as error:  # noqa: BLE001 - as above
            return replace(made, problem=f"its signature can't be read: {_brief(error)}")
        return replace(made, parameters=parameters)

    def _property(self, made: Invokable, member: Any, cls: type) -> Iterator[Invokable]:
        yield replace(made, kind="property", access="get")
        setter = getattr(member, "fset", None)
        if setter is None:
            return
        code = _code_of(setter)
        name = f"{cls.__qualname__}.{made.name}"
        first, last = self._lines(name, setter)
        if code is None or (first, last) == (made.first_line, made.last_line):
            return
        put = replace(
            made,
            qualname=f"{made.qualname}.setter",
            kind="property",
            access="set",
            first_line=first,
            last_line=last,
        )
        yield self._planned(put, setter, name, cls, skip_first=True)


_IN_C = (BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType, ClassMethodDescriptorType)


def _is_private(part: str) -> bool:
    return part.startswith("_") and part not in DUNDERS and part not in CONSTRUCTORS


def _brief(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested without end"
    return f"{type(error).__name__}: {error!s:.80}"


def _within(qualname: str, name: str) -> bool:
    return qualname == name or qualname.startswith(name + ".")


def _plain(member: Any) -> Any:
    """The function in a class's dict entry."""
    if isinstance(member, (classmethod, staticmethod)):
        return member.__func__
    if isinstance(member, property):
        return member.fget or member.fset
    if isinstance(member, (functools.cached_property, functools.singledispatchmethod)):
        return member.func
    return member


def _code_of(thing: Any) -> Any:
    thing = _plain(thing)
    thing = unwrapped(thing)
    if isinstance(thing, (functools.partialmethod, functools.partial)):
        thing = thing.func
    code = getattr(thing, "__code__", None)
    return code if inspect.iscode(code) else None


def _result_of(thing: Any) -> str:
    """How the result is to be consumed; a wrapper such as `contextmanager` decides for its function."""
    if inspect.iscoroutinefunction(thing):
        return "async"
    if inspect.isasyncgenfunction(thing):
        return "async generator"
    return "generator" if inspect.isgeneratorfunction(thing) else "plain"
