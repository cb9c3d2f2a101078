"""A table of conditions as programs have them: each must be solved, or refuted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from runtime.evaluate import evaluate, holds
from runtime.expr import Node, Sort, apply, const, negate, sort_of, var
from tracetwin.solving import Problem, Sat, Unsat, build_chain

INT, BOOL, FLOAT, STR, BYTES, OBJ = Sort


def node(op: str, sort: Sort, *args: object) -> Node:
    return apply(op, sort, *[arg if isinstance(arg, Node) else const(arg) for arg in args])


def is_(op: str, *args: object) -> Node:
    return node(op, BOOL, *args)


def length(text: Node) -> Node:
    return node("len", INT, text)


def add(*terms: object) -> Node:
    total = terms[0]
    for term in terms[1:]:
        total = node("add", sort_of(term) if not isinstance(term, Node) else term.sort, total, term)
    assert isinstance(total, Node)
    return total


X, Y, Z = var("x", INT), var("y", INT), var("z", INT)
F, G = var("f", FLOAT), var("g", FLOAT)
S, T = var("s", STR), var("t", STR)
B = var("b", BYTES)
FLAG = var("flag", BOOL)


@dataclass
class Puzzle:
    name: str
    goal: Node
    current: dict[str, Any]
    conditions: list[Node] = field(default_factory=list)


def part(text: Node, separator: str, index: int) -> Node:
    return node("item", STR, node("str.split", OBJ, text, separator), index)


def group(match: Node, text: Node, number: int) -> Node:
    span = node("item", OBJ, match, number)
    return node("slice", STR, text, node("item", INT, span, 0), node("item", INT, span, 1), None)


def number(text: object) -> Node:
    return node("int", INT, text)


def luhn(text: Node, length: int) -> Node:
    total = const(0)
    for place in range(length):
        digit = number(node("item", STR, text, place))
        if place % 2 == length % 2:
            double = node("mul", INT, digit, 2)
            digit = node("ite", INT, is_("gt", double, 9), node("sub", INT, double, 9), double)
        total = add(total, digit)
    return node("mod", INT, total, 10)


def polynomial_hash(text: Node, length: int) -> Node:
    total = const(0)
    for place in range(length):
        code = node("ord", INT, node("item", STR, text, place))
        total = node("mod", INT, add(node("mul", INT, total, 31), code), 1009)
    return total


BMI = node("truediv", FLOAT, F, node("mul", FLOAT, G, G))
DATE = [is_("eq", node("len", INT, node("str.split", OBJ, S, "-")), 3)] + [
    is_("int_ok", part(S, "-", i)) for i in range(3)
]
VERSION = node("re.match", OBJ, r"(\d+)\.(\d+)(-\w+)?$", 0, S)
MATCHED = negate(is_("is_none", VERSION))

SOLVABLE = [
    Puzzle("greater", is_("gt", X, 5), {"x": 0}),
    Puzzle("magic number", is_("eq", X, 123456789), {"x": 0}),
    Puzzle("linear", is_("eq", add(node("mul", INT, X, 37), node("mul", INT, Y, 23)), 12345),
           {"x": 0, "y": 0}),
    Puzzle("square", is_("eq", node("mul", INT, X, X), 49), {"x": 0}),
    Puzzle("pythagoras", is_("eq", add(node("mul", INT, X, X), node("mul", INT, Y, Y)), 625),
           {"x": 4, "y": 5}, [is_("gt", X, 3), is_("gt", Y, X)]),
    Puzzle("remainder", is_("eq", node("mod", INT, X, 97), 13), {"x": 500}, [is_("gt", X, 400)]),
    Puzzle("negative remainder", is_("eq", node("mod", INT, X, -7), -3), {"x": 50}, [is_("gt", X, 40)]),
    Puzzle("masks", is_("eq", node("and_", INT, X, 0xFF00), 0x4200), {"x": 7 << 16},
           [is_("eq", node("rshift", INT, X, 16), 7)]),
    Puzzle("xor", is_("eq", node("xor", INT, X, 0x5A), 0x1234), {"x": 0}),
    Puzzle("bits of two", is_("eq", node("and_", INT, X, Y), 5), {"x": 6, "y": 9},
           [is_("gt", X, 5), is_("gt", Y, X)]),
    Puzzle("bit length", is_("eq", node("bit_length", INT, X), 11), {"x": 0}),
    Puzzle("power", is_("eq", node("pow", INT, X, 3), -343), {"x": 0}),
    Puzzle("common divisor", is_("eq", node("math.gcd", INT, X, 84), 21), {"x": 7}, [is_("gt", X, 6)]),
    Puzzle("ascending", is_("lt", Y, Z), {"x": 0, "y": 1, "z": 0}, [is_("lt", X, Y)]),
    Puzzle("triangle", is_("eq", X, Y), {"x": 3, "y": 4, "z": 5},
           [is_("gt", add(X, Y), Z), is_("gt", add(Y, Z), X), is_("gt", add(X, Z), Y), is_("ne", Y, Z)]),
    Puzzle("flag", is_("and", FLAG, is_("gt", X, 3)), {"flag": False, "x": 0}),
    Puzzle("table", is_("eq", node("item", INT, [3, 1, 4, 1, 5, 9, 2, 6], X), 9), {"x": 0}),
    Puzzle("body-mass index", is_("and", is_("lt", 18.5, BMI), is_("lt", BMI, 25.0)), {"f": 100.0, "g": 1.0},
           [is_("gt", G, 0.0), is_("gt", F, 0.0)]),
    Puzzle("rounding", is_("eq", node("add", FLOAT, F, 0.1), 0.3), {"f": 0.0}),
    Puzzle("not a number", is_("math.isnan", F), {"f": 0.0}),
    Puzzle("unequal to itself", negate(is_("eq", F, F)), {"f": 0.0}),
    Puzzle("absorbed", is_("eq", node("add", FLOAT, F, 1.0), F), {"f": 0.0}),
    Puzzle("fahrenheit", is_("eq", add(node("mul", FLOAT, F, 1.8), 32.0), 212.0), {"f": 0.0}),
    Puzzle("root", is_("eq", node("math.sqrt", FLOAT, F), 3.0), {"f": 1.0}, [is_("ge", F, 0.0)]),
    Puzzle("sine", is_("lt", node("math.sin", FLOAT, F), -0.999), {"f": 0.0}),
    Puzzle("between int and float", is_("and", is_("lt", F, X), is_("gt", add(F, 0.5), X)),
           {"f": 0.0, "x": 0}),
    Puzzle("floor", is_("eq", node("floor", INT, node("mul", FLOAT, F, 1.1)), 33), {"f": 0.0}),
    Puzzle("reads as 42", is_("eq", number(S), 42), {"s": "0"}, [is_("int_ok", S)]),
    Puzzle("reads as 2.5", is_("eq", node("float", FLOAT, S), 2.5), {"s": "0"}, [is_("float_ok", S)]),
    Puzzle("prefix and length", is_("str.startswith", S, "ab"), {"s": "------x"},
           [is_("eq", length(S), 7), is_("contains", S, "-")]),
    Puzzle("date", is_("eq", number(part(S, "-", 2)), 1999), {"s": "21-11-1"},
           [*DATE, is_("gt", number(part(S, "-", 0)), 20), is_("gt", number(part(S, "-", 1)), 10)]),
    Puzzle("split in four", is_("eq", node("len", INT, node("str.split", OBJ, S, ",")), 4), {"s": ""}),
    Puzzle("partition", is_("eq", node("item", STR, node("str.partition", OBJ, S, "="), 2), "on"), {"s": "k"},
           [is_("str.startswith", S, "k")]),
    Puzzle("case ignored", is_("eq", node("str.lower", STR, S), "yes"), {"s": ""}, [is_("ne", S, "yes")]),
    Puzzle("stripped", is_("eq", node("str.strip", STR, S), "k=v"), {"s": ""}, [is_("ne", S, "k=v")]),
    Puzzle("replaced", is_("eq", node("str.replace", STR, S, "a", "b"), "bbc"), {"s": "a"},
           [is_("str.startswith", S, "a")]),
    Puzzle("counted", is_("eq", node("str.count", INT, S, "ab"), 3), {"s": ""}),
    Puzzle("digits", is_("and", is_("eq", length(S), 3), is_("str.isdigit", S)), {"s": ""}),
    Puzzle("digits that int refuses", negate(is_("int_ok", node("item", STR, S, 1))), {"s": "a0"},
           [is_("gt", length(S), 1), is_("str.isdigit", node("item", STR, S, 1))]),
    Puzzle("underflow", is_("eq", node("mul", FLOAT, F, F), 0.0), {"f": 18.5}, [is_("ne", F, 0)]),
    Puzzle("ordered texts", is_("lt", S, T), {"s": "abc", "t": "abc"},
           [is_("contains", T, S), is_("gt", length(S), 2)]),
    Puzzle("pattern", negate(is_("is_none", node("re.fullmatch", OBJ, r"[a-z]{2}\d+-x", 0, S))), {"s": ""}),
    Puzzle("backreference", negate(is_("is_none", node("re.fullmatch", OBJ, r"(\w)\1\d", 0, S))), {"s": ""}),
    Puzzle("lookahead",
           negate(is_("is_none", node("re.match", OBJ, r"(?=.*\d)(?=.*[A-Z])\w{6,8}$", 0, S))), {"s": ""}),
    Puzzle("group of a pattern", is_("gt", number(group(VERSION, S, 2)), 777), {"s": "1.0"}, [MATCHED]),
    Puzzle("luhn", is_("eq", luhn(S, 8), 0), {"s": "00000001"},
           [is_("eq", length(S), 8), is_("str.isdigit", S)]),
    Puzzle("hash of characters", is_("eq", polynomial_hash(S, 6), 777), {"s": "aaaaaa"},
           [is_("eq", length(S), 6)]),
    Puzzle("hexadecimal", is_("eq", node("hex", STR, X), "0xff"), {"x": 0}),
    Puzzle("formatted", is_("eq", node("format", STR, X, "04d"), "0042"), {"x": 0}),
    Puzzle("written", is_("eq", node("len", INT, node("str", STR, X)), 5), {"x": 0}),
    Puzzle("magic bytes", is_("bytes.startswith", B, b"\x89PNG"), {"b": b""}),
    Puzzle("little endian",
           is_("eq", add(node("item", INT, B, 0), node("mul", INT, node("item", INT, B, 1), 256)), 0x1234),
           {"b": b"aa"}, [is_("gt", node("len", INT, B), 1)]),
    Puzzle("encoded", is_("eq", node("str.encode", BYTES, S, "utf-8"), b"hey"), {"s": ""}),
]  # fmt: skip

REFUTABLE = [
    Puzzle("bounds", is_("lt", X, 3), {"x": 7}, [is_("gt", X, 5)]),
    Puzzle("no such square", is_("eq", node("mul", INT, X, X), 50), {"x": 0}),
    Puzzle("parity", is_("eq", node("mod", INT, node("mul", INT, X, 2), 4), 1), {"x": 0}),
    Puzzle("order is transitive", is_("lt", Z, X), {"x": 0, "y": 1, "z": 2},
           [is_("lt", X, Y), is_("lt", Y, Z)]),
    Puzzle("masked away", is_("gt", node("and_", INT, X, 15), 15), {"x": 0}),
    Puzzle("float bounds", is_("and", is_("lt", F, 3.0), is_("gt", F, 5.0)), {"f": 0.0}),
    Puzzle("length", is_("eq", length(S), 2), {"s": "abc"}, [is_("str.startswith", S, "abc")]),
    Puzzle("empty split", is_("eq", node("len", INT, node("str.split", OBJ, S, ",")), 0), {"s": ""}),
    Puzzle("text order", is_("and", is_("lt", S, "b"), is_("gt", S, "c")), {"s": ""}),
    Puzzle("pattern and length", is_("gt", length(S), 4), {"s": "ab"},
           [negate(is_("is_none", node("re.fullmatch", OBJ, r"[a-z]{2,4}", 0, S)))]),
    Puzzle("length beside a pattern of characters", is_("gt", length(S), 12), {"s": "0" * 12},
           [is_("eq", length(S), 12), is_("str.isdigit", S)]),
    Puzzle("characters of a changed text", is_("le", node("item", STR, node("str.lower", STR, S), 0), "9"),
           {"s": "{"}, [is_("gt", node("item", STR, node("str.lower", STR, S), 0), "z")]),
    Puzzle("one character, known from all sides", is_("ne", S, "I"), {"s": "I"},
           [is_("eq", node("item", STR, node("slice", STR, S, None, None, -1), 0), "I"),
            is_("le", length(S), 1)]),
    Puzzle("abstracted all the same", is_("ne", node("math.gcd", INT, X, Y), node("math.gcd", INT, X, Y)),
           {"x": 0, "y": 0}),
]  # fmt: skip


@pytest.mark.parametrize("puzzle", SOLVABLE, ids=lambda puzzle: puzzle.name)
def test_solves(puzzle: Puzzle) -> None:
    sorts = {name: sort_of(value) for name, value in puzzle.current.items()}
    assert holds(puzzle.conditions, puzzle.current)
    answer = build_chain().solve(Problem(tuple(puzzle.conditions), puzzle.goal, puzzle.current, sorts))
    assert isinstance(answer, Sat), answer
    assert sorts == {name: sort_of(value) for name, value in answer.model.items()}
    assert all(evaluate(each, answer.model) for each in (*puzzle.conditions, puzzle.goal))


@pytest.mark.parametrize("puzzle", REFUTABLE, ids=lambda puzzle: puzzle.name)
def test_refutes(puzzle: Puzzle) -> None:
    sorts = {name: sort_of(value) for name, value in puzzle.current.items()}
    assert holds(puzzle.conditions, puzzle.current)
    answer = build_chain().solve(Problem(tuple(puzzle.conditions), puzzle.goal, puzzle.current, sorts))
    assert isinstance(answer, Unsat)
