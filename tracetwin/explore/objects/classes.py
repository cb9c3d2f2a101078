"""Shards: invokables of a module that work on the same state, and the space of objects that they share."""

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
    """Return whether calls before it may matter: it has a receiver, or shares the module's state."""
    return invokable.kind in ("method", "property") or bool(invokable.methods)


def _owner(invokable: Invokable) -> str:
    """Whose state it is: that of a class's receivers, or the module's."""
    return invokable.owner if invokable.kind in ("method", "property") else ""


def shard_members(invokable: Invokable, everything: Iterable[Invokable]) -> tuple[Invokable, ...]:
    """The members of an invokable's shard, itself among them; none for what has no state."""
    if not has_states(invokable):
        return ()
    return tuple(
        other for other in everything
        if _owner(other) == _owner(invokable) and has_states(other) and not other.problem
    )  # fmt: skip


def shard_of(invokable: Invokable, part: int = 0) -> str:
    """Return the name of an invokable's shard, or of a part of it: its functions share a process."""
    name = f"state of {_owner(invokable)}" if has_states(invokable) else invokable.qualname
    return f"{name}, part {part}" if part else name


def word_of(invokable: Invokable) -> str:
    """Return the name of a member in a prefix, "" where a prefix can't call it."""
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
        Members(Member(i.qualname, word_of(i), i.kind, goals_of(i), uses=i.uses) for i in known),
        ClassFlow(source, module, _owner(known[0])),
        module=module,
        longest=longest or LONGEST,
        constants={word_of(i): i.constants for i in known},
        histories=next((i.histories for i in known if i.histories), ()),
        seed=seed,
    )
