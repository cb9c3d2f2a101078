"""Conditions as people read them."""

from __future__ import annotations

import pytest

from runtime.expr import Node, Sort, apply, const, const_int, disjunction, make, negate, var
from tracetwin.explore.summaries.wording import condition_text, name_text, text

COUNT = var("self.count", Sort.INT)
N = var("n", Sort.INT)


def _ite(place: int, then: int, otherwise: Node) -> Node:
    return apply("ite", Sort.INT, apply("eq", Sort.BOOL, N, const_int(place)), const_int(then), otherwise)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (apply("ge", Sort.BOOL, COUNT, const_int(1)), "self.count > 0"),
        (apply("ge", Sort.BOOL, COUNT, const_int(2)), "self.count >= 2"),
        (apply("ne", Sort.BOOL, apply("sub", Sort.INT, COUNT, N), const_int(0)), "self.count != n"),
        (apply("lt", Sort.BOOL, const_int(3), COUNT), "self.count > 3"),
        (apply("mul", Sort.INT, apply("add", Sort.INT, COUNT, N), N), "(self.count + n) * n"),
        (apply("add", Sort.INT, COUNT, const_int(-1)), "self.count - 1"),
        (apply("sub", Sort.INT, COUNT, apply("sub", Sort.INT, N, COUNT)), "self.count - (n - self.count)"),
        (negate(var("self.open", Sort.BOOL)), "not self.open"),
        (apply("str.upper", Sort.STR, var("name", Sort.STR)), "name.upper()"),
        (apply("slice", Sort.STR, var("s", Sort.STR), const(None), const(None), const_int(-1)), "s[::-1]"),
        (const("<x.C object at 0x7f3a11c2d050>"), "'<x.C object>'"),
        (make("str.encode_ok", Sort.BOOL, (var("s", Sort.STR), const("ascii"))), "s.encode('ascii') works"),
        (make("int_ok", Sort.BOOL, (var("s", Sort.STR),)), "int(s) works"),
        (_ite(0, 7, _ite(1, 3, const_int(9))), "(7, 3, 9)[n]"),
        (_ite(-3, 7, _ite(-2, 3, const_int(9))), "(7, 3, 9)[n]"),
        (_ite(4, 7, const_int(9)), "7 if n == 4 else 9"),
    ],
)
def test_expressions(node: Node, expected: str) -> None:
    assert expected == text(node)


def test_no_condition_is_true() -> None:
    assert "True" == condition_text([])


def test_choices_are_told_by_what_they_stand_for() -> None:
    choice = var("self.head?", Sort.INT)
    kinds = {"self.head?": ("is None", "is a Node")}
    assert "self.head is None" == condition_text([apply("eq", Sort.BOOL, choice, const_int(0))], kinds)
    none = apply("eq", Sort.BOOL, choice, const_int(0))
    limits = [apply("ge", Sort.BOOL, choice, const_int(0)), apply("lt", Sort.BOOL, choice, const_int(2))]
    assert "self.head is None" == condition_text([*limits, none], kinds)
    others = [apply("ne", Sort.BOOL, choice, const_int(1)), none]
    assert "self.head is None" == condition_text(others, kinds), "that it is no other goes without saying"
    either = disjunction([none, apply("gt", Sort.BOOL, N, const_int(4))])
    assert "(self.head is None or n > 4)" == condition_text([either], kinds)
    assert "not (self.head is None or n > 4)" == condition_text([negate(either)], kinds)
    assert "self.head is a Node" == condition_text([apply("ne", Sort.BOOL, choice, const_int(0))], kinds)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("self.items#", "len(self.items)"),
        ("1.add_qtr.n", "n"),
        ("self.head|1.value", "self.head.value"),
        ("@3.n", "n"),
        ("box.args[0]~0.push.item#", "len(box.args[0].push(item))"),
    ],
)
def test_names(name: str, expected: str) -> None:
    assert expected == name_text(name)


def test_of_a_condition_that_contains_itself_often_only_the_outermost_part_is_written() -> None:
    node = N
    for _ in range(12):
        node = apply("mul", Sort.INT, node, node)
    written = text(apply("ge", Sort.BOOL, node, const_int(2)))
    assert written.endswith(" >= 2")
    assert len(written) < 5_000


@pytest.mark.parametrize(
    ("name", "op", "number", "expected"),
    [
        ("options.deep?in", "ne", 0, "options has deep"),
        ("1.add.options.deep?in", "ne", 1, "options has no deep"),
        ("limit?given", "eq", 0, "limit is not passed"),
        ("limit?given", "eq", 1, "limit is passed"),
        ("box@", "eq", 0, "box is a new object"),
        ("box@", "ne", 0, "box is an object that was there before"),
        ("box@result", "eq", 2, "box is what an earlier call returned"),
        ("box~0", "eq", 0, "box has no calls before"),
        ("box~1", "ne", 0, "box has more than 1 call before"),
        ("box.args[0]~1", "ne", 2, "call 2 on box.args[0] before is not choice 2"),
    ],
)
def test_how_an_input_is_made_is_told_in_words(name: str, op: str, number: int, expected: str) -> None:
    assert expected == text(apply(op, Sort.BOOL, var(name, Sort.INT), const_int(number)))


def test_an_operation_that_works_is_written_with_its_sign() -> None:
    shown = make("percent_ok", Sort.BOOL, (const("%d"), var("n", Sort.INT)))
    assert text(shown) == "'%d' % n works"
    shape = apply("re.shape", Sort.OBJ, var("p", Sort.STR), const_int(0))
    assert text(make("eq", Sort.BOOL, (shape, const((1, (), 32))))) == "re.compile(p).groups == 1"


def test_a_condition_whose_parts_stand_in_it_again_and_again_is_told_by_its_outset() -> None:
    node = N
    for _ in range(40):  # written out it has 2 ** 40 parts
        node = apply("add", Sort.INT, node, node)
    told = condition_text([apply("eq", Sort.BOOL, node, COUNT)])
    assert told.endswith("== self.count")
    assert "..." in told
    assert told.count("+") < 1_000
