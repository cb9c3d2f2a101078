"""Which invokables of a module work on the same state, and the space that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tracetwin.explore.loop.goals import Goals
from tracetwin.explore.objects.members import Member, Members
from tracetwin.model.invokable import Invokable

if TYPE_CHECKING:
    from tracetwin.explore.loop.run import Executor
    from tracetwin.explore.objects.space import ObjectSpace


def has_states(invokable: Invokable) -> bool:
    """Whether calls before it may matter: it has a receiver, or shares the module's state with others."""
    return invokable.kind in ("method", "property") or bool(invokable.methods)


def _home(invokable: Invokable) -> str:
    """Whose state it is: that of a class's receivers, or the module's."""
    return invokable.owner if invokable.kind in ("method", "property") else ""


def family(invokable: Invokable, everything: Iterable[Invokable]) -> tuple[Invokable, ...]:
    """All that work on the same state as one of them, itself among them; nothing for what has none."""
    if not has_states(invokable):
        return ()
    return tuple(
        other for other in everything
        if _home(other) == _home(invokable) and has_states(other) and not other.problem
    )  # fmt: skip


def home_of(invokable: Invokable) -> str:
    """What is explored in one process: those that work on the same state share what they find."""
    return f"state of {_home(invokable)}" if has_states(invokable) else invokable.qualname


def word_of(invokable: Invokable) -> str:
    """What a prefix calls a member, "" where a prefix can't."""
    if invokable.kind not in ("method", "property"):
        return f":{invokable.qualname}"
    if invokable.kind == "method":
        return invokable.qualname.rpartition(".")[2]
    name, _, last = invokable.qualname.rpartition(".")
    return f"{name.rpartition('.')[2]}=" if last == "setter" else ""


def space_of(
    members: Iterable[Invokable],
    executor: Executor,
    goals_of: Callable[[Invokable], Goals],
    source: bytes | str,
    *,
    module: str,
    seed: int = 0,
    longest: int | None = None,
) -> ObjectSpace:
    """The object space of the class of some members."""
    from tracetwin.explore.objects.dataflow import ClassFlow
    from tracetwin.explore.objects.space import LONGEST, ObjectSpace

    known = list(members)
    return ObjectSpace(
        executor,
        Members(Member(i.qualname, word_of(i), i.kind, goals_of(i)) for i in known),
        ClassFlow(source, module, _home(known[0])),
        module=module,
        longest=longest or LONGEST,
        constants={word_of(i): i.constants for i in known},
        seed=seed,
    )
