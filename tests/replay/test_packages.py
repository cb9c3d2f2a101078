"""Which packages are installed is no result of the target."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emit.support import function, observe_twice
from tests.emit.test_suite import written
from tracetwin.model.recipe import Scalar
from tracetwin.model.status import Outcome

SOURCE = """
from importlib.metadata import distributions, entry_points, version

def plugins(group):
    return len(entry_points(group=group))

def known(group):
    return [one.name for one in entry_points(group=group)] == []

def pytest_major():
    return version("pytest").partition(".")[0]
"""


@pytest.mark.slow
def test_what_others_installed_is_not_asserted_and_a_search_for_it_is_not_refused(tmp_path: Path) -> None:
    module = written(tmp_path, SOURCE)
    cases = [
        function("sample", "plugins", "console_scripts"),
        function("sample", "known", "no.such.group"),
        function("sample", "pytest_major"),
    ]
    many, none, major = observe_twice(module, cases).observations
    assert many.outcome is Outcome.RETURNED
    assert not isinstance(many.value, Scalar)
    assert (none.outcome, none.value) == (Outcome.RETURNED, Scalar(True))
    assert (major.outcome, major.value) == (Outcome.RETURNED, Scalar(pytest.__version__.partition(".")[0]))
