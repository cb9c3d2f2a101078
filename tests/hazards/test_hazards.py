"""Hostile modules as a user meets them: nothing around them changes, and the command goes on.

Some of them here; all of them, and what their acts do without the tool, by ``make hazards``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hazards.alone import proofs
from tests.hazards.attempt import attempt
from tests.hazards.canary import Canary
from tests.hazards.hazard import IMPORT, Hazard, discover, read
from tests.hazards.project import has_compiler

SOME = """
    deletes links lying_paths programs network guard_at_import shadows allowed_folder extension_processes
    abort_at_import module_replaced_at_import exits segfaults
""".split()
PROVED = {"deletes": "removes", "signals": "disturbs", "reads": "through_text", "network": "sends"}

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks after processes by /proc")


QUICK = frozenset(("abort_at_import", "network"))


def _chosen() -> list[Any]:
    return [
        pytest.param(
            hazard, marks=() if hazard.name in QUICK else pytest.mark.slow, id=f"{hazard.room}/{hazard.name}"
        )
        for hazard in discover(() if os.environ.get("HAZARDS") == "all" else SOME)
    ]


@pytest.mark.parametrize("hazard", _chosen())
def test_a_hazard_is_survived(
    hazard: Hazard, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if hazard.needs and not has_compiler():
        pytest.skip("needs a C compiler")
    outcome = attempt(hazard, tmp_path, tmp_path_factory.getbasetemp() / "twins")
    assert ((), ()) == (outcome.escapes, outcome.troubles), outcome.told


@pytest.mark.parametrize(("name", "act"), PROVED.items())
def test_an_act_does_harm_without_the_tool(name: str, act: str, tmp_path: Path) -> None:
    (hazard,) = discover([name])
    assert proofs(hazard, tmp_path, [act])[act]


def test_a_canary_that_was_left_alone_says_nothing(tmp_path: Path) -> None:
    with Canary(tmp_path / "canary") as canary:
        assert not canary.damage()


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ('"""About."""\n# alone: harmless\n', "is none of"),
        ('"""About."""\n# alone: no nothing\n', "is none of"),
        ("x = 1\n", "has no docstring"),
    ],
)
def test_a_description_without_sense_is_an_error(tmp_path: Path, file: str, words: str) -> None:
    (tmp_path / "hazard.py").write_text(file)
    with pytest.raises(ValueError, match=words):
        read(tmp_path / "hazard.py")


def test_there_are_enough_of_them() -> None:
    assert len(discover()) >= 60


def test_importing_is_an_act_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "hazard.py").write_text('"""About."""\n# import: acts\n\n\ndef fine(number): ...\n')
    assert (IMPORT,) == read(tmp_path / "hazard.py").acts
