"""Ask z3: one theory after the other, every model checked, proof and failure kept apart."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from runtime.expr import Sort
from tracetwin.solving.answers import Answer, Sat, Unknown, Unsat
from tracetwin.solving.figures import StageStatistics
from tracetwin.solving.shrink import readable, shrink
from tracetwin.solving.smt.alarm import Alarm
from tracetwin.solving.smt.chars.characters import Characters
from tracetwin.solving.smt.floats.reals import binary_fractions
from tracetwin.solving.smt.refine import lemmas, pins, unchanged
from tracetwin.solving.smt.session import Session
from tracetwin.solving.smt.terms import Term, Terms, Unsupported
from tracetwin.solving.smt.z3lib import z3
from tracetwin.solving.task import Task

_ROUNDS: Final = 6
_SHRINKING: Final = 120
_INT_BOUNDS: Final = (1, 10, 100, 1000)
_TEXT_BOUNDS: Final = (3, 8)


class Z3Stage:
    """What the stages that ask z3 have in common; they differ in the theories they choose."""

    name = "z3"

    def __init__(
        self, rlimit: int, cpu_seconds: float, on_hang: Callable[[], object] | None = None
    ) -> None:
        """Take the limits.

        Args:
            rlimit: z3's resource limit per check.
            cpu_seconds: what one attempt of all theories may take; a net for what `rlimit` does not count.
            on_hang: called, from another thread, when z3 goes on after it was told to stop.
        """
        self.theories: dict[str, StageStatistics] = {}
        self._rlimit = rlimit
        self._cpu_seconds = cpu_seconds
        self._effort = 1.0
        self._alarm = Alarm(self._interrupt, cpu_seconds, on_hang)
        self._start()

    def _start(self) -> None:
        self._terms = Terms()

    def forget(self) -> None:
        """Drop everything that refers to nodes."""
        self._start()

    def learn(self, task: Task, answer: Answer) -> None:
        """Nothing to learn: the solver keeps its own lemmas."""

    def _interrupt(self) -> None:
        self._terms.context.interrupt()

    def attempt(self, task: Task) -> Answer:
        """The first theory that finds or refutes decides."""
        alarm = self._alarm
        self._effort = task.effort
        alarm.seconds = self._cpu_seconds * max(0.5, task.effort)
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
        for session in self._sessions(task):
            if self._alarm.rang:
                break
            started = time.perf_counter()
            answer = self._ask(session, task)
            figures = self.theories.setdefault(_theory(session, task), StageStatistics())
            figures.count(answer, time.perf_counter() - started)
            if not isinstance(answer, Unknown):
                return answer
            reasons.append(f"{session.theory}: {answer.reason}")
        return Unknown("; ".join(reasons) or "not its kind of problem")

    def _sessions(self, task: Task) -> Iterator[Session]:
        """Theories, the most promising first; each with a solver to ask."""
        raise NotImplementedError

    def _ask(self, session: Session, task: Task) -> Answer:
        try:
            texts = any(sort in (Sort.STR, Sort.BYTES) for sort in task.sorts.values())
            session.enter(task.conditions, task.goal, texts=texts)
        except (Unsupported, z3.Z3Exception) as error:
            session.forget()
            return Unknown(str(error))
        try:
            return self._search_models(session, task)
        finally:
            session.leave()

    def _search_models(self, session: Session, task: Task) -> Answer:
        guess = unchanged(session.translator, session.abstracted)
        if isinstance(session.translator.text, Characters):
            session.add(*session.translator.text.domain)
            guess += session.translator.text.letters
        answer = (self._guessed(session, task, guess) if guess else None) or self._refined(session, task)
        if isinstance(answer, Unknown):
            fractions = binary_fractions(session.translator)
            return (self._guessed(session, task, fractions) if fractions else None) or answer
        return answer

    def _guessed(self, session: Session, task: Task, guess: list[Term]) -> Answer | None:
        """A model under further assumptions, if there is one that holds."""
        values = self._model_values(session, task, self._check(session, *guess))
        if values is not None and task.program.holds(values):
            return self._readable(session, task, values)
        return None

    def _refined(self, session: Session, task: Task) -> Answer:
        """Models and facts learnt from their failure in turn, for some rounds."""
        abstracted = session.abstracted
        reason = "no model survived the check"
        for round_ in range(_ROUNDS if abstracted else 1):
            outcome = self._check(session)
            if outcome is False:
                if self._proved(session, task):
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

    def _proved(self, session: Session, task: Task) -> bool:
        """Whether the lack of models means that there are no solutions."""
        refuted = session.refutes(self._limit(session))
        return refuted and self._holds_for_all(session, task)

    def _check(self, session: Session, *extra: Term) -> Any:
        if self._alarm.rang:
            return "stopped"
        return session.check(self._limit(session), *extra)

    def _limit(self, session: Session) -> int:
        return int(self._rlimit * self._effort) // session.share

    def _holds_for_all(self, session: Session, task: Task) -> bool:
        """Whether a proof in this session says something about all values."""
        return True

    def _learn(self, session: Session, task: Task, values: dict[str, object]) -> bool:
        """Tell z3 what the operations it lacks give for these values."""
        task.program.run(values)
        facts = lemmas(session.translator, task.program, session.abstracted)
        session.add(*facts)
        return bool(facts)

    def _pinned(self, session: Session, task: Task, reason: str) -> Answer:
        """Keep the operations z3 lacks as they were in the last run, and vary the rest."""
        task.program.run(task.current)
        guess = pins(session.translator, task.program, session.abstracted)
        return (self._guessed(session, task, guess) if guess else None) or Unknown(reason)

    def _model_values(self, session: Session, task: Task, model: Any) -> dict[str, object] | None:
        """A complete assignment out of a z3 model."""
        if model is False or isinstance(model, str):
            return None  # refuted, or given up
        found: dict[str, object] = {}
        for name in task.names:
            if name in session.translator.variables:
                try:
                    found[name] = session.translator.value(model, name, task.sorts[name])
                except (Unsupported, UnicodeError, AttributeError):
                    return None
        return task.with_changes(found)

    def _readable(self, session: Session, task: Task, values: dict[str, object]) -> Sat:
        """Shrink; where that is not enough, ask again within bounds."""
        best = shrink(task, values, _SHRINKING)
        if not all(readable(best[name]) for name in task.names):
            best = self._within_bounds(session, task, best)
        return Sat(best, session.theory)

    def _within_bounds(self, session: Session, task: Task, best: dict[str, object]) -> dict[str, object]:
        t = self._terms
        variables = session.translator.variables
        ints = [variables[n] for n in task.names if task.sorts[n] is Sort.INT and not readable(best[n])]
        texts = [
            variables[n]
            for n in task.names
            if task.sorts[n] in (Sort.STR, Sort.BYTES) and not readable(best[n])
        ]
        for place in range(max(len(_INT_BOUNDS) if ints else 0, len(_TEXT_BOUNDS) if texts else 0)):
            if self._alarm.rang:
                break
            limit = t.int(_INT_BOUNDS[min(place, len(_INT_BOUNDS) - 1)])
            bounds = [t.and_(t.le(t.neg(limit), v), t.le(v, limit)) for v in ints]
            if texts and session.translator.text.name == "sequence":
                longest = t.int(_TEXT_BOUNDS[min(place, len(_TEXT_BOUNDS) - 1)])
                bounds += [t.le(t.length(v), longest) for v in texts]
            outcome = session.check(self._rlimit // 10, *bounds)
            values = self._model_values(session, task, outcome)
            if values is not None and task.program.holds(values):
                return shrink(task, values, _SHRINKING)
        return best


def _theory(session: Session, task: Task) -> str:
    """What a question is about, by the words of its session."""
    sorts = set(task.sorts.values())
    words = [session.ints] if sorts & {Sort.INT, Sort.BOOL} else []
    if any(node.sort is Sort.FLOAT for node in task.nodes):
        words.append(session.translator.floats.name)
    if sorts & {Sort.STR, Sort.BYTES}:
        words.append(session.translator.text.name)
    return "+".join(words)
