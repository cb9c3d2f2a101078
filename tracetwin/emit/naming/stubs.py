"""What the classes of a test file are called: `StubBus`, `FailingBus`, `BusWhosePollReturnsNone`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from tracetwin.emit.naming.values import camel, recipe_words, snake
from tracetwin.emit.naming.variables import VERBS
from tracetwin.emit.source.identifiers import is_name
from tracetwin.model.mock_bodies import BY_ARGUMENT, CONSTANT, SUCCESSIVE, Outcome, body_of

LONGEST: Final = 40
SHORTEST: Final = 3
_CHOSEN: Final = re.compile(r"\|\d+|\[\d+\]")
"""Which alternative, or item, a name stands for."""
_ITEM: Final = re.compile(r"\[\d+\](?:\|\d+)*$")
MOST: Final = 4


_ANSWERING: Final = {BY_ARGUMENT: "AnswersByArgument", SUCCESSIVE: "AnswersInTurn"}


def stub_names(recipe: Any) -> list[str]:
    """Names for the class of a mock, the plainest first; others are for files with several of a kind."""
    _, spec, members = recipe
    name = _owner(spec)
    bodies = {member: body_of(part) for member, part in members.items() if part["calls"]}
    failing = [one.kind == "raise" for body in bodies.values() for one in body.outcomes]
    plain = f"Failing{name}" if failing and all(failing) else f"Stub{name}"
    owner = f"Stub{name}" if name.startswith("Test") else name
    found = [plain]
    for member, body in bodies.items():
        said = _said(body.default) if body.form == CONSTANT else _ANSWERING[body.form]
        found += [f"{owner}Whose{camel(member.strip('_'))}{said}"] if said else []
    for member, part in members.items():
        if part["value"] is not None and (value := _word(part["value"])):
            found.append(f"{owner}With{camel(member)}{value}")
    return [one for one in dict.fromkeys(found) if len(one) <= LONGEST or one == plain][:MOST]


def general_names(recipe: Any, plain: str, given: Sequence[str]) -> list[str]:
    """Names for a class whose instances are given answers: `StubBus`, `BusWithPoll`.

    Args:
        recipe: that of a mock.
        plain: the plainest name.
        given: what its constructor takes.
    """
    name = _owner(recipe[1])
    owner = f"Stub{name}" if name.startswith("Test") else name
    longer = f"{owner}With{'And'.join(map(camel, given))}"
    return [plain, *([longer] if given and len(longer) <= LONGEST else [])]


def _owner(spec: dict[str, Any]) -> str:
    """What a class stands for: its interface, else the part that it plays."""
    return plain_name(spec["name"]) if spec["bases"] else camel(wanted_name(spec))


def plain_name(name: str) -> str:
    """The name of an interface without the word that it is one."""
    whole = camel(name) or "Object"
    short = re.sub(r"^(Abstract|Base)(?=[A-Z])|(?<=[a-z])(ABC|Abstract|Base|Interface|Protocol)$", "", whole)
    return short if len(short) >= SHORTEST else whole


def wanted_name(spec: dict[str, Any]) -> str:
    """What a variable for a mock is called."""
    *_, role = re.findall(r"\w+(?:\(\w*\))?", _CHOSEN.sub("", str(spec["hint"]))) or [""]
    own = "function" if spec["kind"] == "function" else snake(plain_name(spec["name"])) or "mock"
    if is_name(role):  # a parameter, or an attribute
        if _ITEM.search(str(spec["hint"])):
            return own if spec["bases"] else _singular(role)
        return own if role in _VAGUE else role.strip("_") or own
    noun = [word for word in snake(role.partition("(")[0]).split("_") if word not in VERBS]
    return own if spec["bases"] or not noun else "_".join(noun)


def _singular(word: str) -> str:
    """What an item of something is called that has such a name."""
    plain = word.strip("_")
    return plain[:-1] if len(plain) > SHORTEST and plain.endswith("s") and not plain.endswith("ss") else plain


_VAGUE: Final = ("value", "item", "obj", "object", "arg", "args", "data", "element", "thing", "other", "self")


def _said(outcome: Outcome) -> str:
    """What one outcome is, "" where that is not said in a word."""
    if outcome.kind == "raise":
        return f"Raises{camel(outcome.recipe[2].rpartition('.')[2])}"
    word = _word(outcome.recipe)
    return f"Returns{word}" if word else ""


def _word(recipe: Any) -> str:
    said = [word for _, word in sorted(recipe_words(recipe), key=lambda pair: pair[0])[:1]]
    return camel(snake(said[0].removeprefix("is_"))) if said and said[0].startswith("is_") else ""
