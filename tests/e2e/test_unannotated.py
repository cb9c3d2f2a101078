"""A project without annotations: its stubs, its docstrings and its tests tell what to pass."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from tests.e2e.command import run, run_suite

pytestmark = pytest.mark.slow

ROUTES = '''
def toll(route, load, permit=None):
    """What a lorry pays.

    Args:
        route (list of str): the motorways, in order.
        load: in tons.
    """
    if load.gross > 40:
        raise ValueError("too heavy")
    if "A7" in route and permit == "night-7781":
        return 0
    return len(route) * 3


def season(when):
    if when == SPECIAL:
        return "none"
    return when


SPECIAL = object()


async def first(feed, gate):
    async with gate:
        async for item in feed:
            if item > 12:
                return item
    return None
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A module with a stub for one function, and a test that calls another."""
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "routes.py").write_text(ROUTES, encoding="utf-8")
    stub = "from datetime import date\ndef season(when: date) -> object: ...\n"
    (tmp_path / "routes.pyi").write_text(stub, encoding="utf-8")
    test = """
    import types
    from routes import toll
    def test_permit():
        assert toll(["A7"], types.SimpleNamespace(gross=3), "night-7781") == 0
    """
    (tmp_path / "test_by_hand.py").write_text(textwrap.dedent(test), encoding="utf-8")
    return tmp_path


def test_what_the_project_says_of_parameters_reaches_their_branches(project: Path) -> None:
    report = project / "result.json"
    options = ["--max-runs", "400", "--json", str(report)]
    done = run("generate", project / "routes.py", "-o", project / "out", *options, cwd=project)
    assert done.returncode == 0, done.stderr
    (module,) = json.loads(report.read_text(encoding="utf-8"))["modules"]
    missed = [miss["line"] for miss in module["uncovered"]]
    assert missed == [ROUTES.splitlines().index('        return "none"') + 1]
    suite = Path(module["test_file"])
    assert "date(" in suite.read_text(encoding="utf-8")
    assert run_suite(suite.parent, project).returncode == 0
