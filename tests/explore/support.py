"""Explores the functions of a source text in this process: no worker, no replay, nothing written."""

from __future__ import annotations

import ast
import builtins
import itertools
import linecache
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from instrumenter.transform import instrument
from instrumenter.twin import Site, Twin
from runtime import trace, twin
from tests.drawing.effects import changing_methods
from tracetwin.explore.criteria.base import ModuleText
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.loop.run import Request, Run
from tracetwin.explore.objects.classes import shard_members, space_of
from tracetwin.explore.objects.exploration import Exploration, ExplorationOutcome
from tracetwin.explore.wanted import Wanted, helper_sites
from tracetwin.model.invokable import Invokable
from tracetwin.process.walls.sandbox import Limits
from tracetwin.run.results.reasons import Reasons
from tracetwin.solving import build_chain
from tracetwin.worker.catalogue import Catalogue
from tracetwin.worker.library.modules import Numbering
from tracetwin.worker.restore.caches import Caches
from tracetwin.worker.restore.state import StateGuard
from tracetwin.worker.runner import Runner

_numbers = itertools.count()


class _NoAmbient:
    """The interpreter is the test's own: nothing of it is put back."""

    def begin(self) -> None:
        return

    def settle(self) -> bool:
        return True


class _Here(Runner):
    """A runner in this process, on a module that is there already."""

    def __init__(self, module: ModuleType, wall_seconds: float) -> None:
        super().__init__()
        self._limits = Limits(wall_seconds=wall_seconds)
        self._module = module
        self._catalogue = Catalogue(module, (), changing=changing_methods(module))
        self._guard = StateGuard([module])
        self._caches = Caches()
        self._ambient: Any = _NoAmbient()
        self._file = module.__file__ or ""
        self._watcher = None
        self._numbering = Numbering(())


class InProcess:
    """Executes requests on a runner in this process, through the same messages as with a worker.

    Attributes:
        runs: everything executed, in order.
    """

    def __init__(self, runner: Runner) -> None:
        self.runs: list[Run] = []
        self._runner = runner
        self._decoded = WorkerExecutor(self)._decoded  # type: ignore[arg-type]

    def request(self, message: object) -> Any:
        return self._runner.handle(message)

    def run(self, request: Request) -> Run:
        reply = self._runner.handle(request.message())
        assert not self._runner.finished or reply["status"] == "timeout", "state that could not be put back"
        self._runner.finished = False
        run: Run = self._decoded(request, reply)
        self.runs.append(run)
        return run


@dataclass
class Explored:
    """What exploring one function gave, with what is needed to ask questions about it."""

    outcome: ExplorationOutcome
    invokable: Invokable
    runs: list[Run]
    original: dict[str, Any]
    sites: tuple[Site, ...]
    reasons: Reasons
    source: str = ""
    receivers: Sequence[Mapping[str, object]] = ()
    _results: list[Any] = field(default_factory=list)

    @property
    def lines(self) -> set[int]:
        """The lines of the target that its cases reach when they run on the original."""
        return self._replay()[1]

    @property
    def endings(self) -> set[Any]:
        """What the cases return on the original, or the type that they raise."""
        return self._replay()[0]

    def reason(self, text: str) -> str:
        """Why the line that holds `text` was not covered."""
        return self.reasons.explain(self.line_of(text), self.invokable, self.outcome).reason

    def line_of(self, text: str) -> int:
        found = [n for n, line in enumerate(self.source.splitlines(), 1) if text in line]
        assert len(found) == 1, (text, found)
        return found[0]

    def fate_of(self, text: str, outcome: int) -> Obstacle | None:
        """The fate of one side of the condition in the line that holds `text`; None when it was taken."""
        line = self.line_of(text)
        fates = [f for (site, o), (f, _) in self.outcome.fates.items() for s in self.sites
                 if s.id == site and s.line == line and o == outcome]  # fmt: skip
        return fates[0] if fates else None

    def _replay(self) -> tuple[set[Any], set[int]]:
        from tracetwin.model import recipes
        from tracetwin.model.codec import encode

        endings: set[Any] = set()
        lines: set[int] = set()
        for case in self.outcome.cases:
            if case.origin.startswith(("timeout", "endless")):
                continue  # on the original, it would not end either
            with _lines_of("<original>", lines):
                endings.add(_played(list(map(encode, case.steps)), self.original, recipes))
        return endings, lines


def _played(steps: list[dict[str, Any]], names: Mapping[str, Any], recipes: Any) -> Any:
    bound: dict[str, Any] = {}
    result: Any = None
    for step in steps:
        try:
            made = _Maker(names, bound)
            args = [made.value(a) for a in step["args"]]
            kwargs = {k: made.value(a) for k, a in step["kwargs"]}
            result = _done((step["act"], step["place"], step["name"]), names, bound, args, kwargs)
        except Exception as error:  # noqa: BLE001 - whatever it raises is the outcome
            return type(error)
        if step["bind"]:
            bound[step["bind"]] = result
    return _hashable(result)


