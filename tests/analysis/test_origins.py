"""Origins of conditions: which parameters and attributes come to them, and in how many steps."""

from __future__ import annotations

import ast
import textwrap

from tracetwin.analysis.origins import Origins


def origins(source: str, scope: str, line: int) -> dict[str, int]:
    return dict(Origins(ast.parse(textwrap.dedent(source))).of(scope, line))


def test_parameters_in_a_condition_are_nearest() -> None:
    found = origins("def f(a, b, c):\n    if a and b:\n        return c\n", "f", 2)
    assert found == {"a": 0, "b": 0}


def test_values_are_followed_through_variables_and_loops() -> None:
    source = """
        def f(names, limit):
            for name in names:
                short = name[:limit]
                if short:
                    return short
    """
    assert origins(source, "f", 5) == {"names": 2, "limit": 1}


def test_values_are_followed_to_what_the_constructor_was_given() -> None:
    source = """
        class Box:
            def __init__(self, content):
                self._content = content

            def open(self):
                if self._content:
                    return 1
    """
    found = origins(source, "Box.open", 7)
    assert found["_content"] == 0
    assert found["content"] == 1


def test_values_are_followed_into_callers_and_out_of_callees() -> None:
    source = """
        def is_old(age):
            return age > 64

        def fare(person, price):
            years = person.age
            if is_old(years):
                return half(price)
            return price

        def half(amount):
            if amount is None:
                return 0
            return amount / 2
    """
    fare = origins(source, "fare", 7)
    assert fare["age"] == 1
    assert origins(source, "half", 12) == {"amount": 0, "price": 1}
    assert "price" not in fare


def test_what_decides_that_a_value_is_given_comes_to_it_from_further_off() -> None:
    source = """
        def f(flag, other):
            mode = None
            if flag:
                mode = 1
            if mode is None:
                return other
    """
    assert origins(source, "f", 6) == {"flag": 2}


def test_variables_of_other_functions_are_other_ones() -> None:
    source = """
        def f(x):
            y = x
            return y

        def g(z):
            y = z
            if y:
                return 1
    """
    assert origins(source, "g", 8) == {"z": 1}


def test_functions_and_classes_in_functions_have_their_qualified_names() -> None:
    source = """
        def make(size):
            class Box:
                if size:
                    big = 1

                def has(self, item):
                    if item:
                        return size
            return Box
    """
    assert origins(source, "make.<locals>.Box", 4) == {"size": 0}
    assert origins(source, "make.<locals>.Box.has", 8) == {"item": 0}


def test_a_line_without_a_condition_has_none() -> None:
    assert origins("def f(a):\n    return a\n", "f", 2) == {}


def test_keys_that_are_asked_for_are_origins_as_attributes_are() -> None:
    source = """
        class Box:
            def __init__(self, **options):
                self.options = options

            def open(self):
                if self.options.get("frozen") or "dots" in self.options or self.options["kind"]:
                    return 1
    """
    found = origins(source, "Box.open", 7)
    assert {name: found[name] for name in ("frozen", "dots", "kind", "options")} == {
        "frozen": 0, "dots": 0, "kind": 0, "options": 0,
    }  # fmt: skip
