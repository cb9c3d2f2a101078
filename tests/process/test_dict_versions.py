"""What may have changed in dictionaries is told without looking into them."""

from __future__ import annotations

import pytest

from tracetwin.process import integrity as versions
from tracetwin.process.integrity import Soundness, Versions


def test_those_that_changed_are_told() -> None:
    one, other, third = {"a": 1}, {"a": 1}, {"a": 1}
    states = Versions([one, other, third])
    other["a"] = 2
    del third["a"]
    assert {1, 2} <= set(states.changed())


@pytest.mark.parametrize("numbered", [True, False])
def test_a_replaced_function_is_found_with_numbers_and_without(
    monkeypatch: pytest.MonkeyPatch, numbered: bool
) -> None:
    import textwrap

    if not numbered:
        monkeypatch.setattr(versions, "_NUMBERED", False)
    sound = Soundness(["textwrap"])
    assert sound.damage() == ""
    monkeypatch.setattr(textwrap, "dedent", str)
    assert sound.damage() == "textwrap.dedent is another"
