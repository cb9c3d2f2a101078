from __future__ import annotations

import itertools
import random

from runtime.expr import Node, Sort, apply, const, negate, var
from tracetwin.solving.answers import Answer, Problem, Sat, Unknown, Unsat
from tracetwin.solving.arithmetic.differences import UNBOUND, ZERO, Differences
from tracetwin.solving.arithmetic.ordering import Reader
from tracetwin.solving.arithmetic.path_order import PathOrder
from tracetwin.solving.stages.order import Order
from tracetwin.solving.task import Task

x, y, z, k = (var(name, Sort.INT) for name in "xyzk")
flag = var("flag", Sort.BOOL)


def lt(one: Node, other: Node) -> Node:
    return apply("lt", Sort.BOOL, one, other)


def eq(one: Node, other: Node) -> Node:
    return apply("eq", Sort.BOOL, one, other)


class TestDifferences:
    def test_bounds_add_up(self):
        table = Differences()
        table.add("x", "y", -1)
        table.add("y", "z", -1)
        assert -2 == table.limit("x", "z")
        assert UNBOUND == table.limit("z", "x")
        assert UNBOUND == table.limit("x", "nobody")

    def test_limits_are_those_of_the_shortest_ways(self):
        chance = random.Random(7)
        for _ in range(300):
            size = chance.randint(2, 5)
            names = [ZERO, *"abcd"][:size]
            table = Differences()
            ways = [[0.0 if i == j else UNBOUND for j in range(size)] for i in range(size)]
            for _ in range(8):
                (i, j), limit = chance.sample(range(size), 2), chance.randint(-3, 6)
                ways[i][j] = min(ways[i][j], limit)
                for through, one, other in itertools.product(range(size), repeat=3):
                    ways[one][other] = min(ways[one][other], ways[one][through] + ways[through][other])
                possible = all(ways[place][place] >= 0 for place in range(size))
                assert possible == table.add(names[i], names[j], limit)
                if not possible:
                    break
                limits = [[table.limit(one, other) for other in names] for one in names]
                assert ways == limits

    def test_a_circle_of_less_is_a_contradiction(self):
        table = Differences()
        assert table.add("x", "y", -1)
        assert table.add("y", "z", 0)
        assert not table.add("z", "x", 0)
        assert table.model({}) is None

    def test_texts_have_no_next_one(self):
        table = Differences(dense=True)
        table.add("x", "y", -1)
        table.add("y", "z", -1)
        assert -1 == table.limit("x", "z")
        assert not table.copy().add("z", "x", 0)

    def test_holes_at_the_ends_are_bounds(self):
        table = Differences()
        table.add("x", ZERO, 5)
        table.exclude("x", ZERO, 5)
        table.exclude("x", ZERO, 4)
        table.exclude("x", ZERO, 2)
        assert 3 == table.limit("x", ZERO)
        assert 1 == len(table.holes)

    def test_a_copy_goes_its_own_way(self):
        table = Differences()
        table.add("x", "y", 3)
        other = table.copy()
        other.add("x", "y", 1)
        other.exclude("z", "x", 0)
        assert (3, 1) == (table.limit("x", "y"), other.limit("x", "y"))
        assert ("z" in table, "z" in other) == (False, True)

    def test_a_model_stays_near_the_wishes(self):
        table = Differences()
        table.add("x", "y", -1)
        table.add("y", "z", -1)
        assert {"x": 0, "y": 5, "z": 9} == table.model({"x": 0, "y": 5, "z": 9})
        assert {"x": 0, "y": 1, "z": 9} == table.model({"x": 0, "y": 0, "z": 9})

    def test_a_model_passes_holes_on_either_side(self):
        table = Differences()
        for name in "xyz":
            table.add(ZERO, name, 0)
            table.add(name, ZERO, 2)
        for one, other in itertools.combinations("xyz", 2):
            table.exclude(one, other, 0)
        found = table.model({})
        assert found is not None
        assert [0, 1, 2] == sorted(found.values())

    def test_models_and_contradictions_agree_with_trying_all_values(self):
        chance = random.Random(1)
        outcomes = set()
        for _ in range(400):
            table = Differences()
            said = []
            for _ in range(chance.randint(2, 7)):
                one, other = chance.sample([ZERO, "x", "y", "z"], 2)
                number, hole = chance.randint(-2, 2), chance.random() < 0.3
                said.append((one, other, number, hole))
                (table.exclude if hole else table.add)(one, other, number)
            for name in "xyz":
                table.add(name, ZERO, 2)
                table.add(ZERO, name, 2)
            fitting = [
                values
                for numbers in itertools.product(range(-2, 3), repeat=3)
                if _holds(said, values := dict(zip("xyz", numbers, strict=True)))
            ]
            found = table.model({})
            outcomes.add((bool(fitting), found is not None))
            assert found is None or {name: found[name] for name in "xyz"} in fitting
            if not table.consistent:
                assert not fitting
            elif fitting and not table.holes:
                highest = max(values["x"] - values["y"] for values in fitting)
                assert highest == table.limit("x", "y")
        assert {(True, True), (False, False)} <= outcomes


