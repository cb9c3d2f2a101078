"""The calls that a target made on mocks, as assertions, where they are what a test is about.

A call whose result nobody uses is a command: that it was made, and with what, is what matters. One whose
result is used is a question, and a test that has just set the answer need not repeat that it was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tracetwin.emit.mocks.mocked import Called
from tracetwin.emit.mocks.stub_class import calls_of, is_special
from tracetwin.emit.mocks.write import TestMocks
from tracetwin.emit.source.checks import Check, Kind
from tracetwin.emit.source.identifiers import Unwritable, attribute, keyword_argument
from tracetwin.emit.source.layout import Atom, Group, Node, call
from tracetwin.emit.source.literals import Writer, is_plain
from tracetwin.replay.observe.calls import is_early
from tracetwin.replay.observe.snap import Snap
from tracetwin.replay.static import Coverable

MOST_LISTED: Final = 5
"""Calls that are listed one by one; of more the number is asserted, and the last one."""

MOST_TOLD: Final = 3
"""Members of mocks that one test asserts something of."""

_STORING: Final = ("__setitem__", "__delitem__")

Case = dict[str, Any]
Observation = dict[str, Any]


def mark_calls(cases: Sequence[Case], observations: Sequence[Observation], coverable: Coverable) -> None:
    """Note in each observation which calls of mocks its test asserts.

    Sets ``unused``: members all of whose calls are commands; ``told``: those whose calls are asserted;
    ``silent``: those that another case of the same function commands, and that this one leaves alone; and
    ``telling``: whether it is worth saying that None came back, as other cases return something.
    """
    commanded: dict[Any, set[Any]] = {}
    telling = {tuple(case["target"]) for case, seen in zip(cases, observations, strict=True) if _tells(seen)}
    for case, seen in zip(cases, observations, strict=True):
        seen["unused"] = _commands(seen.get("calls", ()), coverable)
        tested = {(call[0], call[1]) for call in _tested(seen)}
        orders = [called for called in seen["unused"] if called in tested]
        mute = tuple(case["target"]) not in telling
        seen["told"] = orders[:MOST_TOLD] or (_all_there_is(seen) if mute else [])
        roles = commanded.setdefault(tuple(case["target"]), set())
        roles.update(_roles(case, orders))
    for case, seen in zip(cases, observations, strict=True):
        made = {(call[0], call[1]) for call in seen.get("calls", ())}
        known = commanded[tuple(case["target"])]
        expected = [
            (spec["number"], member)
            for spec in _specs(case)
            for member in _of_role(spec, known)
            if _has(spec, member, seen)
        ]
        silent = [called for called in expected if called not in made]
        seen["silent"] = silent[: MOST_TOLD - len(seen["told"])]
        seen["telling"] = tuple(case["target"]) in telling


def _tells(seen: Observation) -> bool:
    return bool(seen["outcome"] == "returned" and seen["value"] != ("lit", None))


def _commands(calls: Sequence[Any], coverable: Coverable) -> list[Called]:
    together: dict[Called, bool] = {}
    for number, member, _, _, at in calls:
        line = abs(at or 0)
        is_command = member in _STORING or (not is_special(member) and (line, member) in coverable.commands)
        if member == "__call__":
            is_command = any(place == line for place, _ in coverable.commands)
        together[number, member] = together.get((number, member), True) and is_command
    return [called for called, always in together.items() if always]


def _all_there_is(seen: Observation) -> list[Called]:
    """All calls, where a test has nothing else to assert."""
    quiet = seen["outcome"] == "returned" and seen["value"] == ("lit", None)
    if not quiet or seen["changed"] or seen["touched"] or seen["stdout"]:
        return []
    plain = [(call[0], call[1]) for call in _tested(seen) if not is_special(call[1])]
    return list(dict.fromkeys(plain))[:MOST_TOLD]


def _tested(seen: Observation) -> list[Any]:
    """The calls that the tested call led to."""
    return [call for call in seen.get("calls", ()) if not is_early(call)]


def _specs(case: Case) -> list[dict[str, Any]]:
    """Of the mocks that the case itself hands over."""
    parts = [part for step in case["steps"] for part in [*step["args"], *(one for _, one in step["kwargs"])]]
    found = {part[1]["number"]: part[1] for part in parts if part[0] == "mock" and len(part) > 2}
    return list(found.values())


def _roles(case: Case, called: Sequence[Called]) -> list[Any]:
    roles = {spec["number"]: _role(spec) for spec in _specs(case)}
    return [(roles[number], member) for number, member in called if number in roles]


def _role(spec: dict[str, Any]) -> Any:
    return spec["hint"], spec["kind"], tuple(tuple(base) for base in spec["bases"])


def _has(spec: dict[str, Any], member: str, seen: Observation) -> bool:
    """Whether a mock has a member: one that is written for the sake of an assertion would be found there."""
    if spec["kind"] == "duck" and "offers" in spec:
        return member in spec["offers"]
    bases = [told for place, told in seen.get("interfaces", ()) if tuple(place) in map(tuple, spec["bases"])]
    return spec["kind"] == "function" or any(member in told["members"] for told in bases)


def _of_role(spec: dict[str, Any], known: set[Any]) -> list[str]:
    """The members that others command of what plays the same part."""
    return sorted(member for role, member in known if role == _role(spec))


# ---- as assertions


def call_checks(mocks: TestMocks) -> list[Check]:
    """The assertions of one test."""
    found: list[Check] = []
    for number, member in mocks.mocked.told:
        name = mocks.names.get(number)
        if name is not None:
            calls = mocks.mocked.calls.get((number, member), [])
            stub = number in mocks.stubs
            if stub:
                found += _on_stub(name, number, member, calls, mocks)
            else:
                found += _on_mock(name, member, calls, mocks)
    for number, member in mocks.mocked.silent:
        name = mocks.names.get(number)
        if name is not None and number in mocks.stubs:
            known = mocks.mocked.member(mocks.mocked.recipes[number], member)
            nothing = "0" if known is not None and not mocks.mocked.parameters(number, member) else "[]"
            found.append(Check(Kind.EQUAL, Atom(attribute(name, calls_of(member))), Atom(nothing)))
        elif name is not None:
            found.append(Check(Kind.SAID, call(f"{_place(name, member)}.assert_not_called", [])))
    return found


def _place(name: str, member: str) -> str:
    return name if member == "__call__" else attribute(name, member)


def _on_mock(name: str, member: str, calls: Sequence[Any], mocks: TestMocks) -> list[Check]:
    writer, place = mocks.scribe.writer, _place(name, member)
    if len(calls) == 1:
        return [Check(Kind.SAID, _once(place, calls[0], writer))]
    if len(calls) <= MOST_LISTED and all(map(_is_known, calls)):
        maker = writer.name("unittest.mock", "call")
        listed = [call(maker, _arguments(one, writer)) for one in calls]
        return [Check(Kind.EQUAL, Atom(f"{place}.call_args_list"), Group("[", tuple(listed), "]"))]
    counted = Check(Kind.EQUAL, Atom(f"{place}.call_count"), Atom(str(len(calls))))
    if not calls or not _is_known(calls[-1]):
        return [counted]
    return [counted, Check(Kind.SAID, call(f"{place}.assert_called_with", _arguments(calls[-1], writer)))]


def _once(place: str, made: Any, writer: Writer) -> Node:
    """The assertion of a single call."""
    if (made[2] or made[3]) and not any(map(is_plain, _given(made))):
        return call(f"{place}.assert_called_once", [])
    return call(f"{place}.assert_called_once_with", _arguments(made, writer))


def _given(made: Any) -> list[Snap]:
    return [*made[2], *(snap for _, snap in made[3])]


def _is_known(made: Any) -> bool:
    return all(map(is_plain, _given(made)))


def _arguments(made: Any, writer: Writer) -> list[Node]:
    named = [keyword_argument(name, _value(snap, writer)) for name, snap in made[3]]
    return [*(_value(snap, writer) for snap in made[2]), *named]


def _value(snap: Snap, writer: Writer) -> Node:
    """An argument; what can't be compared may be anything."""
    try:
        if is_plain(snap):
            return writer.snap(snap)
    except Unwritable:
        pass  # a part has no source
    return Atom(writer.name("unittest.mock", "ANY"))


