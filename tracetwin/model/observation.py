"""Observations: what a replay saw of a case on the original."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, TypeAlias

from tracetwin.model.recipe import Recipe
from tracetwin.model.snapshot import Opaque, Snapshot
from tracetwin.model.status import Outcome
from tracetwin.support.data import dataclass

Arc: TypeAlias = tuple[int, int]


class Root(str, enum.Enum):
    """Where a value that is looked at hangs."""

    ARG = "arg"
    KWARG = "kwarg"
    VAR = "var"
    MODULE = "module"

    def __str__(self) -> str:
        return self.value


AGAIN: Final = "()"
"""In the place of an attribute: what the last call returns the next time."""


@dataclass(frozen=True, slots=True)
class ValuePath:
    """The place of a value: an argument of the last call or a variable, and perhaps an attribute of it.

    Attributes:
        key: position of the argument, its keyword, the name of the variable, or that of a global of the
            target; where a class of the target holds it, with the name of the class before it.
        attribute: of that; None for the value itself, "" for what it is as one of its builtin base.
    """

    root: Root
    key: int | str
    attribute: str | None = None

    def of(self, attribute: str) -> ValuePath:
        """The path of an attribute."""
        return ValuePath(self.root, self.key, attribute)

    @property
    def value(self) -> ValuePath:
        """The path of the value that the attribute belongs to."""
        return ValuePath(self.root, self.key)

    @property
    def text(self) -> str:
        """Key and attribute with a dot between them."""
        return str(self.key) if self.attribute is None else f"{self.key}.{self.attribute}"


class Consumption(str, enum.Enum):
    """The ways to use the result of the last call."""

    CALL = "call"
    """Nothing."""
    AWAIT = "await"
    ITERATE = "iterate"
    ASYNC_ITERATE = "async_iterate"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception: its class, whose module is "" where no import can name it, and its message.

    The message is None where it differs between two runs. It is stated where a `raise` statement in another
    module of the target's package made it; of the target's own the line tells.
    """

    module: str
    qualname: str
    message: str | None
    is_stated: bool = False

    @property
    def place(self) -> tuple[str, str]:
        """Module and qualified name of the class."""
        return self.module, self.qualname


@dataclass(frozen=True, slots=True)
class MockCall:
    """A call of a mock.

    Attributes:
        args: what it got by position.
        kwargs: what it got by keyword.
        line: of the target that called; None where others called for it. Where the steps before the tested
            call led to it, it is negative, and 0 for None.
    """

    number: int
    member: str
    args: tuple[Snapshot, ...]
    kwargs: tuple[tuple[str, Snapshot], ...]
    line: int | None

    @property
    def is_early(self) -> bool:
        """True if it was made before the tested call."""
        return self.line is not None and self.line <= 0


@dataclass(frozen=True, slots=True)
class Written:
    """The text that was written to a patched file, part by part."""

    place: str
    parts: tuple[Recipe, ...]


@dataclass(frozen=True, slots=True)
class CalledWith:
    """The arguments of the one call of a patched function."""

    place: str
    args: tuple[Recipe, ...]
    kwargs: tuple[tuple[str, Recipe], ...]


Effect: TypeAlias = Written | CalledWith


@dataclass(frozen=True, slots=True)
class Spelled:
    """A text, and for each dotted name in it the module and qualified name that it stands for."""

    text: str
    names: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DescribedParameter:
    """A parameter, as it is written: `kind` is that of `inspect.Parameter`."""

    name: str
    kind: int
    annotation: Spelled | None
    default: Spelled | None


@dataclass(frozen=True, slots=True)
class DescribedMember:
    """A member of a class that mocks derive from.

    Attributes:
        kind: method, property, ...
        needed: an instance can't be made without it.
        parameters: of a method, without the receiver.
        returns: what is written there; None for nothing, or what can't be written elsewhere.
    """

    kind: str
    needed: bool
    parameters: tuple[DescribedParameter, ...]
    returns: Spelled | None


