"""Reads and writes of a run: attributes of objects, elements of containers, globals of one module.

By `sys.settrace` with events per instruction, so it is for single runs, and not for threads. It works on
twins and on originals, and runs no code of the target: objects are looked up in the variables of the frame,
attributes in the dictionaries and slots of instances. What it can't look up without that (the
result of a call, an element under a computed key) is left out.
"""

from __future__ import annotations

import sys
from dataclasses import field
from types import CodeType, FrameType, FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any, NamedTuple

from tracetwin.process.instructions import trace_calls, trace_instructions
from tracetwin.support.data import dataclass
from tracetwin.worker.dataflow.evaluate import MISSING, container, held, lookup
from tracetwin.worker.dataflow.syntax import Mention, Syntax, read
from tracetwin.worker.dataflow.table import Accesses, FrameAccess, accesses_of
from tracetwin.worker.dataflow.variables import VariableObserver


class FlowEvent(NamedTuple):
    """A definition or use.

    Attributes:
        stage: what the observer's `stage` was.
        defines: whether it is a definition.
        attribute: its name; ``x[]`` stands for the elements of what it holds.
        line: of the expression, as in the static pairs.
        column: in characters from 0, as in the static pairs.
        owner: the class of the object, or the class itself for its variables; "" for globals.
        thing: the object's `id`; 0 for globals.
    """

    stage: int
    defines: bool
    attribute: str
    line: int
    column: int
    owner: str
    thing: int


class FlowPair(NamedTuple):
    """An executed definition-use pair; a definition nobody saw (a default of the class) is in line 0."""

    attribute: str
    define_line: int
    define_column: int
    use_line: int
    use_column: int
    owner: str
    thing: int


@dataclass
class Observed:
    """Accesses of a run.

    Attributes:
        events: definitions and uses in order.
        pairs: the executed pairs, each once, in order of their first execution.
        reads: per invokable (what it called included) class and attribute of what it read.
        writes: likewise what it wrote.
        variables: the executed pairs of locals and globals: function, variable, line of the definition (0 for
            one that nobody saw), line of the use.
    """

    events: list[FlowEvent] = field(default_factory=list)
    pairs: list[FlowPair] = field(default_factory=list)
    reads: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    writes: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    variables: set[tuple[str, str, int, int]] = field(default_factory=set)

    def of_variables(self) -> list[tuple[str, str, int, int]]:
        """The executed pairs of variables, in order."""
        return sorted(self.variables)

    def plain(self, thing: object) -> list[tuple[int, bool, str, int, int]]:
        """The events on one object's attributes: stage, whether it defines, attribute, line, column."""
        return [tuple(e[:5]) for e in self.events if e.thing == id(thing)]  # type: ignore[misc]

    def facts(self) -> dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]]:
        """Reads and writes per invokable, for `ModuleFacts.confirmed`."""
        names = sorted({*self.reads, *self.writes})
        return {n: (sorted(self.reads.get(n, ())), sorted(self.writes.get(n, ()))) for n in names}


