"""Runs one case, and refuses those of which no test may be made: for locks, walls, answers that ran out.

Locks that a case leaves held: a test that does so would let those after it wait for ever.

The way through the code, instruction by instruction.

It tells the operands of `and`, `or` and `if`-`else` apart, which lines and the arcs between them do not.
"""

from __future__ import annotations

import _thread
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from tracetwin.drawing.environment.apply import Applied
from tracetwin.model.case import Case
from tracetwin.model.observation import Observation, ended
from tracetwin.model.status import Outcome
from tracetwin.process.instructions import trace_calls, trace_instructions
from tracetwin.replay.case import CaseRun, Measured, message_of
from tracetwin.replay.observe.leaks import Leaks
from tracetwin.replay.observe.preconditions import Preconditions

if TYPE_CHECKING:
    from tracetwin.process.integrity import Soundness
    from tracetwin.process.walls.audit import AuditGuard


def run_case(
    case: Case,
    module: types.ModuleType,
    guard: AuditGuard | None,
    file: str | None = None,
    measure: Callable[[], Measured] = lambda: ((), ()),
    preconditions: Preconditions | None = None,
    sound: Soundness | None = None,
    leaks: Leaks | None = None,
    *,
    whole: bool = True,
) -> Observation:
    """The observation of a case; whatever goes wrong in looking at it is said there.

    Args:
        case: what to call.
        module: the target.
        guard: told of what the sandbox refused.
        file: what tracebacks call the module's file; None for the module's own word.
        measure: lines and arcs since it was last called; the observation has those that ran before the
            case's own call.
        preconditions: the user's, which every call has to keep.
        sound: knows what the interpreter was like before.
        leaks: knows what the module's state was before.
        whole: whether the receiver is asked for its state afterwards, which takes longer than all the rest.
    """
    before = (0, 0, 0) if guard is None else (guard.refused, guard.touched, guard.listed)
    if guard is not None:
        guard.temporary.forget()
    try:
        locked = held(module)
        made = CaseRun(case, module, file, preconditions, whole=whole)
        made.measure = measure
        ways = Ways(str(made.file)) if case.asks_paths else None
        made.watch = ways.watched if ways is not None else nullcontext
        with Applied(case.patches, made.evaluate) as patched:
            seen = made.run()
        if sound is not None and (harm := sound.harm()):
            return ended(Outcome.REFUSED, harm)
        if locks := sorted(held(module) - locked):
            return ended(Outcome.REFUSED, f"it leaves the lock {locks[0]} held")
        if spent := [*patched.spent, *made.bound.spent]:
            return ended(Outcome.UNSTABLE, f"{spent[0]} is asked more often than while exploring")
        lines, arcs = made.earlier
        seen = replace(
            seen,
            effects=patched.told(),
            paths=() if ways is None else tuple(sorted(ways.taken)),
            leaks=leaks.found() if case.asks_leaks and leaks is not None else (),
            lines=tuple(lines),
            arcs=tuple(arcs),
            own_lines=tuple(line for some, _ in made.own for line in some),
            own_arcs=tuple(arc for _, some in made.own for arc in some),
        )
    except Exception as error:  # noqa: BLE001 - the child reports instead of dying
        return ended(
            Outcome.DIED, f"looking at the outcome raised {type(error).__name__}: {message_of(error)}"
        )
    refusal = "" if guard is None else _refusal(guard, before)
    return replace(seen, outcome=Outcome.REFUSED, why=refusal) if refusal else seen


def _refusal(guard: AuditGuard, before: tuple[int, int, int]) -> str:
    """The reason why the walls refuse a case, "" for none."""
    if guard.refused > before[0]:
        # Even where the target caught the refusal: outside the sandbox it would have gone on differently.
        event, detail = guard.refusals[-1]
        return f"{event}({detail}) is refused"
    if guard.touched > before[1]:
        return "it changes files"
    if guard.temporary.left():
        return "it leaves temporary files behind"
    if guard.listed > before[2]:
        # Here there is nothing. Elsewhere there may be what it then changes.
        return "it depends on which files there are"
    return "" if guard.intact() else "it reaches into the walls"


_LOCKS: Final = (_thread.LockType, _thread.RLock)


def held(module: types.ModuleType) -> set[str]:
    """Names of the locks among a module's globals, and its classes' attributes, that are held now."""
    return {place for place, lock in _locks(module) if _is_held(lock)}


def _locks(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Nothing of the target is called to find them."""
    for name, value in list(vars(module).items()):
        kind = type(value)
        if kind in _LOCKS:
            yield name, value
        elif issubclass(kind, type):
            inside = type.__getattribute__(value, "__dict__")
            if inside.get("__module__") == module.__name__:
                locks = [(key, part) for key, part in list(inside.items()) if type(part) in _LOCKS]
                yield from ((f"{name}.{key}", part) for key, part in locks)


def _is_held(lock: Any) -> bool:
    if type(lock) is _thread.LockType:
        return lock.locked()
    return bool(lock._is_owned())  # noqa: SLF001 - there is no other way before Python 3.14


Way = tuple[str, int, int, int]


class Ways:
    """Notes the arcs between instructions of one file's code; in the place of every other tracer.

    Attributes:
        file: what the code says it comes from.
        taken: name and first line of the code, and the offsets of two instructions that ran in a row.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.taken: set[Way] = set()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Within this block they are noted."""
        before = trace_calls(self._called)
        try:
            yield
        finally:
            sys.settrace(before)

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename != self.file:
            return None
        last = -1

        def passed(inner: FrameType, event: str, _argument: Any) -> Any:
            nonlocal last
            if event == "opcode":
                self.taken.add((code.co_name, code.co_firstlineno, last, inner.f_lasti))
                last = inner.f_lasti
            return passed

        return trace_instructions(frame, passed)
