"""Syntax trees as several rooms read them: qualified names, first lines, expressions, imported modules."""

from __future__ import annotations

import ast
import textwrap

import pytest

from tracetwin.support.syntax import absolute, definitions, expression, first_line

SOURCE = textwrap.dedent(
    """
    class Shop:
        if True:
            @property
            def open(self):
                def inner(): ...

    def plain():
        class Within: ...
    """
)


def test_definitions_come_with_their_qualified_names_wherever_they_stand():
    names = ["Shop", "Shop.open", "Shop.open.<locals>.inner", "plain", "plain.<locals>.Within"]
    assert [name for name, _ in definitions(ast.parse(SOURCE))] == names


def test_what_stands_for_the_inside_of_a_function_can_be_left_out():
    assert [name for name, _ in definitions(ast.parse(SOURCE), inside="")][-1] == "plain.Within"


def test_a_definition_begins_with_its_decorators():
    known = dict(definitions(ast.parse(SOURCE)))
    assert (first_line(known["Shop.open"]), known["Shop.open"].lineno) == (4, 5)


@pytest.mark.parametrize(("text", "known"), [(" a.b ", True), ("a b", False), ("\0", False)])
def test_a_text_that_is_no_expression_has_no_syntax(text, known):
    assert (expression(text) is not None) is known


@pytest.mark.parametrize(
    ("statement", "package", "module"),
    [
        ("from a import b", "p.q", "a"),
        ("from . import b", "p.q", "p.q"),
        ("from ..a import b", "p.q", "p.a"),
        ("from ...a import b", "p.q", ""),
    ],
)
def test_a_relative_import_names_a_module_of_the_package(statement, package, module):
    node = ast.parse(statement).body[0]
    assert isinstance(node, ast.ImportFrom)
    assert absolute(node, package) == module