class FlowObserver:
    """Observes the code of one module, told by its file name, between `start` and `stop`.

    Attributes:
        stage: written into every event; whoever makes the calls of a sequence counts it up.
        observed: what was seen since `start`.
    """

    def __init__(self, file: str, source: str) -> None:
        """Read the source.

        Raises:
            SyntaxError: it is not Python.
        """
        self.stage = 0
        self.observed = Observed()
        self._file = file
        self._syntax: Syntax = read(source)
        self._tables: dict[CodeType, Accesses] = {}
        self._running: list[str] = []
        self._last: dict[tuple[int, str], tuple[int, int]] = {}
        self._homes: dict[int, tuple[Any, Any, str, str]] = {}
        self._kept: list[Any] = []
        self._seen: set[FlowPair] = set()
        self._before: Any = None
        self._locals = VariableObserver()

    def start(self) -> None:
        """Observe from here on, starting with nothing seen."""
        self.observed = Observed()
        self.stage = 0
        for table in (self._running, self._last, self._homes, self._kept, self._seen):
            table.clear()
        self._locals.begin(self.observed.variables)
        self._before = trace_calls(self._enter)

    def stop(self) -> Observed:
        """Observe no longer; what was seen. Objects are let go."""
        sys.settrace(self._before)
        self._homes.clear()
        self._kept.clear()
        return self.observed

    # Tracing

    def _enter(self, frame: FrameType, _event: str, _argument: object) -> Any:
        code = frame.f_code
        if code.co_filename != self._file:
            return None
        table = self._tables.get(code)
        if table is None:
            table = self._tables[code] = accesses_of(code, self._syntax)
        name = self._syntax.names.get((code.co_firstlineno, code.co_name), code.co_name)
        self._running.append(name)
        self._locals.enter(frame, name)
        depth = len(self._running)

        def inside(frame: FrameType, event: str, _argument: object) -> Any:
            if event == "opcode":
                self._locals.step(frame)
                for access in table.get(frame.f_lasti, ()):
                    self._step(frame, access)
            elif event == "return":
                del self._running[depth - 1 :]
            return inside

        return trace_instructions(frame, inside)

    # Accesses

    def _step(self, frame: FrameType, access: FrameAccess) -> None:
        kind, deletes, mention = access
        if kind in {"load", "store"}:
            base = lookup(mention.base, frame)
            if base is not MISSING:
                self._attribute(base, mention, frame, defines=kind == "store", deletes=deletes)
        elif kind == "local":
            home = self._homes.get(id(frame.f_locals.get(mention.name)))
            if home is not None:
                self._elements(home, mention)
        elif mention.name in frame.f_globals or kind == "global store":
            self._global(frame, mention, defines=kind == "global store")

    def _attribute(
        self, base: Any, mention: Mention, frame: FrameType, *, defines: bool, deletes: bool
    ) -> None:
        name = _mangled(mention.name, frame)
        thing, owner, value = held(base, name, defines=defines)
        if thing is MISSING or (value is not MISSING and not defines and _is_code(value)):
            return
        self._note(thing, owner, name, mention, defines=defines)
        if not defines and container(value):
            home = (value, thing, owner, name)
            self._homes[id(value)] = home
            self._elements(home, mention)

    def _elements(self, home: tuple[Any, Any, str, str], mention: Mention) -> None:
        _, thing, owner, name = home
        for what in mention.elements:
            self._note(thing, owner, f"{name}[]", mention, defines=what == "w")

    def _global(self, frame: FrameType, mention: Mention, *, defines: bool) -> None:
        value = frame.f_globals.get(mention.name, MISSING)
        if not defines and (_is_code(value) or isinstance(value, (type, ModuleType))):
            return
        self._note(None, "", mention.name, mention, defines=defines)
        if container(value) and not defines:
            home = (value, None, "", mention.name)
            self._homes[id(value)] = home
            self._elements(home, mention)

    def _note(self, thing: Any, owner: str, name: str, mention: Mention, *, defines: bool) -> None:
        number = 0 if thing is None else id(thing)
        if (number, "") not in self._last and thing is not None:
            self._kept.append(thing)  # so that its number is not given to another one
            self._last[number, ""] = (0, 0)
        event = FlowEvent(self.stage, defines, name, mention.line, mention.column, owner, number)
        self.observed.events.append(event)
        table = self.observed.writes if defines else self.observed.reads
        for running in self._running:
            table.setdefault(running, set()).add((owner, name))
        if defines:
            self._last[number, name] = (mention.line, mention.column)
            self._last.pop((number, f"{name}[]"), None)  # other elements now
            return
        line, column = self._last.get((number, name), (0, 0))
        if thing is None:
            self.observed.variables.add((self._running[-1], name, line, mention.line))
        pair = FlowPair(name, line, column, mention.line, mention.column, owner, number)
        if pair not in self._seen and (line or not name.endswith("[]")):
            self._seen.add(pair)
            self.observed.pairs.append(pair)


def _is_code(value: Any) -> bool:
    kind = type(value)
    if kind in {
        FunctionType,
        staticmethod,
        classmethod,
        property,
        MemberDescriptorType,
        GetSetDescriptorType,
    }:
        return True
    return kind.__name__ in {
        "builtin_function_or_method",
        "cached_property",
        "wrapper_descriptor",
        "method_descriptor",
    }


def _mangled(name: str, frame: FrameType) -> str:
    """The name as stored: found among the names of the code."""
    if not name.startswith("__") or name.endswith("__"):
        return name
    return next((n for n in frame.f_code.co_names if n.endswith(name) and n.startswith("_")), name)
