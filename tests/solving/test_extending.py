"""The library model and the theory that `docs/extending.md` adds: taken from the page and run."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from runtime import library_model, ops, trace
from runtime.evaluate import holds
from runtime.expr import Node, Sort, apply, const, var
from runtime.library_model import DuplicateModelError, Model, register
from runtime.models import callee1
from runtime.models.registry import CALLEES, TAKES
from runtime.values import wrap
from tracetwin.solving import Problem, Sat, build_chain
from tracetwin.solving.smt import theory as registry
from tracetwin.solving.smt.stage import Z3Stage
from tracetwin.solving.smt.theory import TheoryTurn
from tracetwin.solving.stages.backward import Backward
from tracetwin.solving.task import Task
from tracetwin.worker.runner import add_models

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
X, S = var("x", Sort.INT), var("s", Sort.STR)


def blocks(heading: str) -> dict[str, str]:
    section = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return dict(re.findall(r'```python title="(\w+\.py)"\n(.*?)```', section, re.DOTALL))


@pytest.fixture
def on_page(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ModuleType]:
    """The last module of a section, imported; what it registers is forgotten afterwards."""
    tables: list[dict[Any, Any]] = [library_model.MODELS, library_model.OPERATORS, ops.MEANINGS, ops.TAKES]
    tables += [CALLEES, TAKES, registry._registered]
    known = [dict(table) for table in tables]
    found = blocks(request.param)
    for name, text in found.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield [importlib.import_module(name.removesuffix(".py")) for name in found][-1]
    for name in found:
        sys.modules.pop(name.removesuffix(".py"), None)
    for table, before in zip(tables, known, strict=True):
        table.clear()
        table.update(before)


def taxed(cents: Node) -> Node:
    return apply("eq", Sort.BOOL, apply("vat.tax", Sort.INT, cents), const(4321))


@pytest.mark.parametrize("on_page", ["A library model"], indirect=True)
def test_the_model_has_all_its_effects(on_page: ModuleType) -> None:
    vat = sys.modules["vat"]
    recorded = trace.start()
    result = callee1(vat.tax)(wrap(200, X))
    trace.stop()
    assert (38, "vat.tax(x)", []) == (result.v, repr(result.e), list(recorded.path))
    asked = Problem([], taxed(X), {"x": 0}, {"x": Sort.INT})
    assert isinstance(Z3Stage(TheoryTurn.USUAL, 100_000, 5.0).attempt(Task(asked)), Sat)
    assert isinstance(build_chain().solve(asked), Sat)
    written = Problem([], taxed(apply("int", Sort.INT, S)), {"s": "0"}, {"s": Sort.STR})
    assert isinstance(answer := Backward(100).attempt(Task(written)), Sat)
    assert holds([taxed(apply("int", Sort.INT, S))], answer.model)


@pytest.mark.parametrize("on_page", ["A library model"], indirect=True)
def test_no_function_has_two_models(on_page: ModuleType) -> None:
    vat = sys.modules["vat"]
    with pytest.raises(DuplicateModelError, match="is modelled twice"):
        register(Model(vat.tax))
    with pytest.raises(DuplicateModelError, match=r"the operator 'vat\.tax' is modelled twice"):
        register(Model(vat.tax.__call__, "vat.tax"))


@pytest.mark.parametrize("on_page", ["A theory"], indirect=True)
def test_the_theory_is_asked(on_page: ModuleType) -> None:
    task = Task(Problem([], apply("str.isdigit", Sort.BOOL, S), {"s": ""}, {"s": Sort.STR}))
    stage = Z3Stage(TheoryTurn.USUAL, 100_000, 5.0)
    answer = stage.attempt(task)
    assert isinstance(answer, Sat)
    assert len(str(answer.model["s"])) == 1


def test_a_model_that_can_not_be_used_in_a_worker_becomes_a_note() -> None:
    def load(name: str, file: str) -> ModuleType:
        raise ImportError(f"no {name}")

    notes = add_models([("vat", "vat_model.py", ""), ("lost", "", "")], load)
    assert notes == [
        "the library model vat can't be used: ImportError: no runtime.function_models.plugin_vat",
        "the library model lost can't be used: FileNotFoundError: it has no source file",
    ]
