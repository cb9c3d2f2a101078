"""Inputs near those of earlier runs: texts put together from what paths compare them with."""

from __future__ import annotations

import math
import random

import pytest

from runtime.expr import Node, Sort, apply, const, var
from runtime.trace import Kind
from tests.explore.support import explore
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.goals import Goals
from tracetwin.explore.loop.mutate import MOST_DUE, NearbyInputs
from tracetwin.explore.loop.run import PathStep, Request, Run
from tracetwin.model.status import Status

TEXT = var("text", Sort.STR)


def run_with(text: object, *conditions: Node) -> Run:
    path = [PathStep(node, 1, 1, Kind.BRANCH) for node in conditions]
    sort = Sort.BYTES if isinstance(text, bytes) else Sort.STR
    return Run(
        Request("f", (), {"text": text}), Status.RETURNED, path=tuple(path), variables={"text": (sort, text)}
    )


def texts_of(neighbours: NearbyInputs, run: Run, count: int = 300) -> list[object]:
    neighbours.ask(Budget(None, math.inf), unanswered=True)
    return [neighbours.of(run)["text"] for _ in range(count)]


def test_texts_are_made_of_what_conditions_compare_and_patterns_match():
    compared = apply("eq", Sort.BOOL, TEXT, const("<<begin>>"))
    searched = apply("re.search", Sort.OBJ, const(r"\[key=\d+\]"), const(0), TEXT)
    found = apply("ne", Sort.BOOL, searched, const(None))
    run = run_with("ab", compared, found)
    neighbours = NearbyInputs({}, random.Random(1))
    neighbours.note(run, first=True)
    texts = texts_of(neighbours, run)
    assert any("<<begin>>" in str(text) for text in texts)
    assert any("[key=" in str(text) for text in texts)


def test_they_come_from_runs_that_passed_a_side_first_and_join_their_texts():
    neighbours = NearbyInputs({}, random.Random(1))
    for text in ("[left", "right]"):
        neighbours.note(run_with(text), first=True)
    plain = run_with("plain")
    neighbours.note(plain, first=False)
    texts = [str(text) for text in texts_of(neighbours, plain)]
    near = sum(not any(part in text for part in ("plai", "lain")) for text in texts)
    assert near > 150
    assert any("[left" in text and "right]" in text for text in texts)


def test_bytes_stay_bytes():
    run = run_with(b"\xff1")
    neighbours = NearbyInputs({}, random.Random(1))
    neighbours.note(run, first=True)
    assert all(isinstance(text, bytes) for text in texts_of(neighbours, run, 50))


def test_fewer_are_due_where_they_are_in_vain_and_more_where_one_was_of_use():
    neighbours = NearbyInputs({}, random.Random(1))
    due = []
    for found in (True, True, False, False, False):
        neighbours.due = 0
        neighbours.ask(Budget(None, math.inf), unanswered=True)
        due.append(neighbours.due)
        neighbours.tell(found=found)
    assert due == [24, 48, 96, 48, 24]
    for _ in range(100):
        neighbours.tell(found=True)
    assert neighbours.due == MOST_DUE


def test_none_are_where_executions_are_counted_and_a_part_of_the_runs_in_a_counted_part():
    neighbours = NearbyInputs({}, random.Random(1))
    counted, timed = Budget(100, math.inf), Budget(None, math.inf)
    neighbours.ask(counted.part(10), unanswered=True)
    assert neighbours.due == 0
    neighbours.ask(timed.part(10), unanswered=True)
    assert neighbours.is_due(1, timed.part(10))
    neighbours.tell(found=False)
    assert not neighbours.is_due(4, timed.part(10))
    assert neighbours.is_due(4, timed)
    assert neighbours.is_due(5, timed.part(10))


def test_sides_that_others_missed_are_wanted_where_the_site_is_passed():
    goals = Goals([2], [])
    goals.note(frozenset((2, 8)))
    goals.want_too([9, 13])
    goals.want_too([9, 13])
    assert goals.all() == {2, 9}
    goals.note(frozenset((12,)))
    assert goals.all() == {2, 9, 13}
    assert not goals.met()


BRACKETS = r"""
import re
WORD = re.compile(r"^[^\[\]*]+", re.MULTILINE)
class Reader:
    def read(self, text: str) -> int:
        self.text, self.at, self.depth, self.closed = text.strip(), 0, 0, 0
        while self.at < len(self.text):
            if found := WORD.search(self.text[self.at:]):
                self.at += found.end()
            else:
                self._sign(self.text[self.at])
                self.at += 1
        return self.closed
    def _sign(self, sign: str) -> None:
        if sign == "[":
            self.depth += 1
        elif sign == "]" and self.depth > 1:
            self.depth -= 1
            self.closed += 1
        elif sign == "*" and self.closed and not self.depth % 2:
            raise LookupError("star")
"""


@pytest.mark.slow
def test_a_format_behind_patterns_and_places_is_found_without_an_answer_of_the_solver():
    found = explore(BRACKETS, "Reader.read", runs=None, seconds=30.0)
    assert LookupError in {type(ending) for ending in found.endings} | set(found.endings)


HELD = """
def read(data: bytes) -> int:
    held = bytearray(data)
    if held[:2] == b"\\r\\n":
        return 2
    if held.find(b"::") > 3:
        return 3
    return 0
"""


def test_where_values_are_lost_bytes_are_put_together_from_those_of_the_code():
    assert explore(HELD, "read", runs=None, seconds=30.0).endings >= {0, 2, 3}


BUFFER = """
import array
class Buffer:
    def __init__(self) -> None:
        self._data = array.array("B")
    def feed(self, data: bytes) -> None:
        self._data.frombytes(data)
    def line(self) -> int:
        at = self._data.tobytes().find(b";")
        if at == -1:
            return -1
        rest = self._data.tobytes()[at + 1:]
        self._data = array.array("B", rest)
        return len(rest)
"""


def test_calls_before_one_are_tried_blindly_where_what_it_depends_on_was_lost():
    timed, counted = (explore(BUFFER, "Buffer.line", **bounds) for bounds in ({"runs": None}, {"runs": 40}))
    assert {-1, 0} <= timed.endings
    assert 0 not in counted.endings
