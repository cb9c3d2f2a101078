"""Tests that share module and class state, contexts made by functions, awaited preparation."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.emit.source.test_layout import ruff
from tests.emit.support import Recipe, case, function, step, target
from tracetwin.emit.result import Suite
from tracetwin.emit.suite import build_suite
from tracetwin.model.case import Case, Step
from tracetwin.model.observation import Leak
from tracetwin.model.recipe import Scalar, list_of
from tracetwin.replay.session import Session

SHARED = target("shared")
NONE = (None, None, None)


def call(name: str, *args: Any, bind: str | None = None) -> Step:
    return step(("call", "shared", name), *args, bind=bind)


def error(name: str) -> tuple[Any, ...]:
    return (Recipe("ref", "builtins", name), Recipe("call", "builtins", name, [], []), None)


def context(*args: Any) -> Case:
    return case(
        "shared",
        "opened",
        "function",
        step(("call", "builtins", "list"), [], bind="events"),
        call("opened", "a", Recipe("var", "events"), bind="manager"),
        step(("method", "manager", "__enter__"), bind="entered"),
        step(("method", "manager", "__exit__"), *args),
    )


CASES = [
    function("shared", "configure", "b"),
    function("shared", "last"),
    case("shared", "last", "function", call("configure", "x"), call("configure", "y"), call("last")),
    function("shared", "known", "b"),
    function("shared", "known", "a"),
    function("shared", "give", 3),
    function("shared", "Config", kind="constructor"),
    case("shared", "Config", "constructor", call("Config"), call("Config"), call("Config")),
    context(*NONE),
    context(*error("KeyError")),
    context(*error("OSError")),
    case(
        "shared",
        "Client.ask",
        "method",
        call("Client", bind="it"),
        step(("method", "it", "connect")),
        step(("method", "it", "ask"), "why"),
    ),
]


@pytest.fixture(scope="module", params=["unittest", "pytest"])
def suite(request: pytest.FixtureRequest) -> Suite:
    return build_suite(SHARED, CASES, style=str(request.param))


def body(suite: Suite, name: str) -> list[str]:
    """The decorators and statements of a test."""
    lines = suite.text.splitlines()
    head = lines.index(f"    def {name}(self):")
    first = head
    while lines[first - 1].startswith("    @"):
        first -= 1
    end = next(
        i for i in range(head + 1, len(lines) + 1) if i == len(lines) or not lines[i].startswith("     ")
    )
    return [line.strip() for line in [*lines[first:head], *lines[head + 1 : end]]]


@pytest.mark.slow
def test_no_test_is_lost_to_what_another_left_behind(suite: Suite) -> None:
    assert suite.dropped == []
    assert {"last", "known", "configure", "give", "Config"} <= set(suite.tests)
    assert suite.tests["last"] == 2


def test_linters_have_nothing_to_say(suite: Suite) -> None:
    assert ruff("format", "--diff", text=suite.text).returncode == 0
    checked = ruff("check", "--extend-select", "I,F,E", text=suite.text)
    assert checked.returncode == 0, checked.stdout.decode()


def test_globals_are_put_back(suite: Suite) -> None:
    lines = body(suite, "test_configure_changes_count_when_name_is_b")
    patches = 'patch("shared.log", []), patch.dict("shared.registry"), patch("shared.count", 0)'
    assert lines[0] == f"with {patches}:"


def test_an_object_of_the_module_is_replaced_by_a_copy(suite: Suite) -> None:
    lines = body(suite, "test_give_returns_one_when_value_is_three")
    assert lines[0] == 'with patch("shared.pool", copy.deepcopy(pool)):'


def test_a_call_that_decides_the_way_of_the_next_stays(suite: Suite) -> None:
    made = [found for _, _, found in suite.written if found.target == "Config"]
    assert sorted(len(one.steps) for one in made) == [1, 2]
    assert suite.text.count('@patch("shared.Config._instance", None)') == 2


def test_tests_pass_again_in_the_same_process(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(suite.text)
    twice = "import sys, pytest; sys.exit(any([pytest.main(['-q', 'test_it.py']) for _ in range(2)]))"
    path = os.pathsep.join([SHARED.root, str(tmp_path)])
    command = [sys.executable, "-c", twice]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(" passed") == 2


def test_only_what_differs_afterwards_is_a_leak() -> None:
    with Session(SHARED) as session:
        (seen,) = session.run([replace(function("shared", "configure", "a"), asks_leaks=True)])
    assert seen.leaks == (Leak("log", False, list_of()), Leak("count", False, Scalar(0)))


def test_contexts_made_by_functions(suite: Suite) -> None:
    if "unittest.TestCase" not in suite.text:
        return
    assert body(suite, "test_opened_swallows_key_error") == [
        "events = []",
        'with opened("a", events) as entered:',
        'self.assertEqual("a", entered)',
        "raise KeyError()",
        'self.assertEqual(["open", "key", "close"], events)',
    ]


def test_preparation_is_awaited(suite: Suite) -> None:
    assert "asyncio.run(client.connect())" in suite.text
    assert 'asyncio.run(client.ask("why"))' in suite.text
