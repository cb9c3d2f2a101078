"""Sees every case in two processes that differ in all that a stable result may not depend on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from tracetwin.model.case import Case
from tracetwin.model.codec import key
from tracetwin.model.observation import MockCall, Observation, Shown, ValuePath, ended
from tracetwin.model.recipe import Dictionary, Scalar, Series, list_of
from tracetwin.model.snapshot import Attributes, Built, Iterated, Opaque, Shuffled, Snapshot, parts
from tracetwin.model.status import Outcome
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.conditions.conditions import ELSEWHERE, HERE
from tracetwin.replay.location_texts import Place
from tracetwin.replay.observe.snap import in_order
from tracetwin.replay.session import CASE_SECONDS, NO_TIME, Replay, Session

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

UNSTABLE = "unstable: "
DIFFERS = "differs between two runs"


class TwoSessions:
    """Two processes that live under different conditions, in which every case is seen; use it as a context.

    Attributes:
        here: the first of them, which variants of cases are tried in.
    """

    def __init__(
        self,
        module: TargetModule,
        *,
        timeout_per_case: float = CASE_SECONDS,
        limits: Limits | None = None,
        elsewhere: TargetModule | None = None,
    ) -> None:
        self._place = Place(module)
        self.here = Session(module, timeout_per_case=timeout_per_case, limits=limits, conditions=HERE)
        self._elsewhere = Session(
            elsewhere or module, timeout_per_case=timeout_per_case, limits=limits, conditions=ELSEWHERE
        )
        # A worker dies with the thread that started it.
        self._threads = [ThreadPoolExecutor(1), ThreadPoolExecutor(1)]

    def __enter__(self) -> TwoSessions:  # noqa: PYI034 - `Self` came with Python 3.11
        """Nothing is started before there are cases."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for thread, session in zip(self._threads, (self.here, self._elsewhere), strict=True):
            thread.submit(session.close).result()
            thread.shutdown()

    @property
    def until(self) -> float:
        """A time of `time.monotonic` from which on no case is run, nor waited for."""
        return self.here.until

    @until.setter
    def until(self, moment: float) -> None:
        self.here.until = self._elsewhere.until = moment

    def begin(self) -> list[Future[Replay]]:
        """Let both processes import the module; this does not wait for them."""
        sides = zip(self._threads, (self.here, self._elsewhere), strict=True)
        return [thread.submit(one.replay, []) for thread, one in sides]

    def start(self) -> float:
        """Wait until both have imported the module; returns the seconds that it took in the slower one."""
        for started in self.begin():
            started.result()
        return self.starting

    @property
    def starting(self) -> float:
        """Return the seconds that importing took in the slower one; 0 before that."""
        return max(self.here.starting, self._elsewhere.starting)

    def attempt(self, cases: Sequence[Case], seconds: float = math.inf) -> list[Observation]:
        """Return observations by the first process only, of variants that keep the user's preconditions."""
        return self._threads[0].submit(self.here.run, cases, seconds=seconds).result()

    def glance(self, cases: Sequence[Case], seconds: float = math.inf, least: int = 0) -> Replay:
        """Run the cases in the first process only, to choose among them, and import the module in both.

        The first `least` are run whatever the time; it counts from the end of the import on.
        """
        here, elsewhere = self._threads
        asked = here.submit(self.here.replay, cases, whole=False, seconds=seconds, least=least)
        other = elsewhere.submit(self._elsewhere.replay, []).result()
        seen = asked.result()
        if seen.error or other.error:
            return Replay(error=seen.error or other.error)
        return replace(
            seen,
            import_lines=seen.import_lines & other.import_lines,
            import_arcs=seen.import_arcs & other.import_arcs,
        )

    def observe(self, cases: Sequence[Case]) -> Replay:
        """Run the cases in both processes at once and keep what both saw.

        An observation whose two sides ended differently has the outcome `Outcome.UNSTABLE`. Parts that differ
        are opaque or left out; `Replay.reasons` says so.
        """
        sides = zip(self._threads, (self.here, self._elsewhere), strict=True)
        first, second = (
            asked.result() for asked in [thread.submit(one.replay, cases) for thread, one in sides]
        )
        if first.error or second.error:
            return Replay(error=first.error or second.error)
        pairs = zip(first.observations, second.observations, strict=True)
        merged = [merge(one, self._place.moved(other)) for one, other in pairs]
        return Replay(
            [observation for observation, _ in merged],
            first.import_lines & second.import_lines,
            first.import_arcs & second.import_arcs,
            reasons=[reasons for _, reasons in merged],
            outline=first.outline,
        )


