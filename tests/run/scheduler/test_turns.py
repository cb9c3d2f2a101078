"""How the rounds of a module share out what it may spend."""

from __future__ import annotations

import math
import time
from collections import deque
from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.explore.loop.budget import ExplorationStatistics
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.invokable import Invokable
from tracetwin.model.options import Options
from tracetwin.run.journal.module import ModuleJournal
from tracetwin.run.scheduler.progress import ModuleState
from tracetwin.run.scheduler.turns import Rounds
from tracetwin.target.selection import TargetModule

BOX = {"Box.get_size": 0, "Box.grow": 0, "Box.shrink": 2}


def rounds(folder: Any, **options: Any) -> Rounds:
    return Rounds(Options(folder, **options), [object()])


def state(runs: int) -> Any:
    """What of a module's state matters to its rounds."""
    journal = SimpleNamespace(note_round=lambda _: None)
    empty: dict[str, Any] = {"invokables": {}, "models": {}, "todo": deque(), "notes": []}
    times = {"elapsed": 0.0, "opening": 0.0, "starting": 0.0, "cases": 0, "limit": 0.0}
    empty |= {"outcomes": {}, "is_untried": bool, "hidden": {}, "stale": False, "taken": 0.0, "weight": len}
    return SimpleNamespace(runs=runs, round=1, share=None, journal=journal, **times, **empty)


@pytest.mark.parametrize("used", [6, 7, 9])
def test_no_round_begins_where_the_executions_are_used_up(tmp_path, used):
    module = state(used)
    assert not rounds(tmp_path, max_runs=6)._begin_round(module, ["one", "two", "three"])
    assert (deque(), 1) == (module.todo, module.round)


def test_what_is_left_is_shared_out_equally(tmp_path):
    module = state(1)
    assert rounds(tmp_path, max_runs=6)._begin_round(module, ["one", "two"])
    assert (deque(["one", "two"]), 2) == (module.todo, module.share)


def test_private_functions_that_may_have_to_be_called_later_are_kept_their_share(tmp_path):
    module = state(8)
    module.hidden = {"_three": None}
    assert rounds(tmp_path, max_runs=40)._begin_round(module, ["one", "two"])
    assert (deque(["one", "two"]), 14) == (module.todo, module.share)


def test_with_fewer_executions_than_functions_the_first_ones_get_one_each(tmp_path):
    module = state(4)
    assert rounds(tmp_path, max_runs=6)._begin_round(module, ["one", "two", "three"])
    assert (deque(["one", "two"]), 1) == (module.todo, module.share)


def test_where_time_ends_what_executions_were_to_bound_a_note_says_so(tmp_path):
    module = state(4)
    rounds(tmp_path, max_runs=6, time_limit=5.0)._note_cut(module)
    assert module.notes == [
        "the time limit of 5 s ended it after 4 of 6 runs: another time it may find other tests"
    ]
    for other, options in ((state(6), {"max_runs": 6}), (state(4), {})):
        rounds(tmp_path, **options)._note_cut(other)
        assert [] == other.notes


def test_a_round_in_which_nothing_was_done_is_the_last(tmp_path):
    """One run is left that nothing can use: the rest of the time would be spent on turns without any work."""
    shares = rounds(tmp_path, max_runs=6)
    found = ExplorationOutcome("f", statistics=ExplorationStatistics(runs=4, queries=3))
    module = progress(outcomes={"f": found}, round=1)
    module.started = time.monotonic()
    assert shares.goes_on(module)
    found.statistics.queries += 1
    assert shares.goes_on(module), "a question was asked"
    assert not shares.goes_on(module)
    assert not module.notes, "it is not the time that ended it"


def progress(**facts: Any) -> ModuleState:
    made = ModuleState(0, TargetModule("m", "m.py", "."), ModuleJournal(None))
    for name, value in facts.items():
        setattr(made, name, value)
    return made


def test_what_has_many_open_sides_gets_more_time(tmp_path):
    module = progress(sides={"large": 39, "small": 0}, round_ends=8.0)
    module.started = time.monotonic()
    module.todo.append("small")
    shares = rounds(tmp_path, time_limit=20.0)
    module.invokables = {
        name: Invokable(name, "function", "", 1, 2, False, "") for name in ("large", "small")
    }
    job: Any = object()
    large = shares._share(module, "large", job)
    module.todo[0] = "large"
    small = shares._share(module, "small", job)
    assert 7.0 < large < 8.0
    assert 0.05 <= small < 0.5


