"""The layout against the formatter that has to agree with it."""

from __future__ import annotations

import ast
import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import Atom, Group, Prefixed, Quoted, call, columns, lay_out, quoted
from tracetwin.emit.source.literals import Writer
from tracetwin.model import codec
from tracetwin.model.recipe import Lambda

RUFF = shutil.which("ruff") or str(Path(sys.executable).with_name("ruff"))

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(10**90), 10**90),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=250),
    st.text(alphabet="ab'\"\\\nä中\ud800 ", max_size=300),
    st.binary(max_size=120),
    st.text(alphabet="abc d", min_size=70, max_size=110),
).map(lambda value: ("lit", value))
keys = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=130), st.binary(max_size=90)).map(
    lambda value: ("lit", value)
)


def containers(parts: Any) -> Any:
    long_keys = keys | st.tuples(st.just("tuple"), st.lists(keys, max_size=4))
    keywords = st.lists(parts, max_size=2).map(lambda some: list(zip(["a", "b" * 22], some, strict=False)))
    return st.one_of(
        st.tuples(st.sampled_from(["list", "tuple"]), st.lists(parts, max_size=5)),
        st.tuples(st.just("dict"), st.lists(st.tuples(long_keys, parts), max_size=4)),
        st.tuples(st.sampled_from(["set", "frozenset"]), st.lists(keys, max_size=5)),
        st.tuples(st.just("lambda"), st.integers(-1, 3), parts),
        st.tuples(st.just("call"), st.just("m"), st.just("Foo"), st.lists(parts, max_size=3), keywords),
    )


recipes = st.recursive(scalars, containers, max_leaves=12).map(codec.recipe)


def writer() -> Writer:
    return Writer(Namespace("m").name, lambda name: name, lambda parameters, result: "function")


def ruff(*arguments: str, text: str) -> subprocess.CompletedProcess[bytes]:
    command = [RUFF, *arguments, "--isolated", "--no-cache", "--line-length", "100", "-"]
    return subprocess.run(command, input=text.encode(), capture_output=True, check=False)


# Without shrinking: a failure shows the formatter's difference, and every try starts a process.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=[Phase.generate],
)
@given(st.lists(recipes, min_size=10, max_size=25))
def test_ruff_leaves_every_layout_as_it_is(many: list[Any]) -> None:
    lines: list[str] = []
    for recipe in many:
        node = writer().recipe(recipe)
        lines += lay_out("", call("self.assertEqual", [node, Atom("result")]), "", 8)
        lines += lay_out("a_name = ", node, "", 8)
        lines += lay_out("box = ", call("Foo", [Prefixed("key=", node)]), "", 8)
        if not isinstance(recipe, Lambda):  # ruff has its own way with a lambda alone in a call
            lines += lay_out("", call("process", [node]), "", 8)
    text = "class T:\n    def test(self):\n" + "\n".join(lines) + "\n"
    done = ruff("format", "--diff", text=text)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert [line for line in lines if columns(line) > 100] == []
    checked = ruff("check", "--select", "ISC,E501,F601,B033", text=text)
    assert checked.returncode == 0, checked.stdout.decode()


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(scalars)
def test_a_literal_evaluates_to_the_value_it_was_written_for(plain: Any) -> None:
    _, value = plain
    text = "\n".join(lay_out("x = ", writer().recipe(codec.recipe(plain))))
    names: dict[str, Any] = {"math": math}
    exec(text, names)
    assert type(names["x"]) is type(value)
    assert repr(names["x"]) == repr(value)


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        ("it's", '"it\'s"'),
        ('say "no"', "'say \"no\"'"),
        ("a\nb\tc\\", r'"a\nb\tc\\"'),
        ("\ud800", r'"\ud800"'),
        ("ä中☃", '"ä中☃"'),
        ("\u202e\u200b\u0301\x07", r'"\u202e\u200b\u0301\x07"'),
        ("\U0001f600", '"\U0001f600"'),
        (b"\x00\xff'", r'''b"\x00\xff'"'''),
    ],
)
def test_quoted(value: str | bytes, literal: str) -> None:
    assert quoted(value) == literal
    assert ast.literal_eval(literal) == value


@pytest.mark.parametrize(
    ("value", "source"),
    [
        (10**70, "10**70"),
        (-(2**300) + 1, "-(2**300 - 1)"),
        ([0] * 9, "[0] * 9"),
        (("a",) * 8, '("a",) * 8'),
        (list(range(9)), "list(range(9))"),
        (tuple(range(20, 0, -2)), "tuple(range(20, 1, -2))"),
        ([1, 2, 3], "[1, 2, 3]"),
        ("x" * 40, '"x" * 40'),
        (1e22, "1e22"),
        (set(), "set()"),
    ],
)
def test_long_regular_values_are_written_in_few_words(value: Any, source: str) -> None:
    from tests.emit.support import recipe

    assert writer().recipe(recipe(value)).flat() == source
    assert eval(source) == value


def test_a_string_too_long_for_a_line_is_broken_at_line_ends_first() -> None:
    assert lay_out("x = ", Quoted("one line\n" * 4 + "z" * 70)) == [
        "x = (",
        *['    "one line\\n"'] * 4,
        f'    "{"z" * 70}"',
        ")",
    ]


def test_a_tuple_of_one_keeps_its_comma() -> None:
    assert Group("(", (Atom("1"),), ")").flat() == "(1,)"
    assert call("f", [Atom("1")]).flat() == "f(1)"
