"""What a process costs that is slow to get ready, or that ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.emit.support import function, method, step, target
from tracetwin.model.status import Outcome
from tracetwin.process.worker import RunnerDied
from tracetwin.replay import session as sessions
from tracetwin.replay.session import MOST_STARTS, Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "plain.py").write_text("def same(value):\n    return value\n")
    with Session(target("plain", tmp_path)) as made:
        yield made


CASES = [function("plain", "same", number) for number in range(MOST_STARTS + 3)]


def ends_with(session: Session, monkeypatch: pytest.MonkeyPatch, *numbers: int) -> None:
    """Let the whole process end with the cases of some numbers."""
    answer, asked = session._answer, iter(range(len(CASES)))

    def answered(*given: Any) -> Any:
        found = answer(*given)
        if next(asked) in numbers:
            session._worker._drop()
            raise RunnerDied("it is gone")
        return found

    monkeypatch.setattr(session, "_answer", answered)


def test_a_process_that_ends_costs_one_case(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    ends_with(session, monkeypatch, 1)
    died, returned = Outcome.DIED, Outcome.RETURNED
    assert [returned, died, returned, returned] == [seen.outcome for seen in session.run(CASES[:4])]


def test_one_that_ends_again_and_again_costs_the_rest(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends_with(session, monkeypatch, *range(len(CASES)))
    seen = session.run(CASES)
    assert {Outcome.DIED} == {one.outcome for one in seen}
    assert "the replaying process ended" == seen[-1].why
    assert session._worker.starts <= MOST_STARTS


def test_where_nothing_can_be_prepared_the_cases_are_run_all_the_same(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_slow(_: object) -> None:
        raise RunnerDied("the worker does not get ready")

    monkeypatch.setattr(session._worker, "foresee", too_slow)
    (seen,) = session.run([replace(CASES[0], asks_leaks=True)])
    assert Outcome.RETURNED is seen.outcome


def test_preparing_is_not_charged_to_cases(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        now = 0.0

        def monotonic(self) -> float:
            return self.now

    def takes_long(_: object) -> None:
        Clock.now += 60.0

    monkeypatch.setattr(sessions, "time", Clock())
    monkeypatch.setattr(session._worker, "foresee", takes_long)
    (seen,) = session.run([replace(CASES[0], asks_leaks=True)], seconds=5.0)
    assert Outcome.RETURNED is seen.outcome


CHANGES = """
import textwrap

def wrapped(text, width):
    return [text]

textwrap.wrap = wrapped
"""


def test_what_an_import_changes_in_the_library_is_no_deed_of_the_case(tmp_path: Path) -> None:
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "__init__.py").write_text(CHANGES)
    (tmp_path / "late.py").write_text("def late(value):\n    import changes\n    return value\n")
    (tmp_path / "rude.py").write_text(
        "import textwrap\n\ndef rude(value):\n    textwrap.wrap = value\n    return value\n"
    )
    outcomes = []
    for name in ("late", "rude"):
        with Session(target(name, tmp_path)) as made:
            outcomes.append([seen.outcome for seen in made.run([function(name, name, 1)])])
    assert outcomes == [[Outcome.RETURNED], [Outcome.REFUSED]]


def test_a_case_that_fails_in_its_preparation_costs_no_process(tmp_path: Path) -> None:
    (tmp_path / "picky.py").write_text(
        "class Picky:\n"
        "    def __init__(self, size):\n"
        "        self.size = 10 // size\n\n"
        "    def grow(self):\n"
        "        return self.size\n"
    )
    grow = step(("method", "box", "grow"))
    cases = [method("picky", "Picky.grow", grow, made=(size,)) for size in (0, 1, 0, 2)]
    with Session(target("picky", tmp_path)) as made:
        outcomes = [seen.outcome for seen in made.run(cases)]
        assert outcomes == [Outcome.FAILED_SETUP, Outcome.RETURNED] * 2
        assert made._worker.forks == 1
