from __future__ import annotations

import itertools
import random

import pytest

from runtime.evaluate import evaluate, holds
from runtime.expr import Node, Sort, apply, const, var
from tests.explore.states.support import Set, box, eq, le, lt, mod, ne, new, plus, s, state, times, x
from tracetwin.explore.states.canonical import SymbolicState
from tracetwin.explore.states.subsumption import StateSet

a, b, c, d = map(x, "abcd")


def test_arguments_may_have_other_names():
    assert new([state(box(v=a), lt(a, 5)), state(box(v=b), lt(b, 5))]) == [True, False]


def test_cells_may_be_numbered_differently():
    empty = ("list", (), None)
    ends = ("object", "m:T", (("l", ("cell", 1)), ("r", ("cell", 2))))
    one = (ends, ("list", (("node", a),), None), empty)
    turned = ("object", "m:T", (("l", ("cell", 2)), ("r", ("cell", 1))))
    other = (turned, empty, ("list", (("node", b),), None))
    assert new([state(one), state(other)]) == [True, False]


def test_a_shared_object_is_not_two_equal_ones():
    shared = (("object", "m:T", (("l", ("cell", 1)), ("r", ("cell", 1)))), ("list", ()))
    apart = (("object", "m:T", (("l", ("cell", 1)), ("r", ("cell", 2)))), ("list", ()), ("list", ()))
    assert new([state(shared), state(apart)]) == [True, True]


def test_a_cycle_is_drawn():
    ring = (("object", "m:N", (("next", ("cell", 1)),)), ("object", "m:N", (("next", ("cell", 0)),)))
    longer = (
        ("object", "m:N", (("next", ("cell", 1)),)),
        ("object", "m:N", (("next", ("cell", 2)),)),
        ("object", "m:N", (("next", ("cell", 0)),)),
    )
    assert new([state(ring), state(longer), state(ring)]) == [True, True, False]


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, 1.0), (0.0, -0.0), (None, False), ("1", 1)])
def test_constants_of_different_types_are_different(one: object, other: object):
    assert new([state(box(v=one)), state(box(v=other))]) == [True, True]


def test_types_count():
    assert new([state(box(v=[])), state(box(v=())), state(box(v={}))]) == [True, True, True]


def test_a_stricter_condition_is_subsumed():
    assert new([state(box(v=a), lt(a, 5)), state(box(v=a), lt(a, 4))]) == [True, False]


def test_a_laxer_condition_is_new():
    assert new([state(box(v=a), lt(a, 4)), state(box(v=a), lt(a, 5))]) == [True, True]


def test_without_subsumption_only_the_same_state_is_dropped():
    states = [state(box(v=a), lt(a, 5)), state(box(v=a), lt(a, 4)), state(box(v=b), le(b, 3))]
    assert new(states, subsumption=False) == [True, True, False]


def test_conditions_on_arguments_that_are_gone_are_dropped():
    assert new([state(box(v=a)), state(box(v=a), lt(b, 5), eq(mod(c, 7), 3))]) == [True, False]


def test_an_argument_that_is_gone_leaves_the_order_it_made():
    # a < gone < b: the two differ by 2 at least
    between = state(box(v=[a, b]), lt(a, c), lt(c, b))
    assert new([state(box(v=[a, b]), lt(a, b)), between]) == [True, False]
    assert new([between, state(box(v=[a, b]), lt(a, b))]) == [True, True]
    assert new([between, state(box(v=[a, b]), lt(plus(a, 1), b))]) == [True, False]


def test_the_same_order_is_the_same_however_it_is_said():
    one = state(box(v=[a, b, c]), lt(a, b), lt(b, c))
    other = state(box(v=[b, c, d]), lt(b, d), lt(c, d), ne(b, c), le(b, c))
    assert new([one, other], subsumption=False) == [True, False]


def test_equal_arguments_are_the_same_as_one_argument_twice():
    assert new([state(box(v=[a, b]), eq(a, b)), state(box(v=[c, c]))]) == [True, False]
    assert new([state(box(v=[a, b])), state(box(v=[c, c]))]) == [True, False]
    assert new([state(box(v=[c, c])), state(box(v=[a, b]))]) == [True, True]


def test_what_is_added_to_an_argument_is_part_of_the_leaf():
    assert new([state(box(v=plus(a, 1)), lt(a, 4)), state(box(v=b), lt(b, 5))]) == [True, False]


