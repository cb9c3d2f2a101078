"""Regular expressions on traced texts: what `re` gives, and expressions that agree with it."""

from __future__ import annotations

import copy
import operator
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime import trace, twin
from runtime.evaluate import evaluate
from runtime.values import plain
from tests.runtime.strict import assert_same, traced

TEXTS = st.text(alphabet='aAbB01 ,.;=-_"\n\u0661ß\u017f', max_size=9)

PATTERNS = [
    r"(\w)(\d)?", r"[a-b]+", r"(?P<word>[A-Za-z]*)[ ,](\d+)", r"^a|b$", r"\s", r"", r"a*", r"\B.",
    r"(a)|(b)|(?P<c>0)", r"(?:(a)|(b))+", r"((a)b?)*", r'"(.*?)"', r"\b\w+\b", r"(?=.*\d)(?!0)\w{2,}",
    r"(?<=a)b|(?<!a)B", r"(\w)\1", r"(?P<k>\w+)=(?P<v>[^;]*)", r"(?i:A)b", r"\Aa|1\Z", r"(a)?(?(1)b|0)",
    r"[^\W\d_]+", r"(?:,|;)(-)?",
]  # fmt: skip
_I, _M, _S, _A, _X = re.IGNORECASE, re.MULTILINE, re.DOTALL, re.ASCII, re.VERBOSE
FLAGS = [0, _I, _M, _S, _A, _X, _I | _M, _I | _A, _M | _S]


def _as_bytes(value: Any) -> Any:
    return value.encode("latin-1", "replace") if isinstance(value, str) else value


def _seen(found: Any) -> Any:
    """All that a match tells."""
    if found is None:
        return None
    numbers = range(len(found.groups()) + 1)
    return (
        [found.group(i) for i in numbers], [found[i] for i in numbers], found.groups("none"),
        list(found.groupdict().items()),
        [(found.start(i), found.end(i), found.span(i)) for i in numbers], found.regs, found.lastindex,
        found.lastgroup, found.pos, found.endpos, found.string, found.re, bool(found), found.group(0, 0),
        found.expand(found.string[:0] + found.string[:0].join([])), isinstance(found, re.Match),
    )  # fmt: skip


def _texts(kind: str, *values: Any) -> list[Any]:
    return [_as_bytes(v) for v in values] if kind == "bytes" else list(values)


@pytest.mark.parametrize("kind", ["str", "bytes"])
@pytest.mark.parametrize("name", ["match", "fullmatch", "search"])
@given(pattern=st.sampled_from(PATTERNS), flags=st.sampled_from(FLAGS), text=TEXTS)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_matches_agree(name: str, kind: str, pattern: str, flags: int, text: str) -> None:
    function = getattr(re, name)
    given_pattern, given_text = _texts(kind, pattern, text)
    assert_same(
        lambda t: _seen(function(given_pattern, t, flags)),
        lambda t: _seen(twin.callee(function)(given_pattern, t, flags)),
        [given_text],
    )


