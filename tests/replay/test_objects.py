"""What is seen of objects: their answers, contexts, who was handed out, the call alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.emit.support import Recipe, case, function, observe_twice, step, target
from tracetwin.model.case import Case, Step
from tracetwin.model.observation import Observation, Root, ValuePath
from tracetwin.model.recipe import Scalar, list_of
from tracetwin.model.snapshot import Itself, Opaque
from tracetwin.replay.session import Session

OBJECTS = target("objects", Path(__file__).parent / "data")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(OBJECTS, timeout_per_case=1) as open_:
        yield open_


def about(name: str, *steps: Step, made: tuple[Any, ...] = ()) -> Case:
    make = step(("call", "objects", name.partition(".")[0]), *made, bind="it")
    return case("objects", name, "method", make, *steps)


def do(name: str, *args: Any, bind: str | None = None) -> Step:
    return step(("method", "it", name), *args, bind=bind)


def seen(session: Session, made: Case) -> Observation:
    return session.run([made])[0]


def test_private_state_is_told_by_questions_that_change_nothing(session: Session) -> None:
    state = seen(session, about("Shelf.put", do("put", 4))).state
    assert state == (
        (ValuePath(Root.VAR, "it", "list()"), list_of(Scalar(4))),
        (ValuePath(Root.VAR, "it", ".size()"), Scalar(1)),
        (ValuePath(Root.VAR, "it", ".is_full()"), Scalar(False)),
    )


def test_what_can_be_indexed_tells_its_items(session: Session) -> None:
    state = dict(seen(session, about("Row.grow", do("grow"))).state)
    assert state[ValuePath(Root.VAR, "it", "list()")] == list_of(Scalar(1), Scalar(2), Scalar(3))


def test_a_method_that_an_attribute_hides_is_not_asked(session: Session) -> None:
    state = dict(seen(session, about("Catalogue.add", do("add", "a"))).state)
    assert state[ValuePath(Root.VAR, "it", ".has_names()")] == Scalar(True)


def test_nothing_is_asked_of_what_did_not_change(session: Session) -> None:
    assert seen(session, about("Shelf.size", do("size"))).state == ()


def test_a_context_is_left_after_the_call(session: Session) -> None:
    made = seen(session, about("Session.work", step(("with", "it", "")), do("work", 1)))
    assert made.outcome == "returned"
    assert made.setup[1] == Itself()
    assert dict(made.state)[ValuePath(Root.VAR, "it", "depth")] == Scalar(1)


def test_a_context_that_can_not_be_left_makes_no_case(session: Session) -> None:
    made = seen(session, about("Session.work", step(("with", "it", "")), do("work", 1), made=(True,)))
    assert (made.outcome, made.why) == (
        "failed_setup",
        "leaving a context raised RuntimeError: can't leave",
    )


def test_who_was_handed_out(session: Session) -> None:
    assert seen(session, about("Shelf.put", do("put", 4))).same == ValuePath(Root.VAR, "it")
    other = Recipe("call", "objects", "Shelf", [], [])
    assert seen(session, about("Session.work", do("work", other))).same == ValuePath(Root.ARG, 0)
    assert seen(session, about("Session.work", do("work", [1]))).same is None
    assert seen(session, about("Session.work", do("work", None))).same is None


def test_whether_the_receiver_held_nothing(session: Session) -> None:
    assert seen(session, about("Shelf.size", do("size"))).empty
    assert not seen(session, about("Shelf.size", do("put", 1), do("size"))).empty
    assert not seen(session, about("Session.work", do("work", 1))).empty


def test_the_call_is_measured_apart_from_the_steps_before(session: Session) -> None:
    made = seen(session, about("Shelf.size", do("put", 1), do("size")))
    lines = Path(OBJECTS.file).read_text(encoding="utf-8").splitlines()
    assert [lines[line - 1].strip() for line in made.own_lines] == ["return len(self._books)"]
    assert set(made.own_lines) < set(made.lines)
    assert set(made.own_arcs) < set(made.arcs)


def test_what_is_known_of_results_of_earlier_steps(session: Session) -> None:
    steps = [do("put", 1), do("size"), do("first"), do("__iter__"), do("size")]
    assert seen(session, about("Shelf.size", *steps)).setup == (
        Opaque("objects:Shelf", ""),
        Itself(),
        Scalar(1),
        Scalar(1),
        Opaque("builtins:list_iterator", ""),
    )


def test_paths_tell_operands_apart(session: Session) -> None:
    cases = [
        replace(function("objects", "either", *pair), asks_paths=True) for pair in ((1, 0), (0, 1), (1, 1))
    ]
    first, second, third = (set(one.paths) for one in session.run(cases))
    assert first == third
    assert first != second
    assert all(name == "either" for name, *_ in first)


@pytest.mark.slow
def test_a_session_goes_on_after_a_timeout(session: Session) -> None:
    outcomes = [
        one.outcome for one in session.run([function("objects", "spin"), function("objects", "either", 1, 0)])
    ]
    assert outcomes == ["timeout", "returned"]
    assert session.run([function("objects", "either", 0, 0)])[0].value == Scalar(2)


def test_a_module_that_can_not_be_imported_answers_nothing(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise RuntimeError\n")
    with Session(target("broken", tmp_path)) as broken:
        for _ in range(2):
            assert broken.run([function("broken", "f")])[0].outcome == "died"


def test_two_processes_agree_on_all_of_it() -> None:
    made = about("Shelf.put", do("put", 1), do("__hash__"), do("put", 2))
    (both,) = observe_twice(OBJECTS, [made]).observations
    assert both.same == ValuePath(Root.VAR, "it")
    assert isinstance(both.setup[2], Opaque)
    assert both.own_lines
