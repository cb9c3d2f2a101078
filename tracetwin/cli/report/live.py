"""The work as a picture on the terminal, redrawn in place.

It has no thread of its own, so that processes can be forked at any time: being told something redraws it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Final, TextIO

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tracetwin.cli.report.plain import NORMAL, VERBOSE, failure_lines, function_line, module_line
from tracetwin.run.listener import Listener, Work
from tracetwin.run.results.module_result import FunctionResult, ModuleResult
from tracetwin.support.data import dataclass
from tracetwin.support.text import clean, clock

REFRESH_SECONDS: Final = 0.12
ROWS: Final = 12
"""Rows of the picture, modules and functions together."""

_GAP: Final = 2
"""Columns between two cells."""

_LEAST_NAME: Final = 8
"""Characters of a name that are shown on however narrow a terminal."""

AT_WORK_SECONDS: Final = 2.0
"""How long ago a function was heard of at most that is shown as being at work."""


@dataclass
class _Module:
    started: float
    waiting: int
    functions: dict[str, Work] = field(default_factory=dict)
    heard: dict[str, float] = field(default_factory=dict)
    finished: list[FunctionResult] = field(default_factory=list)

    def sum(self) -> Work:
        """All its functions as one, the finished ones included."""
        going, done = list(self.functions.values()), self.finished
        return Work(
            sum(f.covered for f in going) + sum(f.covered_branches for f in done),
            sum(f.total for f in going) + sum(f.branches for f in done),
            sum(f.runs for f in going) + sum(f.runs for f in done),
        )

    def at_work(self, now: float) -> list[tuple[str, Work]]:
        """The functions that were heard of lately, or else the last one."""
        late = max(self.heard.values(), default=now)
        since = min(late, now - AT_WORK_SECONDS)
        return [(name, work) for name, work in self.functions.items() if self.heard[name] >= since]

    def progress(self) -> str:
        """How many of its functions are done."""
        known = max(self.waiting, len(self.finished) + len(self.functions))
        return f"{len(self.finished)}/{known} functions"


class LiveDisplay(Listener):
    """A picture that is redrawn in place; finished modules scroll up as lines."""

    def __init__(
        self,
        stream: TextIO,
        *,
        modules: int,
        time_limit: float,
        verbosity: int = NORMAL,
        clock: Callable[[], float] = time.monotonic,
        terminal: bool | None = None,
    ) -> None:
        self._console = Console(
            file=stream, force_terminal=terminal, highlight=False, markup=False, emoji=False
        )
        self._live: Live | None = None
        self._count = modules
        self._limit = time_limit
        self._verbosity = verbosity
        self._clock = clock
        self._drawn = float("-inf")
        self._running: dict[str, _Module] = {}
        self._done = 0
        self._preparing = ""
        self._learning: tuple[str, str, str] | None = None
        self._covered = self._total = self._runs = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Show the picture, and take it away at the end."""
        self._live = Live(
            console=self._console, auto_refresh=False, transient=True,
            redirect_stdout=False, redirect_stderr=False,
        )
        try:
            with self._live:
                yield
        finally:
            self._live = None

    def preparing(self, done: int, known: int) -> None:
        """A row of its own, while it lasts."""
        self._preparing = f"{done}/{known} twins" if done < known else ""
        self._draw(now=not self._preparing)

    def learning(self, command: str, seconds: float, calls: int) -> None:
        """A row of its own, while it lasts."""
        self._learning = (command, clock(seconds), f"{calls:,} calls noted") if command else None
        self._draw(now=not command)

    def module_started(self, name: str, functions: list[str]) -> None:
        """A module joins the picture."""
        self._running[name] = _Module(self._clock(), len(functions))
        self._draw(now=True)

    def progress(self, module: str, function: str, work: Work) -> None:
        shown = self._module(module)
        shown.functions[function] = work
        shown.heard[function] = self._clock()
        self._draw()

    def function_finished(self, module: str, result: FunctionResult) -> None:
        shown = self._module(module)
        shown.functions.pop(result.qualname, None)
        shown.finished.append(result)
        if self._verbosity >= VERBOSE:
            self._say(function_line(module, result))
        self._draw()

    def module_finished(self, result: ModuleResult) -> None:
        """A module becomes a line above the picture."""
        self._running.pop(result.name, None)
        self._done += 1
        self._covered += result.covered_branches
        self._total += result.branches
        self._runs += result.runs
        for line in (*failure_lines(result), module_line(result)):
            self._say(line)
        self._draw(now=True)

    def message(self, text: str) -> None:
        """A line above the picture."""
        self._say(clean(text))

    def tick(self) -> None:
        self._draw()

    def _module(self, name: str) -> _Module:
        return self._running.setdefault(name, _Module(self._clock(), 0))

    def _say(self, line: str) -> None:
        self._console.print(line, soft_wrap=True)

    def _draw(self, *, now: bool = False) -> None:
        moment = self._clock()
        if self._live is None or (not now and moment - self._drawn < REFRESH_SECONDS):
            return
        self._drawn = moment
        self._live.update(self.picture(), refresh=True)

    def time_left(self) -> float:
        """The longest that it can still take, if as many modules run at a time as now."""
        moment = self._clock()
        running = [self._left(module, moment) for module in self._running.values()]
        waiting = max(0, self._count - self._done - len(running)) * self._limit
        return max([*running, (sum(running) + waiting) / max(1, len(running))])

    def _left(self, module: _Module, moment: float) -> float:
        return max(0.0, self._limit - (moment - module.started))

    def picture(self) -> Table:
        """All that is going on, as something that rich can draw."""
        covered, total, runs = self._covered, self._total, self._runs
        rows: list[tuple[str, str, str, str, str]] = []
        moment = self._clock()
        if self._preparing:
            rows.append(("building what is imported", "", "", "", self._preparing))
        if self._learning:
            command, passed, noted = self._learning
            rows.append((clean(command, 40), "", "", passed, noted))
        for name, module in self._running.items():
            here = module.sum()
            covered, total, runs = covered + here.covered, total + here.total, runs + here.runs
            left = clock(self._left(module, moment))
            rows.append((clean(name, 40), _share(here), f"{here.runs:,}", left, module.progress()))
            rows += [
                (f"  {clean(function, 40)}", _share(work), f"{work.runs:,}", "", _pace(work))
                for function, work in module.at_work(moment)
            ]
        table = Table(box=None, pad_edge=False, show_edge=False, header_style="bold")
        heads = (f"{covered}/{total} branches", f"{runs:,} runs", f"{clock(self.time_left())} left")
        table.add_column(f"{self._done}/{self._count} modules", no_wrap=True)
        for head in heads:
            table.add_column(head, justify="right", no_wrap=True)
        table.add_column("", no_wrap=True, overflow="ellipsis")
        cells = [(*heads, ""), *(row[1:] for row in rows[:ROWS])]
        wide = sum(max(map(len, column)) + _GAP for column in zip(*cells, strict=True))
        room = max(_LEAST_NAME, self._console.width - wide)  # what is narrow cuts names, and nothing else
        for name, *row in rows[:ROWS]:
            told = (name if len(name) <= room else f"{name[: room - 1]}…", *row)
            table.add_row(*map(Text, told), style="dim" if name.startswith(" ") else "")
        return table


def _share(work: Work) -> str:
    """Branches reached of those known."""
    return f"{work.covered}/{work.total}"


def _pace(work: Work) -> str:
    """The number of open goals, and how fast it goes."""
    return ", ".join(filter(None, (f"{work.open} open", work.pace)))
