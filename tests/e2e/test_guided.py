"""Rules of the user's own, from the `pyproject.toml` of a project to the tests that keep them."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.command import ROOT, run, run_suite
from tests.target.layout import lay_out

CART = """
class Cart:
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.total = 0
        self.closed = False

    def add(self, price: int, quantity: int) -> str:
        if price * quantity > self.limit:
            return "too much"
        if price <= 0:
            raise ValueError("a price is positive")
        self.total += price * quantity
        if self.total == 35 and quantity == 7:
            return "a bargain"
        return "fine"

    def drop_table(self) -> None:
        self.closed = True

    def pay(self) -> str:
        if self.closed:
            return "closed"
        if self.total > 30:
            return "paid"
        return "nothing to pay"

    def _audit(self, code: int) -> bool:
        if code == 4711:
            return True
        return False
"""

DB = """
class Conn:
    def __init__(self, handle) -> None:
        if type(handle).__name__ != "Handle" or handle.magic() != "open sesame":
            raise TypeError("this is no handle")
        self.handle = handle
        self.rows = 0

    def insert(self, n: int) -> str:
        if n <= 0:
            return "nothing"
        self.rows += n
        if self.rows > 20:
            return "full"
        return "ok"


def usage(conn: Conn, spare: int) -> str:
    if conn.rows + spare == 17:
        return "odd"
    return "even"
"""

MAKE = """
from shop.db import Conn


class Handle:
    def magic(self):
        return "open sesame"


HANDLES = {"usual": Handle}


def conn() -> Conn:
    return Conn(HANDLES["usual"]())
"""

CONFIG = """
[project]
name = "shop"

[tool.tracetwin]
forbid = ["shop.cart:Cart.drop_*"]
max-runs = 200
time-limit = 40
seed = 1
output = "generated"

[tool.tracetwin.factories]
"shop.db.Conn" = "checks.make:conn"

[[tool.tracetwin.assume]]
target = "shop.cart:Cart.add"
condition = "price > 0 and 0 < quantity < 10"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return lay_out(tmp_path, {
        "shop/__init__.py": "", "shop/cart.py": CART, "shop/db.py": DB,
        "checks/__init__.py": "", "checks/make.py": MAKE, "pyproject.toml": CONFIG, "elsewhere/": "",
    })  # fmt: skip


def generate(project: Path, *arguments: str) -> str:
    """The text of the only test file, after it has passed on the original; `result.json` is beside it."""
    folder = project / "generated"
    shutil.rmtree(folder, ignore_errors=True)
    cache = {"TRACETWIN_CACHE": str(project / ".cache")}
    done = run("generate", *arguments, "-j1", "--json", "result.json", cwd=project, extra=cache, timeout=120)
    assert 0 == done.returncode, done.stdout + done.stderr
    passed = run_suite(folder, project)
    assert 0 == passed.returncode, passed.stderr
    (file,) = folder.glob("test_*.py")
    return file.read_text(encoding="utf-8")


