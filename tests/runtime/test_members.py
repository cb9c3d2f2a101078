"""Members of constant tables: which one was looked up is noted, and binds nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runtime import trace
from runtime.expr import Sort, var
from runtime.operations.membership import in_
from runtime.values import plain, wrap

TEXT = wrap("on", var("x", Sort.STR))
WORDS = frozenset(("yes", "on", "true"))


def noted(look_up: Callable[[], object], *, told: bool = True) -> list[tuple[int, bool]]:
    """Return site and outcome of each member that is noted."""
    current = trace.start(10_000)
    current.tells_members = told
    look_up()
    return [(site, bool(outcome)) for _, site, outcome, kind in current.path if kind == trace.Kind.HINT]


@pytest.mark.parametrize("table", [WORDS, tuple(WORDS), dict.fromkeys(WORDS, 1)], ids=type)
def test_each_member_is_worth_a_run_of_its_own(table: object) -> None:
    found = noted(lambda: in_(TEXT, table))
    assert sorted(holds for _, holds in found) == [False, False, True]
    assert len({site for site, _ in found}) == 3
    assert all(site in trace.MEMBERS for site, _ in found)


def test_they_are_noted_where_mutants_ask_for_them_only() -> None:
    assert noted(lambda: in_(TEXT, WORDS), told=False) == []


@pytest.mark.parametrize("table", [("on",), tuple(map(str, range(40))), ("on", None), ()])
def test_a_table_of_one_or_of_many_or_of_other_things_is_left_alone(table: object) -> None:
    assert noted(lambda: in_(TEXT, table)) == []


def test_what_a_loop_looks_up_is_noted_a_few_times() -> None:
    letters = [wrap("a", var(f"x{place}", Sort.STR)) for place in range(20)]
    found = noted(lambda: [plain(in_(letter, ("a", "b"))) for letter in letters])
    assert len(found) == 2 * trace.MOST_LOOKED_UP
