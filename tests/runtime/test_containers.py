"""Containers: what a twin does with traced lists, dicts, sets and tuples is what Python does with native ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.programs import Program, assert_agrees, assert_path_decides, programs

PROGRAMS = programs(Path(__file__).parent / "data" / "container_programs.py")

SMALL = st.integers(-3, 5)
WORDS = st.sampled_from(["", "a", "b", "ab", "zz"])
ARGUMENTS: dict[str, st.SearchStrategy[Any]] = {
    "xs": st.lists(SMALL, max_size=4),
    "ys": st.lists(SMALL, max_size=3),
    "rows": st.lists(st.lists(SMALL, max_size=3), max_size=3),
    "words": st.lists(WORDS, max_size=3),
    "d": st.dictionaries(WORDS, SMALL, max_size=3),
    "e": st.dictionaries(WORDS, SMALL, max_size=2),
    "s": st.sets(SMALL, max_size=3),
    "u": st.sets(SMALL, max_size=3),
    "pair": st.tuples(SMALL, SMALL),
    "k": SMALL,
    "j": SMALL,
    "p": st.sampled_from([-2, -1, 0, 1, 2]),
    "b": st.booleans(),
    "c": st.booleans(),
    "f": st.sampled_from([0.0, 1.0, 2.0, -0.5, 1.5]),
    "w": WORDS,
}

each = pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)


def arguments_of(program: Program) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({name: ARGUMENTS[name] for name in program.parameters})


@each
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_twin_does_what_the_program_does(program: Program, data: st.DataObject) -> None:
    assert_agrees(program, data.draw(arguments_of(program)))


@each
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_a_path_holds_every_decision(program: Program, data: st.DataObject) -> None:
    arguments = arguments_of(program)
    assert_path_decides(program, data.draw(arguments), data.draw(arguments))
