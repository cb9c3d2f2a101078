"""Tests that patch what the target reads: kept as golden files, linted, and run in both styles."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest

from tests.emit.source.test_layout import ruff
from tests.emit.support import EXPECTED, case, function, method, observe_twice, recipe, step, target
from tracetwin.drawing.environment.uses import CHECKS, MAKES
from tracetwin.emit.exhibit import exhibited
from tracetwin.emit.render.render import Rendered, render
from tracetwin.emit.verify.verify import Page, verify
from tracetwin.model.case import Case
from tracetwin.model.options import STYLES
from tracetwin.model.patch import ClassPatch, EnvironPatch, FunctionPatch, Patch, PatchedCall, Way
from tracetwin.model.recipe import NONE, Call, Reference, Scalar
from tracetwin.model.status import Outcome
from tracetwin.replay.session import Replay
from tracetwin.replay.static import coverable

PATCHED = target("patched")
SINK = PatchedCall(Way.SINK, Scalar(""))
MISSING = PatchedCall(Way.RAISE, Reference("builtins", "FileNotFoundError"))


def patched(made: Case, *patches: Patch) -> Case:
    return replace(made, patches=patches)


def opens(*calls: PatchedCall) -> Patch:
    return FunctionPatch("builtins.open", calls)


def holds(text: str) -> PatchedCall:
    return PatchedCall(Way.FILE, Scalar(text))


def gives(place: str, *values: Any) -> Patch:
    return FunctionPatch(place, tuple(PatchedCall(Way.RETURN, recipe(value)) for value in values))


def calendar(place: str, owner: str, method: str, uses: tuple[str, ...], *parts: int) -> Any:
    moment = PatchedCall(Way.RETURN, Call("datetime", owner, tuple(map(Scalar, parts))))
    replaced = ClassPatch(f"patched.{place}", "datetime", owner, uses)
    return replaced, FunctionPatch(f"patched.{place}.{method}", (moment,))


def of(name: str, *args: Any) -> Case:
    return function("patched", name, *args)


LONG = "a rather long line of a file that takes more room than there is on one line of a test file\n"
DIE = step(("call", "patched", "Die"), bind="box")
ALL = [
    patched(of("stamp"), gives("patched.time.time", 1704067200.0)),
    patched(of("lasts"), gives("patched.time.time", 1.0, 3.5)),
    patched(of("nap", 5), FunctionPatch("patched.time.sleep", (PatchedCall(Way.NOTHING, NONE),), tells=True)),
    patched(of("today"), *calendar("date", "date", "today", (), 2024, 2, 29)),
    patched(of("hour"), *calendar("dt.datetime", "datetime", "now", (), 2024, 1, 1, 23, 59)),
    patched(of("is_moment", 3), *calendar("datetime", "datetime", "now", (CHECKS,), 2024, 1, 1)),
    patched(of("since", 2020), *calendar("datetime", "datetime", "now", (CHECKS, MAKES), 2024, 1, 1)),
    patched(of("mode"), EnvironPatch({"MODE": "on"})),
    patched(of("mode"), EnvironPatch(alone=True)),
    patched(of("head", "a"), opens(holds("a\nb\n"))),
    patched(of("head", "b"), opens(holds(LONG))),
    patched(of("head", "a"), opens(MISSING)),
    patched(of("both", "a", "b"), opens(holds("a"), holds("b"))),
    patched(of("both", "a", "b"), opens(holds("a"), MISSING)),
    patched(of("save", "a", "text"), opens(SINK)),
    patched(of("lines", "a", ["one", "two"]), opens(SINK)),
    patched(of("ask"), gives("builtins.input", "yes")),
    patched(
        method("patched", "Die.roll", *[step(("method", "box", "roll"))] * 2),
        gives("patched.random.randint", 4, 6),
    ),
    case("patched", "Die.roll", "method", DIE, step(("get", "box", "rolls"))),
]


@pytest.fixture(scope="module")
def replayed() -> Replay:
    return observe_twice(PATCHED, ALL, timeout_per_case=5)


@pytest.fixture(scope="module", params=STYLES.names())
def style(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def rendered(replayed: Replay, style: str) -> Rendered:
    pairs = list(zip(ALL, map(exhibited, replayed.observations), strict=True))
    return render("patched", pairs, coverable(PATCHED.file), style=style)


def test_the_text_is_the_golden_file(rendered: Rendered, style: str) -> None:
    golden = EXPECTED / f"{style.replace('-', '_')}_patched.py"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_bytes(rendered.text.encode())
    assert rendered.text == golden.read_text(encoding="utf-8")
    assert [] == rendered.dropped


def test_ruff_has_nothing_to_say(rendered: Rendered) -> None:
    formatted = ruff("format", "--diff", text=rendered.text)
    assert formatted.returncode == 0, formatted.stdout.decode()
    checked = ruff("check", "--extend-select", "I,F,E,SIM115,SIM117", text=rendered.text)
    assert checked.returncode == 0, checked.stdout.decode()


def test_all_tests_pass_where_they_are_verified(rendered: Rendered, style: str) -> None:
    tests = [(test.class_name, test.name) for test in rendered.tests]
    assert {} == verify(Page(rendered.text, PATCHED, style), tests)


def test_what_is_patched_does_not_differ_from_run_to_run(replayed: Replay) -> None:
    assert [[]] * len(ALL) == replayed.reasons


def test_a_case_that_reads_more_than_was_drawn_makes_no_test() -> None:
    rolls = [step(("method", "box", "roll"))] * 3
    short = patched(method("patched", "Die.roll", *rolls), gives("patched.random.randint", 4, 6))
    (seen,) = observe_twice(PATCHED, [short], timeout_per_case=5).observations
    assert Outcome.UNSTABLE is seen.outcome
    assert "patched.random.randint is asked more often than while exploring" in seen.why
