"""How a mock is written: as an autospec of its interface, or as a small class that derives from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tracetwin.emit.mocks.mocked import Mocked
from tracetwin.model.mock_bodies import BodyForm, MockBody, body_of
from tracetwin.model.options import MockStyle
from tracetwin.model.recipe import Call, MockMember, MockNumber, MockRecipe, Recipe, Reference, Variable, walk

_UNSAYABLE: Final = frozenset(
    ("__call__", "__next__", "__anext__", "__iter__", "__aiter__", "__eq__", "__hash__", "__str__")
)
"""Special methods that `unittest.mock` leaves out, or that mean something of its own there."""


def is_class(recipe: MockRecipe, mocked: Mocked, wanted: MockStyle) -> bool:
    """Return whether a mock is written as a class; else it is an autospec.

    An autospec that can't say what is needed is written as a class whatever is wanted.
    """
    if recipe.is_function:
        return False
    if mocked.as_class or wanted is MockStyle.CLASS or any(True for _ in _obstacles(recipe)):
        return True
    return wanted is MockStyle.AUTO and _is_record(recipe, mocked)


def _is_record(recipe: MockRecipe, mocked: Mocked) -> bool:
    """Return whether it is nothing but its attributes, all of them used: that reads better in one place."""
    values = {name for name, member in recipe.members.items() if member.value is not None}
    needed = {
        name
        for told in mocked.described(recipe)
        for name, member in told.members.items()
        if member.needed
    }
    return bool(values) and values >= needed | set(recipe.members) and not mocked.asserted(recipe.number)


def _obstacles(recipe: MockRecipe) -> Iterator[str]:
    """Why an autospec can't say it."""
    if recipe.inherits:
        yield "code of the interface runs"
    if len(recipe.bases) > 1:
        yield "it implements several interfaces"
    for name, member in recipe.members.items():
        if name in _UNSAYABLE:
            yield f"{name} is none of an autospec's methods"
        body = body_of(member)
        if body.form is BodyForm.BY_ARGUMENT:
            yield f"what {name} returns depends on its arguments"
        if member.kind == "asyncgen":
            yield f"{name} is an asynchronous generator"
        if any(call.answer.effects for call in member.calls):
            yield f"{name} changes an argument"
        if _gives_exceptions(body) or _gives_anew(body, member):
            yield f"what {name} returns is no plain value"


def _gives_exceptions(body: MockBody) -> bool:
    """Return whether exceptions are among successive results: a mock would raise them."""
    results = [answer.recipe for answer in body.answers if not answer.raises]
    return body.form is BodyForm.SUCCESSIVE and any(_is_exception(result) for result in results)


def _gives_anew(body: MockBody, member: MockMember) -> bool:
    """Return whether several calls return what is used up by one: a mock hands out the same object again."""
    consumed = member.kind in ("generator", "asyncgen")
    return consumed and len(member.calls) > 1 and body.form is not BodyForm.SUCCESSIVE


def _is_exception(recipe: Recipe) -> bool:
    if not isinstance(recipe, (Call, Reference)):
        return False
    return recipe.module == "builtins" and recipe.qualname.endswith(("Error", "Exception"))


def is_idle(recipe: MockRecipe, name: str, mocked: Mocked) -> bool:
    """Return whether nobody uses what a member returns: there is nothing to say of it."""
    answers = [call.answer for call in recipe.members[name].calls]
    returns = all(not answer.raises and not answer.effects for answer in answers)
    inside = any(
        isinstance(part, (MockRecipe, MockNumber, Variable))
        for answer in answers
        for part in walk(answer.recipe)
    )
    return returns and not inside and (recipe.number, name) in mocked.unused
