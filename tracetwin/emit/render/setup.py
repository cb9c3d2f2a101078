"""Writes the steps before the call."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from tracetwin.emit.naming.variables import arguments, wanted_names
from tracetwin.emit.render.calls import StepWriter, looks_forgotten
from tracetwin.emit.render.sequence import Block, Each, Enter, Leave, Loop, Once, arrange, is_used
from tracetwin.emit.source.layout import Atom, Group, Node, call
from tracetwin.emit.source.operators import Ending, OperatorStatement
from tracetwin.emit.source.scribe import STEP, Scribe
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.recipe import Scalar
from tracetwin.model.snapshot import Opaque, Snapshot

_UNKNOWN: Final = Opaque("")


class Setup:
    """Writes the steps before the call.

    Args:
        case: the steps.
        briefs: what is known of their results, as far as it is known.
        scribe: where they go.
        calls: how a step is written.
        opened: the step that enters a context that the call leaves.
        around: a context to stand around that one.
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
        self.opened = opened
        self.around = around
        self.case = case
        self.steps = case.steps
        self.briefs = briefs
        self.scribe = scribe
        self.calls = calls
        self.wanted = wanted_names(case, briefs, calls.coverable)

    def write(self) -> None:
        """All of them."""
        for block in arrange(self.steps, self.briefs, self.opened):
            self._block(block)

    def _block(self, block: Block) -> None:
        if isinstance(block, Once):
            self._step(block.position)
        elif isinstance(block, Loop):
            self._head("for _ in ", call("range", [Atom(str(block.turns))]))
            for position in block.positions:
                self._step(position)
            self.scribe.indent -= STEP
        elif isinstance(block, Each):
            self._each(block)
        elif isinstance(block, Enter):
            self._enter(block)
        elif isinstance(block, Leave):
            if self.scribe.lines[-1].endswith(":"):
                self.scribe.line("pass")
            self.scribe.indent -= STEP

    def _head(self, prefix: str, node: Node) -> None:
        """The head of something indented."""
        self.scribe.add(prefix, node, ":")
        self.scribe.indent += STEP

    # ---- single steps

    def _step(self, position: int, replaced: dict[int, Node] | None = None) -> None:
        step = self.steps[position]
        args = self.calls.arguments(step)
        for argument, node in (replaced or {}).items():
            args[argument] = node
        if step.act is Act.SET:
            self.scribe.add(*self.calls.assignment(step, args))
            return
        if step.bind is not None and self._is_mock(step, args):
            self.scribe.locals[step.bind] = args[0].flat()
            return
        node, done = self._expression(position, args)
        if step.bind is not None and is_used(self.steps, position):
            typed = self.calls.annotation(step)
            self.scribe.add(f"{self._bind(step.bind)}{typed} = ", node)
        elif done is not None:
            self.scribe.add(done.prefix, done.node)
        else:
            self.scribe.add("_ = " if looks_forgotten(node) or step.act is Act.GET else "", node)

    def _is_mock(self, step: Step, args: list[Node]) -> bool:
        """Return whether a step only gives a name to a mock that has one."""
        known = len(args) == 1 and args[0].flat() in self.scribe.used
        return known and step.binds_mock

    def _expression(self, position: int, args: list[Node]) -> tuple[Node, OperatorStatement | None]:
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

    def _each(self, block: Each) -> None:
        step = self.steps[block.position]
        named = arguments(step, self.calls.coverable, self.case)
        wanted = named[block.argument][0]
        name = self.scribe.new("value" if wanted.startswith("argument_") else wanted)
        self._head(f"for {name} in ", self._values(block.values))
        self._step(block.position, {block.argument: Atom(name)})
        self.scribe.indent -= STEP
        self.scribe.used.discard(name)  # another loop may call its own so

    def _values(self, values: Sequence[Scalar]) -> Node:
        plain = [value.value for value in values if type(value.value) is int]
        if len(plain) == len(values) and all(b - a == 1 for a, b in pairwise(plain)):
            bounds = [plain[-1] + 1] if plain[0] == 0 else [plain[0], plain[-1] + 1]
            return call("range", [Atom(str(bound)) for bound in bounds])
        return Group("(", tuple(self.scribe.writer.recipe(value) for value in values), ")")

    def _enter(self, block: Enter) -> None:
        step = self.steps[block.position]
        shown = block.position == self.opened and self._is_plain(block.position)
        given = step.bind if shown or is_used(self.steps, block.position) else None
        if block.maker is None:
            context: Node = Atom(self.scribe.variable(step.place))
        else:
            context, _ = self._expression(block.maker, self.calls.arguments(self.steps[block.maker]))
        if not block.same:
            bound = f" as {self._bind(given)}" if given is not None else ""
        else:
            bound = self._as_made(block, given)
        around = f"{self.around}, " if self.around and block.position == self.opened else ""
        self.scribe.add(f"with {around}", context, f"{bound}:")
        self.scribe.indent += STEP

    def _as_made(self, block: Enter, given: str | None) -> str:
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
