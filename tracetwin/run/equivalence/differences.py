"""Explores products of mutants and their original: cases that notice a mutant, and proofs that none does."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.objects.exploration import Exploration
from tracetwin.explore.wanted import Wanted
from tracetwin.model.case import Case
from tracetwin.model.codec import case_key
from tracetwin.mutation.differences import MutantDifferences
from tracetwin.process.worker import WorkerError
from tracetwin.run.equivalence.product import DIFFERS, UNSURE, Product, product_of
from tracetwin.run.module_facts import read_source, sites_of, text_of
from tracetwin.run.studies.session import OpenedTwin
from tracetwin.solving import build_chain
from tracetwin.solving.smt.apart import Z3Process
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.model.invokable import Invokable
    from tracetwin.model.mutant import Mutant
    from tracetwin.target.selection import TargetModule

MOST_RUNS: Final = 300
"""Runs for one mutant."""

TURN: Final = 30
"""Runs after which it is looked whether results have differed."""

MOST_SECONDS: Final = 3.0
"""For one mutant."""

_NAME: Final = "tracetwin_product"
_ORIGIN: Final = "difference"
_CANT: Final = (SyntaxError, ValueError, RecursionError, MemoryError)


def differences(module: TargetModule, mutants: Sequence[Mutant], seconds: float) -> MutantDifferences:
    """Return cases that notice mutants, and the mutants that no case can notice."""
    until = time.monotonic() + seconds
    try:
        product = product_of(read_source(module), mutants)
    except _CANT:
        return MutantDifferences()
    if not product.comparing:
        return MutantDifferences()
    with tempfile.TemporaryDirectory(prefix="tracetwin-product-") as folder:
        file = Path(folder) / f"{_NAME}.py"
        file.write_text(product.source, encoding="utf-8", errors="surrogateescape")
        made = replace(
            module, name=_NAME, file=str(file), root=folder, selection=(),
            search_path=(module.root, *module.search_path),
        )  # fmt: skip
        found = _Search(made, product, until)
        with suppress(WorkerError):
            found.run()
    return found.told(module.name)


@dataclass
class _Search:
    module: TargetModule
    product: Product
    until: float
    proved: set[int] = field(default_factory=set)
    cases: dict[int, list[Case]] = field(default_factory=dict)

    def run(self) -> None:
        left = self.until - time.monotonic()
        with (
            OpenedTwin(self.module, seconds=max(1.0, left)) as opened,
            closing(Z3Process()) as self.z3,
        ):
            if opened.failure:
                return
            self.chain = build_chain(seed=0, apart=self.z3)
            wanted = Wanted(sites_of(self.module), text=text_of(self.module))
            for invokable in opened.invokables:
                mutant = self.product.comparing.get(invokable.qualname)
                if mutant is not None and time.monotonic() < self.until:
                    self._compare(mutant, self._exploration(opened, wanted, invokable))
                    self.chain.rest()

    def _exploration(self, opened: OpenedTwin, wanted: Wanted, invokable: Invokable) -> Exploration:
        return Exploration(
            self.module.name,
            invokable,
            opened.executor,
            self.chain,
            goals=wanted.of(invokable),
            tree=opened.tree,
        )

    def _compare(self, mutant: Mutant, exploration: Exploration) -> None:
        now = time.monotonic()
        deadline = min(self.until, now + max(MOST_SECONDS, (self.until - now) / len(self.product.comparing)))
        spent, self.z3.until = 0, deadline
        exploration.hurry(0.0)  # most mutants of a loop have no end
        while spent < MOST_RUNS and time.monotonic() < deadline:
            exploration.explore(Budget(TURN, deadline))
            spent += TURN
            outcome = exploration.outcome()
            differing = [case for case in outcome.cases if _ends(case, DIFFERS)]
            if differing:
                self.cases[mutant.number] = differing
                return
            if outcome.exhausted and not any(_ends(case, UNSURE) for case in outcome.cases):
                self.proved.add(mutant.number)
                return
            if outcome.complete:
                return

    def told(self, name: str) -> MutantDifferences:
        """The findings, with cases that call the original."""
        called = {one.number: one.function for one in self.product.comparing.values()}
        cases: dict[bytes, Case] = {}
        for number, found in self.cases.items():
            for case in _calling(found, name, called[number]):
                cases.setdefault(case_key(case), case)
        return MutantDifferences(tuple(cases.values()), frozenset(self.proved))


def _ends(case: Case, name: str) -> bool:
    return case.origin.endswith(f".{name}") or case.origin.endswith(f" {name}")


def _calling(cases: Sequence[Case], module: str, function: str) -> Iterator[Case]:
    """Cases with the call of a function in the place of the last."""
    for case in cases:
        last = replace(case.last, place=module, name=function)
        steps = (*case.setup, last)
        yield replace(case, module=module, target=function, steps=steps, shows=(), origin=_ORIGIN)