@pytest.mark.parametrize("name", ["match", "search", "findall", "finditer"])
@given(
    pattern=st.sampled_from(PATTERNS),
    text=TEXTS,
    pos=st.integers(-1, 10),
    endpos=st.none() | st.integers(-1, 10),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_methods_with_positions_agree(
    name: str, pattern: str, text: str, pos: int, endpos: int | None
) -> None:
    def use(call: Callable[..., Any], *operands: Any) -> Any:
        result = call(*operands)
        return (
            [_seen(m) for m in result]
            if name == "finditer"
            else result
            if name == "findall"
            else _seen(result)
        )

    method = getattr(re.compile(pattern), name)
    operands = [text, pos] if endpos is None else [text, pos, endpos]
    assert_same(lambda *o: use(method, *o), lambda *o: use(twin.callee(method), *o), operands)


@pytest.mark.parametrize("kind", ["str", "bytes"])
@given(pattern=st.sampled_from(PATTERNS), text=TEXTS, count=st.integers(-1, 3))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_pieces_agree(kind: str, pattern: str, text: str, count: int) -> None:
    given_pattern, given_text = _texts(kind, pattern, text)
    for name in ("findall", "split"):
        function = getattr(re, name)
        assert_same(
            lambda t, f=function: f(given_pattern, t),
            lambda t, f=function: twin.callee(f)(given_pattern, t),
            [given_text],
        )
    compiled = re.compile(given_pattern)
    assert_same(
        compiled.split,
        twin.callee(compiled.split),
        [given_text, count],
    )


TEMPLATES = ["x", "", r"<\g<0>>", r"\1", r"\n\\", r"\2-\1", r"\g<word>", r"\q", "\\"]


@pytest.mark.parametrize("name", ["sub", "subn"])
@pytest.mark.parametrize("kind", ["str", "bytes"])
@given(
    pattern=st.sampled_from(PATTERNS),
    template=st.sampled_from(TEMPLATES),
    text=TEXTS,
    count=st.integers(-1, 2),
)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_replacing_agrees(name: str, kind: str, pattern: str, template: str, text: str, count: int) -> None:
    function = getattr(re, name)
    operands = [*_texts(kind, template, text), count]
    given_pattern = _texts(kind, pattern)[0]
    assert_same(
        lambda r, t, n: function(given_pattern, r, t, count=n),
        lambda r, t, n: twin.callee(function)(given_pattern, r, t, count=n),
        operands,
    )
    constant = operands[0]
    method = getattr(re.compile(given_pattern), name)
    assert_same(lambda t: method(constant, t), lambda t: twin.callee(method)(constant, t), [operands[1]])


@pytest.mark.parametrize("name", ["sub", "subn"])
@given(pattern=st.sampled_from(PATTERNS), text=TEXTS, count=st.integers(0, 2))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_replacing_by_a_function_agrees(name: str, pattern: str, text: str, count: int) -> None:
    function = getattr(re, name)

    def changed(found: Any) -> Any:
        return found.group().upper() if found.end() != 3 else None

    assert_same(
        lambda t: function(pattern, changed, t, count=count),
        lambda t: twin.callee(function)(pattern, changed, t, count=count),
        [text],
    )
    assert_same(
        lambda r: function("[ab]", lambda found: r, "xaybz"),
        lambda r: twin.callee(function)("[ab]", lambda found: r, "xaybz"),
        [text],
    )
    assert_same(
        lambda t: function(pattern, lambda found: 1, t),
        lambda t: twin.callee(function)(pattern, lambda found: 1, t),
        [text],
    )


@given(template=st.sampled_from([r"\1:\2", r"\g<0>\g<k>", "plain", r"\3", r"\g<nope>"]), text=TEXTS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_expanding_agrees(template: str, text: str) -> None:
    pattern = r"(?P<k>\w)(=)?"
    assert_same(
        lambda t: [m.expand(template) for m in re.finditer(pattern, t)],
        lambda t: [m.expand(template) for m in twin.callee(re.finditer)(pattern, t)],
        [text],
    )


@given(word=TEXTS, text=TEXTS)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_traced_patterns_agree(word: str, text: str) -> None:
    for pattern in (re.escape, lambda w: w, lambda w: twin.add(twin.add("(", w), ")")):

        def shadow(w: Any, t: Any, pattern: Any = pattern) -> Any:
            made = twin.callee(pattern)(w)
            compiled = twin.callee(re.compile)(made)
            return [twin.callee(re.findall)(made, t), _seen(twin.callee(compiled.search)(t)), compiled.groups]

        def native(w: Any, t: Any, pattern: Any = pattern) -> Any:
            made = pattern(w)
            return [re.findall(made, t), _seen(re.search(made, t)), re.compile(made).groups]

        assert_same(native, shadow, [word, text])


REFUSED: list[Callable[[Any, Callable[[Any], Any]], Any]] = [
    lambda t, f: f(re.match)("(", t),
    lambda t, f: f(re.match)(b"a", t),
    lambda t, f: f(re.match)("a"),
    lambda t, f: f(re.match)("a", t, 0, 0),
    lambda t, f: f(re.match)(string=t, pattern="a"),
    lambda t, f: f(re.search)(5, t),
    lambda t, f: f(re.sub)("a", 5, t),
    lambda t, f: f(re.sub)("a", "b", t, flags=re.compile("a").flags),
    lambda t, f: f(re.split)(re.compile("a"), t, flags=re.IGNORECASE),
    lambda t, f: f(re.compile("a").sub)("x", t, "1"),
    lambda t, f: f(re.compile("a").sub)(repl="x", string=t),
    lambda t, f: f(re.compile("a").match)(t, pos="1"),
    lambda t, f: f(re.compile("a").match)(text=t),
    lambda t, f: f(re.compile("a").match)(string=t, endpos=1).group(),
    lambda t, f: f(re.match)("(a)", t).group(2),
    lambda t, f: f(re.match)("(a)", t).group("x"),
    lambda t, f: f(re.match)("(a)", t)[None],
    lambda t, f: f(re.match)("(a)", t).start("x"),
    lambda t, f: f(re.match)("(a)", t).nothing,
    lambda t, f: setattr(f(re.match)("(a)", t), "pos", 1),
    lambda t, f: setattr(f(re.match)("(a)", t), "other", 1),
    lambda t, f: pickle.dumps(f(re.match)("a", t)),
    lambda t, f: f(re.Pattern.findall)(re.compile("a"), t),
    lambda t, f: f(re.Pattern.findall)("a", t),
    lambda t, f: f(re.Match.group)(f(re.match)("a", t)),
    lambda t, f: f(map)(re.compile("a").match, [t]),
    lambda t, f: [m.group() for m in f(map)(re.compile("a").match, [t]) if m],
    lambda t, f: operator.itemgetter(0)(f(re.match)("a", t)),
    lambda t, f: copy.copy(f(re.match)("a", t)).span(),
    lambda t, f: copy.deepcopy(f(re.match)("a", t)).span(),
    lambda t, f: f(type)(f(re.match)("a", t)),
    lambda t, f: f(type)(f(re.finditer)("a", t)),
    lambda t, f: repr(f(re.match)("a", t)),
    lambda t, f: f(next)(f(re.finditer)("a", t)).group(),
    lambda t, f: f(getattr(re.compile("a"), "scan" + "ner"))(t).match().group(),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_unusual_calls_agree(number: int) -> None:
    def plainly(function: Any) -> Any:
        return function

    for text in ("ab", "b", ""):

        def canonical(value: Any) -> Any:
            return list(map(_seen, value)) if isinstance(value, map) else value

        assert_same(
            lambda t: canonical(REFUSED[number](t, plainly)),
            lambda t: canonical(REFUSED[number](t, twin.callee)),
            [text],
        )


def test_matches_are_found_one_at_a_time() -> None:
    trace.start()
    found = twin.callee(re.finditer)("a", traced("s", "aba"))
    assert [] == trace.current.path
    assert "a" == plain(next(found)[0])
    assert 1 == len(trace.current.path)


def test_what_a_replacement_gives_is_one_expression() -> None:
    trace.start()
    result = twin.callee(re.sub)(r"\s+", " ", traced("s", "a   b"))
    assert [] == trace.current.path
    assert "x y" == evaluate(result.e, {"s": "x \t y"})


def test_a_group_is_decided_only_where_it_may_be_missing() -> None:
    trace.start()
    found = twin.callee(re.match)(r"(a)(?:(b)|(c))", traced("s", "ab"))
    assert 1 == len(trace.current.path)
    assert "a" == plain(found[1])
    assert 1 == len(trace.current.path)
    assert "b" == plain(found[2])
    assert 2 == len(trace.current.path)
