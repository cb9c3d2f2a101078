"""Receivers and arguments whose making is hard: it neither keeps calls waiting nor is it done twice."""

from __future__ import annotations

import pytest

from runtime.expr import Sort, apply, const, var
from runtime.trace import Kind
from tests.explore.support import assert_paths, explore
from tracetwin.explore.loop.findings import Findings, arguments_of
from tracetwin.explore.loop.frontier import Frontier
from tracetwin.explore.loop.mutate import UNBUILT, Makings, Remedies
from tracetwin.explore.loop.run import PathStep, Request, Run
from tracetwin.explore.loop.tree import ConstraintTree
from tracetwin.model.status import Status

LOGGED = Request("Log.push", (), {})

MACHINE = """
class Plan:
    def __init__(self, lines: list[str]) -> None:
        self.cells = 0
        for line in lines:
            for letter in line:
                if letter == "#":
                    self.cells += 2
                elif letter == ".":
                    self.cells += 1
                elif letter.isdigit() and letter != "0":
                    self.cells += int(letter)
                elif letter != " ":
                    raise ValueError(letter)
        if not self.cells:
            raise ValueError("empty")
class Machine:
    def __init__(self, plan: Plan | None = None) -> None:
        self.plan = Plan(["#."]) if plan is None else plan
        self._state = "new"
    def start(self) -> None:
        if self._state in ("new", "halted"):
            self._state = "running"
    def halt(self) -> None:
        if self._state == "running":
            self._state = "halted"
    def message(self) -> str:
        if self._state == "new":
            return "press start"
        if self._state == "halted":
            return "halted"
        return "running"
"""


@pytest.mark.slow
def test_what_a_receiver_is_made_of_does_not_keep_its_calls_waiting() -> None:
    assert_paths(MACHINE, "Machine.message", "press start", "running", "halted", runs=200)


SAFE = """
import zlib
class Safe:
    def __init__(self, code: str) -> None:
        if zlib.crc32(code.encode()) != 3223628115:
            raise ValueError(code)
        self.code = code
    def open(self) -> str:
        return "open"
    def read(self, line: int) -> str:
        return "low" if line < 3 else "high"
"""


def test_a_method_that_no_call_came_to_is_not_finished() -> None:
    found = explore(SAFE, "Safe.open", runs=3)
    assert not found.endings & {"open"}
    assert not found.outcome.complete


@pytest.mark.slow
def test_methods_begin_with_the_receivers_that_their_class_was_made_with() -> None:
    made = explore(SAFE.replace("!= 3223628115", "== 0"), "Safe", runs=20)
    assert made.receivers
    assert all(set(one) == {"safe.code"} for one in made.receivers)
    for target, *results in (("Safe.open", "open"), ("Safe.read", "low", "high")):
        assert_paths(SAFE, target, *results, runs=40, inputs=[{"safe.code": "swordfish"}, {"other.x": 1}])


def conditions(*sites: int) -> tuple[PathStep, ...]:
    x = var("x", Sort.INT)
    asked = ((site, apply("gt", Sort.BOOL, x, const(site))) for site in sites)
    return tuple(PathStep(node, site, 1, int(Kind.BRANCH)) for site, node in asked)


def frontier_of(*runs: Run, novel: int = 0) -> Frontier:
    frontier = Frontier(set())
    tree = ConstraintTree()
    for run in runs:
        for flip in tree.insert(run):
            frontier.add(flip, novel=novel if run is runs[-1] else 0)
    return frontier


def popped(frontier: Frontier, *, late: bool = False) -> list[int]:
    sites = []
    while found := frontier.pop(late=late):
        sites.append(found[1].goal[0])
    return sites


def test_sides_of_the_making_of_a_receiver_are_left_for_later() -> None:
    frontier = frontier_of(Run(LOGGED, Status.RETURNED, path=conditions(1, 2, 3, 4), stages=(0, 2)))
    assert popped(frontier, late=True) == [3, 4]
    assert popped(frontier) == [1, 2]


def test_a_receiver_that_can_not_be_made_yet_is_worked_on_at_once() -> None:
    frontier = frontier_of(Run(LOGGED, Status.SETUP, path=conditions(1, 2), stages=(0, 2)))
    assert sorted(popped(frontier, late=True)) == [1, 2]


def test_what_was_decided_last_before_a_new_place_gets_a_turn() -> None:
    known = Run(LOGGED, Status.RETURNED, path=conditions(1, 2, 3, 4), stages=(0, 0))
    new = Run(LOGGED, Status.RETURNED, path=conditions(5, 6), stages=(0, 0))
    assert popped(frontier_of(known, new, novel=7)).index(6) == 3


def test_objects_that_could_not_be_built_get_a_turn() -> None:
    built = Run(LOGGED, Status.RETURNED, path=conditions(1, 2, 3, 4), stages=(0, 0))
    unbuilt = Run(LOGGED, Status.SETUP, path=conditions(5, 6, 7, 8), stages=(0, 0))
    order = popped(frontier_of(built, unbuilt))
    assert order[2] in (6, 7, 8), "one of the last conditions, in the third turn"


