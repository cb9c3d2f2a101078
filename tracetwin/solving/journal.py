"""Answers written down as they are given, so that an exploration can be taken up again in another process.

A z3 that does not heed its limits is ended with its process. The exploration then starts anew with the same
seed, gets the answers of its journal at once, and for the question that was under way, whenever it is
asked, `Unknown`: it costs one question.
"""

from __future__ import annotations

import pickle
import weakref
import zlib
from pathlib import Path
from typing import Any, Final, TypeAlias

from runtime.expr import show
from tracetwin.solving.answers import Answer, Problem, Solver, Unknown

HUNG: Final = "z3 did not stop at its limits, and was ended"

_Mark: TypeAlias = int


class Journal:
    """A solver that asks another, and writes down questions and answers.

    Attributes:
        resumed: whether there was something to take up again: then a proof may rest on what is not known.
    """

    def __init__(self, solver: Solver, path: Path) -> None:
        """Read what is in the file already, and go on writing there."""
        self._solver = solver
        self._known, self._hung = _read(path)
        self.resumed = bool(self._known or self._hung)
        self._file = path.open("wb", buffering=0)  # complete up to the last record, whatever happens
        weakref.finalize(self, self._file.close)
        for mark in sorted(self._hung):
            self._write(("hung", mark))

    def solve(self, problem: Problem) -> Answer:
        """The answer of the journal, else the solver's."""
        mark = _mark_of(problem)
        if mark in self._hung:
            return Unknown(HUNG)
        answer = self._remembered(mark)
        self._write(("asked", mark))
        if answer is None:
            answer = self._solver.solve(problem)
        self._write(("answered", mark, answer))
        return answer

    def _remembered(self, mark: _Mark) -> Answer | None:
        """The next answer in the journal, as long as the questions are the same ones."""
        if not self._known:
            return None
        known, answer = self._known.pop()
        if known == mark:
            return answer
        self._known.clear()
        return None

    def _write(self, record: tuple[Any, ...]) -> None:
        self._file.write(pickle.dumps(record))


def _mark_of(problem: Problem) -> _Mark:
    """A number by which a question is recognised in another process."""
    said = f"{len(problem.current)} {show(problem.goal)}"
    return zlib.crc32(said.encode(errors="replace"))


def _read(path: Path) -> tuple[list[tuple[_Mark, Answer]], set[_Mark]]:
    """The answers in a journal, last first, and the questions that were never answered."""
    answers: list[tuple[_Mark, Answer]] = []
    hung: set[_Mark] = set()
    if not path.exists():
        return answers, hung
    asked: _Mark | None = None
    with path.open("rb") as file:
        while True:
            try:
                kind, mark, *rest = pickle.load(file)
            except (EOFError, pickle.UnpicklingError):
                break
            if kind == "hung":
                hung.add(mark)
            elif kind == "asked":
                asked = mark
            else:
                asked = None
                answers.append((mark, rest[0]))
    if asked is not None:
        hung.add(asked)
    answers.reverse()
    return answers, hung
