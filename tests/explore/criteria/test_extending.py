"""The criterion that `docs/extending.md` adds: taken from the page, found by its entry point, and used."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.explore.criteria.conformance import check
from tests.explore.criteria.test_all import generated
from tracetwin.explore.criteria.base import criterion_named
from tracetwin.model.goal import GoalFate
from tracetwin.model.options import CRITERIA
from tracetwin.support.choices import ChoiceError

PAGE = Path(__file__).parents[3] / "docs" / "extending.md"
SOURCE = """\
def half(n: int) -> int:
    if n < 0:
        raise ValueError("negative")
    if n % 2 == 1:
        raise ArithmeticError("odd")
    if n > 10:
        return 5
    if n * n == -1:
        raise OSError("never")
    return n // 2
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path with the page's file, and with the metadata that its package would have."""
    section = PAGE.read_text(encoding="utf-8").partition("\n## A criterion\n")[2].partition("\n## ")[0]
    ((name, text),) = re.findall(r'```python title="(\w+\.py)"\n(.*?)```', section, re.DOTALL)
    ((group, line),) = re.findall(r"```toml\n\[project\.entry-points\.\"(.*?)\"\]\n(.*?)\n```", section)
    site = tmp_path / "site"
    described = site / "raising-1.0.dist-info"
    described.mkdir(parents=True)
    (site / name).write_text(text, encoding="utf-8")
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: raising\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(f"[{group}]\n{line.replace(chr(34), '')}\n")
    monkeypatch.syspath_prepend(str(site))
    criterion_named.cache_clear()
    yield site
    criterion_named.cache_clear()
    sys.modules.pop(name.removesuffix(".py"), None)


@pytest.mark.usefixtures("installed")
def test_it_is_found_and_conforms() -> None:
    assert "raising" in CRITERIA.names()
    check(criterion_named("raising"))


@pytest.mark.usefixtures("installed")
def test_its_goals_are_searched_for_selected_and_reported(tmp_path: Path) -> None:
    result = generated(tmp_path, "raising", SOURCE)
    assert [GoalFate.COVERED, GoalFate.COVERED, GoalFate.OPEN] == [goal.fate for goal in result.goals]
    assert result.goals[2].reason
    assert 2 <= result.tests <= 3
    assert result.test_file is not None
    text = result.test_file.read_text()
    assert "ValueError" in text
    assert "ArithmeticError" in text


def test_a_broken_one_is_told_by_name(installed: Path) -> None:
    (installed / "raising.py").write_text("CRITERION = 1 / 0\n")
    with pytest.raises(ChoiceError, match="'raising' of raising can't be loaded: ZeroDivisionError"):
        criterion_named("raising")
    (installed / "raising.py").write_text("CRITERION = 'raising'\n")
    with pytest.raises(ChoiceError, match="is no Criterion but a str"):
        criterion_named("raising")
