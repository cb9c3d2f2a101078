"""How a mock is written: as an autospec of its interface, or as a small class that derives from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tracetwin.emit.mocks.mocked import Mocked
from tracetwin.model.mock_bodies import BY_ARGUMENT, SUCCESSIVE, Body, body_of
from tracetwin.model.recipe_tree import walk

AUTO: Final = "auto"
CLASS: Final = "class"
AUTOSPEC: Final = "autospec"
STYLES: Final = (AUTO, CLASS, AUTOSPEC)

_UNSAYABLE: Final = frozenset(
    ("__call__", "__next__", "__anext__", "__iter__", "__aiter__", "__eq__", "__hash__", "__str__")
)
"""Special methods that `unittest.mock` leaves out, or that mean something of its own there."""


def style_of(recipe: Any, mocked: Mocked, wanted: str) -> str:
    """`CLASS` or `AUTOSPEC`.

    Args:
        recipe: that of the mock.
        mocked: the mocks of the case.
        wanted: one of the styles; what an autospec can't say is written as a class whatever is wanted.
    """
    if recipe[1]["kind"] == "function":
        return AUTOSPEC
    style = mocked.style or wanted
    if style == CLASS or any(True for _ in _obstacles(recipe)):
        return CLASS
    return CLASS if style == AUTO and _is_record(recipe, mocked) else AUTOSPEC


def _is_record(recipe: Any, mocked: Mocked) -> bool:
    """Whether it is nothing but its attributes, all of which are used: that reads better in one place."""
    values = {name for name, member in recipe[2].items() if member["value"] is not None}
    needed = {
        name
        for told in mocked.described(recipe)
        for name, member in told["members"].items()
        if member["needed"]
    }
    return bool(values) and values >= needed | set(recipe[2]) and not mocked.asserted(recipe[1]["number"])


def _obstacles(recipe: Any) -> Iterator[str]:
    """Why an autospec can't say it."""
    _, spec, members = recipe
    if spec.get("inherits"):
        yield "code of the interface runs"
    if len(spec["bases"]) > 1:
        yield "it implements several interfaces"
    for name, member in members.items():
        if name in _UNSAYABLE:
            yield f"{name} is none of an autospec's methods"
        body = body_of(member)
        if body.form == BY_ARGUMENT:
            yield f"what {name} returns depends on its arguments"
        if member["kind"] == "asyncgen":
            yield f"{name} is an asynchronous generator"
        if any(call["effects"] for call in member["calls"]):
            yield f"{name} changes an argument"
        if _gives_exceptions(body) or _gives_anew(body, member):
            yield f"what {name} returns is no plain value"


def _gives_exceptions(body: Body) -> bool:
    """Whether exceptions are among successive results: a mock would raise them."""
    results = [outcome.recipe for outcome in body.outcomes if outcome.kind == "return"]
    return body.form == SUCCESSIVE and any(_is_exception(result) for result in results)


def _gives_anew(body: Body, member: dict[str, Any]) -> bool:
    """Whether several calls return what is used up by one: a mock hands out the same object again."""
    consumed = member["kind"] in ("generator", "asyncgen")
    return consumed and len(member["calls"]) > 1 and body.form != SUCCESSIVE


def _is_exception(recipe: Any) -> bool:
    named = recipe[0] in ("call", "ref")
    return named and recipe[1] == "builtins" and recipe[2].endswith(("Error", "Exception"))


def is_idle(recipe: Any, name: str, mocked: Mocked) -> bool:
    """Whether nobody uses what a member returns: there is nothing to say of it."""
    member = recipe[2][name]
    returns = all(call["outcome"][0] == "return" and not call["effects"] for call in member["calls"])
    inside = any(part[0] in ("mock", "var") for call in member["calls"] for part in walk(call["outcome"][1]))
    return returns and not inside and (recipe[1]["number"], name) in mocked.unused
