"""The handler of a worker's requests: import the twin, list its invokables, run inputs on them.

`prepare` runs in the fork server; `handle` in a runner forked from it. A reply is plain data: the path with
its expressions, the variables drawn, the sites passed, and the recipe of the case.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from types import ModuleType
from typing import Any, Final, TypeAlias

from runtime import expr, trace, wire
from runtime.inputs import Inputs, UnfitInput
from runtime.pool import Pool
from runtime.values import plain
from tracetwin.analysis.evidence.stubs import use_typeshed
from tracetwin.analysis.sources import text_of
from tracetwin.drawing.adapters.registry import add_files
from tracetwin.drawing.environment.seams import Seams
from tracetwin.drawing.mocks.live import MockFailed
from tracetwin.drawing.mocks.standin import forget
from tracetwin.drawing.plans.plans import SetupFailed
from tracetwin.drawing.rules.user_rules import Guide
from tracetwin.model.case import Step
from tracetwin.model.codec import encode
from tracetwin.model.field_types import Plain, prepare
from tracetwin.model.flatten import flatten
from tracetwin.model.settled_mocks import Settling
from tracetwin.model.status import Status
from tracetwin.process.deadline import Deadline, RunTimeout
from tracetwin.process.importing import ImportFailure, compiled_from, import_target
from tracetwin.process.limit_errors import tells_of_limits
from tracetwin.process.lines import LineWatch, watch
from tracetwin.process.output import Muted
from tracetwin.process.raising import line_in, raising_of
from tracetwin.process.serving import Handler
from tracetwin.process.walls import sandbox
from tracetwin.process.walls.sandbox import Limits, take_refusals
from tracetwin.support.room import deep
from tracetwin.worker.catalogue import Catalogue
from tracetwin.worker.choice_words import ChoiceWords
from tracetwin.worker.dataflow.flow import FlowObserver
from tracetwin.worker.dataflow.syntax import read
from tracetwin.worker.execution import Execution
from tracetwin.worker.library.modules import FOLDER, Numbering, loaded, notes_on, tolerate_traced
from tracetwin.worker.picture import Picture
from tracetwin.worker.restore.ambient import Ambient
from tracetwin.worker.restore.caches import Caches
from tracetwin.worker.restore.preload import preload
from tracetwin.worker.restore.state import StateGuard, package_modules

MOST_NODES: Final = 300_000

HURRIED: Final = 0.25
"""The part of its time that a run gets where others have used up theirs."""

LEAST_STEPS: Final = 10_000
"""The decisions that a run gets, however many others had no end."""

MOST_MADE: Final = 12
"""Objects that were built for one run of which it is told how."""

MOST_REFUSALS: Final = 20
"""Refused acts of one run that are told."""


MOST_SAID: Final = 160
"""Characters of an exception's words that are told."""

_TRACED: Final = re.compile(r"\bS[A-Z][A-Za-z]+\b")

Ending: TypeAlias = tuple[Status, str, int]
"""How a run ended, what is to be said of that, and the line of the target that raised."""


