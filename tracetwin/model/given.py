"""Names of the values that a case gives: arguments of its call, and objects made inside of arguments.

A value that is bound to a variable has that name. An object that `Shelf([Box()])` makes on the way has none:
it is known by the number of its call among all such calls of the case, in order of evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final

from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Root, ValuePath
from tracetwin.model.recipe import Call, Dictionary, Recipe, Series, Variable, children, replace_children

_INNER: Final = "inner."


def inner_calls(case: Case) -> Iterator[tuple[str, Call]]:
    """Give the calls inside of the arguments of a case, with their names."""
    found = (call for step in case.steps for part in step.given for call in _calls(part))
    return ((f"{_INNER}{number}", call) for number, call in enumerate(found))


def is_inner(name: str) -> bool:
    """Return whether a name is one of an object that is made inside of an argument."""
    return name.startswith(_INNER)


def name_of(path: ValuePath) -> str:
    """Return the name of an argument of the last call, or of a variable."""
    return str(path.key) if path.root is Root.VAR else f"{path.root}.{path.key}"


def with_inner_bound(step: Step, numbers: count[int], wanted: set[str]) -> Iterator[Step]:
    """Give steps that bind some of the objects that a step makes inside of its arguments, and then the step.

    Args:
        step: the step.
        numbers: of the calls inside of arguments, from the first of this step on.
        wanted: the names of the objects.
    """
    before: list[Step] = []

    def bound(recipe: Recipe) -> Recipe:
        if not isinstance(recipe, (Series, Dictionary, Call)):
            return recipe
        inside = replace_children(recipe, bound)
        if not isinstance(recipe, Call) or not isinstance(inside, Call):
            return inside
        name = f"{_INNER}{next(numbers)}"
        if name not in wanted:
            return inside
        before.append(Step(Act.CALL, inside.module, inside.qualname, inside.args, inside.kwargs, bind=name))
        return Variable(name)

    args = tuple(map(bound, step.args))
    kwargs = tuple((name, bound(part)) for name, part in step.kwargs)
    yield from before
    yield Step(step.act, step.place, step.name, args, kwargs, step.bind)


def _calls(recipe: Recipe) -> Iterator[Call]:
    if isinstance(recipe, (Series, Dictionary, Call)):
        for part in children(recipe):
            yield from _calls(part)
    if isinstance(recipe, Call):
        yield recipe
