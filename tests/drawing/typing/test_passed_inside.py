"""Guesses for values that a function passes to functions of its own, and to itself."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.planner import Planner

MakeModule = Callable[..., ModuleType]

CALLS_OWN = """
    def f(p):
        def g(q):
            if isinstance(q, dict):
                return q.keys()
            return q.isdigit()
        return g(p)
"""

HIDES = """
    def f(p):
        def g(p):
            return p.isdigit()
        return g(str(p)), p + 1
"""

HIDES_BY_PLACE = """
    def f(p):
        def g(p, /, *q):
            return p.isdigit(), [one.isdigit() for one in q]
        return g("1"), p + 1
"""

RECURSES = """
    def f(p):
        total = 0
        for item in p:
            total += f(item) if isinstance(item, list) else item
        return total
"""

RECURSES_INSIDE = """
    def f(p):
        def g(q):
            if isinstance(q, dict):
                return [g(part) for part in q.values()]
            return q * 2.5
        return g(p)
"""

OF_A_NODE = """
    class Walker:
        def f(self, p):
            return 1 + sum(self.f(part) for part in p.wheels if part.size > 3)
"""


@pytest.mark.parametrize(
    ("source", "name", "expected"),
    [
        (CALLS_OWN, "f", ["dict", "str"]),
        (HIDES, "f", ["int"]),
        (RECURSES, "f", ["list[list[list", "tuple"]),
        (RECURSES_INSIDE, "f", ["dict[?, dict", "float"]),
        (OF_A_NODE, "Walker.f", ["object with wheels"]),
    ],
    ids=["own", "hidden", "recursive", "recursive inside", "attributes of parts"],
)
def test_what_is_passed_inside_tells_what_it_is(
    source: str, name: str, expected: list[str], make_module: MakeModule
) -> None:
    module = make_module(source)
    function: object = module
    for part in name.split("."):
        function = getattr(function, part)
    assert callable(function)
    found = [str(guess) for guess in Planner(module).usage.guesses(name, function)["p"]]
    for text in expected:
        assert any(guess.startswith(text) for guess in found), found


def test_a_parameter_by_place_hides_what_is_called_so_outside(make_module: MakeModule) -> None:
    module = make_module(HIDES_BY_PLACE)
    found = [str(guess) for guess in Planner(module).usage.guesses("f", module.f)["p"]]
    assert "str" not in found


def test_what_is_looked_at_for_its_class_inside_may_be_of_another(make_module: MakeModule) -> None:
    source = """
        def f(p):
            found = []
            for name, value in p:
                if isinstance(name, (list, tuple)):
                    found += [(one, value) for one in name]
                else:
                    found.append((name, value))
            return found
    """
    module = make_module(textwrap.dedent(source))
    (found, *_) = Planner(module).usage.guesses("f", module.f)["p"]
    assert str(found) == "list[tuple[list | tuple | int, ?]]"


def test_constructors_of_other_modules_are_read_where_they_stand(make_module: MakeModule) -> None:
    make_module(
        """
        class Label:
            def __init__(self, text):
                self.text = text

            def shown(self):
                return self.text.strip()
        """,
        "crates.labels",
    )
    module = make_module("from crates.labels import Label\n", "crates.shelf")
    planner = Planner(module)
    found = planner.usage.guesses("Label.__init__", module.Label.__init__)
    assert [str(guess) for guess in found["text"]] == ["str"]
    plan = planner.plan_class(module.Label, planner.scope(), 0)
    assert "str" in str(plan), plan


def test_what_is_only_handed_on_may_be_what_others_take_by_its_name(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Node:
            def __init__(self):
                self.edges = []

        def degree(node):
            return len(node.edges)

        def visit(node, visitor):
            return visitor.take(node)

        def keep(node):
            return [node]
        """
    )
    usage = Planner(module).usage
    assert list(map(str, usage.guesses("visit", module.visit)["node"]))[:2] == ["int", "Node"]
    assert "Node" not in map(str, usage.guesses("keep", module.keep)["node"])


def test_no_class_that_the_code_looks_for_is_left_out(make_module: MakeModule) -> None:
    module = make_module(
        """
        from collections.abc import MutableMapping, MutableSequence, MutableSet

        def f(p, q):
            if isinstance(p, MutableMapping):
                return [p[key] for key in p.keys()]
            if isinstance(p, MutableSequence):
                return p[:]
            if isinstance(p, MutableSet):
                return p - q
            return p * 2.5 > q
        """
    )
    found = [str(guess) for guess in Planner(module).usage.guesses("f", module.f)["p"]]
    assert any(guess.startswith(("set", "MutableSet")) for guess in found), found
    assert "MutableMapping" not in found, "dicts are of that class"


def test_methods_of_a_known_class_tell_what_they_are_given(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Ruler:
            def __init__(self, step):
                self.step = step

            def marks(self, text):
                return text.upper().split()

        def f(ruler, line):
            return ruler.marks(line), ruler.step
        """
    )
    assert [str(guess) for guess in Planner(module).usage.guesses("f", module.f)["line"]] == ["str"]
