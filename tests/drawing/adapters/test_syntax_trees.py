"""Nodes of syntax trees: each kind can be made, and the code tells which are worth it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import ModuleType

import pytest

from tests.drawing.adapters.conformance import conforms
from tracetwin.drawing.adapters.syntax_trees import ADAPTER
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.model import recipes

MakeModule = Callable[..., ModuleType]

KINDS = [item for name, item in vars(ast).items() if isinstance(item, type) and name[0] != "_"]
DOCUMENTED = [item for item in KINDS if issubclass(item, ast.AST) and item.__doc__]
NODES = [item for item in DOCUMENTED if "eprecated" not in str(item.__doc__)]


def built(module: ModuleType, name: str, **assignment: object) -> ast.AST:
    (item,) = [one for one in discover(module) if one.qualname == name]
    names = {key.replace("__", "?"): value for key, value in assignment.items()}
    made = build_arguments(PlainDraw(names), item.parameters)
    assert ast.dump(recipes.evaluate(made.arg_recipes[0])) == ast.dump(made.args[0])
    node: ast.AST = made.args[0]
    return node


def described(module: ModuleType, name: str) -> list[str]:
    (item,) = [one for one in discover(module) if one.qualname == name]
    assert item.parameters[0].plan is not None
    return item.parameters[0].plan.describe().split(" | ")


def test_every_node_can_be_made_and_has_its_fields() -> None:
    conforms(ADAPTER, NODES)
    for cls in NODES:
        if issubclass(cls, ast.mod):
            continue  # these are parsed
        node, _ = ADAPTER.plan(cls).build(PlainDraw({}), "x")
        assert isinstance(node, cls)
        assert all(hasattr(node, name) for name in node._fields if name != "ctx"), cls


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(node: ast.expr): return isinstance(node, ast.Set)", ["Set", "Constant", "Name"]),
        ("def f(node: ast.If): return node.test", ["If"]),
        ("def f(node): return node.op, node.left, node.right", ["BinOp"]),
        ("def f(node): return isinstance(node, (ast.Yield, ast.Await))", ["Yield", "Await"]),
    ],
)
def test_the_nodes_that_the_code_names_or_uses_come_first(
    source: str, expected: list[str], make_module: MakeModule
) -> None:
    assert described(make_module(f"import ast\n{source}"), "f")[: len(expected)] == expected


def test_a_method_that_is_named_after_a_node_gets_one(make_module: MakeModule) -> None:
    module = make_module("""
        import ast
        class Names(ast.NodeVisitor):
            def visit_ClassDef(self, node): return node.name
            def leaveWith(self, node): return node.body
            def eval_other(self, node): return node.body
    """)
    assert described(module, "Names.visit_ClassDef")[0] == "ClassDef"
    assert described(module, "Names.leaveWith")[0] == "With"


def test_the_keys_of_a_table_that_the_constructor_makes_are_asked_for(make_module: MakeModule) -> None:
    module = make_module("""
        import ast
        class Calc:
            def __init__(self):
                self.nodes = {ast.Constant: self.constant}
                self.nodes.update({ast.UnaryOp: self.unary})
            def constant(self, node): return node.value
            def unary(self, node): return -self.run(node.operand)
            def run(self, node): return self.nodes[type(node)](node)
            def start(self, text: str, tree=None): return self.run(tree or ast.parse(text))
    """)
    assert described(module, "Calc.run")[:2] == ["Constant", "UnaryOp"]
    (start,) = [one for one in discover(module) if one.qualname == "Calc.start"]
    assert start.parameters[1].plan is not None
    assert "UnaryOp" in start.parameters[1].plan.describe()


def test_where_a_node_stands_is_given_where_the_code_asks_for_it(make_module: MakeModule) -> None:
    module = make_module("import ast\ndef f(node: ast.Name): return node.lineno, node.ctx")
    node = built(module, "f", **{"node.lineno": 7})
    assert ast.dump(node, include_attributes=True) == "Name(id='a', ctx=Load(), lineno=7)"
    plain = make_module("import ast\ndef f(node: ast.Name): return node.id")
    assert not hasattr(built(plain, "f"), "lineno")