def test_what_an_object_failed_for_gets_a_turn_though_none_was_built_yet() -> None:
    chosen = tuple(
        PathStep(apply("gt", Sort.BOOL, var(name, Sort.INT), const(0)), 0, 1, int(Kind.INPUT))
        for name in "abcdefgh"
    )
    asked = apply("gt", Sort.BOOL, var("key", Sort.INT), const(0))
    refused = PathStep(asked, -7, 1, int(Kind.CHECK))  # by code of a library
    order = popped(frontier_of(Run(LOGGED, Status.SETUP, path=(*chosen, refused), stages=(0, 9))))
    assert order[2] == -7


def test_what_else_an_argument_could_be_comes_before_what_it_is_made_of_where_it_did_not_do() -> None:
    def chosen(*names: str) -> Run:
        path = (
            PathStep(apply("gt", Sort.BOOL, var(name, Sort.INT), const(number)), 0, 1, int(Kind.INPUT))
            for number, name in enumerate(names)
        )
        return Run(LOGGED, Status.SETUP, path=tuple(path), stages=(0, 0))

    parts = ("x.a?", "x.b?", "x.c?", "x.d?")
    frontier = frontier_of(*(chosen("x?", *["x?"] * other, *parts) for other in (0, 1)))
    names = []
    while found := frontier.pop():
        names.append(min(found[1].step.node.names))
    assert names.count("x?") == 2
    assert names.index("x?", 1) < 4, "the second choice comes before some part of the first"


def test_what_a_wanted_side_hangs_on_is_chosen_anew_though_it_belongs_to_the_receiver() -> None:
    run = Run(LOGGED, Status.RETURNED, path=conditions(1, 2, 3, 4, 5), stages=(0, 2))
    frontier = Frontier(set())
    for flip in ConstraintTree().insert(run):
        frontier.add(flip, towards=21 if flip.goal[0] == 1 else None)
    assert popped(frontier, late=True) == [3, 4, 1, 5]


STEPS = """
class Board:
    def __init__(self, width: int) -> None:
        assert 0 < width <= 30
        self.width = width
        self.cells = [n for n in range(width)]
        assert len(self.cells) == width
class Piece:
    def __init__(self) -> None:
        self.board = None
        self.at = 0
    def put(self, board: Board, at: int) -> None:
        assert 0 <= at < board.width
        self.board = board
        self.at = at
class Step:
    def __init__(self, piece: Piece, to: int) -> None:
        assert piece.board is not None
        self.piece = piece
        self.to = to
        self.done = False
        self.possible = 0 <= to < piece.board.width and abs(to - piece.at) == 1
    def apply(self) -> None:
        assert self.possible
        assert not self.done
        self.done = True
class Log:
    def __init__(self) -> None:
        self.steps: list[Step] = []
    def push(self, step: Step) -> None:
        assert step.done
        self.steps.append(step)
    def size(self) -> str:
        if len(self.steps) >= 2:
            return "many"
        if self.steps:
            return "one"
        return "none"
"""


def test_an_argument_that_needs_an_object_with_room_is_prepared() -> None:
    assert_paths(STEPS, "Log.push", None, AssertionError, runs=1500)


def test_an_input_that_a_call_returned_for_serves_in_other_states() -> None:
    run = _run(("push",), bare=True, names=("1.push.step~0", "1.push.step.to", "log.limit"))
    findings = Findings()
    findings.is_new(run, set())
    assert findings.inputs == [{"step~0": 1, "step.to": 1}]


def test_arguments_of_the_target_are_told_from_those_of_its_receiver() -> None:
    run = _run(("push",), bare=False, names=("1.push.step", "log.limit", "log?", "step", "logs.size"))
    assert arguments_of(run) == {"step": 1, "logs.size": 1}


def _run(prefix: tuple[str, ...], *, bare: bool, names: tuple[str, ...]) -> Run:
    variables: dict[str, tuple[Sort, object]] = dict.fromkeys(names, (Sort.INT, 1))
    request = Request("Log.push", prefix, {}, bare=bare)
    return Run(request, Status.RETURNED, variables=variables, receiver="log")


def test_what_one_object_was_made_of_makes_another() -> None:
    method = """
    def same(self, other: "Safe") -> str:
        return "itself" if other is self else "another"
"""
    known: list[dict[str, object]] = [{"safe.code": "swordfish"}]
    assert_paths(SAFE + method, "Safe.same", "itself", "another", runs=40, inputs=known)
    heir = "\nclass Heir(Safe):\n    pass\n"
    source = SAFE + method.replace('other: "Safe"', 'other: "Heir"') + heir
    assert_paths(source, "Safe.same", "another", runs=40, inputs=known)


def test_an_object_is_made_of_what_another_was_once_after_a_few_attempts() -> None:
    remedies = Remedies(Makings())
    made = {"a.code": (Sort.STR, "x"), "a.left.n": (Sort.INT, 1), "b.code": (Sort.STR, "")}
    failed = Run(LOGGED, Status.SETUP, variables=made, made=(("m:Safe", "a"),), unmade=("m:Safe", "b"))
    wanted = [{"a.code": "x", "a.left.n": 1, "b.code": "x", "b.left.n": 1}]
    found = [list(remedies.inputs(failed)) for _ in range(UNBUILT + 3)]
    assert found == [[]] * UNBUILT + [wanted, [], []]


def test_what_receivers_were_made_of_elsewhere_makes_arguments_too() -> None:
    function = "\ndef opened(safe: Safe) -> str:\n    return safe.open()\n"
    known: list[dict[str, object]] = [{"safe.code": "swordfish"}, {"other.x": 1}]
    assert_paths(SAFE + function, "opened", "open", runs=20, inputs=known)