class Runner(Handler):
    """Executes inputs on the twin.

    Attributes:
        finished: this runner's state can't be put back; the next request needs a new one.
        limits_itself: the deadline is set around the target's code only.
        inputs: what the values of an input are drawn from.
    """

    limits_itself = True
    inputs: type[Inputs] = Inputs
    _watcher: LineWatch | None = None
    _observer: FlowObserver | None = None
    _text = ""
    _part = 1.0
    _entered: Sequence[int] = ()

    def __init__(self) -> None:
        self.finished = False
        self._encoder = wire.Encoder()
        self._words = ChoiceWords()
        self._epoch = 0
        self._seams = Seams()
        self._notes: list[str] = []

    def extend(
        self, start: dict[str, Any], load: Callable[[str, str], ModuleType]
    ) -> None:
        """Take over adapters and library models of other packages; what is wrong with one becomes a note."""
        self._notes = add_files(start.get("adapters", ()), load) + add_models(start.get("models", ()), load)

    def prepare(self, start: dict[str, Any]) -> dict[str, Any]:
        """Import the twin and describe what is in it."""
        self._limits = Limits.from_plain(start["limits"])
        use_typeshed(start.get("typeshed", ""))
        tolerate_traced()
        with Muted():
            self._module = import_target(start)
            self._entered = sorted({side >> 1 for side in trace.current.outcomes})
            guide = Guide(start.get("guide"))
            guide.load()
        try:
            return self._look_at_it(start, guide)
        except RecursionError:
            raise ImportFailure("deep", "its code is nested too deeply") from None

    def _look_at_it(self, start: dict[str, Any], guide: Guide) -> dict[str, Any]:
        with Muted(), deep():
            selection = tuple(start.get("selection", ()))
            self._catalogue = Catalogue(self._module, selection, guide, start.get("changing"))
            library = loaded(start.get("library", ()))
        notes = [f"{name}: {sentence}" for name, sentence in self._catalogue.missing.items()]
        if self._catalogue.only_private and self._catalogue.invokables:
            notes.append("it defines no public function or class: its private ones are tested")
        notes += self._notes
        if compiled := compiled_from(start["file"]):
            notes.append(f"its source was explored; what tests import is {os.path.basename(compiled)}")
        notes += notes_on(text_of(self._module))
        self._numbering = Numbering(module.__name__ for module in library)
        own = self._module.__name__.partition(".")[0]
        with Muted():
            preload(package_modules(self._module), self._module)
        neighbours = [*package_modules(self._module), *_modules_below(start["root"])]
        self._seams.install(neighbours, guide.patches, self._catalogue.planner)
        self._caches = Caches(start.get("library", ()))
        self._settled = partial(Ambient, self._limits.recursion, start.get("seed", 0), own)
        self._guarded = partial(StateGuard, others=library)
        self.imported()
        self._file = getattr(self._module, "__file__", "") or ""
        self._text = text_of(self._module)
        prepare(Step)
        with Muted(), deep(), suppress(SyntaxError, ValueError, RecursionError):  # told when a run asks
            read(self._text)  # once, for the observers of all runners
        with deep():
            invokables = [self._catalogue.describe(invokable) for invokable in self._catalogue.invokables]
            hidden = [self._catalogue.describe(invokable) for invokable in self._catalogue.hidden]
        return {
            "invokables": invokables,
            "hidden": hidden,
            "notes": notes,
            "undefined": self._catalogue.undefined,
            "entered": self._entered,
        }

    def stays(self) -> bool:
        """Return whether the target's modules are as they were, but for new names of what is defined."""
        return self._guard.has_only_grown()

    def imported(self) -> None:
        """Take what was imported now for what is there from the start."""
        self._guard = self._guarded(package_modules(self._module))
        self._ambient = self._settled()

    def handle(self, message: Any) -> dict[str, Any]:
        """Execute a request: ``("run", its fields)``, see `tracetwin.explore.loop.run.Request`."""
        asked = message[1]
        full = expr.table_size() > MOST_NODES
        if full:
            expr.reset()
        if full or asked.get("fresh"):  # who asks knows nothing of what was told before
            self._encoder = wire.Encoder()
            self._words.forget()
            self._epoch += 1
        inputs = self.inputs(asked["assignment"])
        watched = asked["watched"] and not asked["flow"]  # one tracer at a time
        self._part = HURRIED if asked.get("hurried") else 1.0
        target, prefix = self._catalogue.named(asked["target"]), tuple(asked["prefix"])
        with Muted():  # words of other modules are planned when they are asked for, in no run's time
            for word in prefix:
                self._catalogue.word(target, word)
        self._ambient.begin()  # may be code of the library's twins, which is not the run's
        current = trace.start(_most_steps(asked.get("halvings", 0)))
        current.tells_members = asked.get("members", False)
        execution = Execution(self._catalogue, target, prefix, inputs, asked["free"], bare=asked["bare"])
        with self._seams.opened(inputs) as environment:
            status, detail, line = self._ways(watched=watched, flow=asked["flow"])(execution)
        trace.stop()  # whatever runs from now on (threads, finalizers) is not this run's
        forget()
        wanted = asked["heap"] and status is Status.RETURNED
        picture = Picture(execution.state, execution.around) if wanted else None
        self._caches.forget()
        settled = self._ambient.settle()
        if not settled or (self._guard.dirty() and not self._guard.restore()):
            self.finished = True
        reply = self._reply(current, inputs, execution, status, detail, line)
        reply["kinds"] = list(self._words.new(asked["target"], inputs.offered))
        reply["refused"] = _refused(execution)
        guard = sandbox.guard()
        if guard is not None and not guard.intact():
            self.finished = True
            reply["refused"].append(("guard", "", execution.in_target))
        reply["patches"] = list(map(encode, Settling(inputs.pool.mocks).patches(environment.patches())))
        reply["homes"] = inputs.homes
        if picture is not None and picture.cells:  # a constant, such as an enum's member, has none
            reply["value"] = picture.leaf(execution.returned)
            reply["nodes"] += self._encoder.encode(picture.nodes)
            reply["heap"] = picture.cells
        if asked["flow"]:
            reply["flow"] = self._accesses(execution)
            reply["accesses"] = {} if self._observer is None else self._observer.observed.facts()
            reply["variable_pairs"] = [] if self._observer is None else self._observer.observed.of_variables()
        reply["lines"] = self._watcher.take() if watched and self._watcher else []
        return reply

    def _ways(self, *, watched: bool, flow: bool) -> Callable[[Execution], Ending]:
        """How a case is run: with nobody looking on, or one who notes lines, or accesses."""
        return self._watched if watched else self._observed if flow else self._execute

    def _observed(self, execution: Execution) -> Ending:
        if self._observer is None:
            self._observer = FlowObserver(self._file, self._text)
        execution.observer = self._observer
        self._observer.start()
        try:
            return self._execute(execution)
        finally:
            self._observer.stop()

    def _accesses(self, execution: Execution) -> list[tuple[int, bool, str, int, int]]:
        """The reads and writes of the receiver in the run just observed."""
        return [] if self._observer is None else self._observer.observed.plain(execution.receiver)

    def _watched(self, execution: Execution) -> Ending:
        if self._watcher is None:
            self._watcher = watch((), self._file)
        self._watcher.start()
        try:
            return self._execute(execution)
        finally:
            self._watcher.stop()

    def _execute(self, execution: Execution) -> Ending:
        deadline = Deadline(self._limits.wall_seconds * self._part, self._limits.cpu_seconds)
        try:
            with Muted(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with deadline:
                    execution.run()
        except UnfitInput:
            return Status.UNFIT, "", 0
        except trace.StepLimit as limit:
            many = f"more than {trace.current.limit} decisions"
            return Status.ENDLESS, many, line_in(limit, self._file) or 0
        except RunTimeout as limit:
            self.finished = True
            return Status.TIMEOUT, str(limit), line_in(limit, self._file) or 0
        except (SetupFailed, MockFailed) as failure:
            return Status.SETUP, _one_line(failure), 0
        except BaseException as error:  # noqa: BLE001 - whatever the target raises is a result
            if not execution.in_target:
                return Status.SETUP, f"{type(error).__name__}: {_one_line(error)}", 0
            ending = Status.EXHAUSTED if tells_of_limits(error) else Status.RAISED
            where = raising_of(error, self._file, self._module.__name__)
            execution.said, execution.is_stated = _said(error), where.is_stated
            return ending, str(plain(type(error).__name__)), where.line or 0
        return Status.RETURNED, "", 0

    def _reply(
        self,
        current: trace.Trace,
        inputs: Inputs,
        execution: Execution,
        status: Status,
        detail: str,
        line: int,
    ) -> dict[str, Any]:
        number, own = self._numbering.number, self._numbering.own
        marks = current.marks
        return {
            "epoch": (os.getpid(), self._epoch),
            "status": status.value,
            "detail": detail,
            "said": execution.said,
            "is_stated": execution.is_stated,
            "line": line,
            "nodes": self._encoder.encode([entry[0] for entry in current.path]),
            "path": self._numbering.path(current),
            "variables": [(name, int(sort), value) for name, (sort, value) in inputs.variables.items()],
            "structural": list(inputs.structural),
            "outcomes": own(current.outcomes),
            "latest": own(current.latest),
            "entailed": [(side, current.entailed[side]) for side in own(current.entailed)],
            "marks": [(side, marks[side]) for side in own(marks)],
            "losses": list(current.losses),
            "places": [(number(site, place), place) for site, place in current.places.items()],
            "steps": _told(execution.steps, inputs.pool),
            "truncated": current.truncated,
            "result": execution.result,
            "stages": execution.stages,
            "remedies": inputs.pool.remedies if status is Status.SETUP else [],
            "made": inputs.pool.made[:MOST_MADE],
            "unmade": inputs.pool.unmade if status is Status.SETUP else None,
            "effects": execution.effects if status is Status.RETURNED else [],
            "heap": None,
            "value": None,
            "flow": [],
            "accesses": {},
            "variable_pairs": [],
        }


def _most_steps(halvings: int) -> int:
    """Return how many decisions a run may take: the usual number, so often halved or, below zero, doubled."""
    return max(LEAST_STEPS, trace.MAX_STEPS >> halvings) if halvings >= 0 else trace.MAX_STEPS << -halvings


def _refused(execution: Execution) -> list[tuple[str, str, bool]]:
    """Acts that the walls refused to a run: event, detail, and whether it was in the last call."""
    refusals = take_refusals()
    own = execution.refused_before if execution.in_target else len(refusals)
    told = dict.fromkeys((event, detail, place >= own) for place, (event, detail) in enumerate(refusals))
    return list(told)[:MOST_REFUSALS]


def _told(steps: Iterable[Step], pool: Pool) -> list[Plain]:
    """The steps as others read them."""
    steps = Settling(pool.mocks).steps(steps)
    return list(map(encode, flatten(steps, pool.referred_to_weakly()) if pool.numbered else steps))


def _modules_below(root: str) -> list[ModuleType]:
    """The modules that lie in a folder, but for the library's and those that were installed into it."""
    inside = tuple(os.path.join(folder, "") for folder in (root, os.path.realpath(root)))
    loaded: list[object] = list(sys.modules.values())
    modules = [module for module in loaded if isinstance(module, ModuleType)]
    found = [(module, getattr(module, "__file__", None)) for module in modules]
    return [
        module
        for module, file in found
        if isinstance(file, str)
        and file.startswith(inside)
        and not file.startswith(FOLDER)
        and "-packages" not in file
    ]


def _one_line(error: BaseException) -> str:
    """The message of an exception that ended a run; what it is made of is no loss of that run."""
    trace.stop()
    try:
        return " ".join(str(error).split())[:200]
    except BaseException:  # noqa: BLE001 - its __str__ is the target's code
        return ""


def _said(error: BaseException) -> str:
    """The words of a builtin exception that are there as a text, "" where they would have to be made.

    Those that name a traced type are not the original's.
    """
    words = error.args[0] if type(error).__module__ == "builtins" and len(error.args) == 1 else ""
    if type(words) is not str or _TRACED.search(words):
        return ""
    return " ".join(words[:MOST_SAID].split())


def add_models(files: Sequence[tuple[str, str, str]], load: Callable[[str, str], ModuleType]) -> list[str]:
    """Load the library models of other packages; returns a sentence for each file that can't be used."""
    notes = []
    for name, file, _ in files:
        try:
            if not file:
                raise FileNotFoundError("it has no source file")
            load(f"runtime.function_models.plugin_{name}", file)
        except Exception as error:  # noqa: BLE001 - code of another package; a run goes on without it
            notes.append(f"the library model {name} can't be used: {type(error).__name__}: {error}")
    return notes
