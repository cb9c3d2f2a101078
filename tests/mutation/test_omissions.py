"""Mutants that leave a part out."""

from __future__ import annotations

import itertools
from datetime import date
from typing import Any

import pytest

from tracetwin.mutation.mutated import mutated
from tracetwin.mutation.schemata import mutants_of


def results(source: str, *args: Any) -> dict[str, Any]:
    """The result of each mutant of a function f, by what is changed."""
    found = {}
    for mutant in mutants_of(source.encode()):
        names: dict[str, Any] = {}
        exec(compile(mutated(source.encode(), mutant.number), "sample.py", "exec"), names)
        try:
            found[mutant.change] = names["f"](*args)
        except Exception as error:  # noqa: BLE001 - a mutant may do anything
            found[mutant.change] = type(error).__name__
    return found


@pytest.mark.parametrize(
    ("body", "args", "change", "result"),
    [
        ("if a > 2: b += 1\n    return b", (1, 5), "`if a > 2` is left out", 6),
        ("if a > 2: b += 1; b *= 2\n    return b", (3, 5), "what `if a > 2` guards is left out", 5),
        ("if a > 2: return a\n    return b", (3, 5), "what `if a > 2` guards is left out", 5),
        ("return a + b", (2, 3), "`a + b` becomes `a`", 2),
        ("return a + b", (2, 3), "`a + b` becomes `b`", 3),
        ("return a - b", (2, 3), "`a - b` becomes `a`", 2),
        ("return a if b else 7", (2, 0), "`a if b else 7` becomes `a`", 2),
        ("return a[b:]", ("xyz", 1), "`a[b:]` becomes `a`", "xyz"),
        ("return a[0]", ("xyz", 1), "`a[0]` becomes `a[-1]`", "z"),
        ("return a[-1]", ("xyz", 1), "`a[-1]` becomes `a[0]`", "x"),
        ("return [n + b for n in a]", ((1, 2), 1), "only the first of `a` is taken", [2]),
        ("for n in a:\n        b = n\n    return b", ((1, 2), 0), "the loop ends after its first round", 1),
        ("return next(n for n in a)", (itertools.count(5), 1), "only the first of `a` is taken", 5),
        (
            "return a.replace(month=b, day=4)",
            (date(2024, 1, 1), 2),
            "`day` is left out of `a.replace(month=b, day=4)`",
            date(2024, 2, 1),
        ),
        (
            "return sorted(a, key=lambda n: (len(n), n))",
            (["b", "a"], 0),
            "`n` is left out of `lambda n: (len(n), n)`",
            ["b", "a"],
        ),
    ],
)
def test_a_part_is_left_out(body: str, args: tuple[Any, ...], change: str, result: object) -> None:
    assert results(f"def f(a, b):\n    {body}\n", *args)[change] == result


@pytest.mark.parametrize(
    "body", ["return a + 1", "return 'x' + a", "for n in a:\n        return n", "return a[b]"]
)
def test_nothing_is_left_out_that_another_change_or_nobody_leaves_out(body: str) -> None:
    changes = [mutant.change for mutant in mutants_of(f"def f(a, b):\n    {body}\n".encode())]
    assert not [change for change in changes if change.endswith("becomes `a`") or "first" in change]


def test_async_comprehensions_are_walked_over_to_their_end() -> None:
    source = b"async def f(a):\n    return [n async for n in a]\n"
    assert not [one for one in mutants_of(source) if "first" in one.change]


def test_an_option_is_left_out_once_and_a_few_members_of_each_entry() -> None:
    source = "def ranked(a, key=None): ...\nT = {'x': [1, 2, 3, 4, 5, 6, 7, 8]}\n"
    source += "def f(a):\n    return ranked(T[a], key=abs)\n"
    changes = [mutant.change for mutant in mutants_of(source.encode())]
    assert 1 == changes.count("`key` is left out of `ranked(T[a], key=abs)`")
    assert 4 == sum("is left out at `'x'` in `T`" in change for change in changes)


def test_calls_of_functions_of_the_module_leave_out_what_they_may_do_without() -> None:
    method = "    def fits(self, size, most=3, *, least=0):\n        return least <= size <= most\n"
    other = f"class Box:\n{method}"
    source = f"{other}def f(a):\n    return Box().fits(a, least=1, most=7)\n"
    found = results(source, 0), results(source, 5)
    assert found[0]["`least` is left out of `Box().fits(a, least=1, most=7)`"] is True
    assert found[1]["`most` is left out of `Box().fits(a, least=1, most=7)`"] is False
    twice = f"{other}class Bag:\n    def fits(self, size): ...\n{source.removeprefix(other)}"
    assert not [text for text in results(twice, 5) if "left out of" in text]


@pytest.mark.parametrize(
    ("constant", "arg", "change", "result"),
    [
        ("{'kg': ('g', 1000)}", "kg", "`('g', 1000)` becomes `('g', 1001)` in `KNOWN`", ("g", 1001)),
        ("{'open': {'paid', 'void'}}", "open", "`'void'` is left out at `'open'` in `KNOWN`", {"paid"}),
        ("{'paid': {'sent'}}", "paid", "`'sent'` is left out at `'paid'` in `KNOWN`", set()),
        ("{'paid': ['sent', 1]}", "paid", "`'sent'` is left out at `'paid'` in `KNOWN`", [1]),
        ("{'kg': ('g', 1000)}", "kg", "`('g', 1000)` becomes `('gXX', 1000)` in `KNOWN`", ("gXX", 1000)),
        ("frozenset({429, 503})", 503, "`503` is left out of `KNOWN`", False),
        ("{429, 503}", 503, "`503` is left out of `KNOWN`", False),
    ],
)
def test_a_table_of_the_module_has_another_entry_or_one_fewer(
    constant: str, arg: object, change: str, result: object
) -> None:
    look = "KNOWN[a]" if ":" in constant else "a in KNOWN"
    assert results(f"KNOWN = {constant}\ndef f(a):\n    return {look}\n", arg)[change] == result
