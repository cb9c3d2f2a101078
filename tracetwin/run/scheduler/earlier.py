"""The tests of a module that are there: collected for its new suite, and kept for the next run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tracetwin.analysis.dependencies import dependency_digests
from tracetwin.emit.beside import generated_tests
from tracetwin.emit.file_names import places_of
from tracetwin.emit.merge.ledger import ledger_of
from tracetwin.model.written_test import EarlierTests, SettledNames
from tracetwin.run.journal.earlier import EarlierCases, signs_of
from tracetwin.run.module_facts import text_of

if TYPE_CHECKING:
    from tracetwin.emit.result import Suite
    from tracetwin.run.journal.store import ResultStore
    from tracetwin.run.scheduler.progress import ModuleState


def settle(state: ModuleState, place: Path, store: ResultStore, files: Iterable[str]) -> None:
    """Find out which names of a module mean what they meant when its tests were written."""
    result = store.unaffected(state.asked)
    earlier = store.earlier(state.asked)
    if result is None or not _all_known(place, earlier):
        return
    now = _digests(state, files)
    same = frozenset(name for name, digest in now.items() if earlier.digests.get(name) == digest)
    names = SettledNames(same, frozenset(name for name in now if "." in name))
    explored = {function.qualname for function in result.functions}
    skipped = [name for name in state.invokables if name in names and name in explored]
    if skipped:
        state.settled, state.before = names, result
        state.hidden = {n: one for n, one in state.hidden.items() if n not in names}
        words = "function" if len(state.invokables) == 1 else "functions"
        state.notes.append(
            f"{len(skipped)} of {len(state.invokables)} {words} can't be affected by what has changed,"
            " and were not explored again"
        )


def _digests(state: ModuleState, files: Iterable[str]) -> dict[str, str]:
    """Return what the names of a module depend on; nothing where that can't be told."""
    own = state.module.file
    try:
        others = {file: Path(file).read_bytes() for file in files if file.endswith(".py") and file != own}
        return dependency_digests(text_of(state.module).source, others)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


def _all_known(place: Path, earlier: EarlierCases) -> bool:
    """Return whether the tests of before are there, and what all of them call is known."""
    ledgers = [ledger for text in map(generated_tests, places_of(place)) if (ledger := ledger_of(text))]
    return bool(ledgers) and all(
        str(entry) in earlier.cases for ledger in ledgers for entry in ledger.entries
    )


def to_explore(state: ModuleState) -> list[str]:
    """Return the functions that are to be explored."""
    known = set[str]() if state.before is None else {one.qualname for one in state.before.functions}
    return [
        invokable.qualname
        for invokable in state.invokables.values()
        if not invokable.problem
        and not (invokable.qualname in state.settled and invokable.qualname in known)
    ]


def earlier_tests(state: ModuleState, place: Path, store: ResultStore) -> EarlierTests:
    """Return the tests that are there."""
    texts = tuple(map(generated_tests, places_of(place)))
    if not any(texts):
        return EarlierTests()
    cases = store.earlier(state.asked).on(text_of(state.module).source, state.sites)
    return EarlierTests(texts, tuple(cases), state.settled)


def cases_to_keep(state: ModuleState, suite: Suite, files: Iterable[str]) -> EarlierCases:
    """Return the cases of a suite for the next run."""
    source = text_of(state.module).source
    return EarlierCases(suite.by_entry, signs_of(source, state.sites), source, _digests(state, files))
