"""Watches a test in its process: the sides of conditions that it takes, as the twin notes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from tracetwin.support.own_modules import OwnModules

Way: TypeAlias = tuple[int, tuple[tuple[int, int], ...]]
"""A condition's site, and the outcomes of its operands that were asked."""


class Vectors:
    """Notes the sides of conditions, and the ways in which operands decide them.

    Attributes:
        sides: ``site * 2 + outcome``.
    """

    def __init__(self, operands: Mapping[int, Sequence[int]]) -> None:
        self._owner = {operand: site for site, some in operands.items() for operand in some}
        self._now: dict[int, int] = {}
        self._last = 0
        self.sides: set[int] = set()
        self.found: set[Way] = set()

    def note(self, site: int, outcome: int) -> None:
        self.sides.add(site * 2 + outcome)
        if site not in self._owner:
            return
        if self._now and (self._owner[site] != self._owner[self._last] or site <= self._last):
            self.end()
        self._now[site] = outcome
        self._last = site

    def end(self) -> None:
        """The evaluation of a condition is over."""
        if self._now:
            self.found.add((self._owner[self._last], tuple(self._now.items())))
            self._now = {}


def twin_installer(
    own: OwnModules, name: str, written_by: bytes, cache: str | None = None
) -> Callable[[], Any]:
    """Load the instrumenter's side; the answer lets imports of a module give its twin, and returns its trace.

    Args:
        own: our own modules.
        name: the module.
        written_by: the rewriter whose twins are taken, b"" where they can be built here.
        cache: the folder of twins; None for the usual one.
    """
    hook: Any = own.load("instrumenter.hook")
    caching: Any = own.load("instrumenter.cache")
    interface, trace = own.load("runtime.twin"), own.load("runtime.trace")

    def install() -> Any:
        patterns = hook.Patterns((name,))
        if not written_by:
            hook.load_rewriter(patterns)
        kept = caching.TwinCache(cache, written_by=written_by)
        hook.install(patterns.written, interface, kept, stacklevel=1)
        return trace

    return install