@pytest.mark.parametrize(
    ("waiting", "seconds"),
    [(1, {"Box.get_size": 0.02, "Box.grow": 0.05, "Box.shrink": 0.05}), (100, dict.fromkeys(BOX, 0.02))],
)
def test_the_least_is_a_glance_for_what_takes_no_arguments_and_where_many_wait(tmp_path, waiting, seconds):
    module = progress(sides={**BOX, "large": 5_000}, round_ends=1.0)
    module.started = time.monotonic()
    module.invokables = {
        name: Invokable(name, "method", "Box", 1, 2, False, "", bare=name == "Box.get_size")
        for name in module.sides
    }
    module.todo.extend(["large"] * waiting)
    job: Any = object()
    shares = rounds(tmp_path, time_limit=20.0)
    assert seconds == {name: round(shares._share(module, name, job), 2) for name in BOX}


def test_more_is_kept_for_the_suite_where_more_was_found_or_imports_are_slow(tmp_path):
    shares = rounds(tmp_path, time_limit=20.0)
    left = {}
    for name, facts in (("few", {}), ("slow", {"opening": 4.0}), ("never ends", {"opening": 60.0})):
        module = progress(**facts)
        module.started = time.monotonic()
        left[name] = round(shares.time_left(module))
    assert {"few": 15, "slow": 12, "never ends": 10} == left


def test_more_is_kept_for_mutants_the_more_sides_are_taken(tmp_path):
    shares = rounds(tmp_path, time_limit=100.0)
    left = []
    for taken in (0.0, 0.5, 0.9, 1.0):
        module = progress(taken=taken)
        module.started = time.monotonic()
        left.append(round(shares.time_left(module)))
    assert left == [75, 75, 56, 30]


@pytest.fixture
def found(tmp_path, monkeypatch):
    """A function that gives turns, and a module after its n-th round, with the sides missing until then."""

    def left(rounds_begun: int, before: str, after: str, **options: Any) -> tuple[Rounds, ModuleState]:
        facts: Any = {"complete": not options.pop("unfinished", False), "cases": [], "seconds": 1.0}
        facts |= {"statistics": SimpleNamespace(runs=10, queries=0)}
        facts |= {"covered": (), "fates": (), "entered": ()}
        module = progress(round=rounds_begun, journal=SimpleNamespace(rounds=0, note_round=print, parts={}))
        module.started, module.missing = time.monotonic(), tuple(map(int, before))
        module.outcomes = {"one": SimpleNamespace(**facts)}  # type: ignore[dict-item]
        missing = {"missing": tuple(map(int, after)), "taken": 0.5 if after else 1.0}
        monkeypatch.setattr(ModuleState, "note_missing", lambda state: state.__dict__.update(missing))
        return rounds(tmp_path, time_limit=20.0, **options), module

    return left


@pytest.mark.parametrize(
    ("rounds_begun", "before", "after", "options", "seconds"),
    [
        (2, "45", "45", {}, 10),
        (2, "45", "4", {}, 15),  # something new was found
        (1, "45", "45", {}, 15),  # the first round says nothing yet
        (1, "", "", {}, 6),  # nothing is missing
        (2, "45", "45", {"criterion": "branch"}, 17),  # nobody asks for mutants
        (2, "45", "45", {"max_runs": 10}, 15),  # executions are to bound the work
    ],
)
def test_a_round_in_which_no_other_side_was_taken_leaves_time_for_mutants(
    found, rounds_begun, before, after, options, seconds
):
    turns, module = found(rounds_begun, before, after, **options)
    assert not turns.goes_on(module)
    assert seconds == round(turns.time_left(module))


