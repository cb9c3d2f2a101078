"""The members of a class go to a process once, and it still knows them at each task."""

from __future__ import annotations

import pickle
from pathlib import Path

from tracetwin.model.invokable import Invokable
from tracetwin.run.explorer.sent_members import SentMembers
from tracetwin.run.tasks import ExploreTask, OpenTask, Task
from tracetwin.target.selection import TargetModule

MODULE = TargetModule("boxes", "boxes.py", ".")


def method(name: str, owner: str = "Box") -> Invokable:
    return Invokable(f"{owner}.{name}", "method", owner, 1, 2, True, "", constants={"str": ["x" * 5000]})


def task(invokable: Invokable, members: tuple[Invokable, ...], part: int = 0) -> ExploreTask:
    return ExploreTask(
        0, MODULE, invokable, frozenset(), 1.0, None, 0, members=members, journals=Path(), part=part
    )


def test_members_are_sent_once_and_known_at_each_task() -> None:
    members = tuple(method(f"m{number}") for number in range(20))
    ours, theirs = SentMembers(), SentMembers()
    sizes = []
    for member in members:
        sent = pickle.dumps(ours.shortened(task(member, members)))
        sizes.append(len(sent))
        assert theirs.whole(pickle.loads(sent)) == task(member, members)
    assert sizes[0] > 100_000 > 10 * max(sizes[1:])


def test_other_members_parts_and_tasks_are_sent_as_they_are() -> None:
    first, second = (method("a"), method("b")), (method("a"), method("b"), method("c"))
    ours, theirs = SentMembers(), SentMembers()
    alone = Invokable("f", "function", "", 1, 2, True, "")
    given: list[Task] = [
        task(first[0], first), task(second[0], second), task(second[1], second, part=1),
        task(first[1], first), task(alone, ()), OpenTask(0, MODULE),
    ]  # fmt: skip
    assert [theirs.whole(ours.shortened(one)) for one in given] == given
