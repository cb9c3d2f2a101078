"""Containers: a twin does with traced lists, dicts, sets and tuples what Python does with native ones."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.gaps import DIFFERS, LOSES
from tests.runtime.programs import Program, assert_agrees, assert_path_decides, programs

PROGRAMS = programs(Path(__file__).parent / "data" / "container_programs.py")
SAMPLES = 40
WORDS = ("", "a", "b", "ab", "zz")


def _number(rng: random.Random) -> int:
    return rng.randint(-3, 5)


def _numbers(rng: random.Random, longest: int = 3) -> list[int]:
    return [_number(rng) for _ in range(rng.randint(0, longest))]


def _mapping(rng: random.Random, longest: int = 3) -> dict[str, int]:
    return {rng.choice(WORDS): _number(rng) for _ in range(rng.randint(0, longest))}


DRAWN: dict[str, Callable[[random.Random], Any]] = {
    "xs": lambda rng: _numbers(rng, 4),
    "ys": _numbers,
    "rows": lambda rng: [_numbers(rng) for _ in range(rng.randint(0, 3))],
    "words": lambda rng: [rng.choice(WORDS) for _ in range(rng.randint(0, 3))],
    "d": _mapping,
    "e": lambda rng: _mapping(rng, 2),
    "s": lambda rng: set(_numbers(rng)),
    "u": lambda rng: set(_numbers(rng)),
    "pair": lambda rng: (_number(rng), _number(rng)),
    "k": _number,
    "j": _number,
    "p": lambda rng: rng.choice([-2, -1, 0, 1, 2]),
    "b": lambda rng: rng.random() < 0.5,
    "c": lambda rng: rng.random() < 0.5,
    "f": lambda rng: rng.choice([0.0, 1.0, 2.0, -0.5, 1.5]),
    "w": lambda rng: rng.choice(WORDS),
}


def drawn(program: Program, rng: random.Random) -> dict[str, Any]:
    return {name: DRAWN[name](rng) for name in program.parameters}


def cases(gaps: dict[str, str]) -> list[Any]:
    """All programs; those that are known to fail say so."""
    return [
        pytest.param(
            p,
            id=p.name,
            marks=[pytest.mark.xfail(reason=gaps[p.name], strict=False)] if p.name in gaps else (),
        )
        for p in PROGRAMS
    ]


@pytest.mark.parametrize("program", cases(DIFFERS))
def test_a_twin_does_what_the_program_does(program: Program) -> None:
    rng = random.Random(program.name)
    for _ in range(SAMPLES):
        assert_agrees(program, drawn(program, rng))


@pytest.mark.parametrize("program", cases(DIFFERS | LOSES))
def test_a_path_holds_every_decision(program: Program) -> None:
    rng = random.Random(program.name)
    met = 0
    for _ in range(SAMPLES * 3):
        arguments = drawn(program, rng)
        others = drawn(program, rng)
        for name in rng.sample(sorted(arguments), rng.randint(0, len(arguments) - 1)):
            others[name] = arguments[name]
        met += assert_path_decides(program, arguments, others)
    assert met, "no input met the path of another: this shows nothing"


EXTENDED = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
from runtime.inputs import Inputs
inputs = Inputs({})
size, token = inputs.length("n", 2, 4)
xs = inputs.listed([inputs.integer("a"), inputs.integer("b")], token)
xs.extend(xs)
assert [0, 0, 0, 0] == xs
"""


def test_a_list_may_be_extended_by_itself() -> None:
    """In a process of its own, with little memory."""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", EXTENDED], cwd=root, capture_output=True, timeout=30, check=False
    )
    assert 0 == done.returncode