def test_private_functions_are_called_early_where_nothing_else_is_missing(found):
    for missing, queue in (("", ["one", "_two"]), ("45", ["one"])):
        turns, module = found(1, missing, missing, unfinished=True)
        module.invokables = {"one": Invokable("one", "function", "", 1, 2, False, "")}
        module.explored["one"] = 1
        module.hidden = {"_two": Invokable("_two", "function", "", 3, 4, False, "")}
        module.uncover = lambda untouched, module=module: [] if untouched else [module.hidden.popitem()[0]]
        assert turns.goes_on(module)
        assert queue == list(module.todo)


def test_opening_that_took_all_the_time_leaves_first_turns_until_there_are_cases(tmp_path):
    turns = rounds(tmp_path, time_limit=20.0)
    job: Any = turns._processes[0]  # type: ignore[index]
    module = progress(opening=60.0, journal=SimpleNamespace(note_round=lambda _: None, rounds=0, parts={}))
    module.invokables = {
        name: Invokable(name, "function", "", 1, 2, False, "") for name in ("one", "two", "three")
    }
    module.started = time.monotonic() - 60.0
    turns.begin(module, list(module.invokables))

    def explored(name: str, seconds: float, cases: int) -> None:
        module.explored[name] += 1
        module.outcomes[name] = SimpleNamespace(  # type: ignore[assignment]
            seconds=seconds,
            cases=[None] * cases,
            complete=True,
            covered=(),
            entered=(),
            statistics=SimpleNamespace(runs=100),
        )

    assert "one" == turns.next(module, job).qualname  # type: ignore[union-attr]
    explored("one", 3.0, 0)
    assert "two" == turns.next(module, job).qualname  # type: ignore[union-attr]
    explored("two", 0.1, 1)
    assert turns.next(module, job) is None
    assert not turns.goes_on(module)


def test_what_had_a_turn_gets_no_other_one_where_the_time_is_up(tmp_path):
    turns = rounds(tmp_path, time_limit=20.0)
    module = progress(opening=60.0, started=time.monotonic() - 60.0)
    module.invokables = {"one": Invokable("one", "function", "", 1, 2, False, "")}
    module.explored["one"] = 1
    module.todo.append("one")
    assert turns.next(module, turns._processes[0]) is None  # type: ignore[index]


METHODS = ("Tree.add", "Tree.drop", "Tree.find", "Tree.walk")


def two_at_one_class(folder: Any, **options: Any) -> tuple[Any, ModuleState, Any, Any]:
    """Two processes, the first of which explores a class already."""
    first, second = object(), object()
    module = progress(round_ends=20.0, stage="exploring", started=time.monotonic())
    turns = Rounds(Options(folder, time_limit=20.0, **options), [first, second], [module])
    module.invokables = {
        name: Invokable(name, "method", "Tree", 1, 2, False, "") for name in METHODS
    }
    module.todo.extend(METHODS)
    module.processes[module.shard_of("Tree.add")] = first  # type: ignore[assignment]
    assert "Tree.add" == turns.next(module, first).qualname  # type: ignore[arg-type, union-attr]
    return turns, module, first, second


def test_a_process_without_work_takes_a_part_of_the_class_of_another(tmp_path):
    turns, module, first, second = two_at_one_class(tmp_path)
    turn = turns.next(module, second)
    assert "Tree.drop" == turn.qualname
    module.processes[module.shard_of("Tree.drop")] = second
    assert module.shard_of("Tree.drop") != module.shard_of("Tree.add") == module.shard_of("Tree.walk")
    module.explored.update(("Tree.add", "Tree.drop"))
    module.todo = deque(["Tree.add", "Tree.drop"])  # in the next round each goes on with its own
    assert "Tree.drop" == turns.next(module, second).qualname
    assert turns.next(module, second) is None
    assert "Tree.add" == turns.next(module, first).qualname


def test_a_process_has_one_part_of_a_class(tmp_path):
    turns, module, _, second = two_at_one_class(tmp_path)
    for _ in range(2):
        name = turns.next(module, second).qualname
        module.processes[module.shard_of(name)] = second
    assert module.shard_of("Tree.drop") == module.shard_of("Tree.find")
    assert {"Tree.drop": 1, "Tree.find": 1} == module.journal.parts


def test_a_class_is_not_shared_out_where_executions_are_counted(tmp_path):
    turns, module, _, second = two_at_one_class(tmp_path, max_runs=100)
    assert turns.next(module, second) is None


