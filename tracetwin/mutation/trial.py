"""Tries a user's tests on the mutants of a module; runs in a process of its own, started by `suites`.

The tests are read once, and run once on the original, which tells which mutants each of them reaches. Then
each mutant gets a fork in which it is switched on, and in which the tests that reach it run until one fails.
"""

from __future__ import annotations

import functools
import importlib
import os
import signal
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tracetwin.model.mutant import Mutant, MutantFate
from tracetwin.mutation.loader import MetaFinder
from tracetwin.mutation.readers import Tell, Tried, serve, suite_of
from tracetwin.mutation.switch import Switch

if TYPE_CHECKING:
    from tracetwin.support.own_modules import OwnModules

SLOWER: Final = 10.0
"""How many times as long as on the original the tests of a mutant may take, and `LEAST_SECONDS` besides."""

LEAST_SECONDS: Final = 2.0
_TICK: Final = 0.002


class Trial:
    """Runs tests on the original, then on the mutants."""

    def __init__(self, finder: MetaFinder, wanted: Sequence[int] | None, jobs: int, tell: Tell) -> None:
        self._finder = finder
        self._wanted = wanted
        self._jobs = jobs
        self._tell = tell

    def run(self, tests: list[Tried]) -> None:
        switch = self._finder.switch
        passing = []
        for test in tests:
            why = _baseline(test, switch)
            if why:
                self._tell({"kind": "failing", "test": test.name, "why": why})
            else:
                passing.append(test)
        if not passing:
            if tests:
                self._tell({"kind": "problem", "why": "none of the tests passes on the original"})
            return
        mutants = self._finder.mutants
        self._tell({"kind": "mutants", "mutants": [mutant.to_plain() for mutant in mutants]})
        numbers = range(len(mutants)) if self._wanted is None else self._wanted
        waiting = [(mutants[number], _reaching(passing, mutants[number])) for number in numbers]
        running: dict[int, tuple[Mutant, list[Tried], float, int]] = {}
        while waiting or running:
            while waiting and len(running) < self._jobs:
                mutant, reaching = waiting.pop(0)
                if not reaching:
                    passed = any(mutant.site in test.sites for test in passing)
                    self._told(mutant, MutantFate.SURVIVED if passed else MutantFate.UNREACHED, "")
                    continue
                pid, told = _forked(functools.partial(_killer, mutant, reaching, switch))
                late = time.monotonic() + LEAST_SECONDS + SLOWER * sum(test.seconds for test in reaching)
                running[pid] = (mutant, reaching, late, told)
            for pid in list(running):
                self._look(pid, running)
            time.sleep(_TICK)

    def _look(self, pid: int, running: dict[int, tuple[Mutant, list[Tried], float, int]]) -> None:
        mutant, reaching, late, told = running[pid]
        done, status = os.waitpid(pid, os.WNOHANG)
        if not done:
            if time.monotonic() < late:
                return
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        with os.fdopen(told, "rb") as pipe:
            words = pipe.read()
        del running[pid]
        if not done:
            self._told(mutant, MutantFate.KILLED, "it does not end in time")
        elif os.waitstatus_to_exitcode(status) == 0:
            self._told(mutant, MutantFate.SURVIVED, "")
        else:
            place = int(words) if words.isdigit() else 0
            self._told(mutant, MutantFate.KILLED, reaching[place].name)

    def _told(self, mutant: Mutant, fate: MutantFate, by: str) -> None:
        self._tell({"kind": "fate", "number": mutant.number, "fate": fate.value, "by": by})


def _baseline(test: Tried, switch: Switch) -> str:
    """Run a test on the original; returns why it fails."""
    switch.off()
    began = time.perf_counter()
    try:
        why = test.run()
    except Exception as error:  # noqa: BLE001 - a user's test may do anything
        why = f"{type(error).__name__}: {error}"
    test.seconds = time.perf_counter() - began
    test.sites, test.steps = frozenset(switch.reached), switch.steps
    test.needless = frozenset(switch.needless())
    return why


def _reaching(tests: Sequence[Tried], mutant: Mutant) -> list[Tried]:
    """The tests that reach a mutant and that it gives other values, the fastest first."""
    key = (mutant.site, mutant.choice)
    reaching = (test for test in tests if mutant.site in test.sites and key not in test.needless)
    return sorted(reaching, key=lambda test: test.seconds)


def _killer(mutant: Mutant, tests: Sequence[Tried], switch: Switch) -> int | None:
    """The place of the first test that fails on a mutant, None where all of them pass."""
    for place, test in enumerate(tests):
        switch.on(mutant.site, mutant.choice, test.steps)
        if test.run():
            return place
    return None


def _forked(work: Callable[[], int | None]) -> tuple[int, int]:
    """Do some work in a fork; returns its number and a descriptor that its result can be read from."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid:
        os.close(theirs)
        return pid, ours
    status = 2
    try:
        os.close(ours)
        found = work()
        os.write(theirs, b"" if found is None else str(found).encode())
        status = 0 if found is None else 1
    finally:  # an exception that no test expects, such as that of an endless mutant, is one that a test shows
        os._exit(status)


def _work(asked: dict[str, Any], tell: Tell) -> str:
    finder = MetaFinder(asked["name"])
    finder.install()
    importlib.import_module(asked["name"])
    return suite_of(asked, tell).hold(Trial(finder, asked["wanted"], asked["jobs"], tell).run)


def main(_own: OwnModules, told_to: int) -> None:
    """Run what a parent has asked for."""
    serve(_work, told_to)