def merge(first: Observation, second: Observation) -> tuple[Observation, list[str]]:
    """The common part of two observations of one case, and why the rest was left out."""
    if NO_TIME in (first.why, second.why):
        return ended(Outcome.TIMEOUT, NO_TIME), []  # what was seen once says nothing of the other run
    ends = (("outcome", first.outcome, second.outcome), ("how", first.how, second.how))
    for part, one, other in ends:
        if one != other:
            return _unstable(f"{UNSTABLE}{part} {one} in one run, {other} in the other")
    thrown, again = first.raised, second.raised
    if (thrown and thrown.place) != (again and again.place):
        return _unstable(f"{UNSTABLE}the exception {DIFFERS}")
    seen, reasons = _merge_parts(first, second)
    if thrown is not None and thrown != again:
        seen = replace(seen, raised=replace(thrown, message=None))
        reasons.append(f"{UNSTABLE}the message of {thrown.qualname} {DIFFERS}")
    lines = tuple(sorted({*first.lines} & {*second.lines}))
    arcs = tuple(sorted({*first.arcs} & {*second.arcs}))
    if lines != tuple(sorted(first.lines)) or len(arcs) != len(first.arcs):
        reasons.append(f"{UNSTABLE}the way through the code {DIFFERS}")
    return replace(
        seen,
        own_lines=tuple(line for line in first.own_lines if line in second.own_lines),
        own_arcs=tuple(arc for arc in first.own_arcs if arc in set(second.own_arcs)),
        lines=lines,
        arcs=arcs,
        raised_at=first.raised_at if first.raised_at == second.raised_at else None,
    ), reasons


def _unstable(why: str) -> tuple[Observation, list[str]]:
    return ended(Outcome.UNSTABLE, why), [why]


def _merge_parts(first: Observation, second: Observation) -> tuple[Observation, list[str]]:
    """The values that two observations show, where both ended alike."""
    reasons = list[str]()
    value = common(first.value, second.value)
    reasons += [f"result: {why}" for why in missing(value) if first.outcome is Outcome.RETURNED]
    changed, more = _merge_paths(first.changed, second.changed)
    reasons += [f"changed: {why}" for why in more]
    kept, _ = _merge_paths(first.kept, second.kept)
    state, more = _merge_paths(first.state, second.state)
    reasons += [f"state: {why}" for why in more]
    reasons += [f"{UNSTABLE}stdout {DIFFERS}"] if first.stdout != second.stdout else []
    reasons += [f"{UNSTABLE}stderr {DIFFERS}"] if first.stderr != second.stderr else []
    effects = tuple(effect for effect in first.effects if effect in second.effects)
    if first.effects != second.effects:
        reasons.append(f"{UNSTABLE}what the world is told {DIFFERS}")
    calls, more = _merge_calls(first.calls, second.calls)
    reasons += more
    briefs = zip(first.setup, second.setup, strict=False)
    seen = replace(
        first,
        value=value,
        changed=changed,
        kept=kept,
        state=state,
        stdout=first.stdout if first.stdout == second.stdout else None,
        stderr=first.stderr if first.stderr == second.stderr else None,
        effects=effects,
        setup=tuple(common(one, other) for one, other in briefs),
        same=first.same if first.same == second.same else None,
        apart=tuple(pair for pair in first.apart if pair in second.apart),
        calls=calls,
        reads=first.reads if first.reads == second.reads and not more else None,
    )
    return seen, reasons


def _merge_calls(
    first: tuple[MockCall, ...], second: tuple[MockCall, ...]
) -> tuple[tuple[MockCall, ...], list[str]]:
    """The calls of each member of a mock that both runs made alike."""
    kept, reasons = list[MockCall](), list[str]()
    for member in dict.fromkeys((call.number, call.member) for call in (*first, *second)):
        mine, again = (
            [call for call in calls if (call.number, call.member) == member] for calls in (first, second)
        )
        if [_shape(call) for call in mine] != [_shape(call) for call in again]:
            reasons.append(f"{UNSTABLE}the calls of {member[1]} {DIFFERS}")
            continue
        kept += [_merge_call(one, other) for one, other in zip(mine, again, strict=True)]
    return tuple(kept), reasons


