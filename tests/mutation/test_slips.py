"""Mutants that are slips of people."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.mutation.test_omissions import results
from tracetwin.mutation.schemata import mutants_of

HEAD = "import re\nfrom decimal import ROUND_HALF_EVEN, Decimal\n"


@pytest.mark.parametrize(
    ("body", "args", "change", "result"),
    [
        (
            "if a > 5: return 1\n    if b > 5: return 2",
            (6, 6),
            "`b > 5` is checked before `a > 5`",
            2,
        ),
        (
            "if a > 5: c = 1\n    elif b > 5: c = 2\n    return c",
            (6, 6),
            "`b > 5` is checked before `a > 5`",
            2,
        ),
        ("return float(a)", ("2", 0), "`float(a)` becomes `-float(a)`", -2.0),
        ("return len({x % 2 for x in a})", ([1, 3], 0), "`{x % 2 for x in a}` keeps what comes again", 2),
        ("return max(a, default=0)", ([2, 3], 0), "`max` becomes `sum` in `max(a, default=0)`", 5),
        (
            "return a.total_seconds()",
            (timedelta(days=1, seconds=2), 0),
            "`a.total_seconds()` becomes `a.seconds`",
            2,
        ),
        ("return sum(a)", ([2, 3], 0), "`sum` becomes `max` in `sum(a)`", 3),
        ("return sum(a)", ([], 0), "`sum` becomes `max` in `sum(a)`", 0),
        ("return a in (1, 2)", (2, 0), "`2` is left out of `(1, 2)`", False),
        ("return a not in ['x', 'y']", ("x", 0), "`'x'` is left out of `['x', 'y']`", True),
        (r"return a[0] in ' \t'", ("\tx", 0), r"`'\t'` is left out of `' \t'`", False),
        ("return 7 if b is None else b", (1, 0), "`b is None` becomes `not b`", 7),
        ("return b if b is not None else 7", (1, 0), "`b is not None` becomes `b`", 7),
        (
            "return sorted(a, key=abs)",
            ([1, -2], 0),
            "`sorted(a, key=abs)` sorts the other way round",
            [-2, 1],
        ),
        (
            "return sorted(a, key=lambda one: (one[0], one[1]))",
            ([(1, 3), (2, 1)], 0),
            "`one[0]` and `one[1]` are swapped in `lambda one: (one[0], one[1])`",
            [(2, 1), (1, 3)],
        ),
        ("return {'x': 1, **a}", ({"y": 2}, 0), "`**a` is left out of `{'x': 1, **a}`", {"x": 1}),
        ("return list(a or [])", (None, 0), "`list(a or [])` becomes `a or []`", []),
        (
            "try: return int(a)\n    except (KeyError, ValueError): return b",
            ("x", 7),
            "`ValueError` is not caught",
            "ValueError",
        ),
        (
            "try: return int(a)\n    except ValueError: return b",
            ("x", 7),
            "`ValueError` is not caught",
            "ValueError",
        ),
        (
            "return bool(re.fullmatch('x', a, re.IGNORECASE))",
            ("X", 0),
            "`re.IGNORECASE` is left out of `re.fullmatch('x', a, re.IGNORECASE)`",
            False,
        ),
        (
            "return a.quantize(Decimal('0.1'), rounding=ROUND_HALF_EVEN)",
            (Decimal("0.16"), 0),
            "ROUND_DOWN rounds in `a.quantize(Decimal('0.1'), rounding=R...`",
            Decimal("0.1"),
        ),
        (
            "return a.lower() == b.lower()",
            ("X", "x"),
            "`a.lower() == b.lower()` becomes `a == b`",
            False,
        ),
        ("return list(dict.fromkeys(a))", ("xyx", 0), "`dict.fromkeys(a)` becomes `a`", ["x", "y", "x"]),
        ("return a * b + 2", (3, 5), "`a * b + 2` becomes `(a + 2) * b`", 25),
        ("return a - b * 2", (9, 3), "`a - b * 2` becomes `(a - b) * 2`", 12),
    ],
)
def test_a_slip(body: str, args: tuple[Any, ...], change: str, result: object) -> None:
    source = f"{HEAD}def f(a, b: int | None = None):\n    {body}\n"
    assert results(source, *args)[change] == result


@pytest.mark.parametrize("annotation", ["Box | None", "date | None", "object"])
def test_none_is_the_only_false_value_of_many_classes(annotation: str) -> None:
    source = f"def f(a: {annotation}):\n    return a is None\n".encode()
    assert not [one for one in mutants_of(source) if "becomes `not a`" in one.change]


def test_a_pattern_of_the_module_loses_its_flags() -> None:
    source = "import re\nTIME = re.compile('h', re.IGNORECASE)\ndef f(a): return bool(TIME.match(a))\n"
    assert results(source, "H")["`re.IGNORECASE` is left out of `re.compile('h', re.IGNORECASE)`"] is False


def test_what_a_module_lists_under_a_name_loses_one_of_it() -> None:
    source = "BUSY = (429, 503)\ndef f(a): return a in BUSY\n"
    found = results(source, 503)
    assert (found["`503` is left out of `BUSY`"], found["`429` is left out of `BUSY`"]) == (False, True)


def test_a_pattern_takes_one_more_than_it_may() -> None:
    source = "import re\nHEAD = re.compile('={1,4}')\ndef f(a): return bool(HEAD.fullmatch(a))\n"
    assert results(source, "=====")["`{1,4}` takes one more in `HEAD`"] is True


@pytest.mark.parametrize(
    "body",
    [
        "if a > 5: return 1\n    if a < 3 and b: return 2",
        "if a > 5: b = 1\n    if b > 3: return 2",
        "if a > 5: return 1\n    if (b := a + 1) > c: return 2",
        "if a > 5: return 1\n    b += 1\n    if b > 3: return 2",
    ],
    ids=["of the same", "goes on", "changes something", "something between"],
)
def test_checks_are_not_swapped_where_that_may_change_more_or_nothing(body: str) -> None:
    found = mutants_of(f"def f(a, b, c):\n    {body}\n".encode())
    assert not [mutant.change for mutant in found if "checked before" in mutant.change]


def test_what_a_function_of_the_module_makes_of_something_is_forgotten() -> None:
    source = (
        "def tidy(text): return text.strip()\ndef note(text): print(text)\n"
        "class Box:\n    def own(self, one): return one\n"
        "    def f(self, a, b):\n        note(a)\n"
        "        return tidy(a), self.own(b), tidy('x'), len(a), tidy(*a)\n"
    )
    found = {one.change for one in mutants_of(source.encode()) if one.operator == "call"}
    found = {one for one in found if "strip" not in one}
    assert found == {"`tidy(a)` becomes `a`", "`self.own(b)` becomes `b`"}
