"""Who used up a budget."""

from __future__ import annotations

from tracetwin.run.results.shares import crowding


def test_what_used_the_budget_up_is_named() -> None:
    spent = {"fit": 50.0, "f": 0.2, "g": 3.0}
    assert [crowding(spent, name) for name in ("f", "h")] == ["most of it went into fit"] * 2
    assert not crowding(spent, "fit"), "it had enough"
    many = {f"f{number}": 3.0 for number in range(30)}
    assert crowding(many, "f1") == "30 functions shared it"
    assert not crowding({}, "f"), "nothing was spent"
