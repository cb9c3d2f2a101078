"""Values whose class a choice of the input decides: their type is a variable (Dsc+Mock, section 4.2).

What a program asks of such a value (`isinstance`, `hasattr`, `is None`) is a formula over the choice: which
alternatives pass. An alternative may be a mock, whose class is open: then each question is a variable of its
own, and a later input with that one true gets a mock that passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from runtime import trace
from runtime.classes import bases_of, can_derive, has_attribute, is_subclass, may_derive, name_of
from runtime.expr import FALSE, TRUE, Node, Sort, apply2, conjunction, const_int, disjunction, negate, var
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import invert_truth
from runtime.values import TRACED_IDS, SBool, wrap

keep_builtins(globals())

DERIVES: Final = "<:"
"""Separates mock and class in the name of the variable that says whether the one derives from the other."""

Drawn: TypeAlias = Callable[[str, bool], None]
"""Makes a bool that is known a variable of the input."""


@dataclass(frozen=True)
class Alternative:
    """One of the values that a choice can give.

    Attributes:
        cls: its class, None where that is not known before it is made.
        mock: the name of the mock that it is, "" for all that exist.
        bases: the classes that the mock derives from anyway.
    """

    cls: type | None
    mock: str = ""
    bases: tuple[type, ...] = ()


@dataclass(frozen=True)
class Question:
    """A question that a program asks of a value, and how the class decides it.

    Attributes:
        passes: whether the instances of a class pass; None where the class doesn't tell.
        classes: those of which a mock can derive in order to pass.
        inherited: whether instances of subclasses pass, too.
    """

    passes: Callable[[type], bool | None]
    classes: tuple[type, ...] = ()
    inherited: bool = True


def instance_of(classes: tuple[type, ...]) -> Question:
    """Return the question `isinstance(x, classes)`."""

    def passes(cls: type) -> bool | None:
        answers = [is_subclass(cls, what) for what in classes]
        return True if True in answers else None if None in answers else False

    return Question(passes, classes)


def exactly(wanted: type) -> Question:
    """Return the question `type(x) is wanted`; a mock has a class of its own."""
    return Question(lambda cls: cls is wanted, inherited=False)


def having(name: str) -> Question:
    """Return the question `hasattr(x, name)`."""
    return Question(lambda cls: has_attribute(cls, name))


IS_NONE: Final = exactly(type(None))
IS_CALLABLE: Final = Question(lambda cls: is_subclass(cls, Callable))  # type: ignore[arg-type]

Cases: TypeAlias = "tuple[tuple[Node, Alternative], ...]"


@dataclass(frozen=True)
class Alternatives:
    """The alternatives of one value, each with the condition on the input under which it was chosen.

    Attributes:
        cases: exactly one of the conditions holds.
        current: the place of that one.
    """

    cases: tuple[tuple[Node, Alternative], ...]
    current: int
    value: Any

    def within(self, condition: Node, before: Cases, after: Cases) -> Alternatives:
        """Return the alternatives of a further choice, of which the condition chose these."""
        inner = [(conjunction((condition, case)), alternative) for case, alternative in self.cases]
        return Alternatives((*before, *inner, *after), len(before) + self.current, self.value)

    def condition(self, question: Question, outcome: bool, open_: Open) -> Node:
        """Return the condition that the answer to a question is yes; now it is `outcome`."""
        answers = [
            self._answer(place, alternative, question, outcome, open_)
            for place, (_, alternative) in enumerate(self.cases)
        ]
        # Where no known alternative gives the other answer, an open mock is worth a try.
        other, same = const_bool(not outcome), const_bool(outcome)
        is_known = any(answer is not None and answer is not same for answer in answers)
        settled = [(same if is_known else other) if answer is None else answer for answer in answers]
        if all(answer is settled[0] for answer in settled):
            return settled[0]
        pairs = zip(self.cases, settled, strict=True)
        return disjunction(conjunction((condition, answer)) for (condition, _), answer in pairs)

    def _answer(
        self, place: int, alternative: Alternative, question: Question, outcome: bool, open_: Open
    ) -> Node | None:
        is_current = place == self.current
        if alternative.mock and question.classes:
            live = self.value if is_current else None
            node = disjunction(open_.derives(alternative, what, live) for what in question.classes)
            return const_bool(outcome) if is_current and node.op == "const" else node
        if is_current:
            return const_bool(outcome)
        if alternative.mock:
            passed = question.inherited and any(question.passes(base) for base in alternative.bases)
            return const_bool(passed)
        passes = None if alternative.cls is None else question.passes(alternative.cls)
        return None if passes is None else const_bool(passes)


def const_bool(value: bool) -> Node:
    """Return one of the two constants."""
    return TRUE if value else FALSE


class Open:
    """The classes from which the mocks of one input derive beyond their declaration (Dsc+Mock, section 5.2).

    A variable for each class that is asked for, and between these what the subtype relation demands: who
    derives from T derives from what T derives from; nothing derives from two classes that don't fit together.
    """

    def __init__(self, drawn: Drawn) -> None:
        self._drawn = drawn
        self._asked: dict[str, list[tuple[type, Node]]] = {}

    def derives(self, mock: Alternative, what: type, live: Any) -> Node:
        """Return the condition that a mock passes a test for a class.

        `live` is the mock itself where there is one in this run.
        """
        if any(is_subclass(base, what) for base in mock.bases):
            return TRUE
        known = next((node for cls, node in self._asked.get(mock.mock, ()) if cls is what), None)
        if known is not None:
            return known
        holds = live is not None and bool(trace.unrecorded(isinstance, live, what))
        if holds and not any(base is what for base in bases_of(type(live))):
            return TRUE  # by its members, which it has anyway
        name = name_of(what)
        if name is None or not (holds or may_derive(mock.bases, what)):
            return FALSE
        variable = f"{mock.mock}{DERIVES}{name}"
        self._drawn(variable, holds)
        node = var(variable, Sort.BOOL)
        self._relate(mock, what, node)
        return node

    def _relate(self, mock: Alternative, what: type, node: Node) -> None:
        known = self._asked.setdefault(mock.mock, [])
        for cls, other in known:
            if is_subclass(what, cls):
                _assume(disjunction((negate(node), other)))
            elif is_subclass(cls, what):
                _assume(disjunction((negate(other), node)))
            elif not can_derive((*mock.bases, cls, what)):
                _assume(negate(conjunction((node, other))))
        known.append((what, node))


def _assume(node: Node) -> None:
    trace.current.record(node, True, 0, trace.Kind.ASSUME)


class ClassChoices:
    """The values of one input whose class its choices decide."""

    def __init__(self, drawn: Drawn, changed: Callable[[], None] = lambda: None) -> None:
        self._open = Open(drawn)
        self._changed = changed
        self._is_used = False
        self._objects: dict[int, Alternatives] = {}
        self._scalars: dict[str, Alternatives] = {}
        self._nones: list[Alternatives] = []
        self._are_none: list[Node] = []  # the conditions of the first of them
        self._classes: dict[int, tuple[type, Alternatives]] = {}

    def add(self, value: Any, choice: Node | None, chosen: int, alternatives: Sequence[Alternative]) -> None:
        """Note that a choice decided the class of a value; `choice` is None where there is a mock only."""
        known = self.of(value)
        if known is None:
            mine = alternatives[chosen]
            if mine.cls is None and not mine.mock:
                mine = replace(mine, cls=type(value))
            known = Alternatives(((TRUE, mine),), 0, value)
        if choice is not None:
            cases = [(_chosen(choice, place), item) for place, item in enumerate(alternatives)]
            known = known.within(cases[chosen][0], tuple(cases[:chosen]), tuple(cases[chosen + 1 :]))
        self._keep(value, known)

    def _keep(self, value: Any, alternatives: Alternatives) -> None:
        if not self._is_used:
            self._is_used = True
            self._changed()
        if value is None:
            self._nones.append(alternatives)
        elif id(type(value)) in TRACED_IDS:
            if value.e.op == "var":
                self._scalars[str(value.e.data)] = alternatives
        elif id(type(value)) not in _SHARED:
            self._objects[id(value)] = alternatives

    def of(self, value: Any) -> Alternatives | None:
        """Return the alternatives of a value; None where no choice decides it."""
        if id(type(value)) in TRACED_IDS:
            return self._scalars.get(value.e.data) if value.e.op == "var" else None
        return self._objects.get(id(value))

    def answer(self, alternatives: Alternatives, question: Question, outcome: bool) -> Any:
        """Return the answer to a question, which depends on the input."""
        node = alternatives.condition(question, outcome, self._open)
        trace.current.asked |= node.names
        return wrap(outcome, node)

    def note_class(self, cls: type, alternatives: Alternatives) -> None:
        """Note that `type(x)` was asked: until `type` of another such value is, the class stands for x."""
        trace.traced_keys = True  # from now on, comparisons of classes are looked at
        self._classes[id(cls)] = (cls, alternatives)

    def _behind_class(self, cls: Any) -> Alternatives | None:
        """Return the alternatives of the value whose class was asked for last, where this is it."""
        found = self._classes.get(id(cls))
        return None if found is None else found[1]

    def same_class(self, native: Callable[[Any, Any], Any], left: type, right: type) -> Any:
        """Return whether two classes are one, as `native` says, where one may be that of a value."""
        outcome = native(left, right)
        for cls, other in ((left, right), (right, left)):
            found = self._behind_class(cls)
            if found is not None and type(outcome) is bool:
                is_same = native(left, left) is True  # else it is `!=`, or `is not`
                answer = self.answer(found, exactly(other), outcome is is_same)
                return answer if is_same or type(answer) is not SBool else invert_truth(answer)
        return outcome

    def class_among(self, cls: type, row: Any) -> Any:
        """Return `cls in row` for a class that may be that of a value."""
        outcome = cls in row
        found = self._behind_class(cls)
        if found is None or type(row) not in _ROWS:
            return outcome
        return self.answer(found, Question(lambda other: other in row, inherited=False), outcome)

    def subclass(self, cls: Any, question: Callable[[], Question | None], outcome: bool) -> Any:
        """Return `issubclass(cls, ...)`, where the class may be that of a value."""
        found = self._behind_class(cls)
        asked = None if found is None else question()
        return outcome if found is None or asked is None else self.answer(found, asked, outcome)

    def is_none(self, value: Any) -> Any:
        """Return `value is None` for a value that isn't, and record the answer as a hint."""
        found = self.of(value)
        if found is None:
            return False
        answer = self.answer(found, IS_NONE, outcome=False)
        if type(answer) is SBool:
            trace.current.record(answer.e, False, None, trace.Kind.HINT)
        return answer

    def note_none(self) -> None:
        """Record as hints which values may be None: None was compared with None, and may be any of them."""
        for alternatives in self._nones[len(self._are_none) : _MOST_NONES]:
            self._are_none.append(alternatives.condition(IS_NONE, True, self._open))
        for node in self._are_none:
            trace.current.record(node, True, None, trace.Kind.HINT)


_ROWS: Final = frozenset((tuple, list, set, frozenset))
_MOST_NONES: Final = 4
_SHARED: Final = frozenset(map(id, (int, bool, float, str, bytes, complex)))
"""Types of values that are one object wherever they come from."""


def _chosen(choice: Node, place: int) -> Node:
    return apply2("eq", Sort.BOOL, choice, const_int(place))


def wanted(names: Mapping[str, object], mock: str) -> list[str]:
    """Return the classes, as ``module:qualname``, that an input wants a mock to derive from, in order."""
    start = f"{mock}{DERIVES}"
    found = [name for name, value in names.items() if value is True and name.startswith(start)]
    return sorted(name.removeprefix(start) for name in found)


current = ClassChoices(lambda name, value: None)
"""The values of the input that is run. Read it as ``class_choices.current``: `begin` rebinds it."""


def begin(drawn: Drawn, changed: Callable[[], None]) -> ClassChoices:
    """Begin a new input, of which no value is known yet."""
    global current  # noqa: PLW0603 - one run per process
    current = ClassChoices(drawn, changed)
    return current
