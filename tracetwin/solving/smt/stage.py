"""Ask z3: one theory after the other, less where it was in vain; models checked, proof and failure apart."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.answers import Answer, Sat, Unknown, Unsat
from tracetwin.solving.figures import StageStatistics
from tracetwin.solving.program import UNDEFINED, Program
from tracetwin.solving.shrink import readable, shrink
from tracetwin.solving.smt.alarm import Alarm
from tracetwin.solving.smt.session import SolverSession
from tracetwin.solving.smt.terms import Term, Terms, TooLargeError, Unsupported
from tracetwin.solving.smt.theories import theories
from tracetwin.solving.smt.theory import Theory, TheoryTurn
from tracetwin.solving.smt.translate import Translator
from tracetwin.solving.smt.z3lib import z3
from tracetwin.solving.task import AskingTheories, Task
from tracetwin.solving.vain import Vain

_LONGEST_TEXT: Final = 60


def lemmas(translator: Translator, program: Program, nodes: list[Node]) -> list[Term]:
    """Facts "if the operands are these, the result is this", from the last evaluation of `program`."""
    t = translator.terms
    return [
        t.or_(t.not_(t.and_(*equalities)), result) if equalities else result
        for equalities, result in _as_evaluated(translator, program, nodes)
    ]


def pins(translator: Translator, program: Program, nodes: list[Node]) -> list[Term]:
    """Operands and results exactly as in the last evaluation: a guess that makes the rest simple."""
    found = _as_evaluated(translator, program, nodes)
    return [term for equalities, result in found for term in (*equalities, result)]


def _as_evaluated(
    translator: Translator, program: Program, nodes: list[Node]
) -> Iterator[tuple[list[Term], Term]]:
    """Give for each node what its operands and its result were, where that can be said to z3."""
    for node in nodes:
        equalities = _operands_as_evaluated(translator, program, node)
        value = _value(program, node)
        if equalities is None or value is UNDEFINED:
            continue
        try:
            result = translator.equals(node, value)
        except Unsupported:
            continue
        yield equalities, result


def _value(program: Program, node: Node) -> object:
    return program.value(node) if node in program.place else UNDEFINED


def _operands_as_evaluated(translator: Translator, program: Program, node: Node) -> list[Term] | None:
    equalities = []
    for arg in node.args:
        if arg.op == "const":
            continue
        value = _value(program, arg)
        if value is UNDEFINED or (isinstance(value, (str, bytes)) and len(value) > _LONGEST_TEXT):
            return None
        if translator.done[arg].term is None:
            return None
        try:
            equalities.append(translator.equals(arg, value))
        except Unsupported:
            return None
    return equalities


def unchanged(translator: Translator, nodes: list[Node]) -> list[Term]:
    """The guess that text methods change nothing: ``s.lower() == s``, ``s.title() == s``."""
    made = []
    for node in nodes:
        if node.op.startswith(("str.", "bytes.")) and node.sort in (Sort.STR, Sort.BYTES):
            source = node.args[0]
            if source.sort is node.sort and translator.done[source].term is not None:  # both have terms
                made.append(translator.text.equal(translator.abstracted[node], translator.done[source].term))
    return made


TERM_COST: Final = 4
"""What z3 spends at least on each term that it is given, in units of its resource limit."""

MOST_SHOWN: Final = 5_000
"""Terms of a question whose text may be shown: to write a longer one can take longer than to ask it."""

TOO_LARGE: Final = "too large for its limits"
_ROUNDS: Final = 6
_SHRINKING: Final = 120
_BOUNDS: Final = {Sort.INT: (1, 10, 100, 1000), Sort.STR: (3, 8), Sort.BYTES: (3, 8)}
"""How far from nothing the values of a readable model may be, the best first."""


class Z3Stage(AskingTheories):
    """Asks the theories of one turn, the most promising first; the first that finds or refutes decides.

    Attributes:
        here: whether z3's memory is this process's.
        vain: what its theories came to until now.
    """

    here = True

    def __init__(self, turn: TheoryTurn, rlimit: int, cpu_seconds: float) -> None:
        """Take the theories and the limits.

        Args:
            turn: whose theories to ask.
            rlimit: z3's resource limit per check.
            cpu_seconds: what one attempt of all theories may take; a net for what `rlimit` does not count.
        """
        super().__init__(turn.value)
        self._turn = turn
        self._rlimit = rlimit
        self._cpu_seconds = cpu_seconds
        self._effort = 1.0
        self.vain = Vain()
        self._limit_now = 0.0
        self._alarm = Alarm(self._interrupt, cpu_seconds)
        self._start()

    def _start(self) -> None:
        self._asked = terms = Terms()
        self._theories = [cls(terms) for cls in theories(self._turn)]

    def limit(self, seconds: float) -> None:
        """From now on an attempt may take so many processor seconds, whatever the effort."""
        self._limit_now = seconds

    def forget(self) -> None:
        """Drop everything that refers to nodes."""
        self._start()

    def _interrupt(self) -> None:
        self._asked.context.interrupt()

    def attempt(self, task: Task) -> Answer:
        """The first theory that finds or refutes decides."""
        alarm = self._alarm
        alarm.seconds = self._limit_now or self._cpu_seconds * max(0.5, task.effort)
        try:
            with alarm:
                return self._first_answer(task)
        except z3.Z3Exception as error:
            if not alarm.rang:
                raise
            return Unknown(f"z3 was stopped: {error}")
        finally:
            if alarm.rang:  # what an interrupted solver still knows is not to be relied on
                self.forget()

    def _first_answer(self, task: Task) -> Answer:
        reasons = []
        for theory, session in self._sessions(task):
            if self._alarm.rang:
                break
            self._asked = session.terms
            self._effort = task.effort * self.vain.part(theory.name)
            started = time.perf_counter()
            answer = self._ask(theory, session, task)
            self.vain.note(theory.name, answer)
            figures = self.theories.setdefault(_encodings(session, task), StageStatistics())
            figures.count(answer, time.perf_counter() - started)
            if not isinstance(answer, Unknown):
                return answer
            reasons.append(f"{session.name}: {answer.reason}")
        return Unknown("; ".join(reasons) or "not its kind of problem")

    def _sessions(self, task: Task) -> Iterator[tuple[Theory, SolverSession]]:
        """Solvers to ask, those of the most promising theory first."""
        ranked = [(theory.rank(task), theory) for theory in self._theories]
        useful = [(rank, theory) for rank, theory in ranked if rank is not None]
        for _, theory in sorted(useful, key=lambda pair: pair[0]):
            for session in theory.sessions(task):
                yield theory, session

    def _ask(self, theory: Theory, session: SolverSession, task: Task) -> Answer:
        terms = session.terms
        room = terms.room = self._limit(session) / TERM_COST
        try:
            texts = any(sort in (Sort.STR, Sort.BYTES) for sort in task.sorts.values())
            session.enter(task.conditions, task.goal, texts=texts)
        except (TooLargeError, Unsupported) as error:
            session.forget()
            return Unknown(str(error) or TOO_LARGE)
        finally:
            size, terms.room = room - terms.room, math.inf
        started = time.perf_counter()
        try:
            answer = self._search_models(theory, session, task)
            spent = time.perf_counter() - started
            shown = partial(_smtlib, session) if size <= MOST_SHOWN else str
            self.slowest.note(spent, _encodings(session, task), answer, shown)
            return answer
        finally:
            session.leave()

    def _search_models(self, theory: Theory, session: SolverSession, task: Task) -> Answer:
        translator = session.translator
        guess = unchanged(translator, session.abstracted)
        for encoding in translator.encodings():
            session.add(*encoding.facts)
            guess += encoding.guesses
        guessed = self._guessed(session, task, guess) if guess else None
        answer = guessed or self._refined(theory, session, task)
        if not isinstance(answer, Unknown):
            return answer
        variables = translator.variables.values()
        late = [each for encoding in translator.encodings() for each in encoding.late_guesses(variables)]
        return (self._guessed(session, task, late) if late else None) or answer

    def _guessed(self, session: SolverSession, task: Task, guess: list[Term]) -> Answer | None:
        """A model under further assumptions, if there is one that holds."""
        values = self._model_values(session, task, self._check(session, *guess))
        if values is not None and task.program.holds(values):
            return self._readable(session, task, values)
        return None

    def _refined(self, theory: Theory, session: SolverSession, task: Task) -> Answer:
        """Models and facts learnt from their failure in turn, for some rounds."""
        abstracted = session.abstracted
        reason = "no model survived the check"
        for round_ in range(_ROUNDS if abstracted else 1):
            outcome = self._check(session)
            if outcome is False:
                if theory.proves(session, task, self._limit(session)):
                    return Unsat()
                return Unknown("no solution in the approximation")
            values = self._model_values(session, task, outcome)
            if values is None:
                reason = str(outcome)
                break
            if task.program.holds(values):
                return self._readable(session, task, values)
            task.near_misses.append(values)
            if round_ == _ROUNDS - 1 or not self._learn(session, task, values):
                break
        return self._pinned(session, task, reason) if abstracted else Unknown(reason)

    def _check(self, session: SolverSession, *extra: Term) -> Any:
        if self._alarm.rang:
            return "stopped"
        return session.check(self._limit(session), *extra)

    def _limit(self, session: SolverSession) -> int:
        return int(self._rlimit * self._effort) // session.share

    def _learn(self, session: SolverSession, task: Task, values: dict[str, object]) -> bool:
        """Tell z3 what the operations it lacks give for these values."""
        task.program.run(values)
        facts = lemmas(session.translator, task.program, session.abstracted)
        session.add(*facts)
        return bool(facts)

    def _pinned(self, session: SolverSession, task: Task, reason: str) -> Answer:
        """Keep the operations z3 lacks as they were in the last run, and vary the rest."""
        task.program.run(task.current)
        guess = pins(session.translator, task.program, session.abstracted)
        return (self._guessed(session, task, guess) if guess else None) or Unknown(reason)

    def _model_values(self, session: SolverSession, task: Task, model: Any) -> dict[str, object] | None:
        """A complete assignment out of a z3 model."""
        if model is False or isinstance(model, str):
            return None  # refuted, or given up
        found: dict[str, object] = {}
        for name in task.names:
            if name in session.translator.variables:
                try:
                    found[name] = session.translator.value(model, name, task.sorts[name])
                except Unsupported:
                    return None
        return task.with_changes(found)

    def _readable(self, session: SolverSession, task: Task, values: dict[str, object]) -> Sat:
        """Shrink; where that is not enough, ask again within bounds."""
        best = shrink(task, values, _SHRINKING)
        if not all(readable(best[name]) for name in task.names):
            best = self._within_bounds(session, task, best)
        return Sat(best, session.name)

    def _within_bounds(
        self, session: SolverSession, task: Task, best: dict[str, object]
    ) -> dict[str, object]:
        translator = session.translator
        large = [name for name in task.names if task.sorts[name] in _BOUNDS and not readable(best[name])]
        large.sort(key=lambda name: task.sorts[name])
        rounds = max((len(_BOUNDS[task.sorts[name]]) for name in large), default=0)
        for place in range(rounds):
            if self._alarm.rang:
                break
            limits = {name: _BOUNDS[task.sorts[name]] for name in large}
            bounds = [
                translator.encoding(task.sorts[name]).within(
                    translator.variables[name], limit[min(place, len(limit) - 1)]
                )
                for name, limit in limits.items()
            ]
            outcome = session.check(self._rlimit // 10, *(bound for bound in bounds if bound is not None))
            values = self._model_values(session, task, outcome)
            if values is not None and task.program.holds(values):
                return shrink(task, values, _SHRINKING)
        return best


def _smtlib(session: SolverSession) -> str:
    try:
        return session.smtlib()
    except z3.Z3Exception:  # it was stopped
        return ""


def _encodings(session: SolverSession, task: Task) -> str:
    """The names of the encodings that a question needed."""
    sorts = set(task.sorts.values())
    translator = session.translator
    words = [translator.ints_as.name] if sorts & {Sort.INT, Sort.BOOL} else []
    if any(node.sort is Sort.FLOAT for node in task.nodes):
        words.append(translator.floats.name)
    if sorts & {Sort.STR, Sort.BYTES}:
        words.append(translator.text.name)
    return "+".join(words)
