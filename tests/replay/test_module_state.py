"""What a call changes in the state of its module is seen, and asserted."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from tests.emit.test_suite import run, written
from tracetwin.emit.suite import build_suite
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.recipe import Scalar
from tracetwin.replay.observe.module_state import state_of

SOURCE = """
import functools
from collections import deque

TABLE = {"a": 1}
SIZES = [1, 2]
size = 100
unset = 0
names = []
sliced = []
queue = deque()
_hidden = []
MANY = list(range(1000))

class Settings:
    def __init__(self):
        self.debug = False

class Counter:
    total = 0
    fixed = 1
    seen = []
    _own = 0
    def __init__(self, start):
        type(self).total += start
        self.seen.append(start)

settings = Settings()
quiet = Settings()

def configure(debug):
    settings.debug = debug

def look():
    return TABLE["a"], SIZES, unset, quiet, MANY

def resize(value):
    global size, later
    size = value
    later = value

@functools.lru_cache
def add(name):
    names.append(name)
    MANY.append(name)
    _hidden.append(name)

def cut():
    sliced[:] = (1, 2)

def outer():
    def inner(one):
        queue.append(one)
    return inner
"""


def test_what_the_code_of_a_module_may_change_is_its_state() -> None:
    module = ModuleType("state_sample")
    exec(textwrap.dedent(SOURCE), vars(module))
    places = dict(state_of(module))
    assert places.keys() == {
        "size", "later", "names", "sliced", "queue", "settings", "Counter.total", "Counter.seen"
    }  # fmt: skip
    assert places["later"] is None
    assert places["Counter.seen"] is vars(module)["Counter"].seen


def test_a_module_that_its_package_hides_has_its_classes_only(monkeypatch: pytest.MonkeyPatch) -> None:
    package, module = ModuleType("hiding"), ModuleType("hiding.state_sample")
    exec(textwrap.dedent(SOURCE), vars(module))
    vars(package)["state_sample"] = vars(module)["add"]
    monkeypatch.setitem(sys.modules, "hiding", package)
    assert dict(state_of(module)).keys() == {"Counter.total", "Counter.seen"}


def call(name: str, *values: str | int | bool) -> Step:
    return Step(Act.CALL, "sample", name, tuple(map(Scalar, values)))


def case(*steps: Step, kind: str = "function") -> Case:
    return Case("sample", steps[-1].name, kind, steps)


@pytest.mark.slow
@pytest.mark.parametrize("style", ["unittest", "pytest"])
def test_what_a_call_leaves_in_its_module_is_asserted(tmp_path: Path, style: str) -> None:
    module = written(tmp_path, SOURCE)
    cases = [
        case(call("resize", 7)),
        case(call("configure", True)),
        case(call("add", "ann"), call("add", "bob")),
        case(Step(Act.CALL, "sample", "Counter", (Scalar(3),), bind="made"), kind="constructor"),
    ]
    suite = build_suite(module, cases, style=style)
    for shown in ("sample.size", "sample.later", "sample.settings.debug", "sample.names", "Counter.total"):
        assert shown in suite.text
    assert "import sample\n" in suite.text
    assert run(suite, tmp_path, "-m", style).returncode == 0
