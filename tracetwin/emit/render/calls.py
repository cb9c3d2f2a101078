"""A step as an expression or a statement: calls, operators, attributes."""

from __future__ import annotations

from collections.abc import Sequence

from tracetwin.emit.exhibit import Exhibit
from tracetwin.emit.source import operators
from tracetwin.emit.source.identifiers import Unwritable, attribute, is_name
from tracetwin.emit.source.layout import Atom, LaidOut, call, fits
from tracetwin.emit.source.scribe import Scribe
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Consumption
from tracetwin.model.recipe import (
    Call,
    Dictionary,
    Lambda,
    MockRecipe,
    Recipe,
    Reference,
    Scalar,
    Series,
    Variable,
)
from tracetwin.model.snapshot import Iterated, Snapshot
from tracetwin.model.status import Outcome
from tracetwin.replay.static import Coverable


class StepWriter:
    """Writes what steps do."""

    def __init__(self, case: Case, scribe: Scribe, coverable: Coverable) -> None:
        self.case = case
        self.scribe = scribe
        self.coverable = coverable

    def arguments(self, step: Step) -> list[LaidOut]:
        """The arguments as they stand between the brackets."""
        writer = self.scribe.writer
        return [writer.recipe(part) for part in step.args] + writer.keywords(step.kwargs)

    def call(self, step: Step, args: list[LaidOut]) -> LaidOut:
        """The call by its name, or the attribute that is read."""
        place, name = step.place, step.name
        if step.act is Act.METHOD and name == "__call__":
            return call(self.scribe.variable(place), args)
        if step.act is not Act.CALL:
            attribute = self.attribute(place, name)
            return call(attribute, args) if step.act is Act.METHOD else Atom(attribute)
        if place == "builtins" and not args and name in ("list", "dict", "tuple"):
            return self.scribe.writer.recipe(Call(place, name))
        if place == "builtins" and len(args) == len(step.args) == 1 and _is_literal(step.args[0], name):
            return args[0]  # a list, dict or set that has a name is its literal
        if (place, name) == ("builtins", "getattr") and (member := _member(step.args)):
            return Atom(f"{args[0].flat()}.{member}")  # of an enum
        return call(self.scribe.space.name(place, name), args)

    def annotation(self, step: Step) -> str:
        """Return the annotation that a variable for an instance of a generic class needs, "" for none."""
        count = self.coverable.open_classes.get(step.name, 0) if step.act is Act.CALL else 0
        if not count or step.place != self.case.module:
            return ""
        anything = self.scribe.space.name("typing", "Any")
        return f": {self.scribe.space.name(step.place, step.name)}[{', '.join([anything] * count)}]"

    def attribute(self, place: str, name: str) -> str:
        """An attribute of a bound value."""
        receiver = self.scribe.variable(place)
        if name.startswith("__") and not name.endswith("__"):
            # Inside a test class the name would be mangled for that class.
            owner = self.case.target.rpartition(".")[0].rpartition(".")[2].lstrip("_")
            return attribute(receiver, f"_{owner}{name}")
        return attribute(receiver, name)

    def assignment(self, step: Step, args: list[LaidOut]) -> tuple[str, LaidOut]:
        """Return what stands before and after the equals sign, the sign with the former."""
        return f"{self.attribute(step.place, step.name)} = ", args[0]

    def statement(
        self, step: Step, args: list[LaidOut], result: Snapshot
    ) -> operators.OperatorStatement | None:
        """The statement that does a step without looking at what it returns, where there is one."""
        if step.act is not Act.METHOD or step.kwargs:
            return None
        return operators.statement(self.scribe.variable(step.place), step.name, args, result)

    def operation(self, step: Step, args: list[LaidOut], ending: operators.Ending) -> LaidOut | None:
        """The call of an operator's method as that operator."""
        if step.act is not Act.METHOD or step.kwargs:
            return None
        recipes = [self._as_made(recipe) for recipe in step.args]
        maker = self._made_as(Variable(step.place))
        receiver = self.scribe.variable(step.place)
        node = operators.operation(receiver, step.name, args, recipes, ending, maker)
        # With room for what is done with it: what is longer is laid out better as a call.
        indent = self.scribe.indent + 4
        return node if node is not None and fits(f"result = {node.flat()}", indent) else None

    def consumed(self, node: LaidOut, seen: Exhibit) -> LaidOut:
        """Return the call with what is done to its result: awaited, or its items taken."""
        value = seen.value
        # Of what may not end only as much is taken as was seen.
        endless = isinstance(value, Iterated) and not value.exhausted
        endless = endless and seen.outcome is Outcome.RETURNED
        match seen.how:
            case Consumption.CALL:
                return node
            case Consumption.AWAIT:
                return call(self.scribe.space.name("asyncio", "run"), [node])
            case Consumption.ITERATE:
                if isinstance(value, Iterated) and endless:
                    count = Atom(str(len(value.items)))
                    node = call(self.scribe.space.name("itertools", "islice"), [node, count])
                return call("list", [node])
            case Consumption.ASYNC_ITERATE:
                if endless:
                    raise Unwritable("an asynchronous generator that may not end")
                return self._collected(node)

    def _collected(self, node: LaidOut) -> LaidOut:
        name = self.scribe.new("collect")
        source = self.scribe.new("items")
        self.scribe.add(f"{source} = ", node)
        self.scribe.function(f"async def {name}():", "return ", Atom(f"[item async for item in {source}]"))
        return call(self.scribe.space.name("asyncio", "run"), [call(name, [])])

    def _as_made(self, recipe: Recipe) -> Recipe:
        """An argument that is an object, as the call of its class."""
        made = self._made_as(recipe)
        return recipe if made is None else Call(*made)

    def _made_as(self, recipe: Recipe) -> tuple[str, str] | None:
        """Module and name of the class whose call, or whose class method, made an object."""
        if isinstance(recipe, Variable):
            bound = [step for step in self.case.steps if step.bind == recipe.name]
            if not bound or bound[-1].act is not Act.CALL:
                return None
            module, name = bound[-1].place, bound[-1].name
        elif isinstance(recipe, Call):
            module, name = recipe.module, recipe.qualname
        else:
            return None
        for owner in (name, name.rpartition(".")[0]):
            if owner in self.coverable.classes:
                return module, owner
        return None


def looks_forgotten(expression: LaidOut) -> bool:
    """Return whether linters would ask what an expression is good for as a statement."""
    return isinstance(expression, operators.Operation) or expression.flat().endswith("]")


def _is_literal(recipe: Recipe, kind: str) -> bool:
    """Return whether a recipe is a literal of that builtin type."""
    match recipe:
        case Series():
            return recipe.kind.value == kind
        case Dictionary():
            return kind == "dict"
        case _:
            return False


def _member(recipes: Sequence[Recipe]) -> str:
    """The attribute that `getattr` asks an object with a name for, "" where its arguments are others."""
    match recipes:
        case (Reference(), Scalar(str(name))) if is_name(name):
            return name
        case _:
            return ""


def passes_objects(case: Case) -> bool:
    """Return whether a function or an object is passed by place that nothing but the target may hold."""
    return any(isinstance(part, (Call, Lambda, MockRecipe)) for step in case.steps for part in step.args)
