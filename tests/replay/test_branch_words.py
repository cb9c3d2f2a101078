"""Conditions in words, as names of tests say them."""

from __future__ import annotations

import ast

import pytest

from tracetwin.replay.branch_words import branch_words, statement_words, words_of


@pytest.mark.parametrize(
    ("condition", "taken", "passed"),
    [
        ("n < 3", "n_is_below_three", "n_is_at_least_three"),
        ("self.size >= limit", "size_is_at_least_limit", "size_is_below_limit"),
        ("name is None", "name_is_none", "name_is_not_none"),
        ("key not in table", "key_is_not_in_table", "key_is_in_table"),
        ("text == ''", "text_is_empty", "text_is_not_empty"),
        ("n > -1", "n_is_above_minus_one", "n_is_at_most_minus_one"),
        ("port > 65535", "port_is_above_65535", "port_is_at_most_65535"),
        ("n % 2 == 0", "n_modulo_two_is_zero", "n_modulo_two_is_not_zero"),
        ("not ready", "ready_is_not_set", "ready_is_set"),
        ("is_ready", "is_ready", "not_is_ready"),
        ("a and b > 1", "a_is_set_and_b_is_above_one", ""),
        ("a or b > 1", "", "a_is_not_set_and_b_is_at_most_one"),
        ("isinstance(x, Node)", "x_is_a_node", "x_is_no_node"),
        ("text.startswith('ab')", "text_starts_with_ab", "text_does_not_start_with_ab"),
        ("text.isdigit()", "text_is_digit", "text_is_not_digit"),
        ("WORD.match(text)", "text_matches_word", "text_does_not_match_word"),
        ("len(text) == 4", "length_of_text_is_four", "length_of_text_is_not_four"),
        ("text == '<'", "", ""),
        ("x < y < z", "y_is_between_x_and_z", "y_is_not_between_x_and_z"),
        ("not -1.0 <= x <= 9", "x_is_not_between_minus_one_and_nine", "x_is_between_minus_one_and_nine"),
        ("(lambda: x)()", "", ""),
    ],
)
def test_both_sides_of_a_condition_have_words(condition: str, taken: str, passed: str) -> None:
    tree = ast.parse(f"def f():\n    if {condition}:\n        return 1\n    return 2\n")
    found = branch_words(tree)
    assert (taken, passed) == (found[2, 3], found[2, 0])
    assert words_of(frozenset({(2, 3)}), found) == ({taken: True} if taken else {})
    assert words_of(frozenset({(2, 4)}), found) == ({passed: False} if passed else {})


def test_what_a_function_sets_itself_is_not_told_of_its_arguments() -> None:
    begin = "def f(a, n):\n    valid = a == 1\n    if not valid:\n        g()\n"
    found = branch_words(ast.parse(f"{begin}    while n:\n        n -= 1\n    return a\n"))
    assert ("not_valid", "valid") == (found[3, 4], found[3, 0])
    assert ("", "") == (found[5, 6], found[5, 0])


@pytest.mark.parametrize(
    ("change", "condition", "words"),
    [
        ("h /= 60", "h < 4", "h_by_sixty_is_below_four"),
        ("h = compact(h)", "not h", "compact_h_is_not_set"),
        ("h = h.strip()", "h == ''", "stripped_h_is_empty"),
        ("h = int(h)", "h > 2", "h_is_above_two"),
        ("h = [] if s is None else s", "h == 1", "h_is_one"),
        ("found = WORD.match(h)", "not found", "h_does_not_match_word"),
        ("if s:\n        h += 1", "h > 2", ""),
        ("h += 1; h *= 2", "h > 2", ""),
    ],
)
def test_what_is_said_of_a_changed_argument_is_true_of_what_was_given(
    change: str, condition: str, words: str
) -> None:
    """What a tuple is taken apart into is as given as a parameter."""
    tree = ast.parse(f"def f(hs):\n    h, s = hs\n    {change}\n    if {condition}:\n        return 1\n")
    found = branch_words(tree)
    assert words == found[max(arc for arc in found if arc[1])]


def test_what_is_decided_last_comes_first() -> None:
    tree = ast.parse("def f(a, b):\n    if a:\n        a = 1\n    if b:\n        return 2\n")
    assert words_of(frozenset({(2, 3), (4, -1)}), branch_words(tree)) == {
        "b_is_not_set": False,
        "a_is_set": True,
    }


def test_something_hangs_on_both_sides_where_there_is_an_else() -> None:
    tree = ast.parse("def f(a):\n    if a > 1:\n        b = 1\n    else:\n        b = 2\n    return b\n")
    assert words_of(frozenset({(2, 5)}), branch_words(tree)) == {"a_is_at_most_one": True}


def test_what_is_decided_both_ways_says_nothing() -> None:
    tree = ast.parse("def f(a):\n    while a:\n        a = g()\n    return a\n")
    assert words_of(frozenset({(2, 3), (2, 4)}), branch_words(tree)) == {}
    assert words_of(frozenset({(2, 4)}), branch_words(tree)) == {"a_is_not_set": False}


def test_a_handler_says_what_it_has_caught() -> None:
    tree = ast.parse("try:\n    f()\nexcept json.JSONDecodeError:\n    pass\n")
    assert words_of(frozenset({(3, 4)}), branch_words(tree)) == {"json_decode_error_is_caught": True}


def test_a_long_condition_says_nothing() -> None:
    tree = ast.parse(f"if {' and '.join('something_long' for _ in range(9))}:\n    pass\n")
    assert {""} == set(branch_words(tree).values())
    assert {} == words_of(frozenset({(1, 2)}), branch_words(tree))


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("for one in data['items']:\n        pass", "walking_over_data_items"),
        ("for n, one in enumerate(rows, 1):\n        pass", "walking_over_rows"),
        ("if page >= last:\n        pass", "asking_whether_page_is_at_least_last"),
        ("total += price(one)", "computing_total"),
        ("self.size = n", "computing_size"),
        ("one, other = pair", ""),
        ("found.append(one)", "calling_found_append"),
        ("return one[0]", ""),
        ("pass", ""),
    ],
)
def test_statements_have_words(statement: str, words: str) -> None:
    tree = ast.parse(f"def f():\n    {statement}\n")
    assert words == statement_words(tree).get(2, "")


def test_a_statement_of_several_lines_has_words_in_each_but_those_of_its_body() -> None:
    tree = ast.parse("def f():\n    for one in part(\n        a\n    ):\n        n = g(\n            one)\n")
    found = statement_words(tree)
    assert ["walking_over_part_a"] * 3 + ["computing_n"] * 2 == [found[line] for line in range(2, 7)]
