"""The tests of a module that are there: collected for its new suite, and kept for the next run."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tracetwin.analysis.change.dependencies import (
    Entered,
    Key,
    dependency_digests,
    entered_in,
    telling_in,
    tells_names_apart,
)
from tracetwin.analysis.change.meanings import meanings_of
from tracetwin.emit.beside import generated_tests
from tracetwin.emit.file_names import places_of
from tracetwin.emit.merge.earlier import unreadable
from tracetwin.emit.merge.ledger import ledger_of
from tracetwin.explore.objects.classes import shard_of
from tracetwin.explore.wanted import operands_of
from tracetwin.model.written_test import EarlierTests, KeptTwin, SettledNames
from tracetwin.run.journal.earlier import EarlierCases, signs_of
from tracetwin.run.module_facts import cache_folder, read_source, sites_of, text_of
from tracetwin.support.errors import TargetError

if TYPE_CHECKING:
    from tracetwin.emit.result import Suite
    from tracetwin.run.journal.store import ResultStore
    from tracetwin.run.scheduler.progress import ModuleState
    from tracetwin.run.twins import Twins
    from tracetwin.target.selection import TargetModule


def settle(state: ModuleState, place: Path, store: ResultStore, twins: Twins) -> None:
    """Find out which names of a module mean what they meant when its tests were written."""
    result = store.unaffected(state.asked)
    earlier = store.earlier(state.asked)
    if result is None or not _all_known(place, earlier):
        return
    now = _digests(state, twins, earlier.entered)
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


def _digests(state: ModuleState, twins: Twins, entered: Entered) -> dict[str, str]:
    """Return what the names of a module depend on; nothing where that can't be told."""
    own = state.module.file
    try:
        files = [file for file in twins.files(state.module) if file.endswith(".py") and file != own]
        others = {file: Path(file).read_bytes() for file in files}
        return dependency_digests(text_of(state.module).source, others, entered)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


def _entered(state: ModuleState, twins: Twins, earlier: EarlierCases) -> Entered:
    """Return what explorations of the functions of a module, now and before, came into.

    Those of one class share the states of its objects, in whose turn they were found.
    """
    if state.module.outside or not _tells_names_apart(state.module, twins):
        return Entered()
    telling: list[Key] = []
    found: dict[str, set[Key]] = {name: set() for name in state.passed}
    try:
        for module in twins.modules(state.module):
            file = "" if module.file == state.module.file else module.file
            source = read_source(module)
            scopes = _scopes(module, source)
            telling += telling_in(file, source, set(scopes.values()))
            for name, sites in state.passed.items():
                passed = {scopes[site] for site in sites if site in scopes}
                found[name].update(entered_in(file, source, passed))
    except (TargetError, OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return Entered()
    for name, sites in state.passed.items():
        found[name].update(telling if None in sites else ())
    by_import = found.pop("", set())
    together: dict[str, set[Key]] = {}
    for name, keys in found.items():
        together.setdefault(shard_of(state.invokables[name]), set()).update(keys)
    before = earlier.entered.by_function
    now = {
        name: before.get(name, frozenset()).union(together.get(shard_of(one), ()))
        for name, one in state.invokables.items()
        if name in found or name in before
    }
    return Entered(frozenset(telling), frozenset(by_import), now)


def _tells_names_apart(target: TargetModule, twins: Twins) -> bool:
    """Return whether what a module imports is so little that each of its names has a digest of its own."""
    try:
        return tells_names_apart(Path(file).stat().st_size for file in twins.files(target))
    except OSError:
        return False


@functools.lru_cache(maxsize=500)  # modules of a package import the same ones
def _scopes(module: TargetModule, _source: bytes) -> dict[int | None, str]:
    """Return where the sites of a module with that source stand."""
    return {site.id: site.scope for site in sites_of(module)}


def _all_known(place: Path, earlier: EarlierCases) -> bool:
    """Return whether the tests of before are there, and what all of them call is known."""
    texts = list(filter(None, map(generated_tests, places_of(place))))
    ledgers = [ledger for text in texts if (ledger := ledger_of(text))]
    return bool(ledgers) and not any(map(unreadable, texts)) and all(
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
    lines = {name: one.first_line for name, one in state.invokables.items()}
    twin = KeptTwin("" if state.module.outside else cache_folder(), operands_of(state.sites))
    return EarlierTests(texts, tuple(cases), state.settled, lines, twin, store.were_finer(state.asked))


def read_ahead(target: TargetModule, twins: Twins) -> Iterator[None]:
    """Read in small steps the modules that `cases_to_keep` will ask for."""
    if not _tells_names_apart(target, twins):
        return
    for module in twins.modules(target):
        try:
            source = read_source(module)
            meanings_of(source)
            yield
            _scopes(module, source)
        except (TargetError, OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return
        yield


def cases_to_keep(state: ModuleState, suite: Suite, twins: Twins, store: ResultStore) -> EarlierCases:
    """Return the cases of a suite for the next run."""
    source = text_of(state.module).source
    entered = _entered(state, twins, store.earlier(state.asked))
    digests = _digests(state, twins, entered)
    return EarlierCases(suite.by_entry, signs_of(source, state.sites), source, digests, entered)
