"""Rendered files: kept as golden files, linted, and run in every dialect."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.emit import shapes_cases
from tests.emit.source.test_layout import ruff
from tests.emit.support import (
    EXPECTED,
    TARGETS,
    case,
    function,
    method,
    observe_twice,
    raised,
    seen,
    snap,
    step,
    target,
)
from tracetwin.emit.dialects.base import dialect_of
from tracetwin.emit.exhibit import Chosen, exhibited
from tracetwin.emit.render.render import Rendered, render
from tracetwin.emit.verify.verify import Page, verify
from tracetwin.model.options import STYLES
from tracetwin.model.recipe import Scalar
from tracetwin.replay.session import Replay
from tracetwin.replay.static import coverable

SHAPES = target("shapes")


@pytest.fixture(scope="module")
def replayed() -> Replay:
    return observe_twice(SHAPES, shapes_cases.ALL, timeout_per_case=2)


@pytest.fixture(scope="module", params=STYLES.names())
def style(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def rendered(replayed: Replay, style: str) -> Rendered:
    pairs = list(zip(shapes_cases.ALL, map(exhibited, replayed.observations), strict=True))
    return render("shapes", pairs, coverable(SHAPES.file), style=style)


def test_the_text_is_the_golden_file(rendered: Rendered, style: str) -> None:
    golden = EXPECTED / f"{style.replace('-', '_')}_shapes.py"
    if os.environ.get("UPDATE_GOLDEN"):
        EXPECTED.mkdir(exist_ok=True)
        golden.write_bytes(rendered.text.encode())
    assert rendered.text == golden.read_text(encoding="utf-8")


def test_ruff_has_nothing_to_say(rendered: Rendered) -> None:
    formatted = ruff("format", "--diff", text=rendered.text)
    assert formatted.returncode == 0, formatted.stdout.decode()
    checked = ruff("check", "--extend-select", "I,F,E", text=rendered.text)
    assert checked.returncode == 0, checked.stdout.decode()


@pytest.mark.slow
def test_all_tests_pass_where_they_are_verified(rendered: Rendered, style: str) -> None:
    tests = [(test.class_name, test.name) for test in rendered.tests]
    assert verify(Page(rendered.text, SHAPES, style), tests) == {}


@pytest.mark.slow
def test_the_file_passes_as_a_user_runs_it(rendered: Rendered, style: str, tmp_path: Path) -> None:
    (tmp_path / "test_shapes.py").write_bytes(rendered.text.encode())
    _, *command = dialect_of(style).command.replace("this_file", "test_shapes").split()
    done = subprocess.run(
        [sys.executable, "-B", *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(TARGETS), "PYTEST_ADDOPTS": "-q -p no:cacheprovider"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(rendered.tests)} " in done.stdout + done.stderr


def test_what_makes_no_test_is_dropped_with_a_reason(rendered: Rendered) -> None:
    reasons = {shapes_cases.ALL[position].target: reason for position, reason in rendered.dropped}
    assert reasons == {
        "vanish": "the process ended",
        "spin": "took more than 2 seconds",
        "litter": "it changes files",
    }


def test_names_are_unique_valid_and_short(rendered: Rendered) -> None:
    names = [(test.class_name, test.name) for test in rendered.tests]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() and len(name) <= 80 for _, name in names)


# ---- single shapes, from observations made by hand


def page_of(*pairs: Chosen, style: str = "unittest") -> Rendered:
    return render("shapes", list(pairs), coverable(SHAPES.file), style=style)


def body_of(made: Rendered) -> list[str]:
    lines = made.text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("    def test_"))
    end = next((n for n in range(start, len(lines)) if lines[n].startswith("if __name__")), len(lines))
    return [line.removeprefix("        ") for line in lines[start + 1 : end] if line.strip()]


def test_the_exact_class_exception_is_expected_in_a_way_linters_accept() -> None:
    made = page_of((function("shapes", "liar"), raised("Exception", message="x")))
    assert body_of(made)[0] == "with self.assertRaises((Exception,)):"
    assert ruff("check", "--extend-select", "I,F,E", text=made.text).returncode == 0


def test_an_exception_of_another_package_is_caught_by_its_standard_base() -> None:
    bases = (("elsewhere.errors", "Base"), ("builtins", "ValueError"))
    looked = raised("Oddity", "elsewhere.errors", "x", bases=bases)
    assert body_of(page_of((function("shapes", "liar"), looked))) == [
        "with self.assertRaises(ValueError) as caught:",
        "    liar()",
        'self.assertEqual("Oddity", type(caught.exception).__name__)',
    ]


def test_reading_an_attribute_that_raises_is_a_statement_that_linters_accept() -> None:
    looked = raised("RuntimeError", message="x")
    made = page_of((method("shapes", "Stack.broken", step(("get", "box", "broken"))), looked))
    assert body_of(made)[1:] == ["with self.assertRaises(RuntimeError):", "    _ = stack.broken"]
    assert ruff("check", "--extend-select", "I,F,E", text=made.text).returncode == 0


def test_a_value_bound_for_nothing_is_not_bound() -> None:
    steps = [step(("call", "shapes", "corner"), bind="unused"), step(("call", "shapes", "three"))]
    made = page_of((case("shapes", "three", "function", *steps), seen(Scalar(7))))
    assert body_of(made) == ["corner()", "self.assertEqual(7, three())"]


def test_contexts_that_do_not_fit_on_a_line_stand_in_brackets() -> None:
    name = "shapes"
    looked = raised("ShapeError", name, "no", stdout="x\n", stderr="y", stdin=True)
    made = page_of((function(name, "liar"), looked))
    assert body_of(made)[:6] == [
        "with (",
        "    contextlib.redirect_stdout(io.StringIO()) as stdout,",
        "    contextlib.redirect_stderr(io.StringIO()),",
        '    patch("sys.stdin", io.StringIO()),',
        "    self.assertRaises(ShapeError),",
        "):",
    ]
    assert ruff("format", "--diff", text=made.text).returncode == 0
    assert ruff("check", "--extend-select", "I,F,E", text=made.text).returncode == 0


@pytest.mark.parametrize("style", STYLES.names())
def test_nothing_is_imported_that_is_not_used(style: str) -> None:
    value = snap("list", [("ref", "shapes", "Colour.RED"), ("opaque", "threading:Lock", "why")])
    made = page_of((function("shapes", "liar"), seen(value)), style=style)
    checked = ruff("check", "--select", "F", text=made.text)
    assert checked.returncode == 0, checked.stdout.decode()


def test_a_result_of_which_nothing_can_be_said_makes_no_test() -> None:
    nothing = seen(snap("opaque", "shapes:nothing.<locals>.C", "a closure"))
    made = page_of((function("shapes", "liar"), nothing))
    assert made.tests == []
    assert made.dropped == [(0, "nothing to assert: a closure")]
