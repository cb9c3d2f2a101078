"""The listener: told of every step by the scheduler, it shows the work to the user."""

from __future__ import annotations

from typing import Final

from tracetwin.run.results.module_result import FunctionResult, ModuleResult
from tracetwin.support.data import dataclass

LEAST_SECONDS: Final = 0.2
"""How long a turn has lasted at least whose pace is told."""


@dataclass(frozen=True, slots=True)
class Work:
    """How far the exploration of a function is.

    Attributes:
        seconds: that its present turn has lasted.
        solving: seconds of that turn that went into solving.
    """

    covered: int
    total: int
    runs: int
    seconds: float = 0.0
    turn: int = 0
    solving: float = 0.0

    @property
    def open(self) -> int:
        """The branches that are known and not reached."""
        return max(0, self.total - self.covered)

    @property
    def pace(self) -> str:
        """How fast it goes and what part of its time goes into solving, in words; "" where it just began."""
        if self.seconds < LEAST_SECONDS:
            return ""
        share = 100 * min(1.0, self.solving / self.seconds)
        return f"{self.turn / self.seconds:,.0f} runs/s, {share:.0f} % solving"


class Listener:
    """Told of every step by the main process, never by another process or thread; this one shows nothing.

    Its calls are cheap and never raise: `progress` and `tick` may come hundreds of times a second.
    """

    def preparing(self, done: int, known: int) -> None:
        """Twins are built before the imports that need them, which takes a while."""

    def learning(self, command: str, seconds: float, calls: int) -> None:
        """The project's own tests are running, from which something is learned.

        `command` is "" when it has ended.
        """

    def module_started(self, name: str, functions: list[str]) -> None:
        """Work on a module begins; `functions` are the qualified names that will be explored."""

    def progress(self, module: str, function: str, work: Work) -> None:
        """How far one function is."""

    def function_finished(self, module: str, result: FunctionResult) -> None:
        """One function is done."""

    def module_finished(self, result: ModuleResult) -> None:
        """A module is done and its tests are written, or `result.error` says why not."""

    def message(self, text: str) -> None:
        """Something that the user should know now, one sentence."""

    def tick(self) -> None:
        """Time has passed: clocks on the screen may move."""
