"""Conditions on what regular expressions find: each must be solved, and no proof may be wrong."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime import trace, twin
from runtime.evaluate import holds
from runtime.expr import Node, Sort, apply, const, negate, sort_of, var
from runtime.meanings import patterns
from runtime.values import plain, wrap
from tracetwin.solving import Problem, Sat, Unsat, build_chain, patience
from tracetwin.solving.chain import BACKWARD_EVALUATIONS, Chain
from tracetwin.solving.inversion.examples import words
from tracetwin.solving.stages.backward import Backward
from tracetwin.solving.stages.candidates import Candidates

INT, BOOL, STR, OBJ = Sort.INT, Sort.BOOL, Sort.STR, Sort.OBJ
S = var("s", STR)
RUNS = 40


def call(function: Callable[..., Any], *args: Any) -> Any:
    """A call as a twin makes it."""
    return twin.callee(function)(*args)


def number(text: Any) -> Any:
    return call(int, text)


def reached(program: Callable[[Any], Any], start: Any) -> Any:
    """An input for which the program gives something true, found by turning one decision after the other."""
    chain = Chain([Candidates(), Backward(BACKWARD_EVALUATIONS)])
    waiting, seen = [start], set()
    for _ in range(RUNS):
        if not waiting:
            return None
        value = waiting.pop(0)
        recorded = trace.start()
        try:
            done = bool(program(wrap(value, var("s", sort_of(value)))))
        except (ValueError, KeyError, IndexError):
            done = False
        if done:
            return value
        path = [condition for condition, *_ in recorded.path]
        for place, condition in enumerate(path):
            decision = (frozenset(path[:place]), negate(condition))
            if decision in seen:
                continue
            seen.add(decision)
            problem = Problem(tuple(path[:place]), decision[1], {"s": value}, {"s": sort_of(value)})
            answer = chain.solve(problem)
            if isinstance(answer, Sat):
                waiting.append(answer.model["s"])
    return None


def found(kind: str, pattern: Any, text: Any, flags: int = 0) -> Any:
    return call(getattr(re, kind), pattern, text, flags)


def _address(s: Any) -> bool:
    m = found("fullmatch", r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})", s)
    return bool(m) and number(m[1]) <= 255 and number(m[2]) > 255 and m[3] == "7"


def _assignment(s: Any) -> bool:
    return any(k == "mode" and v == "fast" for k, v in call(re.findall, r"(\w+)=(\w+)", s))


def _tokens(s: Any) -> bool:
    pattern = re.compile(r"(?P<num>\d+)|(?P<op>[+*])|\s+")
    place: Any = 0
    kinds = []
    while twin.lt(place, call(len, s)):
        m = call(pattern.match, s, place)
        if not m:
            return False
        kinds.append(m.lastgroup)
        place = m.end()
    return len(kinds) == 3 and kinds[0] == "num" and kinds[1] == "op" and kinds[2] == "num"


def _sum(s: Any) -> bool:
    total: Any = 0
    for m in call(re.finditer, r"\d+", s):
        total = total + number(m.group())
    return bool(twin.eq(total, 77))


def _camel(s: Any) -> bool:
    return bool(call(re.sub, "([A-Z])", lambda m: twin.add("_", call(m[1].lower)), s) == "get_id")


def _fields(s: Any) -> bool:
    parts = call(re.split, r"\s*([,;])\s*", s)
    return len(parts) == 3 and parts[1] == ";" and parts[0] == "add" and number(parts[2]) > 40


def _version(s: Any) -> bool:
    m = found("fullmatch", r"(?P<major>\d+)\.(?P<minor>\d+)(?:-(?P<pre>\w+))?", s)
    return bool(m) and m["pre"] is not None and m["pre"] == "rc" and number(m["major"]) * 2 == 26


def _word_in(s: Any) -> bool:
    """A pattern made of a traced word."""
    return bool(s == "a.b") and bool(found("search", twin.add(call(re.escape, s), "$"), "xa.b"))


PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "numbers in groups": (_address, ""),
    "a pair among several": (_assignment, ""),
    "tokens from a position on": (_tokens, ""),
    "a sum over all matches": (_sum, ""),
    "replaced by a function": (_camel, ""),
    "fields and what divides them": (_fields, ""),
    "an optional named group": (_version, ""),
    "a traced pattern": (_word_in, ""),
    "normalised": (lambda s: call(re.sub, r"\s+", " ", s) == "a b" and call(len, s) == 6, ""),
    "swapped by a template": (lambda s: call(re.sub, r"(\w+), (\w+)", r"\2 \1", s) == "b a" and "," in s, ""),
    "look-aheads": (lambda s: found("match", r"(?=.*\d)(?=.*[A-Z])(?=.*_).{6,}$", s), ""),
    "a look-behind": (lambda s: (m := found("search", r"(?<=\$)\d+", s)) and number(m[0]) == 500, ""),
    "a negative look-ahead": (lambda s: (m := found("match", r"(?!ab)\w+", s)) and m[0] == "b1", ""),
    "a back-reference": (lambda s: (m := found("search", r"\b(\w+) \1\b", s)) and m[1] == "the", ""),
    "an alternative": (lambda s: (m := found("fullmatch", r"(\d+)|(#\w+)", s)) and m[2] == "#fff", ""),
    "any case": (lambda s: found("fullmatch", "yes", s, re.IGNORECASE) and call(s.isupper), ""),
    "lines": (lambda s: found("search", r"^b=(\d)$", s, re.MULTILINE) and call(s.startswith, "a"), ""),
    "across lines": (lambda s: found("fullmatch", "a.+b", s, re.DOTALL) and "\n" in s, ""),
    "lazy": (lambda s: (f := call(re.findall, '"(.*?)"', s)) and len(f) == 2 and f[1] == "x", ""),
    "no word boundary": (lambda s: found("search", r"\Bcat", s) and call(s.endswith, "cat!"), ""),
    "where a group is": (lambda s: (m := found("search", "b+", s)) and m.start() == 3 and m.end() == 5, ""),
    "lastindex": (lambda s: (m := found("match", "(a)|(b)(c)?", s)) and m.lastindex == 3, ""),
    "how many were replaced": (lambda s: call(re.subn, "foo", "bar", s)[1] == 3, ""),
    "expanded": (lambda s: (m := found("match", r"(\w+) (\w+)", s)) and m.expand(r"\2,\1") == "b,a", ""),
    "verbose": (lambda s: (m := found("match", r"(\d+) \s* : # x", s, re.VERBOSE)) and m[1] == "12", ""),
    "digits that are not ASCII": (lambda s: found("fullmatch", r"\d{2}", s) and not call(s.isascii), ""),
    "bytes": (lambda s: (m := found("match", rb"(\w+):(\d+)", s)) and m[1] == b"L" and number(m[2]) > 9, b""),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_line_behind_a_pattern_is_reached(name: str) -> None:
    program, start = PROGRAMS[name]
    value = reached(program, start)
    assert value is not None
    trace.stop()
    assert program(value)


WISHES: list[tuple[str, dict[str, Any], str]] = [
    (r"([a-z]+)(?::(\d+))?", {"given": {2: "80"}}, "a:80"),
    (r"([a-z]+)(?::(\d+))?", {"avoided": frozenset((2,))}, "a"),
    (r"(x)|(y)|(?P<z>z)", {"needed": frozenset((3,))}, "z"),
    (r"(\w)-\1", {"given": {1: "q"}}, "q-q"),
    (r"(<)?a(?(1)>|b)", {"needed": frozenset((1,))}, "<a>"),
    (r"(?=.*\d)(?=.*[A-Z])\w{3,}", {}, "0Aa"),
    (r"(?<=\$)\d", {}, "$0"),
]


@pytest.mark.parametrize(("pattern", "wishes", "expected"), WISHES)
def test_words_fulfil_wishes(pattern: str, wishes: dict[str, Any], expected: str) -> None:
    assert expected == words(pattern, 0, **wishes)[0]


ALPHABET = ["".join(chars) for size in range(4) for chars in itertools.product("a1 -", repeat=size)]
SOME_TEXTS = [*ALPHABET, "A", "\n", "a\n", "\na", "\u0661", "ß", "a1-a1", "1 1 1", "aaaa", "é"]
PATTERNS = [
    r"\d", r"a+", r"(a)(1)?", r"^a|1$", r"(-|\s)", r"a*?1", r"[^a1]+", r"\w\b", r"(?!a).", r"(?<=a)1",
    r"(.)\1",
    r"a$", r"(?i)A", r"\s*-", r"(?m)^a$", r"(?s).1",
]  # fmt: skip


def node(op: str, sort: Sort, *args: object) -> Node:
    return apply(op, sort, *[arg if isinstance(arg, Node) else const(arg) for arg in args])


@st.composite
def conditions(draw: st.DrawFn) -> Node:
    pattern = draw(st.sampled_from(PATTERNS))
    kind = draw(st.sampled_from(["match", "fullmatch", "search"]))
    match = node(f"re.{kind}", OBJ, pattern, 0, S)
    span = node("item", OBJ, match, 0)
    group = node("slice", STR, S, node("item", INT, span, 0), node("item", INT, span, 1), None)
    condition = draw(
        st.sampled_from([
            node("is_none", BOOL, match),
            node("is_none", BOOL, match),
            node("eq", BOOL, group, "a"),
            node("eq", BOOL, node("len", INT, node("re.findall", OBJ, pattern, 0, S)), 2),
            node("eq", BOOL, node("len", INT, node("re.split", OBJ, pattern, 0, S)), 2),
            node("eq", BOOL, node("re.sub", STR, pattern, 0, "x", S), "x"),
            node("eq", BOOL, node("item", INT, span, 1), 2),
            node("eq", BOOL, node("len", INT, S), 2),
            node("contains", BOOL, S, "-"),
        ])
    )  # fmt: skip
    return node("not", BOOL, condition) if draw(st.booleans()) else condition


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(conditions(), min_size=1, max_size=3))
def test_proofs_are_not_refuted_by_examples(made: list[Node]) -> None:
    *path, goal = made
    start = next((text for text in SOME_TEXTS if holds(path, {"s": text})), None)
    if start is None:
        return
    answer = build_chain().solve(Problem(tuple(path), goal, {"s": start}, {"s": STR}))
    solutions = [text for text in SOME_TEXTS if holds(made, {"s": text})]
    if isinstance(answer, Unsat):
        assert not solutions
    if isinstance(answer, Sat):
        assert holds(made, {"s": plain(answer.model["s"])})


def _is(kind: str, pattern: str) -> Node:
    return negate(node("is_none", BOOL, node(f"re.{kind}", OBJ, pattern, 0, S)))


def _length(size: int) -> Node:
    return node("eq", BOOL, node("len", INT, S), size)


IMPOSSIBLE: list[tuple[Node, Node, str]] = [
    (_is("fullmatch", r"\d{3}"), _length(4), "000"),
    (_is("fullmatch", r"\w+"), node("contains", BOOL, S, "-"), "a"),
    (_is("fullmatch", "(?i)yes|true"), _length(5), "yes"),
    (_is("match", r"(?!\d)\w"), node("str.startswith", BOOL, S, "1"), "a"),
    (negate(_is("search", r"\s")), node("contains", BOOL, S, " "), ""),
]


@pytest.mark.parametrize(("condition", "goal", "start"), IMPOSSIBLE)
def test_what_no_script_can_match_is_proved(condition: Node, goal: Node, start: str) -> None:
    assert holds([condition], {"s": start})
    assert isinstance(build_chain().solve(Problem((condition,), goal, {"s": start}, {"s": STR})), Unsat)


RARE: list[tuple[Node, Node, str]] = [
    (_is("fullmatch", r"\d{2}"), negate(node("str.isascii", BOOL, S)), "00"),
    (_is("fullmatch", "(?i)k"), node("eq", BOOL, S, "\u212a"), "k"),
    (_is("fullmatch", r"\w+"), node("contains", BOOL, S, "\u00e9"), "a"),
    (_is("fullmatch", "[\U00030000-\U0010ffff]|a"), node("ne", BOOL, S, "a"), "a"),
]


@pytest.mark.parametrize(("condition", "goal", "start"), RARE)
def test_what_other_scripts_match_is_not_taken_for_impossible(
    condition: Node, goal: Node, start: str
) -> None:
    assert holds([condition], {"s": start})
    answer = build_chain().solve(Problem((condition,), goal, {"s": start}, {"s": STR}))
    assert not isinstance(answer, Unsat)


def test_a_pattern_that_backtracks_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "guard", None)
    patience.install()
    with pytest.raises(OverflowError):
        patterns.OPERATORS["re.fullmatch"]("(a+)+b", 0, "a" * 60)
    assert patterns.OPERATORS["re.fullmatch"]("(a+)+b", 0, "a" * 60 + "b") is not None
