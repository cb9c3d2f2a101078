"""What every theory must keep to; how one is registered; and whose fault an error is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from runtime.expr import Node, Sort, apply, const, var
from tests.solving.smt.test_translation import sequences
from tracetwin.solving.answers import Problem, Sat, Unknown, Unsat
from tracetwin.solving.chain import Chain
from tracetwin.solving.smt import theory as registry
from tracetwin.solving.smt.session import SolverSession
from tracetwin.solving.smt.stage import Z3Stage
from tracetwin.solving.smt.terms import Terms, Unsupported
from tracetwin.solving.smt.theories import theories
from tracetwin.solving.smt.theories.sequences import SequenceTheory
from tracetwin.solving.smt.theory import DuplicateTheoryError, Theory, TheoryTurn
from tracetwin.solving.smt.translate import Translator
from tracetwin.solving.task import Stage, Task
from tracetwin.support import plugins

X, Y = var("x", Sort.INT), var("y", Sort.INT)
F = var("f", Sort.FLOAT)
S = var("s", Sort.STR)
B = var("b", Sort.BYTES)


def node(op: str, sort: Sort, *args: object) -> Node:
    return apply(op, sort, *[arg if isinstance(arg, Node) else const(arg) for arg in args])


def is_(op: str, left: object, right: object) -> Node:
    return node(op, Sort.BOOL, left, right)


SOLVABLE: list[tuple[list[Node], dict[str, object]]] = [
    ([is_("eq", node("mul", Sort.INT, X, X), 49), is_("lt", X, 0)], {"x": -7}),
    (
        [is_("eq", node("and_", Sort.INT, X, 12), 8), is_("eq", node("xor", Sort.INT, X, Y), 5)],
        {"x": 8, "y": 13},
    ),
    ([is_("eq", node("lshift", Sort.INT, X, Y), 96), is_("gt", Y, 3)], {"x": 3, "y": 5}),
    ([is_("eq", node("add", Sort.FLOAT, F, 0.1), 0.1), is_("gt", F, 0.0)], {"f": 1e-20}),
    ([is_("ne", F, F)], {"f": float("nan")}),
    (
        [is_("eq", node("str.upper", Sort.STR, S), "SS"), is_("eq", node("len", Sort.INT, S), 1)],
        {"s": "\u00df"},
    ),
    (
        [node("str.isdigit", Sort.BOOL, S), node("not", Sort.BOOL, node("str.isascii", Sort.BOOL, S))],
        {"s": "\u0663"},
    ),
    (
        [is_("eq", node("item", Sort.INT, B, 1), 200), is_("eq", node("len", Sort.INT, B), 2)],
        {"b": b"\0\xc8"},
    ),
    ([is_("eq", node("int", Sort.INT, S), 7), is_("eq", node("len", Sort.INT, S), 9)], {"s": "        7"}),
]
"""Conditions and what fulfils them, each at an edge of what some theory can say."""


def task_of(roots: list[Node], values: dict[str, object]) -> Task:
    sorts = {
        name: var_.sort for name, var_ in {"x": X, "y": Y, "f": F, "s": S, "b": B}.items() if name in values
    }
    start: dict[Sort, object] = {Sort.INT: 1, Sort.FLOAT: 1.0, Sort.STR: "a", Sort.BYTES: b"a"}
    return Task(Problem(roots[:-1], roots[-1], {name: start[sort] for name, sort in sorts.items()}, sorts))


@pytest.mark.parametrize("theory", theories(), ids=lambda theory: theory.name)
@pytest.mark.parametrize("case", SOLVABLE, ids=lambda case: str(case[0][0]))
def test_no_theory_proves_that_what_has_a_solution_has_none(
    theory: type[Theory], case: tuple[list[Node], dict[str, object]]
) -> None:
    task = task_of(*case)
    assert task.program.holds(case[1])
    made = theory(Terms())
    if made.rank(task) is None:
        return
    for session in made.sessions(task):
        session.enter(task.conditions, task.goal, texts="s" in task.names or "b" in task.names)
        facts = [fact for encoding in session.translator.encodings() for fact in encoding.facts]
        session.add(*facts)
        refuted = session.check(300_000) is False
        assert not (refuted and made.proves(session, task, 300_000))
        session.leave()


@pytest.mark.parametrize("theory", theories(), ids=lambda theory: theory.name)
def test_a_theory_has_an_encoding_for_what_it_is_for(theory: type[Theory]) -> None:
    values: dict[str, object] = {"x": 3, "f": 0.5, "s": "ab", "b": b"a"}
    translator = theory(Terms()).translator(values)
    for variable in (X, F, S, B):
        if theory.sorts >= {variable.sort}:
            part = translator.translate(variable)
            assert part.term is not None
            translator.equals(variable, values[str(variable.data)])


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


class Guess(Theory):
    """A theory of texts that are one character long."""

    name = "guess"

    def rank(self, task: Task) -> int | None:
        return 0 if task.operators & {"str.isdigit"} else None

    def sessions(self, task: Task) -> Iterator[SolverSession]:
        yield SolverSession(self.translator({}))

    def translator(self, values: Mapping[str, object]) -> Translator:
        return sequences()

    def proves(self, session: SolverSession, task: Task, rlimit: int) -> bool:
        return False


@pytest.mark.usefixtures("own_registry")
def test_a_theory_of_others_is_asked_in_its_turn() -> None:
    registry.theory(Guess)
    assert Guess in theories(TheoryTurn.USUAL)
    stage = Z3Stage(TheoryTurn.USUAL, 300_000, 5.0)
    assert isinstance(stage.attempt(task_of([node("str.isdigit", Sort.BOOL, S)], {"s": ""})), Sat)


@pytest.mark.usefixtures("own_registry")
def test_two_theories_of_one_name_are_refused() -> None:
    registry.theory(Guess)
    registry.theory(Guess)
    with pytest.raises(DuplicateTheoryError, match="there is a theory 'guess'"):
        registry.theory(type("Other", (Guess,), {}))


def test_an_entry_point_that_can_not_be_loaded_costs_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("good", "math:gcd", "group"), EntryPoint("bad", "no_such_module:x", "group")]
    monkeypatch.setattr(plugins, "entry_points", lambda group: points)
    monkeypatch.setattr(plugins, "plugins", plugins.plugins.__wrapped__)
    found = plugins.plugins("group")
    assert len(found.found) == 1
    (sentence,) = found.broken
    assert sentence == (
        "the entry point 'bad' in group was left out: ModuleNotFoundError: No module named 'no_such_module'"
    )


# whose fault an error is


def unsupporting(*_: Any) -> Any:
    raise Unsupported("that")


def mistaken(*_: Any) -> Any:
    return dict[str, int]()["no such key"]


def translated(handler: Any) -> tuple[Translator, Node]:
    translator = sequences()
    translator.text.handlers = {"str.title": handler}
    asked = node("str.title", Sort.STR, S)
    translator.translate(asked)
    return translator, asked


def test_what_a_handler_was_not_written_for_is_abstracted() -> None:
    translator, asked = translated(unsupporting)
    assert asked in translator.abstracted


@pytest.mark.parametrize("error", [TypeError, AttributeError, KeyError, IndexError, ValueError])
def test_a_mistake_in_a_handler_is_not_taken_for_that(error: type[Exception]) -> None:
    def failing(*_: Any) -> Any:
        raise error("ours")

    with pytest.raises(error, match="ours"):
        translated(failing)


class Broken(Stage):
    """A stage with a mistake in it."""

    name = "broken"
    forgot = False

    def attempt(self, task: Task) -> Any:
        return mistaken()

    def forget(self) -> None:
        self.forgot = True


class Refuting(Broken):
    """One that answers."""

    name = "refuting"

    def attempt(self, task: Task) -> Any:
        return Unsat()


def test_a_mistake_in_a_stage_costs_its_answer_and_is_told() -> None:
    told: list[Exception] = []
    broken = Broken()
    asked = Problem([], is_("eq", X, 1), {"x": 0}, {"x": Sort.INT})
    assert Unsat() == Chain([broken, Refuting()], told.append).solve(asked)
    assert Unknown("broken: an internal error, KeyError") == Chain([broken], told.append).solve(asked)
    assert [KeyError, KeyError] == list(map(type, told))
    assert broken.forgot
    with pytest.raises(KeyError):
        Chain([broken]).solve(asked)


def test_of_texts_that_were_asked_for_as_characters_sequences_get_a_part_of_the_effort() -> None:
    theory = SequenceTheory(Terms())
    texts = Task(Problem([], is_("eq", S, "ab"), {"s": ""}, {"s": Sort.STR}, 1.0))
    numbers = Task(Problem([], is_("eq", X, 3), {"x": 0}, {"x": Sort.INT}, 1.0))
    shares = [session.share for task in (numbers, texts, numbers) for session in theory.sessions(task)]
    assert shares[0] == shares[2] == 1
    assert shares[1] > 1
