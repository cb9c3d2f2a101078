"""Equivalent mutants are named and count apart; of survivors, the test that comes closest is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from tracetwin.cli.main import main

SOURCE = """\
def larger(first: int, second: int) -> int:
    if first > second:
        return first
    return second


def joined(names: list[str]) -> int:
    total = 0
    for name in sorted(names):
        total += len(name)
    return total
"""


def test_fates_of_mutants_are_told(tmp_path: Path) -> None:
    (tmp_path / "equivalent_sample.py").write_text(SOURCE)
    target, result = str(tmp_path / "equivalent_sample.py"), tmp_path / "r.json"
    little = ["--max-runs", "60", "--no-journal", "--json", str(result)]
    done = CliRunner().invoke(main, ["generate", target, "-o", str(tmp_path / "t"), *little])
    assert 0 == done.exit_code, done.output
    (module,) = json.loads(result.read_text())["modules"]
    mutants: dict[str, dict[str, Any]] = {one["change"]: one for one in module["mutants"]}
    border = "`>` becomes `>=` in `first > second`"
    assert "equivalent" == mutants[border]["fate"]
    assert f"equivalent (proved): line 2: {border}" in done.output
    (goal,) = [one for one in module["goals"] if one["name"].endswith(border)]
    assert "infeasible" == goal["fate"]
    survivor = mutants["`sorted` becomes `list` in `sorted(names)`"]
    assert "survived" == survivor["fate"], "it is equivalent, and not proved so"
    assert survivor["closest"].startswith("TestJoined.test_joined_")