def _done(
    do: tuple[Any, ...], names: Mapping[str, Any], bound: dict[str, Any], args: Any, kwargs: Any
) -> Any:
    match do:
        case ("call", "builtins", name):
            return getattr(builtins, name)(*args, **kwargs)
        case ("call", _, name):
            function: Any = None
            for part in name.split("."):
                function = names[part] if function is None else getattr(function, part)
            result = function(*args, **kwargs)
            return list(itertools.islice(result, 50)) if isinstance(result, Iterator) else result
        case ("method", variable, name):
            return getattr(bound[variable], name)(*args, **kwargs)
        case ("get", variable, name):
            return getattr(bound[variable], name)
        case ("set", variable, name):
            setattr(bound[variable], name, args[0])
            return None
        case _:
            raise AssertionError(do)


class _Maker:
    """Builds recipes from the names of the original module."""

    def __init__(self, names: Mapping[str, Any], bound: Mapping[str, Any]) -> None:
        self._names = names
        self._bound = bound

    def value(self, recipe: Any) -> Any:
        match recipe:
            case ("lit", value):
                return value
            case ("list" | "tuple" | "set" | "frozenset" as kind, parts):
                return getattr(builtins, kind)(self.value(p) for p in parts)
            case ("dict", pairs):
                return {self.value(k): self.value(v) for k, v in pairs}
            case ("ref", module, name):
                return self._named(module, name)
            case ("call", module, name, args, kwargs):
                return self._named(module, name)(
                    *[self.value(a) for a in args], **{k: self.value(a) for k, a in kwargs}
                )
            case ("var", name):
                return self._bound[name]
            case ("lambda", _, result):
                return lambda *_: self.value(result)
            case _:
                raise AssertionError(recipe)

    def _named(self, module: str, name: str) -> Any:
        found: Any = self._names.get(name.partition(".")[0]) or getattr(
            sys.modules[module], name.partition(".")[0]
        )
        for part in name.split(".")[1:]:
            found = getattr(found, part)
        return found


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


@contextmanager
def _lines_of(file: str, lines: set[int]) -> Iterator[None]:
    def trace_line(frame: Any, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        if event == "line":
            lines.add(frame.f_lineno)
        return trace_line

    before = sys.gettrace()
    sys.settrace(trace_line)
    try:
        yield
    finally:
        sys.settrace(before)


@contextmanager
def twin_module(source: str) -> Iterator[tuple[ModuleType, Twin]]:
    """The twin of a source text as an imported module."""
    name = f"explored_{next(_numbers)}"
    file = f"/nowhere/{name}.py"
    made = instrument(source, name=name, filename=file)
    assert made.untouched is None, made.untouched
    module = ModuleType(name)
    module.__file__ = file
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    vars(module)["_tt"] = twin  # not in builtins, where other tests put other interfaces
    sys.modules[name] = module
    try:
        exec(compile(made.source, file, "exec"), vars(module))
        yield module, made
    finally:
        del sys.modules[name]
        del linecache.cache[file]


def explore(
    source: str,
    target: str,
    *,
    runs: int | None = 400,
    seconds: float = 20.0,
    seed: int = 0,
    wall_seconds: float = 4.0,
    rounds: int = 1,
    inputs: Sequence[dict[str, object]] = (),
) -> Explored:
    """Explore the function or method `target` of a source text; `inputs` are those of other explorations."""
    source = textwrap.dedent(source).lstrip("\n")
    module_itself = ModuleType("original")
    sys.modules["original"] = module_itself  # dataclasses look their module up
    original = vars(module_itself)
    exec(compile(source, "<original>", "exec"), original)
    with twin_module(source) as (module, made):
        runner = _Here(module, wall_seconds)
        invokables = [Invokable(**runner._catalogue.describe(i)) for i in runner._catalogue.invokables]
        invokable = next(i for i in invokables if i.qualname == target)
        executor = InProcess(runner)
        members = shard_members(invokable, invokables)
        helpers = helper_sites(made.sites, invokables)
        wanted = Wanted(made.sites, helpers, text=ModuleText(source=source.encode()))
        space = space_of(
            members, executor, wanted.of, source,
            module=module.__name__, seed=seed,
        ) if members else None  # fmt: skip
        exploration = Exploration(
            module.__name__,
            invokable,
            executor,
            build_chain(seed=seed),
            goals=space.members.named(target).goals if space else wanted.of(invokable),
            tree=ast.parse(source),
            seed=seed,
            space=space,
        )
        exploration.take_up(inputs)
        for _ in range(rounds):
            exploration.explore(Budget(runs, time.monotonic() + seconds))
        outcome, receivers = exploration.outcome(), exploration.receivers()
        if runner._watcher is not None:
            runner._watcher.close()
        trace.start()
    reasons = Reasons(ast.parse(source), made.sites, [(invokable, outcome)], module=module.__name__)
    return Explored(outcome, invokable, executor.runs, original, made.sites, reasons, source, receivers)


def assert_paths(source: str, target: str, *goals: object, divergences: int = 0, **options: Any) -> Explored:
    """Exploring `target` finds inputs for which the original returns, or raises, each of `goals`."""
    found = explore(source, target, **options)
    missing = [goal for goal in goals if not any(_equal(goal, e) for e in found.endings)]
    assert not missing, f"not reached: {missing}; found {sorted(map(repr, found.endings))}"
    assert found.outcome.statistics.divergences == divergences, "inputs that broke their promise"
    return found


def _equal(goal: object, ending: object) -> bool:
    return type(goal) is type(ending) and bool(goal == ending)
