"""The meta-program is the original while nothing is switched on, and each mutant one change of its source."""

from __future__ import annotations

import ast
import importlib.util
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tracetwin.mutation.mutated import mutated as single
from tracetwin.mutation.omissions import first_item, first_round, omissions, unguarded
from tracetwin.mutation.operators import (
    changes_of_expression,
    changes_of_statement,
    kept,
    negated,
    returned,
    taken_for,
)
from tracetwin.mutation.schemata import meta_program, mutants_of
from tracetwin.mutation.slips import checked_later, next_checks, slips
from tracetwin.mutation.surroundings import NamesOfModule
from tracetwin.mutation.switch import AT, LEFT_OUT, SEE, WHICH, Endless, Switch

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

SOURCE = '''\
"""Docstring."""

from enum import Enum

LIMIT = 5


def level(n: int, names: list[str] = []) -> str:
    """Say how high."""
    total = n * 2 + 1
    for name in names:
        if not name or name.startswith("-"):
            continue
        total += len(name)
    if total > LIMIT and n != 3:
        return f"high {total - 1}"
    else:
        total -= 1
    if total < 0:
        raise ValueError("negative")
    return "low" if total <= 2 else "middle"


def longest(words: list[str]) -> str:
    best = ""
    while words:
        word = words.pop()
        if len(word) >= len(best):
            best = word
    return max(best, "a")


def larger(first: int, second: int) -> int:
    if first > second:
        return first
    return second


class Kind(Enum):
    SMALL = 1
    LARGE = 2


SIZES = {"s": 1, "m": 10, "l": 100}


class Box:
    width: int
    height: int

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height

    def kind(self) -> Kind:
        """Return how large it is."""
        return Kind.LARGE if self.width * self.height > SIZES["m"] else Kind.SMALL


def code(words: list[str], unit: str = "") -> str:
    """Return what words stand for."""
    found = {"first": words[0], "last": words[-1]}
    tidy = sorted((word.strip().lower() for word in words[:9] if word), key=lambda one: (len(one), one))
    largest = max(SIZES.get(unit, 5), round(2.6))
    return f"{largest:03}{found}{tidy}{words and unit or 'none'}"


class Stack:
    size = 3

    def __init__(self) -> None:
        self.items: list[int] = []

    def push(self, item: int, times: int = 1) -> int:
        """Put something on top."""
        self.items.extend([item] * times)
        return len(self.items) - 1 & 7
'''


def loaded(source: str, switch: Switch) -> dict[str, Any]:
    made = meta_program(source.encode(), "sample.py")
    switch.places = made.places
    asked = {AT: switch.at, WHICH: switch.which, SEE: switch.see, LEFT_OUT: object()}
    names: dict[str, Any] = {**asked, "__name__": "sample"}
    exec(made.code, names)
    return names


def calls(names: dict[str, Any]) -> list[object]:
    """What a number of calls give, whatever that is."""
    found: list[object] = []

    def note(function: Any, *arguments: Any) -> None:
        try:
            found.append(function(*arguments))
        except NameError:  # a variable that the plain mutant has nowhere else is none of its own
            found.append("NameError")
        except (ValueError, TypeError, AttributeError, LookupError, ZeroDivisionError) as error:
            found.append((type(error).__name__, str(error)))

    for n in (-4, -1, 0, 1, 2, 3, 9):
        note(names["level"], n)
        note(names["level"], n, ["ab", "", "-x", "c"])
    note(names["longest"], ["a", "bcd", "ef"])
    note(names["longest"], [])
    note(names["larger"], 2, 3)
    note(names["larger"], 5, 4)
    note(names["code"], [" Abc", "", "d"], "l")
    note(names["code"], ["Q", " a "])
    note(lambda: names["Box"](2, 3).kind().name)
    note(lambda: names["Box"](4, 3).kind().name)
    stack = names["Stack"]()
    for given in ((1,), (2,), (3, 1)):
        note(stack.push, *given)
    found.append(list(stack.items))
    return found


def plain(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "sample"}
    exec(compile(source, "sample.py", "exec"), names)
    return names


OTHER_DEFAULTS: dict[tuple[str, str], list[tuple[str, str | int]]] = {
    ("code", "''"): [("`''` becomes `'XX'` for `unit`", "XX")],
    ("push", "1"): [("`1` becomes `2` for `times`", 2), ("`1` becomes `0` for `times`", 0)],
}


