"""Cases that only show that a guess at a type was wrong make no tests, unless they are asked for."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.emit.support import Recipe, function, method, raised, step
from tracetwin.analysis.misuse import speaking_of
from tracetwin.cli.main import main
from tracetwin.emit.select.misuse import misuse
from tracetwin.model.case import Case

SOURCE = """\
def shout(text):
    return text.upper()


def put(text: str) -> str:
    return text.upper()


class Pile:
    def __init__(self, items):
        self.items = items

    def add(self, item):
        self.items.append(item)

    def total(self) -> int:
        return sum(self.items)
"""
SPEAKING = speaking_of(ast.parse(SOURCE))


def piled(name: str, *before: Any) -> Case:
    return method("pile", f"Pile.{name}", *before, step(("method", "box", name)), made=([],))


def test_an_error_of_the_interpreter_behind_a_guessed_type_is_a_misuse() -> None:
    error = raised("AttributeError", raised_at=2)
    assert "AttributeError in line 2" in misuse(function("pile", "shout", 0), error, SPEAKING)
    assert not misuse(function("pile", "shout"), error, SPEAKING), "nothing was passed"


def test_a_name_that_a_module_lacks_is_no_fault_of_an_argument() -> None:
    message = "module 'piles.parts' has no attribute 'part'"
    assert not misuse(function("pile", "shout", 0), raised("AttributeError", message=message), SPEAKING)
    passed = Recipe("call", "types", "ModuleType", [("lit", "piles.parts")], [])
    assert misuse(function("pile", "shout", passed), raised("AttributeError", message=message), SPEAKING)
    message = "type object 'Part' has no attribute 'part'"
    assert misuse(function("pile", "shout", 0), raised("AttributeError", message=message), SPEAKING)


@pytest.mark.parametrize(
    ("message", "own"),
    [
        ("'zip' object is not subscriptable", True),
        ("unsupported operand type(s) for +: 'dict_keys' and 'list'", True),
        ("object of type 'map' has no len()", True),
        ("'int' object is not subscriptable", False),
    ],
)
def test_what_the_code_makes_itself_is_no_fault_of_an_argument(message: str, own: bool) -> None:
    error = raised("TypeError", message=message, raised_at=2)
    assert bool(misuse(function("pile", "shout", 0), error, SPEAKING)) is not own


def test_an_error_behind_an_annotation_shows_a_fault() -> None:
    assert not misuse(function("pile", "put", None), raised("AttributeError", raised_at=6), SPEAKING)


def test_a_number_beyond_measure_and_half_a_character_show_nothing() -> None:
    overflow, encoding = raised("OverflowError", raised_at=6), raised("UnicodeEncodeError", raised_at=6)
    assert "OverflowError" in misuse(function("pile", "put", 10**12), overflow, SPEAKING)
    assert not misuse(function("pile", "put", 709.9), overflow, SPEAKING), "a caller may have such a number"
    assert not misuse(function("pile", "put", 12345), overflow, SPEAKING)
    assert "UnicodeEncodeError" in misuse(function("pile", "put", "\ud800"), encoding, SPEAKING)
    assert not misuse(function("pile", "put", "ä"), encoding, SPEAKING)
    speaking = speaking_of(ast.parse("def far(n):\n    raise OverflowError"))
    assert not misuse(function("m", "far", 10**12), raised("OverflowError", raised_at=2), speaking)


def test_raising_what_is_no_exception_is_a_misuse() -> None:
    speaking = speaking_of(ast.parse("def fail(error):\n    raise error"))
    message = "exceptions must derive from BaseException"
    assert misuse(function("m", "fail", 0), raised("TypeError", message=message, raised_at=2), speaking)
    assert not misuse(function("m", "fail", 0), raised("TypeError", message="no", raised_at=2), speaking)


@pytest.mark.parametrize("error", [raised("ValueError"), raised("TypeError", module="pile")])
def test_other_errors_are_none(error: Any) -> None:
    assert not misuse(function("pile", "shout", 0), error, SPEAKING)


def test_what_was_passed_before_the_call_counts() -> None:
    error = raised("TypeError", raised_at=17)
    assert misuse(piled("total", step(("method", "box", "add"), "a")), error, SPEAKING)
    assert misuse(piled("total"), error, SPEAKING), "its constructor takes a guess"


def test_types_that_are_said_elsewhere_are_no_guesses() -> None:
    error = raised("AttributeError", raised_at=2)
    assert not misuse(function("pile", "shout", 0), error, SPEAKING, typed={"shout"})
    assert misuse(function("pile", "put", None), error, SPEAKING, typed={"shout"})


GUESSED = """\
def level(reading):
    if reading == "high":
        return 3
    return reading.strip() + "!"


def checked(value):
    if not isinstance(value, int):
        raise TypeError("a whole number, please")
    return value + 1


def absent(record: object) -> str:
    return record.name
"""


def generated(folder: Path, *options: str) -> tuple[dict[str, Any], str]:
    (folder / "guessed_sample.py").write_text(GUESSED)
    answer = CliRunner().invoke(
        main,
        ["generate", str(folder / "guessed_sample.py"), "-o", str(folder / "tests"), "--max-runs", "80",
         "-j", "1", "-q", "--no-journal", "--again", "--json", str(folder / "result.json"),
         "--suspicious", "include", "--criterion", "branch,exception", *options],
    )  # fmt: skip
    assert answer.exit_code == 0, answer.output
    text = (folder / "tests" / "test_guessed_sample.py").read_text()
    plain = json.loads((folder / "result.json").read_text())
    return plain["modules"][0], text


@pytest.mark.slow
def test_a_suite_has_no_misuse_and_does_not_count_it_unless_it_is_asked_for(tmp_path: Path) -> None:
    module, text = generated(tmp_path)
    errors = re.findall(r"assertRaises(?:Regex)?\((\w+)", text)
    assert errors == ["TypeError"], "the one that the code raises itself"
    assert "a whole number, please" in text
    goals = {goal["name"] for goal in module["goals"] if goal["criterion"] == "exception"}
    assert not any("AttributeError" in name for name in goals)
    _, text = generated(tmp_path, "--misuse", "keep", "--accept")
    assert "AttributeError" in text


def test_what_a_neighbour_states_is_no_misuse() -> None:
    error = raised("TypeError", raised_at=2)
    assert misuse(function("pile", "shout", 0), error, SPEAKING)
    assert error.raised is not None
    stated = replace(error, raised=replace(error.raised, is_stated=True))
    assert not misuse(function("pile", "shout", 0), stated, SPEAKING)
