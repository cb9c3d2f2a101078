"""Documents as texts that libraries read, and as recipes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from tracetwin.model.recipe import Dictionary, Recipe, Scalar, list_of


def written(document: Mapping[str, object], library: str, within: str = "") -> str:
    """Return the text of a document, as a library reads it; `within` is the table that it is."""
    if library not in ("tomllib", "tomli", "toml"):
        return json.dumps(document)
    tables = {key: value for key, value in document.items() if isinstance(value, dict)}
    plain = (f"{_bare(key)} = {_toml(value)}" for key, value in document.items() if key not in tables)
    names = {key: f"{within}{_bare(key)}" for key in tables}
    parts = (f"[{names[key]}]\n" + written(value, library, f"{names[key]}.") for key, value in tables.items())
    return "\n".join([*plain, *parts])


def _bare(key: str) -> str:
    """A key of a table, with quotes where it needs some."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def _toml(value: object) -> str:
    """A value within a line."""
    match value:
        case dict():
            return "{" + ", ".join(f"{_bare(key)} = {_toml(one)}" for key, one in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case _:
            return json.dumps(value)


def recipe_of(value: object) -> Recipe:
    """The recipe of a document."""
    match value:
        case dict():
            return Dictionary(tuple((Scalar(key), recipe_of(one)) for key, one in value.items()))
        case list():
            return list_of(*map(recipe_of, value))
        case _:
            return Scalar(value)  # type: ignore[arg-type]
