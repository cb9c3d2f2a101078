"""`condition` reports what another count sees: operands of the source itself, while a written suite runs.

The count knows nothing of twins: it puts a note around each condition, and each operand of one, in the syntax
tree of the module that the suite imports.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.explore.criteria.test_all import generated
from tracetwin.api import generate_tests
from tracetwin.model.goal import GoalFate
from tracetwin.run.results.module_result import ModuleResult

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FOLDERS = (EXAMPLES, EXAMPLES / "own_runtime")
SOURCES = {source.stem: source for folder in FOLDERS for source in folder.glob("*.py")}
QUICK = ("bmi", "dates")

Place = tuple[str, int, int]
"""The kind of a condition, its line and its column."""

_TESTS = {ast.If: "if", ast.While: "while", ast.Assert: "assert", ast.IfExp: "ternary"}


def _is_literal(node: ast.expr) -> bool:
    """Return whether an expression is made of literals only."""
    parts = [part for part in ast.walk(node) if isinstance(part, ast.expr)]
    kinds = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare)
    return all(isinstance(part, kinds) for part in parts)


def _noted(node: ast.expr, kind: str) -> Iterator[tuple[ast.expr, str]]:
    """The condition itself, and its operands: what decides, and is no `and`, `or` or `not` itself."""
    inner: list[ast.expr] = []
    if isinstance(node, ast.BoolOp):
        inner = node.values
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = [node.operand]
        if kind != "operand":  # what is the other way round than the whole is no operand beside it
            yield from _noted_alone(node, kind)
            return
    elif isinstance(node, ast.IfExp):
        inner = [node.body, node.orelse]
    if not _is_literal(node) and (not inner or kind != "operand"):
        yield node, kind
    for operand in inner:
        yield from _noted(operand, "operand")


def _noted_alone(node: ast.UnaryOp, kind: str) -> Iterator[tuple[ast.expr, str]]:
    yield node, kind
    operand = node.operand
    yield from ((one, "" if one is operand else inner) for one, inner in _noted(operand, "operand"))


class Noting(ast.NodeTransformer):
    """Puts a note around each condition of functions, and tells the places of all."""

    def __init__(self, tree: ast.Module) -> None:
        self.places: list[Place] = []
        self._kinds: dict[ast.expr, str] = {}
        for function in ast.walk(tree):
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                for node in ast.walk(function):
                    for test, kind in self._tests(node):
                        self._kinds.update(_noted(test, kind))

    @staticmethod
    def _tests(node: Any) -> Iterator[tuple[ast.expr, str]]:
        if type(node) in _TESTS:
            yield node.test, _TESTS[type(node)]
        elif isinstance(node, ast.comprehension):
            yield from ((test, "comprehension") for test in node.ifs)
        elif isinstance(node, ast.match_case) and node.guard is not None:
            yield node.guard, "guard"

    def visit(self, node: ast.AST) -> Any:
        kind = self._kinds.get(node) if isinstance(node, ast.expr) else None
        if not isinstance(node, ast.expr) or kind is None:
            return super().generic_visit(node)
        new: Any = super().generic_visit(node)
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            new = self._links(new)
        return self._note(node, kind, new)

    def _links(self, node: ast.Compare) -> ast.expr:
        """A chain as its links, each of them noted; its operands are evaluated once."""
        links: list[ast.expr] = []
        left = node.left
        for place, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            name = f"_link_{place}"
            again = ast.NamedExpr(ast.Name(name, ast.Store()), right)
            link = ast.Compare(left, [op], [again])
            links.append(self._note((node.left, *node.comparators)[place], "operand", link))
            left = ast.Name(name, ast.Load())
        return ast.BoolOp(ast.And(), links)

    def _note(self, node: ast.expr, kind: str, new: ast.expr) -> ast.expr:
        if not kind:
            return new
        self.places.append((kind, node.lineno, node.col_offset))
        number = ast.Constant(len(self.places) - 1)
        return ast.Call(ast.Name("__note__", ast.Load()), [number, new], [])


RUNNER = """\
import importlib.util, json, os, sys, unittest

sys.path[:0] = ["", os.path.dirname(sys.argv[3])]

