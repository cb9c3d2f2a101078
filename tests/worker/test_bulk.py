"""Many watched things are compared at once, and each change among them is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from tracetwin.worker.restore.bulk import Bulk
from tracetwin.worker.restore.code_watchers import ClassWatcher, FunctionWatcher
from tracetwin.worker.restore.watchers import CellWatcher, DictWatcher, SequenceWatcher, SetWatcher, Watcher


class Equal:
    """Equal to everything: only identity may count."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("code of the target is run")

    __hash__ = object.__hash__


class Things:
    """One of each kind of what is watched."""

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {"a": Equal(), "b": 2}
        self.list: list[Any] = [Equal(), 2]
        self.set = {1, 2}
        self.kind = type("Kind", (), {"a": Equal(), "b": 2})
        self.cell = (lambda: self).__closure__[0]  # type: ignore[index]

        def function(n: int = 3) -> int:
            return n

        self.function: Any = cast("Any", function)
        self.watchers: list[Watcher] = [
            DictWatcher(self.dict),
            SequenceWatcher(self.list, list),
            SetWatcher(self.set),
            ClassWatcher(self.kind),
            CellWatcher(self.cell),
            FunctionWatcher(self.function),
        ]


CHANGES: list[tuple[str, Callable[[Things], None], type[Watcher]]] = [
    ("another value", lambda things: things.dict.update(a=Equal()), DictWatcher),
    ("another key", lambda things: things.dict.update(c=things.dict.pop("b")), DictWatcher),
    ("a key more", lambda things: things.dict.update(c=1), DictWatcher),
    ("another item", lambda things: things.list.__setitem__(0, Equal()), SequenceWatcher),
    ("an item less", lambda things: things.list.clear(), SequenceWatcher),
    ("another member", lambda things: things.set.symmetric_difference_update({2, 3}), SetWatcher),
    ("another attribute", lambda things: setattr(things.kind, "a", 1), ClassWatcher),
    ("an attribute more", lambda things: setattr(things.kind, "c", 1), ClassWatcher),
    ("another default", lambda things: setattr(things.function, "__defaults__", (4,)), FunctionWatcher),
    ("another variable", lambda things: setattr(things.cell, "cell_contents", 1), CellWatcher),
]


def test_what_did_not_change_is_the_same() -> None:
    things = Things()
    bulk = Bulk(things.watchers)
    assert bulk.same()
    assert not bulk.resized()
    assert [] == bulk.changed()


@pytest.mark.parametrize(("change", "watcher"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_change_is_found_where_it_is(change: Callable[[Things], None], watcher: type[Watcher]) -> None:
    things = Things()
    bulk = Bulk(things.watchers)
    change(things)
    assert not bulk.same()
    assert [watcher] == [type(one) for one in bulk.changed()]
    assert all(one.restore() for one in bulk.changed())
    bulk.refresh()
    assert bulk.same()


def test_sizes_alone_do_not_tell_of_values() -> None:
    things = Things()
    bulk = Bulk(things.watchers)
    things.list[0] = None
    assert not bulk.resized()
    things.list.append(1)
    assert [SequenceWatcher] == [type(one) for one in bulk.resized()]


def test_a_class_whose_attributes_were_put_back_in_another_order_is_the_same() -> None:
    things = Things()
    bulk = Bulk(things.watchers)
    value = things.kind.a  # type: ignore[attr-defined]
    del things.kind.a  # type: ignore[attr-defined]
    things.kind.a = value  # type: ignore[attr-defined]
    assert [ClassWatcher] == [type(one) for one in bulk.changed()]
    assert all(one.restore() for one in bulk.changed())
    bulk.refresh()
    assert bulk.same()


@pytest.mark.parametrize(("change", "watcher"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_what_changes_after_each_run_is_found_each_time_and_so_is_what_changes_beside_it(
    change: Callable[[Things], None], watcher: type[Watcher]
) -> None:
    things = Things()
    bulk = Bulk(things.watchers)
    for _ in range(3):
        change(things)
        assert [watcher] == [type(one) for one in bulk.changed()]
        assert not bulk.same()
        assert all(one.restore() for one in bulk.changed())
        bulk.refresh()
        assert bulk.same()
        assert [] == bulk.changed()
    other = things.set if watcher is not SetWatcher else things.list
    other.clear()
    assert [type(one.restore()) for one in bulk.changed()] == [bool]
    change(things)
    other.clear()
    assert {watcher, SequenceWatcher if watcher is SetWatcher else SetWatcher} == {*map(type, bulk.changed())}


def test_what_changes_after_each_run_is_asked_by_itself() -> None:
    asked: list[Watcher] = []

    class Told(SequenceWatcher):
        __slots__ = ()

        def same(self) -> bool:
            asked.append(self)
            return super().same()

    lists: list[list[int]] = [[n] for n in range(5)]
    watchers = [Told(one, list) for one in lists]
    bulk = Bulk(watchers)
    for _ in range(3):
        lists[2].append(1)
        asked.clear()
        assert [watchers[2]] == bulk.changed()
        watchers[2].restore()
    assert [watchers[2]] == asked
