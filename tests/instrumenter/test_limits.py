"""What is nested too deeply to be rewritten stays as it is, and costs no time."""

from __future__ import annotations

import pytest

from instrumenter import limits
from instrumenter.limits import MOST, obstacle
from instrumenter.transform import instrument

CHAINS = {
    "attributes": "x" + ".a" * (MOST + 1),
    "calls": "x" + "()" * (MOST + 1),
    "sums": "1" + "+1" * (MOST + 1),
    "subscripts": "x" + "[0]" * (MOST // 3 + 1),
}
FLAT = {
    "list": f"[{'1,' * 5000}]",
    "conditions": "1" + " and 1" * 5000,
    "sum": "1" + "+1" * (MOST // 2),
    "branches": "0\nif 1: pass\n" + "elif 1: pass\n" * 900,
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_long_chain_is_too_deep(name: str) -> None:
    source = f"def f(x):\n    return {CHAINS[name]}\n"
    twin = instrument(source, name="deep", filename="deep.py")
    assert twin.untouched == "expressions nested too deeply"
    assert twin.source == source


@pytest.mark.parametrize("name", FLAT)
def test_what_is_long_only_is_not(name: str) -> None:
    assert obstacle(f"x = {FLAT[name]}\n") == ""


def test_what_is_too_large_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_NODES", 1_000)
    twin = instrument("x = 1\n" * 300, name="large", filename="large.py")
    assert twin.untouched == "more than 1,000 nodes in its syntax tree"
