"""Identity of traced numbers: equal small ints are one object, larger ones are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.programs import Program, assert_agrees, assert_path_decides, programs

_SOURCE = """\
SMALL, LARGE = 3, 12345

def is_mode(mode):
    if mode is SMALL:
        return "small"
    return "other"

def is_none_of(mode):
    return mode is not SMALL and mode is not LARGE

def is_itself(mode):
    return mode is mode

def are_one(mode):
    other = mode + 0
    return other is mode if -5 <= mode <= 256 else None

def is_flag(mode):
    return mode is True or mode is None
"""


@pytest.fixture(name="all_programs", scope="module")
def _all_programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Program]:
    file: Path = tmp_path_factory.mktemp("identity") / "identity.py"
    file.write_text(_SOURCE, encoding="utf-8")
    return {program.name: program for program in programs(file)}


_NAMES = ["is_mode", "is_none_of", "is_itself", "are_one", "is_flag"]


@pytest.mark.parametrize("mode", [-6, -5, 0, 3, 256, 257, 12345 * 7, 3.0, True])
@pytest.mark.parametrize("name", _NAMES)
def test_identity_of_a_traced_number_is_that_of_the_number(all_programs, name, mode):
    assert_agrees(all_programs[name], {"mode": mode})


@pytest.mark.parametrize("other", [0, 3, 4])
@pytest.mark.parametrize("mode", [0, 3])
def test_identity_with_a_small_int_is_a_condition_of_the_path(all_programs, mode, other):
    followed = assert_path_decides(all_programs["is_mode"], {"mode": mode}, {"mode": other})
    assert followed == ((mode == 3) == (other == 3))
