"""The dialect that `docs/extending.md` adds: taken from the page, found by its entry point, and written."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.emit.dialects.test_conformance import SIDES, of_check
from tests.emit.test_suite import CLAMP, CLAMPS, run, written
from tracetwin.emit.dialects.base import dialect_of
from tracetwin.emit.source.checks import Check
from tracetwin.emit.source.layout import Atom
from tracetwin.emit.suite import build_suite
from tracetwin.model.options import STYLES

PAGE = Path(__file__).parents[3] / "docs" / "extending.md"


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The page's file on the path, with the metadata that its package would have."""
    section = PAGE.read_text(encoding="utf-8").partition("\n## A dialect\n")[2].partition("\n## ")[0]
    ((name, text),) = re.findall(r'```python title="(\w+\.py)"\n(.*?)```', section, re.DOTALL)
    ((group, line),) = re.findall(r"```toml\n\[project\.entry-points\.\"(.*?)\"\]\n(.*?)\n```", section)
    about = tmp_path / "site" / "house_dialect-1.0.dist-info"
    about.mkdir(parents=True)
    (about.parent / name).write_text(text, encoding="utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: house-dialect\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{group}]\n{line.replace(chr(34), '')}\n")
    monkeypatch.syspath_prepend(str(about.parent))
    yield
    sys.modules.pop(name.removesuffix(".py"), None)


def test_it_is_found_and_its_checks_tell_right_from_wrong() -> None:
    assert "house" in STYLES.names()
    for kind, expected, right, wrong in SIDES:
        other = None if expected is None else Atom(expected)
        of_check(dialect_of("house"), Check(kind, Atom(right), other))
        with pytest.raises((AssertionError, IndexError)):
            of_check(dialect_of("house"), Check(kind, Atom(wrong), other))


def test_a_suite_is_written_in_it_and_passes(tmp_path: Path) -> None:
    suite = build_suite(written(tmp_path, CLAMP), CLAMPS, style="house")
    assert "import house_testing\n" in suite.text
    assert "class TestClamp(house_testing.HouseCase):\n" in suite.text
    assert "self.verify(0, clamp(-1, 0, 9))" in suite.text
    source = dialect_of("house").stand_ins["house_testing"]
    (tmp_path / "house_testing.py").write_text(source, encoding="utf-8")
    done = run(suite, tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"Ran {len(suite.written)} tests" in done.stderr
