"""With one budget for all modules, time goes where new goals are found."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.explore.loop.budget import ExplorationStatistics
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.options import Options
from tracetwin.run.scheduler import bandit
from tracetwin.run.scheduler.bandit import MOST_SHALLOW, SHALLOW, Arm, Bandit, open_goals
from tracetwin.run.scheduler.progress import ModuleState
from tracetwin.target.selection import TargetModule

JOB: Any = "a process"


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Project:
    """Modules whose functions find goals at rates of their own, explored by one process without any cost."""

    def __init__(self, budget: float, **modules: dict[str, list[float]]) -> None:
        """Each function: the sides it has, and those it finds in a second, until all are found."""
        self.clock = Clock()
        self.states = [
            ModuleState(i, TargetModule(name, f"{name}.py", "."), None)  # type: ignore[arg-type]
            for i, name in enumerate(modules)
        ]
        self.facts = list(modules.values())
        options = Options(Path(), budget=budget, time_limit=budget)
        self.bandit = Bandit(options, [JOB], self.states, self.clock)
        self.seconds: dict[str, float] = {}
        self.order: list[str] = []

    def open(self) -> None:
        for state, facts in zip(self.states, self.facts, strict=True):
            state.invokables = {name: SimpleNamespace(qualname=name, shard="") for name in facts}  # type: ignore[misc]
            state.shard_of = lambda name: name  # type: ignore[method-assign]
            state.sides = {name: int(sides) for name, (sides, _) in facts.items()}
            state.limit = self.bandit.limit(state, JOB)
            state.stage = "exploring"
            self.bandit.begin(state, list(facts))

    def step(self) -> bool:
        for state in self.bandit.offers(self.states, JOB):
            turn = self.bandit.next(state, JOB)
            if turn is not None:
                self.explore(state, turn.qualname, turn.seconds)
                return True
        return False

    def explore(self, state: ModuleState, name: str, seconds: float) -> None:
        self.order.append(name)
        sides, rate = self.facts[state.index][name]
        spent = self.seconds[name] = self.seconds.get(name, 0.0) + seconds
        self.clock.now += seconds
        first = 1000 * list(self.facts[state.index]).index(name)
        found = min(sides, spent * rate)
        runs = ExplorationStatistics(runs=int(100 * spent), queries=int(10 * spent))
        state.outcomes[name] = ExplorationOutcome(
            name,
            covered=frozenset(range(first, first + int(found))),
            statistics=runs,
            seconds=spent,
            complete=found >= sides,
        )
        state.explored[name] += 1
        self.bandit.ended(state, name)


def test_every_function_has_a_turn_within_the_first_tenth() -> None:
    modules = {module: {f"{module}{i}": [10, 0.5] for i in range(20)} for module in "ab"}
    project = Project(100.0, **modules)
    project.open()
    for _ in range(40):
        assert project.step()
    assert len(set(project.order)) == 40
    assert project.clock.now - 100.0 <= SHALLOW * 100.0 + 0.1


def test_no_first_turn_is_long_where_there_is_little_to_try() -> None:
    project = Project(3600.0, a={"f": [10, 0.5]})
    project.open()
    assert project.step()
    assert project.seconds["f"] == MOST_SHALLOW


def test_first_turns_end_before_they_take_the_time_of_the_suites() -> None:
    project = Project(100.0, a={f"f{i}": [10, 0.5] for i in range(400)})
    project.open()
    project.states[0].outcomes["other"] = ExplorationOutcome("other", cases=[SimpleNamespace()])  # type: ignore[list-item]
    project.clock.now += 80.0  # it took that long to import it
    while project.step():
        project.clock.now += 1.0  # and each function is slow
    assert 100.0 <= project.clock.now + 12.5 - 100.0 <= 102.0, "half of what is kept for suites is left"
    assert len(set(project.order)) < 20
    assert not project.states[0].todo


def test_a_module_without_any_test_has_a_first_turn_however_late_it_is() -> None:
    project = Project(100.0, a={"f": [10, 0.5]})
    project.open()
    project.clock.now += 200.0
    assert project.step()


def test_what_a_change_can_affect_gets_its_part_of_the_time() -> None:
    modules = {name: {f"{name}{i}": [10, 0.01] for i in range(10)} for name in "abcd"}
    project = Project(100.0, **modules)
    project.open()
    for state in project.states:  # of the last one a function is explored again, the others are as before
        state.todo.clear()
    first, second, third, last = project.states
    for state in (second, third):
        branches = [SimpleNamespace(branches=10)] * 10
        state.result = SimpleNamespace(unchanged=True, functions=branches)  # type: ignore[assignment]
        del project.bandit._asked[state.index]
    for state in (first, last):
        state.before = SimpleNamespace(functions=[])  # type: ignore[assignment]
    project.bandit.begin(first, [])
    project.bandit.begin(last, ["d0"])
    while project.step():
        pass
    assert set(project.order) == {"d0"}
    assert project.seconds["d0"] == pytest.approx(100 * (0.1 + 1 / 40), abs=1)
    assert project.bandit.suite_seconds(last) < 10, "nor do suites take what is left"


def test_what_is_kept_for_suites_is_counted_a_few_times_for_a_turn_however_many_functions_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = Project(1000.0, a={f"f{i}": [10, 0.0] for i in range(50)}, b={"g": [10, 0.0]})
    project.open()
    for _ in range(51):
        project.step()
    counted: list[ModuleState] = []
    cost = bandit._suite_cost

    def noted(state: ModuleState) -> float:
        counted.append(state)
        return cost(state)

    monkeypatch.setattr(bandit, "_suite_cost", noted)
    assert project.step()
    assert len(counted) < 5 * len(project.states), "not once for each of the functions"


def test_what_stagnates_yields_to_what_finds_something() -> None:
    project = Project(100.0, a={"stuck": [40, 0.0]}, b={"finds": [60, 1.0]})
    project.open()
    while project.step():
        pass
    assert project.seconds["finds"] == pytest.approx(60, abs=12), "all that it has to find"
    assert project.seconds["stuck"] < 40
    early = project.order[: len(project.order) // 2]
    assert early.count("stuck") <= early.count("finds")


def test_what_is_done_gets_no_more_and_the_run_ends() -> None:
    project = Project(1000.0, a={"small": [2, 1.0]}, b={"large": [8, 1.0]})
    project.open()
    while project.step():
        pass
    assert project.clock.now - 100.0 < 40, "nobody spends what is left"
    assert [list(state.todo) for state in project.states] == [[], []]


def test_time_is_kept_for_suites_more_where_they_turned_out_slow() -> None:
    project = Project(100.0, a={"f": [1000, 0.0]}, b={"g": [1000, 0.0]})
    project.open()
    usual = project.bandit.time_left(project.states[0])
    assert usual == pytest.approx(75.0)
    project.states[1].writing = 25.0
    project.states[1].stage = "done"
    project.states[1].result = SimpleNamespace()  # type: ignore[assignment]
    assert project.bandit.time_left(project.states[0]) == pytest.approx(75.0)


def test_at_the_end_suites_share_what_is_left_by_their_cases() -> None:
    project = Project(100.0, a={"f": [10, 1.0]}, b={"g": [10, 1.0]})
    project.open()
    project.clock.now += 70.0
    large, small = project.states
    large.outcomes["f"] = ExplorationOutcome("f", cases=[None] * 1000)  # type: ignore[list-item]
    for state in project.states:
        state.stage = "explored"
    assert project.bandit.suite_seconds(large) == pytest.approx(30 * 8.02 / 10.02)
    large.stage = "suite"
    assert project.bandit.suite_seconds(small) == pytest.approx(30.0)


def test_when_the_time_is_up_short_suites_are_written_before_long_ones() -> None:
    project = Project(100.0, a={"f": [10, 1.0]}, b={"g": [10, 1.0]})
    project.open()
    while project.step():
        pass
    project.states[0].outcomes["f"] = ExplorationOutcome("f", cases=[None] * 1000)  # type: ignore[list-item]
    project.clock.now = 300.0
    order: list[str] = []
    for state in project.bandit.offers(project.states, JOB):
        order.append(f"{state.module.name} {state.stage}")
        state.stage = "explored"  # as there is no more turn
    assert order[:4] == ["a exploring", "b exploring", "b explored", "a explored"]


def test_sides_that_are_proved_infeasible_are_no_hope() -> None:
    fates = {(1, 0): (Obstacle.INFEASIBLE, ""), (2, 0): (Obstacle.SPENT, "")}
    assert open_goals(ExplorationOutcome("f", fates=fates, covered=frozenset({3, 5})), 4) == 1


def test_what_several_functions_reach_in_a_helper_is_found_once() -> None:
    known: set[int] = set()
    first, second = Arm(), Arm()
    first.note(ExplorationOutcome("f", covered=frozenset({2, 4, 6})), known)
    second.note(ExplorationOutcome("g", covered=frozenset({2, 4, 8})), known)
    assert (first.gain, second.gain) == (3, 1)
    fates = {(1, 0): (Obstacle.SPENT, ""), (5, 1): (Obstacle.SPENT, "")}
    assert open_goals(ExplorationOutcome("g", fates=fates), 0, known) == 1


def test_a_slow_start_of_the_command_is_taken_from_the_budget(tmp_path: Path) -> None:
    now = [0.0]
    options = Options(tmp_path, budget=100.0)
    made = [Bandit(options, [object()], [], lambda: now[0], lead) for lead in (0.0, 3.0, 90.0)]
    assert [100.0, 92.0, 85.0] == pytest.approx([bandit._exploring_left() for bandit in made])
