"""The steps before the call, arranged as a person writes them: loops, and `with` for contexts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tracetwin.emit.naming.leaving import QUIET, is_enter, is_leave
from tracetwin.model.case import Act, Step
from tracetwin.model.codec.cases import step_key
from tracetwin.model.codec.recipes import key
from tracetwin.model.recipe import Scalar
from tracetwin.model.snapshot import Itself, Snapshot
from tracetwin.support.data import dataclass

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
class Each:
    """One step for each of some values of one of its arguments."""

    position: int
    argument: int
    values: tuple[Scalar, ...]


@dataclass(frozen=True)
class Enter:
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


Block = Once | Loop | Each | Enter | Leave


def arrange(steps: Sequence[Step], briefs: Sequence[Snapshot], opened: int | None = None) -> list[Block]:
    """The blocks that do the steps in their order.

    Args:
        opened: the step that enters a context that the call leaves.
        steps: all steps of a case; the last one is the call and no part of the blocks.
        briefs: what is known of the results of the others, as far as it is known.
    """
    count = len(steps) - 1
    ends = _contexts(steps[:count]) | ({} if opened is None else {opened: -1})
    needed = [_is_needed(steps, i) for i in range(count)]
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
) -> Enter:
    """The context, made in its own line where nothing else needs another name for it."""
    maker = position - 1
    same = position < len(briefs) and isinstance(briefs[position], Itself)
    if not before or before[-1] != Once(maker) or steps[maker].act not in (Act.CALL, Act.METHOD):
        return Enter(position, None)
    bound = steps[maker].bind
    others = [step for i, step in enumerate(steps) if i not in (position, closing)]
    if bound != steps[position].place or not (same or not any(one.mentions(bound) for one in others)):
        return Enter(position, None)
    before.pop()
    return Enter(position, maker, same)


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


def _each(steps: Sequence[Step], start: int, stop: int) -> Each | None:
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
            return Each(start, argument, tuple(one for one in given if isinstance(one, Scalar)))
    return None


def _differs_only_in(first: Step, other: Step, argument: int) -> bool:
    if (first.act, first.place, first.name) != (other.act, other.place, other.name) or other.kwargs:
        return False
    if len(first.args) != len(other.args) or not isinstance(other.args[argument], Scalar):
        return False
    pairs = zip(first.args, other.args, strict=True)
    return all(i == argument or key(one) == key(two) for i, (one, two) in enumerate(pairs))