def test_a_class_is_not_shared_out_while_other_modules_wait(tmp_path):
    turns, module, _, second = two_at_one_class(tmp_path)
    turns._states = [module, progress(stage="waiting")]
    assert turns.next(module, second) is None


def test_each_process_has_the_whole_round_for_what_belongs_to_it(tmp_path):
    turns, module, first, second = two_at_one_class(tmp_path)
    module.explored.update(METHODS)
    module.journal.parts["Tree.walk"] = 1
    module.processes[module.shard_of("Tree.walk")] = second
    module.todo = deque(["Tree.drop", "Tree.find", "Tree.walk"])
    alone = turns.next(module, second).seconds
    assert 14.0 < alone < 20.0
    assert 0.4 < turns.next(module, first).seconds / alone < 0.6


@pytest.mark.parametrize(("limit", "lead", "begun", "within"), [
    (20.0, 0.0, 15.0, 7.0), (60.0, 0.0, 50.0, 16.0), (20.0, 0.5, 15.0, 4.0), (20.0, 0.0, 30.0, 1.5),
    (20.0, 60.0, 10.0, 7.0),
])
def test_a_suite_is_over_when_the_command_is_to_end(tmp_path, limit, lead, begun, within):
    module = progress(limit=limit)
    module.started = time.monotonic() - begun
    turns = Rounds(Options(tmp_path, time_limit=limit), [object()], (), lead)
    assert within == pytest.approx(turns.suite_within(module), abs=0.1)


def test_a_slow_start_of_the_command_costs_exploring_and_not_the_suite(tmp_path):
    module = progress(limit=20.0)
    module.started = time.monotonic()
    options = Options(tmp_path, time_limit=20.0)
    left = [Rounds(options, [object()], (), lead).time_left(module) for lead in (0, 1)]
    assert [15.0, 12.0] == pytest.approx(left, abs=0.1)


def test_where_importing_took_all_the_time_a_suite_gets_what_it_needs(tmp_path):
    module = progress(limit=20.0, starting=2.0)
    module.started = time.monotonic() - 30.0
    assert 5.0 == pytest.approx(rounds(tmp_path, time_limit=20.0).suite_within(module), abs=0.1)


def test_where_executions_bound_the_work_no_suite_is_broken_off(tmp_path):
    assert math.inf == rounds(tmp_path, max_runs=5).suite_within(progress(limit=20.0))


def test_more_is_kept_where_runs_are_slow_and_processes_start_slowly(tmp_path):
    shares = rounds(tmp_path, time_limit=20.0)
    runs = SimpleNamespace(runs=100)
    outcomes = {"one": SimpleNamespace(seconds=6.0, cases=[None] * 400, statistics=runs, complete=True)}
    solvers = {"one": {"stages": {"z3": {"seconds": 6.0}}}}
    left = {}
    for name, facts in (
        ("slow runs", {"outcomes": outcomes}),
        ("a slow solver", {"outcomes": outcomes, "solvers": solvers}),
        ("slow starts", {"starting": 2.0}),
    ):
        module = progress(**facts)
        module.started = time.monotonic()
        left[name] = round(shares.time_left(module))
    assert {"slow runs": 10, "a slow solver": 15, "slow starts": 13} == left


def test_who_comes_late_in_a_round_has_half_of_its_share_left_whatever_the_others_took(tmp_path):
    turns = rounds(tmp_path, time_limit=20.0)
    job: Any = turns._processes[0]  # type: ignore[index]
    module = progress(journal=SimpleNamespace(note_round=lambda _: None, rounds=0, parts={}))
    module.limit = 20.0
    module.invokables = {name: Invokable(name, "function", "", 1, 2, False, "") for name in ("one", "two")}
    module.sides = {"one": 9, "two": 29}
    module.started = time.monotonic()
    turns.begin(module, list(module.invokables))
    first = turns.next(module, job)
    whole = module.round_ends - module.elapsed
    assert first is not None
    assert first.seconds == pytest.approx(whole / 4, rel=0.1)
    module.started -= module.round_ends  # it took all of the round
    second = turns.next(module, job)
    assert second is not None
    assert second.seconds == pytest.approx(whole * 3 / 4 / 2, rel=0.1)
