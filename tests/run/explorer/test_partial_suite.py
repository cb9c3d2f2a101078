from __future__ import annotations

import errno

import pytest

from tracetwin.emit.result import Suite
from tracetwin.model.case import Case
from tracetwin.run.explorer import partial_suite as salvage
from tracetwin.run.explorer.partial_suite import salvaged

CASES = [Case("shop", f"f{number % 8}", "function", ()) for number in range(20)]


class Builder:
    """Makes a suite whose text names its functions, but of some it can't."""

    def __init__(self, *culprits: str, error: type[Exception] | Exception = LookupError) -> None:
        self.culprits = culprits
        self.error = error
        self.builds = 0

    def __call__(self, cases: list[Case]) -> Suite:
        self.builds += 1
        names = dict.fromkeys(case.target for case in cases)
        if not names.keys().isdisjoint(self.culprits):
            raise self.error
        return Suite(" ".join(names))


def test_where_nothing_breaks_it_is_built_once():
    build = Builder()
    suite, failures = salvaged(CASES, build)
    assert ("f0 f1 f2 f3 f4 f5 f6 f7", (), 1) == (suite.text, failures, build.builds)


@pytest.mark.parametrize("culprits", [("f0",), ("f7",), ("f2", "f3", "f6")])
def test_the_culprits_are_found_and_the_others_keep_their_order(culprits):
    build = Builder(*culprits)
    suite, failures = salvaged(CASES, build)
    assert suite.text.split() == [f"f{number}" for number in range(8) if f"f{number}" not in culprits]
    assert [failure.doing for failure in failures] == [f"writing the tests of {name}" for name in culprits]
    assert build.builds <= 4 * len(culprits) + 4


def test_one_function_alone_and_all_of_them_are_the_error_of_the_module():
    with pytest.raises(LookupError):
        salvaged(CASES[:1], Builder("f0"))
    with pytest.raises(LookupError):
        salvaged(CASES, Builder(*(f"f{number}" for number in range(8))))


def test_no_function_is_to_blame_for_a_full_disk():
    build = Builder("f0", error=OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(OSError, match="No space"):
        salvaged(CASES, build)
    assert 1 == build.builds


def test_it_ends_after_some_time(monkeypatch):
    monkeypatch.setattr(salvage, "MOST_SECONDS", -1.0)
    with pytest.raises(LookupError):
        salvaged(CASES, Builder("f0"))