def test_arguments_that_differ_are_not_any_arguments():
    different = state(box(v=[a, b]), ne(a, b))
    assert new([different, state(box(v=[a, b]))]) == [True, True]
    assert new([different, state(box(v=[a, b]), lt(a, b))]) == [True, False]
    assert new([different, state(box(v=[c, d]), ne(d, c))]) == [True, False]


def test_an_argument_that_is_gone_can_always_differ():
    found = state(box(v=[a, b]), ne(a, c), ne(b, c))
    assert new([found, state(box(v=[a, b]))]) == [True, False]


def test_a_narrow_argument_that_is_gone_can_not_always_differ():
    # 0 <= gone <= 1, a != gone, b != gone: a and b are not 0 and 1
    narrow = state(box(v=[a, b]), le(0, c), le(c, 1), ne(a, c), ne(b, c))
    assert new([narrow, state(box(v=[a, b]))]) == [True, True]


def test_only_relevant_attributes_count():
    states = [state(box(v=a, calls=1)), state(box(v=a, calls=2))]
    assert new(states) == [True, True]
    assert new(states, relevant=frozenset(["v"])) == [True, False]


def test_concrete_states_are_compared_by_value():
    states = [SymbolicState(box(v=a), (), {"a": 1}), SymbolicState(box(v=b), (), {"b": 2}),
              SymbolicState(box(v=plus(a, 1)), (), {"a": 1})]  # fmt: skip
    assert new(states) == [True, False, False]
    assert new(states, concrete=True) == [True, True, False]


def test_elements_of_a_set_have_no_position():
    one = state(box(v=Set(a, b)), lt(a, b))
    other = state(box(v=Set(a, b)), lt(b, a))
    assert new([one, other]) == [True, False]
    assert new([state(box(v=Set(1, a, 2))), state(box(v=Set(b, 2, 1)))]) == [True, False]


def test_the_order_of_a_dict_counts():
    one, other = state(box(v={1: a, 2: b})), state(box(v={2: b, 1: a}))
    assert new([one, other]) == [True, True]


def test_the_order_of_texts():
    p, q, r = map(s, "pqr")
    ordered = state(box(v=[p, q]), lt(p, q))
    assert new([ordered, state(box(v=[p, q]), lt(p, r), lt(r, q))]) == [True, False]
    assert new([ordered, state(box(v=[p, q]), lt(q, p))]) == [True, True]
    assert new([state(box(v=[p, q])), ordered]) == [True, False]


def test_no_text_need_lie_between_two_others():
    p, q, r = map(s, "pqr")
    assert new([state(box(v=[p, q]), lt(p, r), lt(r, q)), state(box(v=[p, q]), lt(p, q))]) == [True, True]


def test_flags():
    flag, other = var("f", Sort.BOOL), var("g", Sort.BOOL)
    assert new([state(box(v=flag)), state(box(v=other), other)]) == [True, False]
    assert new([state(box(v=flag), flag), state(box(v=other))]) == [True, True]


class TestSums:
    def test_a_sum_of_any_numbers_is_any_number(self):
        assert new([state(box(v=a)), state(box(v=plus(a, b)))]) == [True, False]
        assert new([state(box(v=plus(a, b))), state(box(v=a))]) == [True, False]

    def test_a_sum_has_the_bounds_of_its_parts(self):
        more = state(box(v=plus(a, b)), lt(0, a), lt(0, b))
        assert new([state(box(v=a), lt(0, a)), more]) == [True, False]
        assert new([more, state(box(v=a), lt(1, a))]) == [True, False]
        assert new([more, state(box(v=a), lt(0, a))]) == [True, True]

    def test_sums_of_many(self):
        total, conditions = const(0), []
        for name in "abcdefg":
            total = plus(total, x(name))
            conditions.append(lt(0, x(name)))
        assert new([state(box(v=total), *conditions), state(box(v=a), lt(6, a))]) == [True, False]

    def test_what_is_not_a_multiple_of_two_is_told_apart(self):
        even = state(box(v=times(2, a)))
        assert new([even, state(box(v=a))]) == [True, True]
        assert new([state(box(v=a)), even]) == [True, False]
        assert new([even, state(box(v=times(2, b)))]) == [True, False]


