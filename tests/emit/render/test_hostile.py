"""Targets whose names and values look like source: what is written of them does nothing but what tests do."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from tests.emit.support import TARGETS, function, target
from tests.emit.test_suite import run
from tracetwin.emit.result import Suite
from tracetwin.emit.suite import build_suite
from tracetwin.model.case import Case
from tracetwin.model.recipe import Scalar

KEYS = function("hostile", "keys")
_NAMED = tuple(
    (name, Scalar(number))
    for number, name in enumerate(("a=1), __import__('os').abort() #", "class", "b"), start=1)
)
KEYS = replace(KEYS, steps=(replace(KEYS.steps[0], kwargs=_NAMED),))

CALLS: list[Case] = [
    *(
        function("hostile", name)
        for name in (
            "attribute", "namespace", "lying_class", "lying_module", "restless_module", "foreign_module",
            "text", "raising", "shown", "subclasses", "printing",
        )
    ),
    *(function("hostile", "member", number) for number in range(3)),
    KEYS,
]  # fmt: skip


@pytest.fixture(scope="module", params=["unittest", "pytest"])
def style(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def suite(style: str) -> Suite:
    return build_suite(target("hostile"), CALLS, style=style)


@pytest.mark.slow
def test_only_functions_of_the_target_are_called(suite: Suite) -> None:
    tree = ast.parse(suite.text)
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert imported <= {"contextlib", "io", "types", "unittest", "pytest"}
    assert "abort" not in {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert "__import__" not in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def test_all_that_is_written_can_be_seen(suite: Suite) -> None:
    assert all(letter == "\n" or letter.isprintable() for letter in suite.text)


def test_what_has_a_literal_is_asserted_all_the_same(suite: Suite) -> None:
    kept = {made.target for _, _, made in suite.written}
    assert {"attribute", "namespace", "text", "raising", "keys", "member", "printing"} <= kept
    assert "\\u202e\\u2066\\x00\\x1b[31m\\ud800" in suite.text
    assert '**{"a=1), __import__(' in suite.text


def test_the_file_passes(suite: Suite, style: str, tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text((TARGETS / "hostile.py").read_text())
    done = run(suite, tmp_path, *(("-m", "pytest", "-q") if style == "pytest" else ()))
    assert done.returncode == 0, done.stderr + done.stdout
