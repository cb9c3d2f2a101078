"""The goals of an exploration: the sides that the criteria want of an invokable's conditions."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from tracetwin.analysis.misuse import speaking_of
from tracetwin.analysis.origins import Origins
from tracetwin.analysis.sources import walk
from tracetwin.explore.criteria.base import Criterion, ModuleText, Sides
from tracetwin.explore.criteria.branch import CRITERION as BRANCH
from tracetwin.explore.criteria.branch import LOOPS
from tracetwin.explore.loop.goals import Goals
from tracetwin.explore.loop.shown import flow_entries
from tracetwin.model.invokable import Invokable
from tracetwin.model.options import DROP

if TYPE_CHECKING:
    from instrumenter.twin import Site


class Wanted:
    """The goals of all explorations of a module."""

    def __init__(
        self,
        sites: Sequence[Site],
        helpers: frozenset[int] = frozenset(),
        criteria: Sequence[Criterion] = (BRANCH,),
        text: ModuleText | None = None,
        misuse: str = DROP,
    ) -> None:
        """Look at all sites once.

        Args:
            sites: the conditions and loops of the module.
            helpers: see `helper_sites`.
            criteria: what decides which sides are wanted.
            text: the source of the module.
            misuse: what becomes of runs that only show that a guess at a type was wrong.
        """
        known = text or ModuleText()
        self._sites = sites
        self._finer: dict[str, int] = {
            "borders": max((criterion.wants_borders for criterion in criteria), default=0),
            "all_borders": any(criterion.wants_all_borders for criterion in criteria),
            "paths": any(criterion.wants_paths for criterion in criteria),
            "vectors": any(criterion.wants_vectors for criterion in criteria),
        }
        flows = any(criterion.wants_flows for criterion in criteria)
        self._flows = flow_entries(known.source, known.module) if flows else frozenset[str]()
        self._sides = {site.id: _sides(site, criteria, known) for site in sites}
        self._within = {
            site: each.main + each.finer for site, each in self._sides.items() if site in helpers
        }
        self._operands = operands_of(sites)
        self._speaking = speaking_of(known.tree) if misuse == DROP else None
        self._places = {site.id: (site.scope, site.line) for site in sites}
        handlers = (node for node in walk(known.tree) if isinstance(node, ast.ExceptHandler))
        self._handlers = [node.lineno for node in handlers]
        self._text = known
        self._known_origins: dict[int, Mapping[str, int]] = {}

    def of(self, invokable: Invokable) -> Goals:
        """Return the goals of an exploration."""
        wanted = [self._sides[site.id] for site in sites_in(self._sites, invokable)]
        main = [side for each in wanted for side in each.main]
        finer = [side for each in wanted for side in each.finer]
        speaking = None if invokable.typed else self._speaking
        # The pairs of a class's attributes have a search of their own.
        handles = any(invokable.first_line <= line <= invokable.last_line for line in self._handlers)
        by_path = bool(self._flows) and invokable.kind not in ("method", "property")
        return Goals(
            main, finer, self._within, self._operands,
            speaking=speaking, target=invokable.qualname, flows=self._flows, by_path=by_path,
            origins=self.origins_of, handles=handles, **self._finer,
        )  # fmt: skip

    @cached_property
    def _origins(self) -> Origins:
        return Origins(self._text.tree)

    def origins_of(self, site: int) -> Mapping[str, int]:
        """Return the names of parameters and attributes that come to the condition at a site."""
        if site not in self._known_origins:
            known = site in self._places
            self._known_origins[site] = self._origins.of(*self._places[site]) if known else {}
        return self._known_origins[site]


def _sides(site: Site, criteria: Iterable[Criterion], text: ModuleText) -> Sides:
    """The sides that some criterion wants; finer ones only where none wants them with all patience."""
    wanted = [criterion.sides(site, text) for criterion in criteria]
    main = dict.fromkeys(side for each in wanted for side in each.main)
    finer = dict.fromkeys(side for each in wanted for side in each.finer if side not in main)
    return Sides(tuple(main), tuple(finer))


def sites_in(sites: Sequence[Site], invokable: Invokable) -> list[Site]:
    """Return the conditions and loops in the body of an invokable."""
    name = invokable.qualname.removesuffix(".setter").removesuffix(".deleter")
    return [
        s for s in sites
        if (s.scope == name or s.scope.startswith(f"{name}."))
        and (not invokable.first_line or invokable.first_line <= s.line <= invokable.last_line)
    ]  # fmt: skip


def helper_sites(sites: Sequence[Site], invokables: Iterable[Invokable]) -> frozenset[int]:
    """Return the conditions in functions that no test calls directly (private ones, say)."""
    mine = {s.id for i in invokables if not i.problem for s in sites_in(sites, i)}
    return frozenset(s.id for s in sites if s.scope and s.id not in mine and s.kind.value not in LOOPS)


def operands_of(sites: Sequence[Site]) -> dict[int, list[int]]:
    """Return the operand sites of each condition: the instrumenter numbers them right behind it."""
    found: dict[int, list[int]] = {}
    owner = 0
    for site in sorted(sites, key=lambda s: s.id):
        if site.kind.value == "operand":
            found.setdefault(owner, []).append(site.id)
        else:
            owner = site.id
    return found
