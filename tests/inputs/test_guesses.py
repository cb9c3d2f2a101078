from __future__ import annotations

from tracetwin.inputs.guesses import DuckGuess, _shaped
from tracetwin.inputs.plans import IntPlan


def test_a_name_that_is_called_and_mentioned_is_one_attribute() -> None:
    guess = DuckGuess((("random", ()), ("seed", ())), (("random", ()),))
    plan = _shaped(guess, lambda *_: IntPlan(), 0)
    assert [name for name, _ in plan.attributes] == ["seed", "random"]  # type: ignore[attr-defined]