def _shape(call: MockCall) -> tuple[int, list[str], int | None]:
    return len(call.args), [name for name, _ in call.kwargs], call.line


def _merge_call(first: MockCall, second: MockCall) -> MockCall:
    args = tuple(common(one, other) for one, other in zip(first.args, second.args, strict=True))
    pairs = zip(first.kwargs, second.kwargs, strict=True)
    return replace(
        first, args=args, kwargs=tuple((name, common(one, other)) for (name, one), (_, other) in pairs)
    )


def _merge_paths(first: Shown, second: Shown) -> tuple[Shown, list[str]]:
    again = dict(second)
    kept, reasons = list[tuple[ValuePath, Snapshot]](), list[str]()
    for path, snap in first:
        if path not in again:
            reasons.append(f"{UNSTABLE}{path.text} {DIFFERS}")
            continue
        both = common(snap, again[path])
        reasons += [f"{path.text}: {why}" for why in missing(both)]
        kept.append((path, both))
    return tuple(kept), reasons


def common(first: Snapshot, second: Snapshot) -> Snapshot:
    """One snapshot of what two have in common."""
    if key(first) == key(second):
        return first
    alike = _alike(first, second)
    if alike is not None:
        return alike
    name = type_of(first)
    return Opaque(name if name == type_of(second) else "", f"{UNSTABLE}{DIFFERS}")


def _alike(first: Snapshot, second: Snapshot) -> Snapshot | None:
    """The common part of two different values of one kind, None where there is none."""
    match first, second:
        case Series(), Series() if first.kind is second.kind:
            return _common_items(first, second)
        case Iterated(), Iterated() if (first.type_name, first.exhausted) == (
            second.type_name,
            second.exhausted,
        ):
            items = common(list_of(*first.items), list_of(*second.items))
            return replace(first, items=items.items) if isinstance(items, Series) else None
        case Dictionary(), Dictionary():
            again = {key(name): value for name, value in second.pairs}
            if {key(name) for name, _ in first.pairs} != set(again):
                return None
            return Dictionary(tuple((name, common(value, again[key(name)])) for name, value in first.pairs))
        case Attributes(), Attributes() if (first.module, first.qualname) == (second.module, second.qualname):
            others = dict(second.attributes)
            shared = ((name, common(snap, others[name])) for name, snap in first.attributes if name in others)
            return replace(first, attributes=tuple(shared))
        case Built(module, qualname, ()), Built(_, _, ()) if type_of(first) == type_of(second):
            others = dict(second.kwargs)
            shared = ((name, common(snap, others[name])) for name, snap in first.kwargs if name in others)
            return Attributes(module, qualname, tuple(shared))
        case _:
            return None


def _common_items(first: Series[Snapshot], second: Series[Snapshot]) -> Snapshot | None:
    if not first.kind.has_order or len(first.items) != len(second.items):
        return None
    if sorted(map(key, first.items)) == sorted(map(key, second.items)):
        return Shuffled(first.kind, tuple(in_order(first.items)))
    return Series(first.kind, tuple(map(common, first.items, second.items)))


def type_of(snap: Snapshot) -> str:
    """`module:qualname` of the type a snapshot was taken of, ``""`` where it is not known."""
    match snap:
        case Scalar(value):
            return f"builtins:{type(value).__name__}"
        case Series(kind):
            return f"builtins:{kind}"
        case Dictionary():
            return "builtins:dict"
        case Opaque(name) | Iterated(name):
            return name
        case Built("re", "compile"):
            return "re:Pattern"
        case Attributes(module, qualname) | Built(module, qualname):
            return f"{module}:{qualname}" if module else ""
        case _:
            return ""


def missing(snap: Snapshot) -> list[str]:
    """Why parts of a snapshot are opaque."""
    if isinstance(snap, Opaque):
        return [snap.why]
    if isinstance(snap, Shuffled):
        return [f"{UNSTABLE}the order {DIFFERS}"]
    return list(dict.fromkeys(why for part in parts(snap) for why in missing(part)))
