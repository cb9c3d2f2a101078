from __future__ import annotations

import pytest

from tracetwin.support.text import clean, clock, columns, count, duration, width


@pytest.mark.parametrize(
    ("foreign", "expected"),
    [
        ("plain", "plain"),
        ("two\nlines\tand  more", "two lines and more"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b2Jgone", "gone"),
        ("\x1bcreset", "reset"),
        ("\x1b[", ""),
        ("unfinished\x1b[38;5", "unfinished"),
        ("bell\x07 back\x08space", "bell backspace"),
        ("evil\u202etxt.exe", "eviltxt.exe"),
        ("lone\ud800", "lone"),
        ("größe 数", "größe 数"),
        ("[red]markup[/red]", "[red]markup[/red]"),
        ("a \x1b]0;title: it is kept", "a 0;title: it is kept"),
        ("\x90a \x1bP and more", "a and more"),
        ("\x1b\x1b[0m[31mred", "[31mred"),
        ("a\u200bb\ufeff\u2060c\U000e0041", "abc"),
    ],
)
def test_foreign_text_cannot_steer_a_terminal(foreign, expected):
    assert expected == clean(foreign)


def test_long_text_is_cut():
    assert clean("x" * 1000, 10) == "xxxxxxx..."


def test_much_text_costs_little_time():
    assert [clean(text * 10**6) for text in ("\x1b]", "\x90", "\x1b[0", " ")] == [""] * 4


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, "0.00 s"), (-1, "0.00 s"), (0.994, "0.99 s"), (0.996, "1.0 s"), (12.34, "12.3 s"),
        (59.96, "1:00"), (60, "1:00"), (125, "2:05"), (3723, "1:02:03"),
    ],
)
def test_durations(seconds, expected):
    assert expected == duration(seconds)


def test_clocks():
    assert ["0:00", "0:51", "12:05"] == [clock(-3), clock(51.2), clock(725)]


def test_counts():
    assert ["1 test", "2 tests", "1,204 runs", "0 branches"] == [
        count(1, "test"), count(2, "test"), count(1204, "run"), count(0, "branch"),
    ]


def test_columns_are_aligned_by_what_a_terminal_shows():
    lines = columns([["name", "tests"], ["größe", "1"], ["数字", "12"]])
    assert ["  name    tests", "  größe       1", "  数字       12"] == lines
    assert 1 == len({width(line) for line in lines})
    assert [] == columns([])
