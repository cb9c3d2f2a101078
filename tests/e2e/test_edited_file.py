"""What a user made of a generated file is kept, whatever is generated later."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from tests.e2e.command import run

pytestmark = pytest.mark.slow

SOURCE = "def sign(x: int) -> int:\n    return 1 if x > {limit} else -1\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "signs.py").write_text(SOURCE.format(limit=0))
    return tmp_path


def generate(project: Path) -> tuple[Path, str]:
    """The file that was written, and what was said."""
    options = ("-j", "1", "--max-runs", "20", "--time-limit", "60", "--json", "found.json", "--accept")
    done = run("generate", "signs.py", "-o", "out", *options, cwd=project, timeout=240)
    assert done.returncode == 0, done.stderr
    module = json.loads((project / "found.json").read_text())["modules"][0]
    return project / module["test_file"], done.stdout + done.stderr


def functions_in(file: Path) -> dict[str, str]:
    """The tests of a file by name."""
    nodes = ast.walk(ast.parse(file.read_text()))
    return {node.name: ast.unparse(node) for node in nodes if isinstance(node, ast.FunctionDef)}


def test_tests_that_a_user_took_over_are_kept_and_not_written_again(project: Path) -> None:
    place, said = generate(project)
    assert place == project / "out" / "test_signs.py"
    assert "yours" not in said
    first = place.read_text()

    (project / "signs.py").write_text(SOURCE.format(limit=100))
    assert generate(project)[0] == place
    second = place.read_text()
    assert second != first

    place.write_text(second.replace("def test_", "def test_my_"))
    theirs = functions_in(place)
    assert generate(project)[0] == place
    assert functions_in(place) == theirs
    assert [entry.name for entry in place.parent.iterdir()] == ["test_signs.py"]


def test_a_file_that_is_none_of_ours_is_kept_and_the_new_one_goes_beside_it(project: Path) -> None:
    place = project / "out" / "test_signs.py"
    place.parent.mkdir()
    place.write_text("# The user's own.\n")
    beside, said = generate(project)
    assert place.read_text() == "# The user's own.\n"
    assert beside == place.with_name("test_signs.py.new")
    assert "out/test_signs.py.new" in said
    assert sorted(entry.name for entry in place.parent.iterdir()) == ["test_signs.py", "test_signs.py.new"]


def test_names_that_differ_in_dots_only_get_two_files(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "__init__.py").write_text("")
    (tmp_path / "a" / "b.py").write_text(SOURCE.format(limit=0))
    (tmp_path / "a_b.py").write_text(SOURCE.format(limit=100))
    limits = ("-j", "2", "--max-runs", "20", "--time-limit", "60")
    done = run("generate", "a/b.py", "a_b.py", "-o", "out", *limits, cwd=tmp_path, timeout=240)
    assert done.returncode == 0, done.stderr
    first, second = (tmp_path / "out" / name for name in ("test_a_b.py", "test_a_b_2.py"))
    assert "from a.b import" in first.read_text()
    assert "from a_b import" in second.read_text()
