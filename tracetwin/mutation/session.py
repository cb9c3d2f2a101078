"""The process in which cases are run on mutants, as its user sees it."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from tracetwin.model.case import NO_STEP, Case
from tracetwin.model.codec import encode
from tracetwin.model.mutant import Mutant
from tracetwin.model.observation import Observation
from tracetwin.mutation.differences import Differ, no_differences
from tracetwin.mutation.written import TEST
from tracetwin.process.messages import Failed
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import HandlerError, RunnerDied, RunnerTimeout, Worker, WorkerError
from tracetwin.replay import received
from tracetwin.replay.conditions.conditions import HERE
from tracetwin.replay.session import environment, needs
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

_HANDLER: Final = ("tracetwin.mutation.judge", "Judge", "")
_GRACE: Final = 1.0
MOST_WAITS: Final = 2
"""Cases that a mutant may wait in and go unnoticed: the next would wait as well."""

_LISTS: Final = ("reached", "tried", "killed", "waiting", "left")
_PARTS: Final = frozenset(("seen", "slow", "lost", "ordered", "steps", "refused_at", *_LISTS))
_TEST_PARTS: Final = frozenset(("fits", "tried", "failing", "left"))


@dataclass(frozen=True)
class Verdict:
    """The outcome of a case for some mutants.

    Attributes:
        seen: what the original does; None where that can't be told, or is not what was expected.
        reached: the mutants whose sites it passes.
        killed: those of the asked ones whose result is another.
        tried: those of the asked ones that were run.
        slow: whether variants of the case would take too long.
        steps: how many sites it passes, with repetitions.
        ordered: whether some are noticed only by the order of what a returned dict holds.
        lost: whether the original had no end, took very long, or took its process with it.
        refused_at: the position of the step before its call that raised, or `NO_STEP`.
    """

    seen: Observation | None = None
    reached: frozenset[int] = frozenset()
    killed: frozenset[int] = frozenset()
    tried: frozenset[int] = frozenset()
    slow: bool = False
    ordered: bool = False
    steps: int = 0
    lost: bool = False
    refused_at: int = NO_STEP


@dataclass(frozen=True)
class TestVerdict:
    """The outcome of a written test for some mutants.

    Attributes:
        fits: whether it passes on the original, in the process of the mutants.
        failing: for each mutant that it notices, the numbers of the assertions that fail.
        tried: the mutants that it was run on.
        complete: whether it was run on all of the asked mutants that it reaches.
    """

    fits: bool = False
    failing: Mapping[int, frozenset[int]] = field(default_factory=dict)
    tried: frozenset[int] = frozenset()
    complete: bool = False


@dataclass(frozen=True)
class SoleTest:
    """A file with one test, whose assertions stand in contexts (`tracetwin.mutation.written`).

    Attributes:
        class_name: the class of the test, "" for a function.
        stand_ins: by name the sources of modules that the file imports in the place of others.
    """

    source: str
    class_name: str
    name: str
    stand_ins: Mapping[str, str] = field(default_factory=dict)


class MutantSession:
    """Runs cases and written tests on the mutants of a module, in a process that starts beside other work.

    Use it as a context.

    Attributes:
        until: a time of `time.monotonic` until which its start is waited for; else there are no mutants.
    """

    until = math.inf

    def __init__(
        self,
        module: TargetModule,
        limits: Limits | None = None,
        *,
        enabled: bool = True,
        differ: Differ = no_differences,
    ) -> None:
        self.differ = differ
        self._mutants: list[Mutant] = []
        rules = module.rules
        self._worker = Worker(
            module,
            limits,
            handler=_HANDLER,
            options={
                "guide": dict(rules),
                "conditions": HERE.to_plain(),
                "assume": [list(rule) for rule in rules.get("assume", ())],
            },
            variables=environment(HERE, [module.file, *module.search_path]),
            fixed_addresses=HERE.fixed,
        )
        self._foreseen: set[tuple[str, ...]] = set()
        self._waits: Counter[int] = Counter()
        self._enabled = enabled and not module.file.endswith(".pyc")
        self._thread = ThreadPoolExecutor(1)  # a worker dies with the thread that started it
        self._started: Future[None] | None = None

    def __enter__(self) -> MutantSession:  # noqa: PYI034 - `Self` came with Python 3.11
        self.begin()
        return self

    def begin(self) -> None:
        """Let the process import the mutants; this does not wait for it."""
        if self._enabled:
            self._started = self._thread.submit(self._start)

    def _start(self) -> None:
        started = self._worker.start()
        if not isinstance(started, Failed):
            self._mutants = _mutants(started.info)

    @property
    def mutants(self) -> list[Mutant]:
        """All of them; none where the module has no source, or its mutants can't be imported."""
        if self._started is not None and not self._started.done():
            left = None if self.until == math.inf else max(0.0, self.until - time.monotonic())
            if not wait([self._started], left).done:
                self._worker.close()
                self._started = None
        return self._mutants if self._started is not None else []

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._thread.submit(self._worker.close).result()
        self._thread.shutdown()

    def judge(
        self, case: Case, expected: Observation | None, asked: Sequence[int], seconds: float
    ) -> Verdict:
        """Run a case on the original and on some mutants."""
        return self._thread.submit(self._judge, case, expected, asked, seconds).result()

    def _judge(
        self, case: Case, expected: Observation | None, asked: Sequence[int], seconds: float
    ) -> Verdict:
        shown = None if expected is None else encode(expected)
        tried: set[int] = set()
        killed: set[int] = set()
        seen: Observation | None = None
        reached: frozenset[int] = frozenset()
        slow, ordered, lost, steps, refused_at = False, False, False, 0, NO_STEP
        left = [number for number in asked if self._waits[number] < MOST_WAITS]
        until = time.monotonic() + seconds
        try:
            self._foresee(case)
            while seen is None or (left and time.monotonic() < until):
                message = (seconds, encode(case), shown, left)
                answer = _told(self._worker.request(message, seconds + _GRACE))
                if answer is None or answer["seen"] is None:
                    lost = answer is not None and answer["lost"] is True
                    refused_at = NO_STEP if answer is None else answer["refused_at"]
                    break
                seen = received.observation(answer["seen"])
                reached = frozenset(answer["reached"])
                slow = slow or answer["slow"] is True
                ordered = ordered or answer["ordered"] is True
                steps = answer["steps"]
                tried |= set(answer["tried"])
                killed |= set(answer["killed"])
                self._waits.update(answer["waiting"])
                left = answer["left"] if answer["tried"] else []
                seconds = max(0.0, until - time.monotonic())
        except (RunnerDied, RunnerTimeout, HandlerError):
            lost = seen is None  # else it was a mutant: the case says nothing about those that are left
        except WorkerError:
            self._worker.close()
        sets = reached, frozenset(killed), frozenset(tried)
        return Verdict(seen, *sets, slow, ordered, steps, lost, refused_at)

    def judge_test(self, test: SoleTest, asked: Sequence[int], seconds: float) -> TestVerdict:
        """Run a written test on the original and on some mutants."""
        return self._thread.submit(self._judge_test, test, asked, seconds).result()

    def _judge_test(self, test: SoleTest, asked: Sequence[int], seconds: float) -> TestVerdict:
        failing: dict[int, frozenset[int]] = {}
        tried: set[int] = set()
        left = list(asked)
        until = time.monotonic() + seconds
        plain = (test.source, dict(test.stand_ins), test.class_name, test.name)
        try:
            while left:
                seconds = until - time.monotonic()
                if seconds <= 0:
                    return TestVerdict(fits=True, failing=failing, tried=frozenset(tried))
                answer = self._worker.request((TEST, seconds, plain, left), seconds + _GRACE)
                if not _is_told_of_test(answer) or not answer["fits"]:
                    return TestVerdict()
                failing |= {number: frozenset(failed) for number, failed in answer["failing"]}
                tried |= set(answer["tried"])
                left = answer["left"] if answer["tried"] else []
        except (RunnerDied, RunnerTimeout, HandlerError):
            return TestVerdict()
        except WorkerError:
            self._worker.close()
            return TestVerdict()
        return TestVerdict(fits=True, failing=failing, tried=frozenset(tried), complete=True)

    def _foresee(self, case: Case) -> None:
        new = [need for need in needs(case) if need not in self._foreseen]
        if new:
            self._foreseen.update(new)
            self._worker.foresee([encode(case)])


def _mutants(told: Any) -> list[Mutant]:
    """The mutants that a process tells of; none where it tells nothing that can be read."""
    try:
        return [Mutant(*row) for row in told["mutants"]]
    except (KeyError, TypeError):
        return []


def _is_told_of_test(answer: Any) -> bool:
    """Return whether an answer is one about a written test: the target can write in its place."""
    if type(answer) is not dict or not answer.keys() >= _TEST_PARTS or type(answer["failing"]) is not list:
        return False
    numbers = [answer["tried"], answer["left"]]
    for pair in answer["failing"]:
        if type(pair) is not tuple or len(pair) != len(("mutant", "failed")) or type(pair[0]) is not int:
            return False
        numbers.append(pair[1])
    return all(map(_are_numbers, numbers))


def _are_numbers(part: Any) -> bool:
    return type(part) is list and all(type(number) is int for number in part)


def _told(answer: Any) -> dict[str, Any] | None:
    """An answer of the process, None where it is none: the target can write in its place."""
    if type(answer) is not dict or not answer.keys() >= _PARTS:
        return None
    lists = ([answer["steps"], answer["refused_at"]], *(answer[name] for name in _LISTS))
    return answer if all(map(_are_numbers, lists)) else None