@dataclass(frozen=True, slots=True)
class Interface:
    """A class that mocks derive from.

    Attributes:
        starts: a constructor of Python code sets up its instances.
        members: what a class in its place has to define.
    """

    module: str
    qualname: str
    starts: bool
    members: Mapping[str, DescribedMember]


@dataclass(frozen=True, slots=True)
class Leak:
    """A change of the module's own state, or of one setting of the interpreter.

    Attributes:
        place: dotted name behind that of the module.
        is_dict: a dict was changed in place.
        defaults: the parameters of a function whose defaults changed.
        after: what is there now, where those are told.
        module: whose state it is, "" for the target's.
    """

    place: str
    is_dict: bool
    before: Snapshot
    defaults: tuple[str, ...] = ()
    after: Snapshot | None = None
    module: str = ""


InstructionArc: TypeAlias = tuple[str, int, int, int]
"""Name and first line of a piece of code, and the offsets of two instructions that ran in a row."""

Shown: TypeAlias = tuple[tuple[ValuePath, Snapshot], ...]
"""What was seen at each of some places."""


NOTHING: Final = Opaque("", "nothing was returned")


@dataclass(frozen=True, slots=True)
class Observation:
    """The behaviour of a case.

    Attributes:
        why: the reason where it came to no end of its own.
        value: what the last call returned, or its items.
        bases: the importable bases of its class.
        raised_at: the line of the target that raised.
        how: what was done with the result.
        changed: what the call changed, as it is afterwards.
        kept: containers and attributes that it left alone.
        touched: arguments and variables whose data, private ones too, changed.
        stdout: what was printed; None where that differs between two runs.
        stderr: likewise.
        stdin: the target asked for input that was not there.
        effects: what patched functions were told.
        setup: in brief, what each step before the last returned.
        awaited: the positions of steps whose result was awaited.
        same: the place of the argument or variable that the result is.
        apart: attributes of the result, "" for itself, that are copies of what is at some place.
        reads: mocks and their attributes that were asked for; None where not all is known.
        interfaces: classes that mocks derive from.
        empty: the receiver holds nothing before the call.
        paths: instruction arcs of the last call, where the case asks for them.
        leaks: changes of the module's own state, where the case asks for them.
        lines: those of the module that ran.
        arcs: pairs of lines that ran in a row.
        own_lines: those of the last call.
        own_arcs: likewise.
    """

    outcome: Outcome
    why: str = ""
    value: Snapshot = NOTHING
    raised: Raised | None = None
    bases: tuple[tuple[str, str], ...] = ()
    raised_at: int | None = None
    how: Consumption = Consumption.CALL
    changed: Shown = ()
    kept: Shown = ()
    state: Shown = ()
    touched: tuple[ValuePath, ...] = ()
    altered: tuple[ValuePath, ...] = ()
    stdout: str | None = ""
    stderr: str | None = ""
    stdin: bool = False
    effects: tuple[Effect, ...] = ()
    setup: tuple[Snapshot, ...] = ()
    awaited: tuple[int, ...] = ()
    same: ValuePath | None = None
    apart: tuple[tuple[str, ValuePath], ...] = ()
    calls: tuple[MockCall, ...] = ()
    reads: tuple[tuple[int, str], ...] | None = None
    interfaces: tuple[Interface, ...] = ()
    empty: bool = False
    paths: tuple[InstructionArc, ...] = ()
    leaks: tuple[Leak, ...] = ()
    lines: tuple[int, ...] = ()
    arcs: tuple[Arc, ...] = ()
    own_lines: tuple[int, ...] = ()
    own_arcs: tuple[Arc, ...] = ()


def ended(outcome: Outcome, why: str = "") -> Observation:
    """An observation that says nothing but how it ended."""
    return Observation(outcome, why, Opaque("", why or "nothing was returned"))
