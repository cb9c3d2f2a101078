"""Tests with mocks: kept as golden files in both styles, linted, type-checked and run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.emit import mock_cases
from tests.emit.source.test_layout import ruff
from tests.emit.support import EXPECTED, TARGETS, observe_twice, target
from tracetwin.emit.exhibit import exhibited
from tracetwin.emit.mocks.calls import mark_calls
from tracetwin.emit.render.render import Rendered, render
from tracetwin.emit.select.unchanged import mark_held
from tracetwin.emit.verify.verify import Page, verify
from tracetwin.model.options import MockStyle
from tracetwin.replay.session import Replay
from tracetwin.replay.static import coverable

CLIENTS = target("clients")
FORMS = [*((mock.value, "unittest") for mock in MockStyle), ("auto", "pytest")]


@pytest.fixture(scope="module")
def replayed() -> Replay:
    return observe_twice(CLIENTS, mock_cases.ALL, timeout_per_case=5)


@pytest.fixture(scope="module", params=FORMS, ids="_".join)
def form(request: pytest.FixtureRequest) -> tuple[str, str]:
    mock, style = request.param
    return mock, style


@pytest.fixture(scope="module")
def rendered(replayed: Replay, form: tuple[str, str]) -> Rendered:
    facts = coverable(CLIENTS.file)
    shown = mark_held(mock_cases.ALL, [exhibited(seen) for seen in replayed.observations])
    pairs = list(zip(mock_cases.ALL, mark_calls(mock_cases.ALL, shown, facts), strict=True))
    return render("clients", pairs, facts, mock=MockStyle(form[0]), style=form[1])


def golden(form: tuple[str, str]) -> Path:
    return EXPECTED / f"{form[1]}_clients_{form[0]}.py"


def test_the_text_is_the_golden_file(rendered: Rendered, form: tuple[str, str]) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        golden(form).write_bytes(rendered.text.encode())
    assert rendered.text == golden(form).read_text(encoding="utf-8")


def test_every_case_makes_a_test(rendered: Rendered) -> None:
    assert rendered.dropped == []
    assert len(rendered.tests) == len(mock_cases.ALL)


def test_ruff_has_nothing_to_say(rendered: Rendered) -> None:
    formatted = ruff("format", "--diff", text=rendered.text)
    assert formatted.returncode == 0, formatted.stdout.decode()
    checked = ruff("check", "--extend-select", "I,F,E", text=rendered.text)
    assert checked.returncode == 0, checked.stdout.decode()


@pytest.mark.slow
def test_all_tests_pass(rendered: Rendered, form: tuple[str, str]) -> None:
    tests = [(test.class_name, test.name) for test in rendered.tests]
    assert verify(Page(rendered.text, CLIENTS, form[1]), tests) == {}


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--check-untyped-defs"]], ids=["plain", "untyped"])
def test_mypy_accepts_the_files_against_the_interfaces(options: list[str]) -> None:
    files = [str(golden(form)) for form in FORMS]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-incremental", "--config-file=", *options, *files],
        env={**os.environ, "MYPYPATH": str(TARGETS)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
