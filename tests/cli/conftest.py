"""A `generate` that finds what it is told to find, in the place of the real one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner, Result

from tests.target.layout import FUNCTION, lay_out
from tracetwin.cli.main import main
from tracetwin.model.options import Options
from tracetwin.run.listener import Listener
from tracetwin.run.results.module_result import FunctionResult, ModuleResult
from tracetwin.target.module import TargetModule

Behaviour = Callable[[TargetModule, Options], ModuleResult]


def succeed(module: TargetModule, options: Options) -> ModuleResult:
    """Write a file, as if there were one test in it."""
    file = options.output / f"test_{module.name}.py"
    file.write_text("# tests\n")
    function = FunctionResult("f", 1, lines=1, covered_lines=1, tests=1)
    return ModuleResult(module.name, module.file, [function], file, lines=1, covered_lines=1, tests=1)


def find_nothing(module: TargetModule, options: Options) -> ModuleResult:
    """No test at all."""
    return ModuleResult(module.name, module.file)


def fail(module: TargetModule, options: Options) -> ModuleResult:
    """A module that can't be imported."""
    return ModuleResult(module.name, module.file, error="importing it raised ZeroDivisionError")


@dataclass
class Fake:
    """What `generate` was called with, and how it behaves per module name."""

    behaviours: dict[str, Behaviour] = field(default_factory=dict)
    modules: list[TargetModule] = field(default_factory=list)
    options: Options | None = None

    def __call__(
        self, modules: Sequence[TargetModule], options: Options, listener: Listener
    ) -> list[ModuleResult]:
        self.modules, self.options = list(modules), options
        results = []
        for module in modules:
            listener.module_started(module.name, ["f"])
            result = self.behaviours.get(module.name, succeed)(module, options)
            listener.module_finished(result)
            results.append(result)
        return results


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """The fake, where the command line looks for the real one."""
    fake = Fake()
    module = ModuleType("tracetwin.run.scheduler.scheduler")
    module.generate = fake  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tracetwin.run.scheduler.scheduler", module)
    return fake


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two modules that is the current one."""
    lay_out(tmp_path, {"good.py": FUNCTION, "other.py": FUNCTION, "broken.py": "def f(:\n"})
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run the command line in this process."""

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments)

    return invoke
