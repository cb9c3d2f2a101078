"""Texts as code points: every operation says what Python does, for texts of one length and of several."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.expr import Node, Sort, apply, const, make, sort_of, var
from runtime.ops import MEANINGS
from tracetwin.solving.smt.chars.characters import Characters
from tracetwin.solving.smt.floats.reals import Reals
from tracetwin.solving.smt.ints.encoding import Integers
from tracetwin.solving.smt.terms import Terms
from tracetwin.solving.smt.translate import Translator, side_conditions
from tracetwin.solving.smt.z3lib import z3

METHODS: list[tuple[str, Any, tuple[Any, ...]]] = [
    ("slice", "abcde", (-4, None, 2)), ("slice", "abcde", (None, None, -2)), ("item", "abc", (-2,)),
    ("mul", "ab", (3,)), ("add", "ab", ("",)), ("lt", "ab", ("abc",)), ("contains", "xaab", ("ab",)),
    ("str.find", "a,b,c", (",", 2)), ("str.rfind", "a,b,c", (",", 0, -2)), ("str.count", "aaaa", ("aa",)),
    ("str.startswith", "xab", ("ab", 1)), ("str.endswith", "abx", ("ab", 0, 2)),
    ("str.removeprefix", "abab", ("ab",)), ("str.removesuffix", "abab", ("ba",)),
    ("str.partition", "k=v=w", ("=",)), ("str.rpartition", "k=v=w", ("=",)), ("str.rpartition", "kv", ("=",)),
    ("str.split", "a--b", ("-",)), ("str.split", "a-b-c", ("-", 1)), ("str.rsplit", "a-b-c", ("-", 1)),
    ("str.split", " a \tb ", ()), ("str.rsplit", "aaa", ("aa",)), ("str.splitlines", "a\r\n\nb", ()),
    ("str.splitlines", "a\rb\n", (True,)), ("str.strip", " \ta b\n", ()), ("str.lstrip", "xyxa", ("yx",)),
    ("str.rstrip", "a..", (".",)), ("str.replace", "aXaX", ("X", "yy")), ("str.replace", "aaaa", ("aa", "")),
    ("str.replace", "abab", ("b", "cc", 1)), ("str.zfill", "-4", (5,)), ("str.center", "ab", (5, "*")),
    ("str.center", "abc", (6,)), ("str.ljust", "a", (3,)), ("str.rjust", "abcd", (3,)),
    ("str.expandtabs", "a\tb", (4,)), ("str.translate", "aqb", ({97: "xy", 113: None, 98: 99},)),
    ("str.upper", "aZ1", ()), ("str.title", "ab cD1e", ()), ("str.capitalize", "aBC", ()),
    ("str.swapcase", "aB", ()), ("str.istitle", "Ab Cd", ()), ("str.istitle", "AB", ()),
    ("str.isspace", "\u2003 ", ()), ("str.isidentifier", "_a1", ()), ("str.isidentifier", "1a", ()),
    ("str.encode", "a\u00e9\u20ac\U0001f600", ()), ("str.encode_ok", "a\ud800", ()),
    ("str.encode_ok", "\u00e9", ("ascii",)), ("bytes.decode", "h\u00e9\u20ac".encode(), ()),
    ("bytes.decode_ok", b"\xc3\xa9\xff", ()), ("bytes.decode_ok", b"\xed\xa0\x80", ()),
    ("bytes.hex", b"\x0a\xff", ()), ("bytes.translate", b"abc", (None, b"b")), ("bytes.find", b"abc", (99,)),
    ("from_bytes", b"\xff\x01", ("big", True)), ("from_bytes", b"\x01\x02", ("little", False)),
    ("binascii.b2a_base64", b"hi", (False,)), ("format", "abc", ("^7",)), ("format", "abc", (">5.2",)),
    ("repr", "it's\n", ()), ("repr", "a\"'\\", ()),
]  # fmt: skip

NUMBERS: list[tuple[str, Any, tuple[Any, ...]]] = [
    ("str", 0, ()), ("str", -120, ()), ("hex", 48879, ()), ("bin", -5, ()), ("format", 42, ("05d",)),
    ("format", -42, ("<6d",)), ("format", 1234567, (",",)), ("format", 255, ("#06X",)),
    ("format", 7, ("^+5",)), ("to_bytes", -2, (3, "big", True)), ("format", 2.125, ("08.1f",)),
    ("format", 1234.5, (",.2f",)),
]  # fmt: skip


def _questions(op: str, value: Any, rest: tuple[Any, ...]) -> list[tuple[Node, Any]]:
    """The expression and its value, or its length and its elements."""
    expected = MEANINGS[op](value, *rest)
    operands = (var("x", sort_of(value)), *map(const, rest))
    node = make(op, sort_of(expected), operands)
    if not isinstance(expected, (list, tuple)):
        return [(node, expected)]
    elements = [(apply("item", sort_of(part), node, const(i)), part) for i, part in enumerate(expected)]
    last = apply("item", sort_of(expected[-1]), node, const(-1))
    return [(apply("len", Sort.INT, node), len(expected)), *elements, (last, expected[-1])]


def _assert_only(theory: Characters, translator: Translator, value: Any, node: Node, expected: Any) -> None:
    """With the input held at its value, the node has the expected one and no other."""
    t = translator.terms
    held = translator.translate(make("eq", Sort.BOOL, (var("x", sort_of(value)), const(value))))
    part = translator.translate(node)
    assert part.term is not None, f"{node} has no term"
    solver = z3.SimpleSolver(ctx=t.context)
    solver.add(*theory.facts, *side_conditions(translator, [part, held]), held.term)
    same = translator.equals(node, expected)
    solver.push()
    solver.add(same)
    assert solver.check() == z3.sat, f"{node} is {expected!r} for {value!r}"
    solver.pop()
    solver.add(t.not_(same))
    assert solver.check() == z3.unsat, f"{node} is only {expected!r} for {value!r}"


@pytest.mark.parametrize("case", METHODS, ids=ascii)
@pytest.mark.parametrize("room", [0, 1])
def test_operations_on_texts_are_exact(case: tuple[str, Any, tuple[Any, ...]], room: int) -> None:
    op, value, rest = case
    terms = Terms()
    theory = Characters(terms, {"x": (len(value) - room, len(value) + room)})
    translator = Translator(Integers(terms), Reals(terms), theory)
    for node, expected in _questions(op, value, rest):
        _assert_only(theory, translator, value, node, expected)


@pytest.mark.parametrize("case", NUMBERS, ids=ascii)
def test_digits_of_numbers_are_exact(case: tuple[str, Any, tuple[Any, ...]]) -> None:
    op, value, rest = case
    terms = Terms()
    theory = Characters(terms, {})
    translator = Translator(Integers(terms), Reals(terms), theory)
    for node, expected in _questions(op, value, rest):
        _assert_only(theory, translator, value, node, expected)
