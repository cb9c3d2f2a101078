"""The processes that a suite is made with: they may start beside other work, long before they are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracetwin.mutation.session import MutantSession
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.session import CASE_SECONDS
from tracetwin.replay.stability import TwoSessions

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule


class SuiteProcesses:
    """Those that replay cases, and the one that runs them on mutants; use it as a context.

    Attributes:
        sessions: the replaying ones.
        mutants: the other one.
    """

    def __init__(
        self,
        module: TargetModule,
        *,
        wants_mutants: bool,
        timeout_per_case: float = CASE_SECONDS,
        limits: Limits | None = None,
        elsewhere: TargetModule | None = None,
    ) -> None:
        """Start nothing yet.

        Args:
            module: the module to import.
            wants_mutants: whether there are to be any.
            timeout_per_case: seconds of wall time that one case may take.
            limits: the sandbox's limits; None for its defaults.
            elsewhere: where the second replaying process takes the module from, if it is another place.
        """
        self.sessions = TwoSessions(
            module, timeout_per_case=timeout_per_case, limits=limits, elsewhere=elsewhere
        )
        self.mutants = MutantSession(module, limits, enabled=wants_mutants)
        self._begun = self._ended = False

    def begin(self) -> None:
        """Let all of them import the module; this does not wait for them."""
        if not self._begun:
            self._begun = True
            self.sessions.begin()
            self.mutants.begin()

    @property
    def starting(self) -> float:
        """Return the seconds that importing took in the slower one of those that replay; 0 before that."""
        return self.sessions.starting

    def __enter__(self) -> SuiteProcesses:  # noqa: PYI034 - `Self` came with Python 3.11
        """Start what was not started yet."""
        self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        """End them."""
        self.close()

    def close(self) -> None:
        """End them, once."""
        if not self._ended:
            self._ended = True
            self.mutants.close()
            self.sessions.close()
