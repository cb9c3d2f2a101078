"""Writes the steps before the call.

The steps before the call, arranged as a person writes them: loops, and `with` for contexts.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from tracetwin.emit.naming.history import QUIET, is_enter, is_leave
from tracetwin.emit.naming.variables import arguments, wanted_names
from tracetwin.emit.render.calls import StepWriter, looks_forgotten
from tracetwin.emit.source.layout import Atom, Group, LaidOut, call
from tracetwin.emit.source.operators import Ending, OperatorStatement
from tracetwin.emit.source.scribe import STEP, Scribe
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.codec import key, step_key
from tracetwin.model.recipe import Call, Lambda, MockRecipe, Scalar
from tracetwin.model.snapshot import Itself, Opaque, Snapshot
from tracetwin.support.data import dataclass

_UNKNOWN: Final = Opaque("")


class Setup:
    """Writes the steps before the call.

    Args:
        briefs: what is known of their results, as far as it is known.
        scribe: where they go.
        calls: how a step is written.
        opened: the step that enters a context that the call leaves.
        around: a context to stand around that one.

    Attributes:
        awaited: the positions of steps whose result is awaited.
        told: the names of what is asserted something of, besides what later steps speak of.
        keeps: functions and objects that are passed get names.
    """

    def __init__(
        self,
        case: Case,
        briefs: Sequence[Snapshot],
        scribe: Scribe,
        calls: StepWriter,
        opened: int | None = None,
        around: str = "",
    ) -> None:
        self.awaited: set[int] = set()
        self.told: set[str] = set()
        self.keeps = False
        self.opened = opened
        self.around = around
        self.case = case
        self.steps = case.steps
        self.briefs = briefs
        self.scribe = scribe
        self.calls = calls
        self.wanted = wanted_names(case, briefs, calls.coverable)

    def write(self) -> None:
        for block in arrange(self.steps, self.briefs, self.opened, self.told):
            self._block(block)

    def _block(self, block: Block) -> None:
        if isinstance(block, Once):
            self._step(block.position)
        elif isinstance(block, Loop):
            self._head("for _ in ", call("range", [Atom(str(block.turns))]))
            for position in block.positions:
                self._step(position)
            self.scribe.indent -= STEP
        elif isinstance(block, RepeatedStep):
            self._each(block)
        elif isinstance(block, EnteredContext):
            self._enter(block)
        elif isinstance(block, Leave):
            if self.scribe.lines[-1].endswith(":"):
                self.scribe.line("pass")
            self.scribe.indent -= STEP

    def _head(self, prefix: str, node: LaidOut) -> None:
        """The head of something indented."""
        self.scribe.add(prefix, node, ":")
        self.scribe.indent += STEP

    # ---- single steps

    def _step(self, position: int, replaced: dict[int, LaidOut] | None = None) -> None:
        step = self.steps[position]
        args = self._kept(step) if self.keeps else self.calls.arguments(step)
        for argument, node in (replaced or {}).items():
            args[argument] = node
        if step.act is Act.SET:
            self.scribe.add(*self.calls.assignment(step, args))
            return
        if step.bind is not None and self._is_mock(step, args):
            self.scribe.locals[step.bind] = args[0].flat()
            return
        node, done = self._expression(position, args)
        if step.bind is not None and (step.bind in self.told or is_used(self.steps, position)):
            typed = self.calls.annotation(step)
            self.scribe.add(f"{self._bind(step.bind)}{typed} = ", node)
        elif done is not None:
            self.scribe.add(done.prefix, done.node)
        else:
            self.scribe.add("_ = " if looks_forgotten(node) or step.act is Act.GET else "", node)

    def _kept(self, step: Step) -> list[LaidOut]:
        """The arguments of a step, functions and objects among them by names that they get before."""
        nodes = self.calls.arguments(step)
        for at, (name, part) in enumerate(arguments(step, self.calls.coverable, self.case)[: len(step.args)]):
            if isinstance(part, Lambda):
                nodes[at] = Atom(self.scribe.define(*self.scribe.writer.function(part), name))
            elif isinstance(part, (Call, MockRecipe)) and not nodes[at].flat().isidentifier():
                local = self.scribe.new(name)
                self.scribe.add(f"{local} = ", nodes[at])
                nodes[at] = Atom(local)
        return nodes

    def _is_mock(self, step: Step, args: list[LaidOut]) -> bool:
        """Return whether a step only gives a name to a mock that has one."""
        known = len(args) == 1 and args[0].flat() in self.scribe.used
        return known and step.binds_mock

    def _expression(self, position: int, args: list[LaidOut]) -> tuple[LaidOut, OperatorStatement | None]:
        """The expression of a step, and the statement that does without its result."""
        if position in self.awaited:
            run = self.scribe.space.name("asyncio", "run")
            return call(run, [self.calls.call(self.steps[position], args)]), None
        step = self.steps[position]
        brief = self.briefs[position] if position < len(self.briefs) else None
        done = self.calls.statement(step, args, brief or _UNKNOWN)
        if brief is None:
            return self.calls.call(step, args), done
        return self.calls.operation(step, args, Ending(brief)) or self.calls.call(step, args), done

    def _bind(self, name: str) -> str:
        given = self.scribe.new(*self.wanted.get(name, [name]))
        self.scribe.locals[name] = given
        return given

    # ---- loops and contexts

    def _each(self, block: RepeatedStep) -> None:
        step = self.steps[block.position]
        named = arguments(step, self.calls.coverable, self.case)
        wanted = named[block.argument][0]
        name = self.scribe.new("value" if wanted.startswith("argument_") else wanted)
        self._head(f"for {name} in ", self._values(block.values))
        self._step(block.position, {block.argument: Atom(name)})
        self.scribe.indent -= STEP
        self.scribe.used.discard(name)  # another loop may call its own so

    def _values(self, values: Sequence[Scalar]) -> LaidOut:
        plain = [value.value for value in values if type(value.value) is int]
        if len(plain) == len(values) and all(b - a == 1 for a, b in pairwise(plain)):
            bounds = [plain[-1] + 1] if plain[0] == 0 else [plain[0], plain[-1] + 1]
            return call("range", [Atom(str(bound)) for bound in bounds])
        return Group("(", tuple(self.scribe.writer.recipe(value) for value in values), ")")

    def _enter(self, block: EnteredContext) -> None:
        step = self.steps[block.position]
        shown = block.position == self.opened and self._is_plain(block.position)
        given = step.bind if shown or is_used(self.steps, block.position) else None
        if block.maker is None:
            context: LaidOut = Atom(self.scribe.variable(step.place))
        else:
            context, _ = self._expression(block.maker, self.calls.arguments(self.steps[block.maker]))
        if not block.same:
            bound = f" as {self._bind(given)}" if given is not None else ""
        else:
            bound = self._as_made(block, given)
        around = f"{self.around}, " if self.around and block.position == self.opened else ""
        self.scribe.add(f"with {around}", context, f"{bound}:")
        self.scribe.indent += STEP

    def _as_made(self, block: EnteredContext, given: str | None) -> str:
        """The name of a context that hands out itself, where that is needed inside or later."""
        place = self.steps[block.position].place
        others = [step for i, step in enumerate(self.steps) if i != block.position]
        known = any(step.mentions(place) for step in others) or given is not None
        bound = f" as {self._bind(place)}" if known else ""
        if given is not None:
            self.scribe.locals[given] = self.scribe.locals[place]
        return bound

    def _is_plain(self, position: int) -> bool:
        """Return whether a step came back with a short literal that says something."""
        brief = self.briefs[position] if position < len(self.briefs) else None
        return isinstance(brief, Scalar) and brief.value is not None


SHORTEST_LOOP = 5
"""Equal statements in a row that become a loop."""

LONGEST_BODY = 3
LEAST_TURNS = 3



@dataclass(frozen=True)
class Once:
    """A step by itself."""

    position: int


@dataclass(frozen=True)
class Loop:
    """Some steps, several times."""

    positions: tuple[int, ...]
    turns: int


@dataclass(frozen=True)
class RepeatedStep:
    """One step for each of some values of one of its arguments."""

    position: int
    argument: int
    values: tuple[Scalar, ...]


@dataclass(frozen=True)
class EnteredContext:
    """From here on everything stands within a context.

    Attributes:
        position: the step that enters it.
        maker: the step that made the context and is written with it; None where that stands by itself.
        same: whether what is handed out is what the step made.
    """

    position: int
    maker: int | None
    same: bool = False


@dataclass(frozen=True)
class Leave:
    """Here the innermost context ends."""


Block = Once | Loop | RepeatedStep | EnteredContext | Leave


def arrange(
    steps: Sequence[Step],
    briefs: Sequence[Snapshot],
    opened: int | None = None,
    told: Container[str | None] = (),
) -> list[Block]:
    """The blocks that do the steps in their order; `told` are names of which something is asserted."""
    count = len(steps) - 1
    ends = _contexts(steps[:count]) | ({} if opened is None else {opened: -1})
    needed = [steps[i].bind in told or _is_needed(steps, i) for i in range(count)]
    blocks: list[Block] = []
    position = 0
    while position < count:
        if position in ends:
            closing = ends[position] if ends[position] >= 0 or position != opened else count
            blocks.append(_entered(steps, position, briefs, blocks, closing))
            position += 1
        elif position in ends.values():
            blocks.append(Leave())
            position += 1
        else:
            stop = next((i for i in range(position, count) if i in ends or i in ends.values()), count)
            stop = next((i for i in range(position, stop) if needed[i]), stop)
            block, position = _repeated(steps, position, stop)
            blocks.append(block)
    return blocks


def is_used(steps: Sequence[Step], position: int) -> bool:
    """Return whether a later step speaks of what this one binds."""
    return any(step.mentions(steps[position].bind) for step in steps[position + 1 :])


def _is_needed(steps: Sequence[Step], position: int) -> bool:
    return steps[position].bind is not None and is_used(steps, position)


# ---- contexts


def _contexts(setup: Sequence[Step]) -> dict[int, int]:
    """For each step that enters a context, the step that leaves it; -1 for what is open to the end."""
    found: dict[int, int] = {}
    opened: list[tuple[str, int]] = []
    for i, step in enumerate(setup):
        if step.act is Act.WITH:
            # What is still open inside would have to end first: it is called by its names.
            opened.clear()
            found[i] = -1
        elif is_enter(step):
            opened.append((step.place, i))
        elif is_leave(step) and opened and opened[-1][0] == step.place:
            entered = opened.pop()[1]
            if step.args == QUIET and not step.kwargs and step.bind is None:
                found[entered] = i
    return found


def _entered(
    steps: Sequence[Step], position: int, briefs: Sequence[Snapshot], before: list[Block], closing: int
) -> EnteredContext:
    """The context, made in its own line where nothing else needs another name for it."""
    maker = position - 1
    same = position < len(briefs) and isinstance(briefs[position], Itself)
    if not before or before[-1] != Once(maker) or steps[maker].act not in (Act.CALL, Act.METHOD):
        return EnteredContext(position, None)
    bound = steps[maker].bind
    others = [step for i, step in enumerate(steps) if i not in (position, closing)]
    if bound != steps[position].place or not (same or not any(one.mentions(bound) for one in others)):
        return EnteredContext(position, None)
    before.pop()
    return EnteredContext(position, maker, same)


# ---- loops


def _repeated(steps: Sequence[Step], start: int, stop: int) -> tuple[Block, int]:
    """The block that begins with a step, and the position after it; within `stop` nothing is bound."""
    for size in range(1, LONGEST_BODY + 1):
        turns = _turns(steps, start, stop, size)
        if turns * size >= SHORTEST_LOOP and turns >= LEAST_TURNS:
            return Loop(tuple(range(start, start + size)), turns), start + turns * size
    each = _each(steps, start, stop)
    if each is not None:
        return each, start + len(each.values)
    return Once(start), start + 1


def _turns(steps: Sequence[Step], start: int, stop: int, size: int) -> int:
    body = [_what(step) for step in steps[start : start + size]]
    turns = 0
    while start + size <= stop and [_what(step) for step in steps[start : start + size]] == body:
        turns, start = turns + 1, start + size
    return turns


def _what(step: Step) -> bytes:
    return step_key(replace(step, bind=None))


def _each(steps: Sequence[Step], start: int, stop: int) -> RepeatedStep | None:
    """Calls that differ in one literal."""
    first = steps[start] if start < stop else None
    if first is None or first.act not in (Act.METHOD, Act.CALL) or first.kwargs:
        return None
    for argument, part in enumerate(first.args):
        end = start
        while end < stop and isinstance(part, Scalar) and _differs_only_in(first, steps[end], argument):
            end += 1
        if end - start >= SHORTEST_LOOP:
            given = (step.args[argument] for step in steps[start:end])
            return RepeatedStep(start, argument, tuple(one for one in given if isinstance(one, Scalar)))
    return None


def _differs_only_in(first: Step, other: Step, argument: int) -> bool:
    if (first.act, first.place, first.name) != (other.act, other.place, other.name) or other.kwargs:
        return False
    if len(first.args) != len(other.args) or not isinstance(other.args[argument], Scalar):
        return False
    pairs = zip(first.args, other.args, strict=True)
    return all(i == argument or key(one) == key(two) for i, (one, two) in enumerate(pairs))
