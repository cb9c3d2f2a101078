"""Suites by Pynguin and CrossHair, each from an environment of its own.

python3.11 -m venv build/crosshair && build/crosshair/bin/pip install crosshair-tool==0.0.113
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pynguin_side
from harness import Json, environment
from judging import module_name
from mutated import Subject
from watching import run_watched

CROSSHAIR_VERSION = "0.0.113"
LEAST = 2.0
"""Seconds that CrossHair has for a function at least."""


def by_pynguin(python: Path, subject: Subject, seconds: float, out: Path) -> Json:
    """Let Pynguin write a suite; `wall` and `peak`, or `error`."""
    return pynguin_side.generate(python, module_name(subject.file), subject.site, seconds, out)


def by_crosshair(python: Path, subject: Subject, seconds: float, out: Path) -> Json:
    """Let CrossHair's `cover` write the tests of each function and method of a module.

    CrossHair bounds the time of a function, so each gets its part, and `LEAST` at least; all that it prints
    for one function is a file of its own, since each begins with imports and names repeat.

    Returns:
        `wall`, or `error` where nothing was printed for any of them.
    """
    names = _callables((subject.site / subject.file).read_text(encoding="utf-8"))
    share = max(LEAST, seconds / max(1, len(names)))
    wall, said = 0.0, ""
    for number, name in enumerate(names):
        argv = [str(python), "-m", "crosshair", "cover", "--example_output_format=pytest"]
        argv += ["--coverage_type=opcode", f"--per_condition_timeout={share:g}"]
        target = f"{module_name(subject.file)}.{name}"
        done = run_watched([*argv, target], out, 15 * share + 30, environment(subject.site))
        wall += done.seconds
        said = done.output
        if re.search(r"^def test_", done.output, re.MULTILINE):
            (out / f"test_{number}.py").write_text(_program(done.output), encoding="utf-8")
    return {"wall": wall} if list(out.glob("test_*.py")) else {"error": f"no suite: {said.strip()[-200:]}"}


def _callables(source: str) -> list[str]:
    """Return the public functions of a module and the public methods of its classes."""
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found.append(node.name)
        elif isinstance(node, ast.ClassDef):
            inner = [one.name for one in node.body if isinstance(one, ast.FunctionDef)]
            found += [f"{node.name}.{name}" for name in inner if not name.startswith("_")]
    return found


def _program(printed: str) -> str:
    """Return what was printed from the first import or test on: what is before it are warnings."""
    first = re.search(r"^(import|from|def) ", printed, re.MULTILINE)
    return printed[first.start() :] if first else printed
