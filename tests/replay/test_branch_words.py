"""Conditions in words, as names of tests say them."""

from __future__ import annotations

import ast

import pytest

from tracetwin.replay.branch_words import branch_words, words_of


@pytest.mark.parametrize(
    ("condition", "taken", "passed"),
    [
        ("n < 3", "n_is_below_3", "n_is_at_least_3"),
        ("self.size >= limit", "size_is_at_least_limit", "size_is_below_limit"),
        ("name is None", "name_is_none", "name_is_not_none"),
        ("key not in table", "key_is_not_in_table", "key_is_in_table"),
        ("text == ''", "text_equals_empty", "text_differs_from_empty"),
        ("n > -1", "n_is_above_minus_1", "n_is_at_most_minus_1"),
        ("not ready", "not_ready", "ready"),
        ("a and b", "a_and_b", "not_a_and_b"),
    ],
)
def test_both_sides_of_a_condition_have_words(condition: str, taken: str, passed: str) -> None:
    tree = ast.parse(f"def f():\n    if {condition}:\n        return 1\n    return 2\n")
    found = branch_words(tree)
    assert taken == found[2, 3]
    assert passed == found[2, 0]
    assert [taken] == words_of(frozenset({(2, 3)}), found)
    assert [passed] == words_of(frozenset({(2, 4)}), found)


def test_what_is_decided_last_comes_first() -> None:
    tree = ast.parse("def f(a, b):\n    if a:\n        a = 1\n    if b:\n        return 2\n")
    assert ["not_b", "a"] == words_of(frozenset({(2, 3), (4, -1)}), branch_words(tree))


def test_a_long_condition_says_nothing() -> None:
    tree = ast.parse(f"if {' and '.join('something_long' for _ in range(9))}:\n    pass\n")
    assert {""} == set(branch_words(tree).values())
    assert [] == words_of(frozenset({(1, 2)}), branch_words(tree))