class OneChange(ast.NodeTransformer):
    """Applies one change to the source itself, found by its place and its words."""

    def __init__(self, line: int, column: int, change: str) -> None:
        self.wanted = (line, column, change)
        self.done = False
        self.surroundings = NamesOfModule(ast.parse(SOURCE))

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Module):
            self.next_checks = next_checks(node)
        if not self.done and hasattr(node, "lineno"):
            for where, change in self.changes(node):
                if (where.lineno, where.col_offset, change.text) == self.wanted:
                    self.done = True
                    return self.changed(node, where, change)
        return super().visit(node)

    def changes(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if isinstance(node, ast.expr):
            yield from ((node, change) for change in changes_of_expression(node))
            yield from ((node, change) for change in (*omissions(node), *slips(node)))
            yield from ((node, change) for change in self.surroundings.changes(node))
        for part in getattr(node, "generators", ()):
            yield from ((test, kept(test)) for test in part.ifs)
            yield part.iter, first_item(part)
        if isinstance(node, ast.stmt):
            yield from ((node, change) for change in changes_of_statement(node))
        if isinstance(node, (ast.For, ast.While)) and (change := first_round(node)) is not None:
            yield node, change
        if isinstance(node, ast.If):
            yield from self.changes_of_condition(node)
        if isinstance(node, ast.Return) and node.value is not None:
            others = [taken_for(node.value, ["first", "second"]), returned(node.value)]
            yield from ((node, change) for change in others if change is not None)
        if isinstance(node, ast.FunctionDef):
            yield from (
                (default, types.SimpleNamespace(text=text, node=ast.Constant(value), operator="default"))
                for default in node.args.defaults
                for text, value in OTHER_DEFAULTS.get((node.name, ast.unparse(default)), ())
            )

    def changes_of_condition(self, node: ast.If) -> Iterator[tuple[Any, Any]]:
        if (change := negated(node.test)) is not None:
            yield node.test, change
        yield from ((node.test, change) for change in unguarded(node))
        if node in self.next_checks:
            yield node.test, checked_later(node.test, self.next_checks[node])
        if node.orelse and not isinstance(node.orelse[0], ast.If):
            gone = types.SimpleNamespace(text="the `else` is left out", node=None, operator="statement")
            yield node.orelse[0], gone

    def changed(self, node: Any, where: Any, change: Any) -> Any:
        if change.node is None:
            node.orelse = []
        elif change.operator == "default":
            node.args.defaults = [change.node if one is where else one for one in node.args.defaults]
        elif change.operator == "loop" and where is node:
            node.body = [*node.body, change.node]
        elif where is not node and hasattr(node, "generators"):
            for part in node.generators:
                part.ifs = [change.node if test is where else test for test in part.ifs]
                part.iter = change.node if part.iter is where else part.iter
        elif isinstance(node, ast.If):
            node.test = change.node
        elif isinstance(node, ast.Return):
            node.value = change.node
        else:
            return ast.copy_location(change.node, node)
        return node


def mutated(source: str, line: int, column: int, change: str) -> dict[str, Any]:
    one = OneChange(line, column, change)
    tree = ast.fix_missing_locations(one.visit(ast.parse(source)))
    assert one.done, change
    names: dict[str, Any] = {"__name__": "sample"}
    exec(compile(tree, "sample.py", "exec"), names)
    return names


def test_nothing_is_changed_while_no_mutant_is_on() -> None:
    switch = Switch()
    switch.off()
    assert calls(plain(SOURCE)) == calls(loaded(SOURCE, switch))
    assert {mutant.site for mutant in mutants_of(SOURCE.encode())} >= switch.reached


@pytest.mark.slow
def test_each_mutant_is_the_same_change_made_in_the_source() -> None:
    switch = Switch()
    names = loaded(SOURCE, switch)
    mutants = mutants_of(SOURCE.encode())
    for mutant in mutants:
        switch.on(mutant.site, mutant.choice, 1000)
        try:
            found: object = calls(names)
        except Endless:
            assert "words.pop" in mutant.change, "only this leaves a loop without an end"
            continue
        assert calls(mutated(SOURCE, mutant.line, mutant.column, mutant.change)) == found, mutant.name
    kinds = {mutant.operator for mutant in mutants}
    assert {"arithmetic", "comparison", "condition", "constant", "logic", "result", "statement"} <= kinds
    assert {"call", "exception", "jump", "variable"} <= kinds


@pytest.mark.slow
def test_a_source_with_one_mutant_in_it_has_the_same_change() -> None:
    original = ast.dump(ast.parse(SOURCE))
    for mutant in mutants_of(SOURCE.encode()):
        one = OneChange(mutant.line, mutant.column, mutant.change)
        changed = ast.unparse(one.visit(ast.parse(SOURCE)))
        found = single(SOURCE.encode(), mutant.number)
        assert changed == ast.unparse(found), mutant.name
        assert original != ast.dump(found)


def test_a_changed_source_behaves_otherwise_for_most_mutants() -> None:
    expected = calls(plain(SOURCE))
    switch = Switch()
    names = loaded(SOURCE, switch)
    noticed = 0
    mutants = mutants_of(SOURCE.encode())
    for mutant in mutants:
        switch.on(mutant.site, mutant.choice, 1000)
        try:
            noticed += calls(names) != expected
        except Endless:
            noticed += 1
    assert noticed > 0.7 * len(mutants)


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.py")), ids=lambda file: file.stem)
def test_code_that_runs_at_import_has_no_mutants(file: Path) -> None:
    tree = ast.parse(file.read_bytes())
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inside |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    mutants = mutants_of(file.read_bytes())
    assert mutants
    assert {mutant.line for mutant in mutants} <= inside
    assert [mutant.number for mutant in mutants] == list(range(len(mutants)))


def test_a_default_is_changed_only_where_the_argument_is_left_out() -> None:
    source = "def f(n, step=2, *, sign=''):\n    'Doc.'\n    return f'{sign}{n * step}'\n"
    switch = Switch()
    function = loaded(source, switch)["f"]
    defaults = {m.change: m for m in mutants_of(source.encode()) if m.operator == "default"}
    more, less, sign = defaults
    assert more == "`2` becomes `3` for `step`"
    assert (less, sign) == ("`2` becomes `1` for `step`", "`''` becomes `'XX'` for `sign`")
    assert "Doc." == function.__doc__
    mutant = defaults[more]
    switch.on(mutant.site, mutant.choice, 100)
    assert ["12", "8", "-12"] == [function(4), function(4, 2), function(4, sign="-")]
    switch.off()
    assert ["8", "8"] == [function(4), function(4, step=2)]
    assert mutant.site in switch.reached


@pytest.mark.parametrize(
    "source",
    [
        "@command\ndef f(n=3):\n    return n\n",
        "def f(n=3):\n    'Nothing uses it.'\n",
        "def f(n=None, m=LIMIT, o=()):\n    return (n, m, o)\n",
    ],
)
def test_defaults_that_others_may_look_at_or_nobody_uses_stay(source: str) -> None:
    assert "default" not in {mutant.operator for mutant in mutants_of(source.encode())}


def test_what_only_looks_like_code_stays() -> None:
    source = "def f(a: 'int' = 3, *, b: int = 4) -> 'str':\n    'doc'\n    import os\n    global c\n"
    assert [] == mutants_of(source.encode())


def test_syntax_of_all_kinds_compiles() -> None:
    source = (
        "async def f(x, *a, **k):\n"
        "    async with x as y, y:\n        async for z in y:\n            await z(1 + 2)\n"
        "    d = {**k, 'a': 1, 'b': [i * 2 for i in a if i > 1]}\n"
        "    d['a'] += x[1:-1, ::2]\n    del d['b']\n    e = (w := len(d)) + w\n"
        "    print(f'{x!r:>{w}} {w + 1}', *a, sep='')\n"
        "    match x:\n        case {'k': [1, *rest]} if rest > 2:\n            use(lambda q=1: q + 1)\n"
        "        case _:\n            pass\n"
        "    try:\n        yield 3\n    except* ValueError as error:\n        raise error from None\n"
    ).replace("except*", "except")
    assert len(mutants_of(source.encode())) > 20


def test_a_loop_that_a_mutant_makes_endless_is_ended() -> None:
    source = "def f(n):\n    while n > 0:\n        n -= 1\n    return n\n"
    switch = Switch()
    names = loaded(source, switch)
    gone = next(m for m in mutants_of(source.encode()) if m.change.endswith("is left out"))
    switch.off()
    assert 0 == names["f"](3)
    switch.on(gone.site, gone.choice, switch.steps)
    with pytest.raises(Endless):
        names["f"](3)


def test_the_meta_program_has_the_lines_of_the_original(tmp_path: Path) -> None:
    source = "def f(n):\n    if n:\n        return 1 // n\n    return 1 // 0\n"
    switch = Switch()
    names = loaded(source, switch)
    with pytest.raises(ZeroDivisionError) as caught:
        names["f"](0)
    assert 4 == caught.traceback[-1].lineno + 1
    assert importlib.util.find_spec("sample") is None


def test_a_value_of_a_table_is_another_where_values_matter() -> None:
    source = """
UNITS = {"ms": 1, "s": 1000}
KINDS = {"a": 1}
def f(text):
    for unit in sorted(UNITS, key=len):
        if unit in UNITS and UNITS.keys():
            return UNITS[unit]
    return [kind for kind in KINDS], text in KINDS
def g(unit):
    return UNITS.get(unit)
"""
    changed = [mutant for mutant in mutants_of(source.encode()) if "` in `" in mutant.change]
    told = {(mutant.line, mutant.change.partition(" in ")[2]) for mutant in changed}
    assert {one for one in told if one[1] in ("`UNITS`", "`KINDS`")} == {(7, "`UNITS`")}
