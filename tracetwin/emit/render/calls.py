"""A step as an expression or a statement: calls, operators, attributes."""

from __future__ import annotations

from typing import Any

from tracetwin.emit.source import operators
from tracetwin.emit.source.identifiers import attribute, is_name
from tracetwin.emit.source.layout import Atom, Node, call, fits
from tracetwin.emit.source.scribe import Scribe
from tracetwin.replay.observe.snap import Snap
from tracetwin.replay.static import Coverable

Step = dict[str, Any]


class Calls:
    """Writes what steps do.

    Args:
        case: what the steps belong to.
        scribe: where names come from, and functions that arguments need go to.
        coverable: the target file's functions.
    """

    def __init__(self, case: dict[str, Any], scribe: Scribe, coverable: Coverable) -> None:
        self.case = case
        self.scribe = scribe
        self.coverable = coverable

    def arguments(self, step: Step) -> list[Node]:
        """The arguments as they stand between the brackets."""
        writer = self.scribe.writer
        return [writer.recipe(part) for part in step["args"]] + writer.keywords(step["kwargs"])

    def call(self, step: Step, args: list[Node]) -> Node:
        """The call by its name, or the attribute that is read."""
        kind, place, name = step["do"]
        if kind == "call":
            if place == "builtins" and not args and name in ("list", "dict", "tuple"):
                return self.scribe.writer.recipe(("call", place, name, [], []))
            if place == "builtins" and len(args) == len(step["args"]) == 1 and step["args"][0][0] == name:
                return args[0]  # a list, dict or set that has a name is its literal
            if (place, name) == ("builtins", "getattr") and _is_member(step["args"]):
                return Atom(f"{args[0].flat()}.{step['args'][1][1]}")  # of an enum
            return call(self.scribe.space.name(place, name), args)
        attribute = self.attribute(place, name)
        return call(attribute, args) if kind == "method" else Atom(attribute)

    def annotation(self, step: Step) -> str:
        """What a variable for the instance of a generic class needs, where nothing tells of what it is."""
        kind, module, name = step["do"]
        count = self.coverable.open_classes.get(name, 0) if kind == "call" else 0
        if not count or module != self.case["target"][0]:
            return ""
        anything = self.scribe.space.name("typing", "Any")
        return f": {self.scribe.space.name(module, name)}[{', '.join([anything] * count)}]"

    def attribute(self, place: str, name: str) -> str:
        """An attribute of a bound value."""
        receiver = self.scribe.variable(place)
        if name.startswith("__") and not name.endswith("__"):
            # Inside a test class the name would be mangled for that class.
            owner = str(self.case["target"][1]).rpartition(".")[0].rpartition(".")[2].lstrip("_")
            return attribute(receiver, f"_{owner}{name}")
        return attribute(receiver, name)

    def assignment(self, step: Step, args: list[Node]) -> tuple[str, Node]:
        """What stands before and after the equals sign, the sign with the former."""
        return f"{self.attribute(step['do'][1], step['do'][2])} = ", args[0]

    def statement(self, step: Step, args: list[Node], result: Snap) -> operators.Statement | None:
        """The statement that does a step without looking at what it returns, where there is one."""
        kind, place, name = step["do"]
        if kind != "method" or step["kwargs"]:
            return None
        return operators.statement(self.scribe.variable(place), name, args, result)

    def operation(self, step: Step, args: list[Node], seen: dict[str, Any]) -> Node | None:
        """The call of an operator's method as that operator.

        Args:
            step: the call.
            args: its arguments.
            seen: how it ended: outcome, value, and what was done to that.
        """
        kind, place, name = step["do"]
        if kind != "method" or step["kwargs"] or seen["how"] not in ("call", "iterate"):
            return None
        recipes = [self._as_made(recipe) for recipe in step["args"]]
        maker = self._made_as(("var", place))
        node = operators.operation(self.scribe.variable(place), name, args, recipes, seen, maker)
        # With room for what is done with it: what is longer is laid out better as a call.
        indent = self.scribe.indent + 4
        return node if node is not None and fits(f"result = {node.flat()}", indent) else None

    def _as_made(self, recipe: Any) -> Any:
        """An argument that is an object, as the call of its class."""
        made = self._made_as(recipe)
        return recipe if made is None else ("call", *made)

    def _made_as(self, recipe: Any) -> tuple[str, str] | None:
        """Module and name of the class whose call, or whose class method, made an object."""
        if recipe[0] == "var":
            calls = [step["do"] for step in self.case["steps"] if step["bind"] == recipe[1]]
            recipe = calls[-1] if calls else recipe
        if recipe[0] != "call":
            return None
        module, name = recipe[1:3]
        for owner in (name, name.rpartition(".")[0]):
            if owner in self.coverable.classes:
                return module, owner
        return None


def looks_forgotten(expression: Node) -> bool:
    """Whether linters would ask what an expression is good for as a statement."""
    return isinstance(expression, operators.Operation) or expression.flat().endswith("]")


def _is_member(recipes: list[Any]) -> bool:
    """Whether the arguments of `getattr` are an object with a name, and the name of an attribute."""
    if len(recipes) != 2 or recipes[0][0] != "ref" or recipes[1][0] != "lit":
        return False
    name = recipes[1][1]
    return is_name(name)
