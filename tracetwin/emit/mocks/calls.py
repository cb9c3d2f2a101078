"""The calls that a target made on mocks, as assertions, where they are what a test is about.

A call whose result nobody uses is a command: that it was made, and with what, is what matters. One whose
result is used is a question, and a test that has just set the answer need not repeat that it was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from tracetwin.emit.exhibit import Called, Chosen, Exhibit
from tracetwin.emit.mocks.stub_class import calls_of, is_special
from tracetwin.emit.mocks.write import TestMocks
from tracetwin.emit.source.checks import Check, CheckKind
from tracetwin.emit.source.identifiers import Unwritable, attribute, keyword_argument
from tracetwin.emit.source.layout import Atom, Group, LaidOut, call
from tracetwin.emit.source.literals import Writer, is_plain
from tracetwin.model.case import Case
from tracetwin.model.observation import MockCall
from tracetwin.model.recipe import NONE, MockRecipe
from tracetwin.model.snapshot import Snapshot
from tracetwin.model.status import Outcome
from tracetwin.replay.static import Coverable

Place: TypeAlias = tuple[str, str, int, str]
"""Module and name of a function, a line of the target, and the member that it calls there."""


def mark_questions(chosen: Sequence[Chosen]) -> list[Exhibit]:
    """Return what was seen of cases that make a suite, with the questions that their tests assert.

    That sets ``asked``. Each place that asks is told by one test, of a call that returned where there is one;
    what a test has told before it goes on to tell.
    """
    told: set[Place] = set()
    for case, seen in chosen:
        told |= {place for called in seen.asked for place in _places(case.module, case.target, called, seen)}
    marked = [seen for _, seen in chosen]
    order = sorted(range(len(chosen)), key=lambda at: chosen[at][1].outcome is not Outcome.RETURNED)
    for at in order:
        case, seen = chosen[at]
        asked = list(seen.asked)
        for called in dict.fromkeys((one.number, one.member) for one in seen.calls if _is_telling(one)):
            new = _places(case.module, case.target, called, seen) - told
            full = len(seen.told) + len(asked) >= MOST_TOLD
            if new and not full and called not in seen.told and called not in asked:
                asked.append(called)
                told |= new
        marked[at] = replace(seen, asked=tuple(asked))
    return marked


def asking_all(seen: Exhibit) -> Exhibit:
    """Return an exhibit whose test asserts all that mocks were asked, as much as a test tells."""
    called = dict.fromkeys((one.number, one.member) for one in seen.calls if _is_telling(one))
    more = [one for one in called if one not in seen.told and one not in seen.asked]
    return replace(seen, asked=(*seen.asked, *more[: max(0, MOST_TOLD - len(seen.told) - len(seen.asked))]))


def only_asserted(seen: Exhibit) -> Exhibit:
    """Return an exhibit with those calls of mocks only that its test asserts."""
    asserted = {*seen.told, *seen.asked}
    calls = tuple(call for call in seen.calls if (call.number, call.member) in asserted)
    return replace(seen, calls=calls)


def _places(module: str, target: str, called: Called, seen: Exhibit) -> set[Place]:
    return {
        (module, target, call.line, call.member)
        for call in seen.calls
        if (call.number, call.member) == called and call.line and _is_telling(call)
    }


def _is_telling(made: MockCall) -> bool:
    """Return whether the target itself made a call, with arguments that a test can write."""
    own = made.line is not None and made.line > 0
    given = [*made.args, *(snap for _, snap in made.kwargs)]
    named = made.member == "__call__" or not is_special(made.member)
    return own and named and any(map(is_plain, given))


MOST_LISTED: Final = 5
"""Calls that are listed one by one; of more the number is asserted, and the last one."""

MOST_TOLD: Final = 3
"""Members of mocks that one test asserts something of."""

_STORING: Final = ("__setitem__", "__delitem__")


_Role: TypeAlias = tuple[str, str, tuple[tuple[str, str], ...]]
"""What a mock stands for in a case: hint, kind and bases."""


def mark_calls(cases: Sequence[Case], exhibits: Sequence[Exhibit], coverable: Coverable) -> list[Exhibit]:
    """Return the exhibits with the calls of mocks that their tests assert.

    That sets ``unused``: members all of whose calls are commands; ``told``: those whose calls are asserted;
    ``silent``: those that another case of the same function commands, and that this one leaves alone; and
    ``telling``: it is worth saying that None came back, as other cases return something.
    """
    commanded: dict[tuple[str, str], set[tuple[_Role, str]]] = {}
    telling = {
        (case.module, case.target) for case, seen in zip(cases, exhibits, strict=True) if _tells(seen)
    }
    marked: list[Exhibit] = []
    for case, seen in zip(cases, exhibits, strict=True):
        target = (case.module, case.target)
        unused = _commands(seen.calls, coverable)
        tested = {(call.number, call.member) for call in _tested(seen)}
        orders = [called for called in unused if called in tested]
        told = orders[:MOST_TOLD] or ([] if target in telling else _all_there_is(seen))
        marked.append(replace(seen, unused=frozenset(unused), told=tuple(told), telling=target in telling))
        commanded.setdefault(target, set()).update(_roles(case, orders))
    return [
        replace(seen, silent=tuple(_left_alone(case, seen, commanded[case.module, case.target])))
        for case, seen in zip(cases, marked, strict=True)
    ]


def _left_alone(case: Case, seen: Exhibit, known: set[tuple[_Role, str]]) -> list[Called]:
    made = {(call.number, call.member) for call in seen.calls}
    expected = [
        (mock.number, member)
        for mock in _mocks(case)
        for member in sorted(member for role, member in known if role == _role(mock))
        if _has(mock, member, seen)
    ]
    return [called for called in expected if called not in made][: MOST_TOLD - len(seen.told)]


def _tells(seen: Exhibit) -> bool:
    return seen.outcome is Outcome.RETURNED and seen.value != NONE


def _commands(calls: Sequence[MockCall], coverable: Coverable) -> list[Called]:
    together: dict[Called, bool] = {}
    for made in calls:
        line, member = abs(made.line or 0), made.member
        is_command = member in _STORING or (not is_special(member) and (line, member) in coverable.commands)
        if member == "__call__":
            is_command = any(place == line for place, _ in coverable.commands)
        together[made.number, member] = together.get((made.number, member), True) and is_command
    return [called for called, always in together.items() if always]


def _all_there_is(seen: Exhibit) -> list[Called]:
    """All calls, where a test has nothing else to assert."""
    quiet = seen.outcome is Outcome.RETURNED and seen.value == NONE
    if not quiet or seen.changed or seen.touched or seen.stdout:
        return []
    plain = [(call.number, call.member) for call in _tested(seen) if not is_special(call.member)]
    return list(dict.fromkeys(plain))[:MOST_TOLD]


def _tested(seen: Exhibit) -> list[MockCall]:
    """The calls that the tested call led to."""
    return [call for call in seen.calls if not call.is_early]


def _mocks(case: Case) -> list[MockRecipe]:
    """The mocks that the case itself hands over."""
    parts = [part for step in case.steps for part in step.given]
    return list({part.number: part for part in parts if isinstance(part, MockRecipe)}.values())


def _roles(case: Case, called: Sequence[Called]) -> list[tuple[_Role, str]]:
    roles = {mock.number: _role(mock) for mock in _mocks(case)}
    return [(roles[number], member) for number, member in called if number in roles]


def _role(mock: MockRecipe) -> _Role:
    return mock.hint, mock.kind, mock.bases


def _has(mock: MockRecipe, member: str, seen: Exhibit) -> bool:
    """Return whether a mock has a member; one that is written for an assertion would be found there."""
    if mock.kind == "duck" and mock.offers is not None:
        return member in mock.offers
    bases = [told for told in seen.interfaces if (told.module, told.qualname) in mock.bases]
    return mock.is_function or any(member in told.members for told in bases)


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
            found.append(Check(CheckKind.EQUAL, Atom(attribute(name, calls_of(member))), Atom(nothing)))
        elif name is not None:
            found.append(Check(CheckKind.SAID, call(f"{_place(name, member)}.assert_not_called", [])))
    return found


def _place(name: str, member: str) -> str:
    return name if member == "__call__" else attribute(name, member)


def _on_mock(name: str, member: str, calls: Sequence[MockCall], mocks: TestMocks) -> list[Check]:
    writer, place = mocks.scribe.writer, _place(name, member)
    if len(calls) == 1:
        return [Check(CheckKind.SAID, _once(place, calls[0], writer))]
    if len(calls) <= MOST_LISTED and all(map(_is_known, calls)):
        maker = writer.name("unittest.mock", "call")
        listed = [call(maker, _arguments(one, writer)) for one in calls]
        return [Check(CheckKind.EQUAL, Atom(f"{place}.call_args_list"), Group("[", tuple(listed), "]"))]
    counted = Check(CheckKind.EQUAL, Atom(f"{place}.call_count"), Atom(str(len(calls))))
    if not calls or not _is_known(calls[-1]):
        return [counted]
    last = call(f"{place}.assert_called_with", _arguments(calls[-1], writer))
    return [counted, Check(CheckKind.SAID, last)]


def _once(place: str, made: MockCall, writer: Writer) -> LaidOut:
    """The assertion of a single call."""
    if (made.args or made.kwargs) and not any(map(is_plain, _given(made))):
        return call(f"{place}.assert_called_once", [])
    return call(f"{place}.assert_called_once_with", _arguments(made, writer))


def _given(made: MockCall) -> list[Snapshot]:
    return [*made.args, *(snap for _, snap in made.kwargs)]


def _is_known(made: MockCall) -> bool:
    return all(map(is_plain, _given(made)))


def _arguments(made: MockCall, writer: Writer) -> list[LaidOut]:
    named = [keyword_argument(name, _value(snap, writer)) for name, snap in made.kwargs]
    return [*(_value(snap, writer) for snap in made.args), *named]


def _value(snap: Snapshot, writer: Writer) -> LaidOut:
    """An argument; what can't be compared may be anything."""
    try:
        if is_plain(snap):
            return writer.snap(snap)
    except Unwritable:
        pass  # a part has no source
    return Atom(writer.name("unittest.mock", "ANY"))


