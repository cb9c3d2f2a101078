"""Sees every case in two processes that differ in all that a stable result may not depend on."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.case import Observation, blank
from tracetwin.replay.conditions.conditions import ELSEWHERE, HERE
from tracetwin.replay.location_texts import Place
from tracetwin.replay.observe.snap import Snap, in_order, is_opaque, key
from tracetwin.replay.session import CASE_SECONDS, Replay, replay

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

UNSTABLE = "unstable: "
DIFFERS = "differs between two runs"


def observe_twice(
    module: TargetModule,
    cases: Sequence[dict[str, Any]],
    *,
    timeout_per_case: float = CASE_SECONDS,
    limits: Limits | None = None,
    elsewhere: TargetModule | None = None,
) -> Replay:
    """Run the cases in two fresh processes at once and keep what both saw.

    An observation whose two sides ended differently has the outcome ``"unstable"``. Parts that differ are
    opaque or left out; `Replay.reasons` says so. The second process takes the module from `elsewhere`, if
    that is given.
    """

    def one(later: bool) -> Replay:
        return replay(
            elsewhere if later and elsewhere else module,
            cases,
            timeout_per_case=timeout_per_case,
            limits=limits,
            conditions=ELSEWHERE if later else HERE,
        )

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(one, (False, True))
    if first.error or second.error:
        return Replay(error=first.error or second.error)
    place = Place(module)
    pairs = zip(first.observations, second.observations, strict=True)
    merged = [merge(one, place.moved(other)) for one, other in pairs]
    return Replay(
        [observation for observation, _ in merged],
        first.import_lines & second.import_lines,
        first.import_arcs & second.import_arcs,
        reasons=[reasons for _, reasons in merged],
        outline=first.outline,
    )


def merge(first: Observation, second: Observation) -> tuple[Observation, list[str]]:
    """What two observations of one case have in common, and why the rest was left out."""
    for part in ("outcome", "how"):
        if first[part] != second[part]:
            why = f"{UNSTABLE}{part} {first[part]} in one run, {second[part]} in the other"
            return blank("unstable", why), [why]
    thrown, thrown_again = first["exception"], second["exception"]
    if (thrown and thrown[:2]) != (thrown_again and thrown_again[:2]):
        why = f"{UNSTABLE}the exception {DIFFERS}"
        return blank("unstable", why), [why]
    seen, reasons = _merge_parts(first, second)
    if thrown != thrown_again:
        seen["exception"] = (*thrown[:2], None)
        reasons.append(f"{UNSTABLE}the message of {thrown[1]} {DIFFERS}")
    for part in ("own_lines", "own_arcs"):
        again = set(second[part])
        seen[part] = [item for item in first[part] if item in again]
    seen["lines"], seen["arcs"], more = _merge_ways(first, second)
    reasons += more
    seen["raised_at"] = first["raised_at"] if first["raised_at"] == second["raised_at"] else None
    return seen, reasons


def _merge_parts(first: Observation, second: Observation) -> tuple[Observation, list[str]]:
    """The values that two observations show, where both ended alike."""
    seen, reasons = dict(first), list[str]()
    seen["value"] = common(first["value"], second["value"])
    reasons += [f"result: {why}" for why in missing(seen["value"]) if first["outcome"] == "returned"]
    for part in ("changed", "kept", "state"):
        seen[part], more = _merge_paths(first[part], second[part])
        if part != "kept":
            reasons += [f"{part}: {why}" for why in more]
    for part in ("stdout", "stderr"):
        if first[part] != second[part]:
            seen[part] = None
            reasons.append(f"{UNSTABLE}{part} {DIFFERS}")
    if first["told_world"] != second["told_world"]:
        seen["told_world"] = [told for told in first["told_world"] if told in second["told_world"]]
        reasons.append(f"{UNSTABLE}what the world is told {DIFFERS}")
    pairs = zip(first["setup"], second["setup"], strict=False)
    seen["setup"] = [common(one, other) for one, other in pairs]
    seen["same"] = first["same"] if first["same"] == second["same"] else None
    seen["calls"], more = _merge_calls(first["calls"], second["calls"])
    whole = first["reads"] == second["reads"] and not more
    seen["reads"] = first["reads"] if whole else None
    reasons += more
    return seen, reasons


def _merge_calls(first: list[Any], second: list[Any]) -> tuple[list[Any], list[str]]:
    """The calls of each member of a mock that both runs made alike."""
    kept, reasons = [], list[str]()
    for member in dict.fromkeys((call[0], call[1]) for call in [*first, *second]):
        mine, again = ([call for call in calls if (call[0], call[1]) == member] for calls in (first, second))
        if [_shape(call) for call in mine] != [_shape(call) for call in again]:
            reasons.append(f"{UNSTABLE}the calls of {member[1]} {DIFFERS}")
            continue
        kept += [_merge_call(one, other) for one, other in zip(mine, again, strict=True)]
    return kept, reasons


def _shape(call: Any) -> Any:
    return len(call[2]), [name for name, _ in call[3]], call[4]


def _merge_call(first: Any, second: Any) -> Any:
    args = [common(one, other) for one, other in zip(first[2], second[2], strict=True)]
    named = [(name, common(one, other)) for (name, one), (_, other) in zip(first[3], second[3], strict=True)]
    return (*first[:2], args, named, first[4])


def _merge_ways(first: Observation, second: Observation) -> tuple[list[int], list[Any], list[str]]:
    lines = sorted(set(first["lines"]) & set(second["lines"]))
    arcs = sorted(set(map(tuple, first["arcs"])) & set(map(tuple, second["arcs"])))
    same = lines == list(first["lines"]) and len(arcs) == len(first["arcs"])
    return lines, arcs, [] if same else [f"{UNSTABLE}the way through the code {DIFFERS}"]


def _merge_paths(first: list[Any], second: list[Any]) -> tuple[list[Any], list[str]]:
    again = {tuple(path): snap for path, snap in second}
    kept, reasons = [], []
    for path, snap in first:
        name = ".".join(map(str, path[1:]))
        if tuple(path) not in again:
            reasons.append(f"{UNSTABLE}{name} {DIFFERS}")
            continue
        both = common(snap, again[tuple(path)])
        reasons += [f"{name}: {why}" for why in missing(both)]
        kept.append((tuple(path), both))
    return kept, reasons


def common(first: Snap, second: Snap) -> Snap:
    """One snapshot of what two have in common."""
    if key(first) == key(second):
        return first
    kind = first[0]
    if kind == second[0] and not is_opaque(first):
        if kind in ("list", "tuple") and len(first[1]) == len(second[1]):
            if sorted(map(key, first[1])) == sorted(map(key, second[1])):
                return ("shuffled", kind, in_order(first[1]))
            return (kind, [common(a, b) for a, b in zip(first[1], second[1], strict=True)])
        if kind == "iter" and first[1] == second[1] and first[3] == second[3]:
            items = common(("list", first[2]), ("list", second[2]))
            if items[0] == "list":
                return ("iter", first[1], items[1], first[3])
        if kind == "dict":
            again = {key(name): value for name, value in second[1]}
            if {key(name) for name, _ in first[1]} == set(again):
                return ("dict", [(name, common(value, again[key(name)])) for name, value in first[1]])
        if kind == "object" and first[1:3] == second[1:3]:
            others = dict(second[3])
            shared = [(name, common(snap, others[name])) for name, snap in first[3] if name in others]
            return ("object", first[1], first[2], shared)
    name = type_of(first)
    return ("opaque", name if name == type_of(second) else "", f"{UNSTABLE}{DIFFERS}")


def type_of(snap: Snap) -> str:
    """`module:qualname` of the type a snapshot was taken of, ``""`` where it is not known."""
    kind = snap[0]
    if kind == "lit":
        return f"builtins:{type(snap[1]).__name__}"
    if kind in ("list", "tuple", "set", "frozenset", "dict"):
        return f"builtins:{kind}"
    if kind in ("opaque", "iter"):
        return str(snap[1])
    if (kind, snap[1:3]) == ("built", ("re", "compile")):
        return "re:Pattern"
    if kind in ("object", "built") and snap[1]:
        return f"{snap[1]}:{snap[2]}"
    return ""


def missing(snap: Snap) -> list[str]:
    """Why parts of a snapshot are opaque."""
    kind = snap[0]
    if kind == "opaque":
        return [str(snap[2])]
    if kind in ("list", "tuple", "set", "frozenset"):
        parts = list(snap[1])
    elif kind == "dict":
        parts = [part for pair in snap[1] for part in pair]
    elif kind == "object":
        parts = [part for _, part in snap[3]]
    elif kind == "built":
        parts = [*snap[3], *(part for _, part in snap[4])]
    elif kind == "iter":
        parts = list(snap[2])
    elif kind == "shuffled":
        return [f"{UNSTABLE}the order {DIFFERS}"]
    else:
        return []
    return list(dict.fromkeys(why for part in parts for why in missing(part)))
