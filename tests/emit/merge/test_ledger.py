"""The list at the end of a generated file."""

from __future__ import annotations

import ast

import pytest

from tracetwin.emit.merge import earlier
from tracetwin.emit.merge.ledger import (
    Ledger,
    LedgerEntry,
    entry_of,
    ledger_of,
    lines_of,
    with_ledger,
    without_ledger,
)

TEST = """\
def test_price(self):
    # of ten
    self.assertEqual(price(10), 10)
"""


def entry(text: str) -> LedgerEntry:
    ((_, node),) = earlier.tests_of(ast.parse(text))
    return entry_of(node, lines_of(text))


def test_an_entry_is_of_what_a_test_says() -> None:
    laid_out = TEST.replace("price(10), 10)", "\n        price( 10 ), 0xa\n    )")
    assert entry(laid_out) == entry(TEST)


@pytest.mark.parametrize(
    "edited",
    [
        TEST.replace("10)", "11)"),
        TEST.replace("of ten", "of eleven"),
        TEST.replace("    # of ten\n", ""),
        "@skip\n" + TEST,
        TEST + "    print()\n",
    ],
)
def test_every_edit_of_a_test_shows(edited: str) -> None:
    assert entry(edited).body != entry(TEST).body
    assert entry(edited).is_like(entry(TEST))  # it still has the name


def test_another_name_leaves_the_body_as_it_was() -> None:
    renamed = entry(TEST.replace("test_price", "test_price_of_ten"))
    assert renamed != entry(TEST)
    assert renamed.body == entry(TEST).body


def test_a_list_is_read_as_it_was_written_and_formatters_leave_it() -> None:
    entries = tuple(LedgerEntry(f"{number:04x}", f"{number:08x}") for number in range(50))
    text = with_ledger("VALUE = 1\n", "pytest", entries)
    assert ledger_of(text) == Ledger("pytest", entries)
    assert max(map(len, text.splitlines())) <= 100
    assert ledger_of(text.replace("\n", "\r\n")) == Ledger("pytest", entries)
    assert without_ledger(text).rstrip() == "VALUE = 1"
    assert with_ledger(text, "pytest", entries) == text


def test_a_list_is_replaced_and_what_stands_behind_it_stays() -> None:
    text = with_ledger("VALUE = 1\n", "unittest", [LedgerEntry("0000", "00000000")]) + "MINE = 2\n"
    again = with_ledger(text, "unittest", [LedgerEntry("1111", "11111111")])
    assert "MINE = 2" in again
    assert "000000000000" not in again
    assert ledger_of(again) == Ledger("unittest", (LedgerEntry("1111", "11111111"),))


@pytest.mark.parametrize("text", ["", "VALUE = 1\n", "# Written by tracetwin\n# 000000000000\n"])
def test_a_file_without_a_list(text: str) -> None:
    assert ledger_of(text) is None
    assert without_ledger(text) == text


def test_lines_are_those_that_python_counts() -> None:
    text = 'A = "\x0c\u2028\x1c"\r\nB = 2\rC = 3\n'
    assert len(lines_of(text)) == 3
    assert lines_of(text)[ast.parse(text).body[1].lineno - 1] == "B = 2"
    assert lines_of("") == []