def _holds(said: list[tuple[str | None, str | None, int, bool]], values: dict[str, int]) -> bool:
    def value(name: str | None) -> int:
        return 0 if name is None else values[name]

    return all(
        value(one) - value(other) != number if hole else value(one) - value(other) <= number
        for one, other, number, hole in said
    )


class TestPathOrder:
    def path(self, *conditions: Node) -> PathOrder:
        order = PathOrder(Reader())
        for condition in conditions:
            order.take(condition)
        return order

    def test_a_gap_is_made_where_there_is_none(self):
        order = self.path(lt(x, y), lt(x, k))
        answer = order.solve(lt(k, y), {"x": 0, "y": 1, "k": 1})
        assert isinstance(answer, Sat)
        assert answer.model["x"] < answer.model["k"] < answer.model["y"]  # type: ignore[operator]

    def test_what_the_order_excludes_is_refuted(self):
        assert Unsat() == self.path(lt(x, y), lt(y, z)).solve(lt(z, x), {"x": 0, "y": 1, "z": 2})

    def test_asking_changes_nothing(self):
        order = self.path(lt(x, y))
        for _ in range(2):
            assert isinstance(order.solve(eq(x, const(9)), {"x": 0, "y": 1}), Sat)

    def test_bools_are_read_too(self):
        answer = self.path(flag).solve(negate(flag), {"flag": True})
        assert Unsat() == answer
        answer = self.path().solve(flag, {"flag": False})
        assert isinstance(answer, Sat)
        assert answer.model["flag"] is True

    def test_other_goals_are_left_to_the_solver(self):
        product = apply("mul", Sort.INT, x, y)
        assert self.path().solve(lt(product, const(3)), {"x": 2, "y": 2}) is None

    def test_other_conditions_leave_their_arguments_to_the_solver(self):
        odd = eq(apply("mod", Sort.INT, x, const(2)), const(1))
        order = self.path(odd, lt(x, y))
        assert order.solve(lt(const(1), x), {"x": 1, "y": 2}) is None
        assert Unsat() == order.solve(lt(y, x), {"x": 1, "y": 2})
        answer = order.solve(lt(const(5), y), {"x": 1, "y": 2})
        assert isinstance(answer, Sat)
        assert {"x": 1, "y": 6} == answer.model

    def test_texts_are_only_refuted(self):
        p, q = var("p", Sort.STR), var("q", Sort.STR)
        assert Unsat() == self.path(lt(p, q)).solve(lt(q, p), {"p": "a", "q": "b"})
        assert self.path().solve(lt(q, p), {"p": "a", "q": "b"}) is None


class TestOrderStage:
    def ask(self, goal: Node, *conditions: Node, **current: object) -> Answer:
        sorts = dict.fromkeys("xyzk", Sort.INT)
        return Order().attempt(Task(Problem(conditions, goal, current, sorts)))

    def test_it_refutes_and_meets_what_is_about_order(self):
        assert Unsat() == self.ask(lt(z, x), lt(x, y), lt(y, z), x=0, y=1, z=2)
        answer = self.ask(lt(y, x), lt(x, const(9)), x=0, y=1, z=2)
        assert isinstance(answer, Sat)
        assert answer.model["y"] < answer.model["x"] < 9  # type: ignore[operator]

    def test_it_passes_on_all_else(self):
        remainder = apply("mod", Sort.INT, x, const(2))
        assert isinstance(self.ask(eq(remainder, const(1)), x=0), Unknown)
        assert isinstance(self.ask(lt(const(1), x), eq(remainder, const(1)), x=1), Unknown)