def _bound(made: Any, parameters: Sequence[str]) -> list[Snap] | None:
    """The arguments of a call in the order of the parameters; None where one is left to its default."""
    if not parameters:
        return _given(made)
    found = {**dict(zip(parameters, made[2], strict=False)), **dict(made[3])}
    complete = len(made[2]) <= len(parameters) and set(found) == set(parameters)
    return [found[name] for name in parameters] if complete else None


def _on_stub(name: str, number: int, member: str, calls: Sequence[Any], mocks: TestMocks) -> list[Check]:
    """What a class of the file has kept."""
    if is_special(member):
        return []
    kept = Atom(attribute(name, calls_of(member)))
    if not mocks.mocked.parameters(number, member) and not any(map(_given, calls)):
        return [Check(Kind.EQUAL, kept, Atom(str(len(calls))))]
    if not all(map(_is_known, calls)):
        return [Check(Kind.EQUAL, call("len", [kept]), Atom(str(len(calls))))]
    bound = [_bound(made, mocks.mocked.parameters(number, member)) for made in calls]
    if any(row is None for row in bound):
        return [Check(Kind.EQUAL, call("len", [kept]), Atom(str(len(calls))))]
    rows = [[_value(snap, mocks.scribe.writer) for snap in row or ()] for row in bound]
    items = [row[0] if len(row) == 1 else Group("(", tuple(row), ")") for row in rows]
    return [Check(Kind.EQUAL, kept, Group("[", tuple(items), "]"))]
