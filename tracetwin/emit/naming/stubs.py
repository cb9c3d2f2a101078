"""Names of the stub classes of a test file: `StubBus`, `FailingBus`, `BusWhosePollReturnsNone`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tracetwin.emit.naming.mocks import name_of
from tracetwin.emit.naming.values import camel, recipe_words, snake
from tracetwin.emit.naming.variables import VERBS
from tracetwin.emit.source.identifiers import is_name
from tracetwin.model.mock_bodies import BodyForm, body_of
from tracetwin.model.recipe import Answer, MockRecipe, Recipe, Series

LONGEST: Final = 40
SHORTEST: Final = 3
_CHOSEN: Final = re.compile(r"\|\d+|\[\d+\]")
"""Which alternative, or item, a name stands for."""
_ITEM: Final = re.compile(r"\[\d+\](?:\|\d+)*$")
MOST: Final = 4


_ANSWERING: Final = {BodyForm.BY_ARGUMENT: "AnswersByArgument", BodyForm.SUCCESSIVE: "AnswersInTurn"}


def stub_names(recipe: MockRecipe) -> list[str]:
    """Names for the class of a mock, the plainest first; others are for files with several of a kind."""
    name = _owner(recipe)
    bodies = {member: body_of(part) for member, part in recipe.members.items() if part.calls}
    failing = [one.raises for body in bodies.values() for one in body.answers]
    plain = f"Failing{name}" if failing and all(failing) else f"Stub{name}"
    owner = f"Stub{name}" if name.startswith("Test") else name
    found = [plain]
    for member, body in bodies.items():
        said = _said(body.default) if body.form is BodyForm.CONSTANT else _ANSWERING[body.form]
        found += [f"{owner}Whose{camel(member.strip('_'))}{said}"] if said else []
    for member, part in recipe.members.items():
        if part.value is not None and (value := _word(part.value)):
            found.append(f"{owner}With{camel(member)}{value}")
    return [one for one in dict.fromkeys(found) if len(one) <= LONGEST or one == plain][:MOST]


def general_names(recipe: MockRecipe, plain: str, given: Sequence[str]) -> list[str]:
    """Names for a class whose instances are given answers: `StubBus`, `BusWithPoll`."""
    name = _owner(recipe)
    owner = f"Stub{name}" if name.startswith("Test") else name
    longer = f"{owner}With{'And'.join(map(camel, given))}"
    return [plain, *([longer] if given and len(longer) <= LONGEST else [])]


def _owner(recipe: MockRecipe) -> str:
    """Return what a class stands for: its interface, else the part that it plays."""
    return plain_name(recipe.name) if recipe.bases else camel(wanted_name(recipe))


def plain_name(name: str) -> str:
    """The name of an interface without the word that it is one."""
    whole = camel(name) or "Object"
    short = re.sub(r"^(Abstract|Base)(?=[A-Z])|(?<=[a-z])(ABC|Abstract|Base|Interface|Protocol)$", "", whole)
    return short if len(short) >= SHORTEST else whole


def wanted_name(recipe: MockRecipe) -> str:
    """Return the name of a variable for a mock."""
    *_, role = re.findall(r"\w+(?:\(\w*\))?", _CHOSEN.sub("", recipe.hint)) or [""]
    own = "function" if recipe.is_function else snake(plain_name(recipe.name)) or "mock"
    if is_name(role):  # a parameter, or an attribute
        if _ITEM.search(recipe.hint):
            return own if recipe.bases else _singular(role)
        return own if role in _VAGUE else role.strip("_") or own
    noun = [word for word in snake(role.partition("(")[0]).split("_") if word not in VERBS]
    return own if recipe.bases or not noun else "_".join(noun)


def _singular(word: str) -> str:
    """Return the name of an item of something of that name."""
    plain = word.strip("_")
    return plain[:-1] if len(plain) > SHORTEST and plain.endswith("s") and not plain.endswith("ss") else plain


_VAGUE: Final = ("value", "item", "obj", "object", "arg", "args", "data", "element", "thing", "other", "self")


def _said(answer: Answer) -> str:
    """Return a word for one answer, "" where there is none."""
    if answer.raises:
        return f"Raises{camel(name_of(answer.recipe))}"
    word = _word(answer.recipe)
    return f"Returns{word}" if word else ""


def _word(recipe: Recipe) -> str:
    if isinstance(recipe, Series) and recipe.items:
        return ""
    said = [word for _, word in sorted(recipe_words(recipe), key=lambda pair: pair[0])[:1]]
    return camel(snake(said[0].removeprefix("is_"))) if said and said[0].startswith("is_") else ""