def _bound(made: MockCall, parameters: Sequence[str]) -> list[Snapshot] | None:
    """The arguments of a call in the order of the parameters; None where one is left to its default."""
    if not parameters:
        return _given(made)
    found = {**dict(zip(parameters, made.args, strict=False)), **dict(made.kwargs)}
    complete = len(made.args) <= len(parameters) and set(found) == set(parameters)
    return [found[name] for name in parameters] if complete else None


def _on_stub(name: str, number: int, member: str, calls: Sequence[MockCall], mocks: TestMocks) -> list[Check]:
    """Return checks of the calls that a class of the file has kept."""
    if is_special(member):
        return []
    kept = Atom(attribute(name, calls_of(member)))
    if not mocks.mocked.parameters(number, member) and not any(map(_given, calls)):
        return [Check(CheckKind.EQUAL, kept, Atom(str(len(calls))))]
    if not all(map(_is_known, calls)):
        return [Check(CheckKind.EQUAL, call("len", [kept]), Atom(str(len(calls))))]
    bound = [_bound(made, mocks.mocked.parameters(number, member)) for made in calls]
    if any(row is None for row in bound):
        return [Check(CheckKind.EQUAL, call("len", [kept]), Atom(str(len(calls))))]
    rows = [[_value(snap, mocks.scribe.writer) for snap in row or ()] for row in bound]
    items = [row[0] if len(row) == 1 else Group("(", tuple(row), ")") for row in rows]
    return [Check(CheckKind.EQUAL, kept, Group("[", tuple(items), "]"))]