def load(name):
    source, places = json.load(open(sys.argv[1]))
    noted = set()
    def note(place, value):
        noted.add((place, bool(value)))
        return value
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, None))
    module.__note__ = note
    module.__file__ = sys.argv[3]
    sys.modules[name] = module
    exec(compile(source, sys.argv[3], "exec"), vars(module))
    return noted

noted = load(sys.argv[2])
suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromName(name) for name in sys.argv[4:])
done = unittest.TextTestRunner(stream=sys.stderr).run(suite)
print(json.dumps([done.wasSuccessful(), sorted(noted)]))
"""


def counted(source: Path, result: ModuleResult, folder: Path) -> tuple[Counter[str], Counter[str]]:
    """The names of all outcomes of a module, and of those that occur while its suites run.

    A chain and its first link stand at the same place.
    """
    tree = ast.parse(source.read_bytes())
    noting = Noting(tree)
    made = ast.unparse(ast.fix_missing_locations(noting.visit(tree)))
    (folder / "noted.json").write_text(json.dumps([made, noting.places]))
    (folder / "runner.py").write_text(RUNNER)
    suites = [Path(one) for one in (result.test_file, result.suspicious_file) if one is not None]
    files = [folder / "runner.py", folder / "noted.json", source.stem, source]
    command = [sys.executable, *map(str, files), *(one.stem for one in suites)]
    done = subprocess.run(command, cwd=suites[0].parent, capture_output=True, text=True, check=True)
    passed, noted = json.loads(done.stdout)
    assert passed, done.stderr
    places = [f"{kind} in line {line}, column {column}" for kind, line, column in noting.places]
    names = [without_brackets(place, source.read_text()) for place in places]
    every = Counter(f"{name}: {outcome}" for name in names for outcome in (True, False))
    return every, Counter(f"{names[place]}: {outcome}" for place, outcome in noted)


def without_brackets(name: str, source: str) -> str:
    """The name of a condition, with the place behind the brackets that it begins with."""
    found = re.search(r"line (\d+), column (\d+)", name)
    assert found is not None
    line, column = source.splitlines()[int(found[1]) - 1], int(found[2])
    column += len(line[column:]) - len(line[column:].lstrip("( "))
    return f"{name[: found.start(2)]}{column}{name[found.end(2) :]}"


def reported(source: Path, result: ModuleResult, *fates: GoalFate) -> Counter[str]:
    """The names of the goals of some fates."""
    wanted = [goal.name for goal in result.goals if goal.fate in fates]
    return Counter(without_brackets(name, source.read_text()) for name in wanted)


def check(source: Path, result: ModuleResult, folder: Path) -> None:
    every, seen = counted(source, result, folder)
    assert every == reported(source, result, *GoalFate)
    assert seen == reported(source, result, GoalFate.COVERED)


def of_example(name: str, folder: Path, criterion: str) -> ModuleResult:
    options: dict[str, Any] = {"criterion": criterion, "max_runs": 300, "time_limit": 600.0, "jobs": 1}
    return generate_tests(SOURCES[name], output=folder / "out", **options)[0]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in sorted(SOURCES)]
)
def test_what_is_reported_is_what_is_counted(name: str, tmp_path: Path) -> None:
    check(SOURCES[name], of_example(name, tmp_path, "condition"), tmp_path)


SHAPES = """\
def kinds(a: int, b: int, words: list[str]) -> list[str]:
    found = [word for word in words if word and not word.startswith("x")]
    while a > 10 and (b < a or b == 77):
        a -= 9
    assert not (a == 5 and b == 5), "both"
    if (0 < a < b) if b else a == 3:
        found.append("up")
    elif not a or 2 <= b <= a <= 4:
        found.append("down")
    match a:
        case 7 if b > 1 or words:
            found.append("seven")
        case _ if inner(b) and a:
            found.append("rest")
    return found if len(found) > 1 else []


def inner(n: int) -> bool:
    pick = (lambda m: 1 if m > 3 and m != 8 else 0)
    return bool(pick(n))
"""


@pytest.mark.slow
def test_conditions_of_all_shapes_are_counted(tmp_path: Path) -> None:
    result = generated(tmp_path, "condition", SHAPES, 300)
    check(tmp_path / "sample.py", result, tmp_path)
