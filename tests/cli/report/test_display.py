from __future__ import annotations

import io
import re
import threading
from collections.abc import Callable

import pytest

from tests.cli.report.samples import failure, function, module
from tracetwin.cli.report.display import NORMAL, QUIET, VERBOSE, open_display
from tracetwin.cli.report.live import REFRESH_SECONDS, ROWS, LiveDisplay
from tracetwin.cli.report.plain import PlainDisplay
from tracetwin.cli.report.table import render
from tracetwin.run.listener import Listener, Work


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def tell_everything(listener: Listener) -> None:
    listener.learning("pytest -q", 1.5, 12)
    listener.learning("", 0.0, 0)
    listener.preparing(3, 25)
    listener.preparing(25, 25)
    listener.module_started("shop.cart", ["Cart.add"])
    listener.progress("shop.cart", "Cart.add", Work(3, 8, 700))
    listener.tick()
    listener.message("a word")
    listener.function_finished("shop.cart", function())
    listener.module_finished(module())
    listener.module_finished(failure())


FUNCTION = "shop.cart  Cart.add: 5/8 branches, 4 tests, 1.3 s\n"
MODULE = "shop.cart: 5/8 branches, 4 tests, 2.5 s; wrote tests/test_shop_cart.py\n"
ERROR = "error: shop.broken: import raised ZeroDivisionError: division by zero\n"


@pytest.mark.parametrize(
    ("verbosity", "expected"),
    [
        (QUIET, ERROR),
        (NORMAL, f"a word\n{FUNCTION}{MODULE}{ERROR}"),
        (VERBOSE, f"shop.cart: 1 function to explore\na word\n{FUNCTION}{MODULE}{ERROR}"),
    ],
)
def test_plain_lines(verbosity, expected):
    stream = io.StringIO()
    with open_display(stream, modules=1, time_limit=60, verbosity=verbosity) as display:
        tell_everything(display)
    assert expected == stream.getvalue()


def test_a_module_with_nothing_to_test_is_no_error_and_is_not_counted_as_one():
    result = failure("shop.broken: it defines no function or class that may be called")
    result.empty = True
    stream = io.StringIO()
    PlainDisplay(stream).module_finished(result)
    assert stream.getvalue() == "shop.broken: it defines no function or class that may be called\n"
    assert "nothing for" not in "".join(render([module(), result]))
    assert "nothing for 1 module" in "".join(render([module(), failure()]))


def test_an_error_that_names_its_module_is_not_prefixed_again():
    stream = io.StringIO()
    PlainDisplay(stream).module_finished(failure("shop.broken: importing it hung"))
    assert "error: shop.broken: importing it hung\n" == stream.getvalue()


def test_quiet_is_quiet_on_a_terminal_too():
    stream = Terminal()
    with open_display(stream, modules=1, time_limit=60, verbosity=QUIET) as display:
        tell_everything(display)
    assert ERROR == stream.getvalue()


def test_whoever_shows_nothing_may_be_told_everything():
    tell_everything(Listener())