class TestOtherConditions:
    def test_the_same_conditions_on_other_arguments(self):
        assert new([state(box(v=a), eq(mod(a, 3), 1)), state(box(v=b), eq(mod(b, 3), 1))]) == [True, False]

    def test_more_conditions(self):
        more = state(box(v=b), lt(b, 9), eq(mod(b, 3), 1))
        assert new([state(box(v=a), eq(mod(a, 3), 1)), more]) == [True, False]

    def test_implication_is_proved(self):
        assert new([state(box(v=a), eq(mod(a, 2), 0)), state(box(v=a), eq(mod(a, 4), 0))]) == [True, False]
        assert new([state(box(v=a), eq(mod(a, 4), 0)), state(box(v=a), eq(mod(a, 2), 0))]) == [True, True]

    def test_a_divisor_must_not_be_nothing(self):
        divides = state(box(v=[a, b]), ne(b, 0), eq(mod(a, b), 0))
        assert new([divides, state(box(v=[a, b]), eq(a, 0), lt(mod(a, 2), 1))]) == [True, True]

    def test_hidden_arguments_exist(self):
        # v is a sum of two multiples of 3, hence one
        both = state(box(v=plus(a, b)), eq(mod(a, 3), 0), eq(mod(b, 3), 0))
        assert new([state(box(v=a), eq(mod(a, 3), 0)), both]) == [True, False]

    def test_products(self):
        product = state(box(v=times(a, b)), lt(3, a))
        assert new([product, state(box(v=times(c, d)), lt(3, c))]) == [True, False]

    def test_floats_are_only_compared_as_they_stand(self):
        f, g = var("f", Sort.FLOAT), var("g", Sort.FLOAT)

        def less(one: Node, other: Node) -> Node:
            return apply("lt", Sort.BOOL, one, other)

        states = [state(box(v=[f, g]), less(f, g)), state(box(v=[g, f]), less(g, f)), state(box(v=[f, g]))]
        assert new(states) == [True, False, True]
        half = apply("truediv", Sort.FLOAT, f, const(2.0))
        assert new([state(box(v=half)), state(box(v=f))]) == [True, True]


def test_what_was_cut_subsumes_nothing():
    cut = SymbolicState(box(v=a), (), {}, whole=False)
    assert new([cut, state(box(v=a), lt(a, 5))]) == [True, True]
    overflow = (("object", "m:Box", (("v", ("cell", 1)),)), ("opaque", "..."))
    assert new([state(overflow), state(overflow)]) == [True, True]


def test_length():
    known = StateSet()
    for each in (state(box(v=a)), state(box(v=b)), state(box(v=0))):
        known.add(each)
    assert len(known) == 2


def _leaves(leaves: list[Node], conditions: list[Node], numbers: range) -> set[tuple[object, ...]]:
    """What the leaves may be, by trying all arguments."""
    names = "abcd"
    found = set()
    for chosen in itertools.product(numbers, repeat=len(names)):
        values = dict(zip(names, chosen, strict=True))
        if holds(conditions, values):
            found.add(tuple(evaluate(leaf, values) for leaf in leaves))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_what_is_subsumed_really_is(seed: int):
    """On random sums and conditions; what a state subsumes, its leaves can be by larger arguments."""
    chance = random.Random(seed)
    arguments = [a, b, c, d]

    def term() -> Node:
        first = chance.choice(arguments)
        match chance.randrange(5):
            case 0:
                return plus(first, chance.choice(arguments))
            case 1:
                return plus(first, chance.randint(-1, 1))
            case _:
                return first

    def condition() -> Node:
        make = chance.choice([lt, le, le, eq, ne])
        return make(term(), chance.choice([term(), const(chance.randint(-1, 1))]))

    pairs = []
    for _ in range(5):
        leaves = [term(), term()]
        made = [condition() for _ in range(chance.randint(0, 4))]
        conditions = [each for each in made if each.op != "const"]
        if _leaves(leaves, conditions, range(-2, 3)):  # a path that was run
            pairs.append((leaves, conditions))
    for one, other in itertools.permutations(pairs, 2):
        if new([state(box(v=one[0]), *one[1]), state(box(v=other[0]), *other[1])]) == [True, False]:
            assert _leaves(*other, range(-1, 2)) <= _leaves(*one, range(-4, 5)), (one, other)
