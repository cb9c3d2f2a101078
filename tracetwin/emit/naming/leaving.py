"""A call of `__exit__` as what readers know it by: the end of a `with`, or an exception raised within one."""

from __future__ import annotations

from collections.abc import Sequence

from tracetwin.emit.exhibit import Exhibit
from tracetwin.emit.naming.values import snake
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Consumption
from tracetwin.model.recipe import NONE, Call, Reference, Scalar
from tracetwin.model.status import Outcome
from tracetwin.support.data import dataclass

QUIET = (NONE, NONE, NONE)
"""What `__exit__` gets where nothing was raised."""


@dataclass(frozen=True)
class Leaving:
    """How a context is left.

    Attributes:
        position: the step that entered it.
        raised: the recipe of the exception that is raised within, None for nothing.
        through: whether that exception comes out again.
    """

    position: int
    raised: Call | None
    through: bool


def leaving(case: Case, seen: Exhibit) -> Leaving | None:
    """Return how the call leaves a context, None where it is no such call or can't be written so."""
    last = case.last
    silent = seen.stdout == seen.stderr == "" and not seen.stdin and seen.how is Consumption.CALL
    if not is_leave(last) or last.kwargs or len(last.args) != 3 or not silent:
        return None
    position = _entered(case.setup, last.place)
    if position is None:
        return None
    if last.args == QUIET:
        return Leaving(position, None, through=False)
    cause, error, trace = last.args
    if not isinstance(cause, Reference) or not isinstance(error, Call) or trace != NONE:
        return None
    if (cause.module, cause.qualname) != (error.module, error.qualname):
        return None
    returned = seen.outcome is Outcome.RETURNED
    answer = seen.value.value if isinstance(seen.value, Scalar) else ...
    if returned and not isinstance(answer, (bool, type(None))):
        return None
    return Leaving(position, error, through=returned and not answer)


def is_enter(step: Step) -> bool:
    """Return whether a step calls `__enter__`."""
    return step.act is Act.METHOD and step.name == "__enter__" and not step.given


def is_leave(step: Step) -> bool:
    """Return whether a step calls `__exit__`."""
    return step.act is Act.METHOD and step.name == "__exit__"


def _entered(setup: Sequence[Step], place: str) -> int | None:
    """The step that entered the context, where that is the only one still open."""
    opened: list[tuple[str, int]] = []
    for i, step in enumerate(setup):
        if step.act is Act.WITH:
            return None
        if is_enter(step):
            opened.append((step.place, i))
        elif is_leave(step) and not (opened and opened.pop()[0] == step.place):
            return None
    return opened[0][1] if len(opened) == 1 and opened[0][0] == place else None


def ending_words(case: Case, seen: Exhibit) -> str:
    """Return what happens to the context, for a test's name; "" where the call is no end of one."""
    how = leaving(case, seen)
    if how is None or seen.outcome is not Outcome.RETURNED:
        return ""
    if how.raised is None:
        return "is_left"
    error = snake(how.raised.qualname.rpartition(".")[2]) or "error"
    return f"lets_{error}_through" if how.through else f"swallows_{error}"