class Clock:
    """Time that passes when told."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Callable[..., LiveDisplay]:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "30")

    def make(stream: io.StringIO, modules: int = 3) -> LiveDisplay:
        return LiveDisplay(stream, modules=modules, time_limit=60, clock=clock, terminal=True)

    return make


def picture(display: LiveDisplay, width: int = 100) -> list[str]:
    """The lines of the picture as they would be drawn."""
    from rich.console import Console

    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(display.picture())
    return [line.rstrip() for line in capture.get().splitlines()]


def test_the_picture_shows_modules_coverage_executions_and_time_left(live, clock):
    display = live(io.StringIO())
    display.module_started("shop.cart", ["Cart.add", "Cart.total"])
    display.progress("shop.cart", "Cart.add", Work(3, 8, 700, 2.0, 500, 0.5))
    display.function_finished("shop.cart", function("Cart.total"))
    clock.now += 10
    assert [re.split(r"  +", line.strip()) for line in picture(display)] == [
        ["0/3 modules", "8/16 branches", "1,904 runs", "2:50 left"],
        ["shop.cart", "8/16", "1,904", "0:50", "1/2 functions"],
        ["Cart.add", "3/8", "700", "5 open, 250 runs/s, 25 % solving"],
    ]


def test_a_narrow_terminal_cuts_names_and_nothing_else(live, clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    display = live(io.StringIO())
    display.module_started("shop.cart.of_many_things", ["Cart.total_of_everything"])
    display.progress("shop.cart.of_many_things", "Cart.total_of_everything", Work(3, 8, 700, 2.0, 500, 0.5))
    lines = picture(display, 80)
    assert "8 branches  700 runs" in lines[0]
    assert lines[2].endswith("5 open, 250 runs/s, 25 % solving")


def test_the_picture_names_the_functions_at_work_only(live, clock):
    display = live(io.StringIO())
    display.module_started("shop.cart", ["a", "b"])
    display.progress("shop.cart", "a", Work(3, 8, 700))
    clock.now += 5
    display.progress("shop.cart", "b", Work(1, 2, 30))
    assert [line.split()[0] for line in picture(display)[2:]] == ["b"]
    clock.now += 60
    assert [line.split()[0] for line in picture(display)[2:]] == ["b"]


def test_the_picture_shows_that_twins_are_built(live):
    display = live(io.StringIO())
    display.preparing(3, 25)
    assert re.split(r"  +", picture(display)[1].strip()) == ["building what is imported", "3/25 twins"]
    display.preparing(25, 25)
    assert len(picture(display)) == 1


def test_the_picture_shows_that_the_projects_tests_are_running(live):
    display = live(io.StringIO())
    display.learning("pytest -q", 75.0, 1204)
    shown = re.split(r"  +", picture(display)[1].strip())
    assert shown == ["pytest -q", "1:15", "1,204 calls noted"]
    display.learning("", 0.0, 0)
    assert len(picture(display)) == 1


def test_finished_modules_stay_in_the_sums(live):
    display = live(io.StringIO())
    tell_everything(display)
    assert re.split(r"  +", picture(display)[0].strip()) == [
        "2/3 modules", "5/8 branches", "1,204 runs", "1:00 left",
    ]


def test_modules_that_run_side_by_side_share_the_time_left(live, clock):
    display = live(io.StringIO(), modules=4)
    display.module_started("a", [])
    display.module_started("b", [])
    clock.now += 30
    assert display.time_left() == pytest.approx((30 + 30 + 60 + 60) / 2)
    clock.now += 100
    assert display.time_left() == pytest.approx(60)


def test_it_is_drawn_on_the_terminal_and_gone_at_the_end(live):
    stream = Terminal()
    display = live(stream)
    with display.running():
        tell_everything(display)
    text = stream.getvalue()
    assert "0/3 modules" in text
    assert MODULE.strip() in text
    assert ERROR.strip() in text
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1  # the cursor is hidden and shown again


def test_the_terminal_is_restored_when_work_is_interrupted(live):
    stream = Terminal()
    display = live(stream)
    with pytest.raises(KeyboardInterrupt), display.running():
        raise KeyboardInterrupt
    assert stream.getvalue().count("\x1b[?25h") == 1


def test_it_is_not_drawn_more_often_than_anyone_can_see(live, clock):
    stream = Terminal()
    display = live(stream)
    with display.running():
        display.module_started("shop.cart", ["f"])
        before = len(stream.getvalue())
        for runs in range(1000):
            display.progress("shop.cart", "f", Work(1, 2, runs))
        assert before == len(stream.getvalue())
        clock.now += REFRESH_SECONDS
        display.tick()
        assert before < len(stream.getvalue())


def test_it_has_no_thread_that_a_fork_could_lose(live):
    before = threading.active_count()
    display = live(Terminal())
    with display.running():
        assert before == threading.active_count()


def test_a_crowd_does_not_fill_the_screen(live):
    display = live(io.StringIO())
    for number in range(100):
        display.progress("big", f"f{number}", Work(0, 2, 1))
    assert len(picture(display)) == ROWS + 1


def test_foreign_names_are_shown_as_they_are_but_harmless(live):
    stream = Terminal()
    display = live(stream)
    with display.running():
        display.module_started("[red]m\x1b]0;pwned\x07", [])
        display.message("[bold]not markup[/bold] \x1b[2J")
    assert "[red]m" in stream.getvalue()
    assert "[bold]not markup[/bold]" in stream.getvalue()
    assert "pwned" not in stream.getvalue()


def test_the_live_picture_is_chosen_for_terminals(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    with open_display(Terminal(), modules=1, time_limit=60) as display:
        assert isinstance(display, LiveDisplay)
    with open_display(io.StringIO(), modules=1, time_limit=60) as display:
        assert isinstance(display, PlainDisplay)
