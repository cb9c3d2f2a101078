"""Cases that take too long cost less and less."""

from __future__ import annotations

from tracetwin.model.case import Case
from tracetwin.replay.session import TimeAllowance


def case(name: str) -> Case:
    return Case("module", name, "function", ())


def test_a_target_whose_cases_take_too_long_is_not_run_again() -> None:
    patience = TimeAllowance(5.0)
    for _ in range(3):
        assert patience.of(case("hangs")) > 0
        patience.note(case("hangs"))
    assert patience.of(case("hangs")) == 0
    assert patience.of(case("other")) > 0


def test_after_some_all_get_a_part_of_the_time() -> None:
    patience = TimeAllowance(5.0)
    given = []
    for number in range(14):
        given.append(patience.of(case(f"f{number}")))
        patience.note(case(f"f{number}"))
    assert given == [5.0] * 3 + [2.0] * 9 + [1.0] * 2