def calls(text: str, name: str) -> Iterator[ast.Call]:
    """The calls of a method in a test file."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == name:
            yield node


@pytest.mark.slow
def test_a_forbidden_method_is_never_called(project):
    text = generate(project, "shop/cart.py")
    assert "drop_table" not in text
    assert '"paid"' in text
    arguments = ("--no-config", "-o", "generated", "--max-runs", "120")
    assert "drop_table()" in generate(project, "shop/cart.py", *arguments)


@pytest.mark.slow
def test_no_test_breaks_a_precondition_and_the_solver_knows_it(project):
    text = generate(project, "shop/cart.py:Cart.add")
    result = json.loads((project / "result.json").read_text(encoding="utf-8"))
    (function,) = result["modules"][0]["functions"]
    assert [12] == [uncovered["line"] for uncovered in function["uncovered"]], (
        "only the precondition keeps it"
    )
    found = list(calls(text, "add"))
    for call in found:
        assert not call.keywords
        values = [literal(argument, text) for argument in call.args]
        assert values[0] > 0, ast.unparse(call)
        assert 0 < values[1] < 10, ast.unparse(call)
    assert len(found) > 2
    assert "ValueError" not in text


def literal(node: ast.expr, text: str) -> int:
    """The number that an argument is, by itself or by the name of one."""
    if isinstance(node, ast.Name):
        return int(re.findall(rf"(?m)^ +{node.id} = (-?\d+)$", text)[0])
    return int(ast.literal_eval(node))


@pytest.mark.slow
def test_a_class_that_only_a_factory_can_make(project):
    text = generate(project, "shop/db.py")
    assert "from checks.make import conn" in text
    for word in ("nothing", "full", "ok", "odd", "even"):
        assert f'"{word}"' in text, word
    arguments = ("shop/db.py", "--no-config", "-o", "generated", "--max-runs", "120")
    assert '"full"' not in generate(project, *arguments)


@pytest.mark.slow
def test_private_methods_are_called_where_that_is_wanted(project):
    few = ("--max-runs", "60")
    assert "_audit" not in generate(project, "shop/cart.py:Cart", *few)
    assert "_audit(4711)" in generate(project, "shop/cart.py:Cart", "--private", *few)
    reached_by_nobody = generate(project, "shop/cart.py", *few)
    assert "_audit(4711)" in reached_by_nobody
    assert "1 private function was called directly" in (project / "result.json").read_text(encoding="utf-8")
    configured = CONFIG.replace("[tool.tracetwin]", "[tool.tracetwin]\nprivate = true")
    (project / "pyproject.toml").write_text(configured, encoding="utf-8")
    assert "_audit(4711)" in generate(project, "shop.cart", *few)
    assert "_audit" not in generate(project, "shop/cart.py", "--no-private", *few)


@pytest.mark.slow
def test_sequences_are_no_longer_than_wanted(project):
    text = generate(project, "shop/cart.py:Cart.pay", "--max-length", "1")
    assert '"paid"' not in text
    assert not list(calls(text, "add"))
    assert '"paid"' in generate(project, "shop/cart.py:Cart.pay", "--max-length", "2")


@pytest.mark.slow
def test_the_command_line_wins_and_paths_are_the_configurations(project):
    """From another folder, with relative paths; the configuration's own output is beside it."""
    here = project / "elsewhere"
    target = ("../shop/cart.py:Cart.pay", "--max-runs", "30", "-j1")
    configured = run("generate", *target, cwd=here)
    assert 0 == configured.returncode, configured.stderr
    assert (project / "generated" / "test_shop_cart.py").exists()
    assert not (here / "generated").exists()
    away = run(
        "generate", *target, "-o", "here", "--style", "pytest", "--config", "../pyproject.toml", cwd=here
    )
    assert 0 == away.returncode, away.stderr
    text = (here / "here" / "test_shop_cart.py").read_text(encoding="utf-8")
    assert "import unittest" not in text
    assert "def test_" in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("forbid", "forbit"), "forbit: there is no such key; did you mean forbid?"),
        (("Cart.drop_", "Cart.dorp_"), "forbid: 'shop.cart:Cart.dorp_*' matches nothing that shop.cart"),
        (("make:conn", "make:con"), "factories: 'checks.make:con' can't be imported: checks.make defines"),
        (("price > 0", "prize > 0"), "assume, entry 1: condition 'prize > 0 and 0 < quantity < 10' names"),
        (("seed = 1", 'seed = "one"'), "seed: must be a whole number, not 'one'"),
        (("[project]", "[project"), "is not TOML: "),
    ],
)
def test_mistakes_are_told_before_anything_is_done(project, change, said):
    (project / "pyproject.toml").write_text(CONFIG.replace(*change), encoding="utf-8")
    done = run("generate", "shop", cwd=project)
    assert 2 == done.returncode
    assert f"Error: {project / 'pyproject.toml'}: {said}" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not (project / "generated").exists()


@pytest.mark.slow
def test_a_factory_that_fails_while_it_is_imported_is_told(project):
    (project / "checks" / "make.py").write_text(f"{MAKE}\n1 / 0\n", encoding="utf-8")
    done = run("generate", "shop/db.py", "--json", "-", "-j1", cwd=project)
    assert 1 == done.returncode
    (module,) = json.loads(done.stdout)["modules"]
    what = "factories: checks.make:conn, which is to make shop.db.Conn, can't be imported: ZeroDivisionError"
    assert f"its configuration is wrong: {project / 'pyproject.toml'}: {what}" in module["error"]


@pytest.mark.slow
def test_the_same_from_python(project):
    program = (
        "import tracetwin\n"
        "given = {'max_runs': 100, 'jobs': 1}\n"
        "(first,) = tracetwin.generate_tests('shop/cart.py', **given)\n"
        "(second,) = tracetwin.generate_tests('shop/cart.py', output='all', config=False, **given)\n"
        "print(first.test_file, *('drop_table' in m.test_file.read_text() for m in (first, second)))\n"
        "try:\n"
        "    tracetwin.generate_tests('shop/cart.py', config='nosuch.toml')\n"
        "except tracetwin.ConfigError as error:\n"
        "    print(error)\n"
    )
    path = {"PYTHONPATH": str(ROOT), "TRACETWIN_CACHE": str(project / ".cache")}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project, env={**os.environ, **path},
        text=True, capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    expected = f"{project / 'generated' / 'test_shop_cart.py'} False True\n"
    assert expected == done.stdout[: len(expected)], done.stderr
    assert "nosuch.toml: can't be read: No such file or directory" in done.stdout
