"""The keys of `[tool.tracetwin]`: what each may hold, and a clear sentence where it holds something else."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from tracetwin.model.options import STYLES, MockStyle, criteria_in
from tracetwin.process.walls.permissions import Permissions
from tracetwin.support.data import dataclass
from tracetwin.support.errors import ConfigError


@dataclass(frozen=True)
class Precondition:
    """A condition that holds whenever the generator calls something.

    Attributes:
        target: ``module:qualified.name``; a class stands for its constructor.
        condition: an expression over the parameters, and `self`.
        key: where it stands, as an error names it.
    """

    target: str
    condition: str
    key: str = "assume"


@dataclass(frozen=True)
class Config:
    """A checked table; every name in it may still be wrong, see `tracetwin.config.checks`.

    Attributes:
        file: where it stands; None for the empty configuration.
        allow: patterns of what alone may be called; () for everything.
        forbid: patterns of what is never called.
        factories: (dotted name of a type, ``module:function`` that makes its instances).
        options: values for options of `generate` that the command line does not give, by their names there.
        unheeded: options that it may not set, see `tracetwin.config.settle`, each with a sentence.
    """

    file: Path | None = None
    allow: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    factories: tuple[tuple[str, str], ...] = ()
    assume: tuple[Precondition, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    unheeded: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Return True if it has no rules; options don't count."""
        return not (self.allow or self.forbid or self.factories or self.assume)


class Wrong(Exception):
    """A value that a key can't hold; the message ends a sentence that begins with the key."""


def checked(table: object, file: Path) -> Config:
    """The configuration in a table.

    Raises:
        ConfigError: a key is unknown or holds something else than it may.
    """
    if not isinstance(table, dict):
        advice = "write [tool.tracetwin] on a line of its own"
        raise ConfigError(file, "tool.tracetwin", f"is not a table; {advice}")
    known = {**RULES, **OPTIONS}
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            raise ConfigError(file, key, f"there is no such key{_meant(key, known)}")
        name, read = known[key]
        try:
            values[name] = read(value)
        except Wrong as wrong:
            raise ConfigError(file, key, str(wrong)) from None
    rules = {name: values.pop(name) for name, _ in RULES.values() if name in values}
    return Config(file, **rules, options=values)


def _meant(key: str, known: Iterable[str]) -> str:
    """The key that was meant, for the end of a sentence; without a likely one, all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(key.lower().replace("_", "-"), names, n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(names)}"


# Readers: each gives the value as the rest of tracetwin wants it, or raises Wrong.


def _patterns(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Wrong('must be a list of patterns, such as ["shop.cart:Cart.*"]')
    if not value:
        raise Wrong("is empty; leave it out, or name what it is to hold for")
    for item in value:
        if not is_name(item):
            raise Wrong(f"'{item}' is not of the form module:name, such as shop.cart:Cart.add or shop.*:_*")
    return tuple(value)


def is_name(text: str) -> bool:
    """Return True if a text is ``module:qualified.name``, with or without `*`, `?` and `[...]`."""
    module, colon, name = text.partition(":")
    return bool(colon) and bool(module.strip()) and bool(name.strip()) and ":" not in name


def _factories(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        form = 'with "shop.db.Conn" = "tests.make:conn"'
        raise Wrong(f"must be a table, such as [tool.tracetwin.factories] {form}")
    pairs = []
    for name, maker in value.items():
        if not isinstance(maker, str) or not is_name(maker):
            raise Wrong(f"'{name}' must be given a callable as module:name, such as tests.make:conn")
        dotted = name.replace(":", ".")
        if "." not in dotted or not all(part.isidentifier() for part in dotted.split(".")):
            raise Wrong(f"'{name}' is not the name of a type with its module, such as \"shop.db.Conn\"")
        pairs.append((dotted, maker))
    return tuple(pairs)


_OF_ASSUME: Final = ("target", "condition")


def _preconditions(value: object) -> tuple[Precondition, ...]:
    form = 'must be written as [[tool.tracetwin.assume]] with target = "..." and condition = "..."'
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise Wrong(form)
    found = []
    for number, item in enumerate(value, start=1):
        for key in item:
            if key not in _OF_ASSUME:
                raise Wrong(f"entry {number} has an unknown key '{key}'{_meant(key, _OF_ASSUME)}")
        for key in _OF_ASSUME:
            if not isinstance(item.get(key), str) or not item[key].strip():
                raise Wrong(f"entry {number} has no text as {key}; it {form}")
        if not is_name(item["target"]):
            what = "is not of the form module:name, such as shop.cart:Cart.add"
            raise Wrong(f"target '{item['target']}' {what}")
        found.append(Precondition(item["target"], item["condition"].strip(), f"assume, entry {number}"))
    return tuple(found)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise Wrong(f"must be true or false, not {_shown(value)}")
    return value


def _whole(least: int | None) -> Callable[[object], int]:
    def read(value: object) -> int:
        bound = "" if least is None else f" from {least} up"
        if isinstance(value, bool) or not isinstance(value, int) or (least is not None and value < least):
            raise Wrong(f"must be a whole number{bound}, not {_shown(value)}")
        return value

    return read


def _seconds(value: object) -> float:
    # Written so that nan is none, too.
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise Wrong(f"must be a number of seconds above 0, not {_shown(value)}")
    return float(value)


def _one_of(kind: type[MockStyle]) -> Callable[[object], MockStyle]:
    def read(value: object) -> MockStyle:
        names = [item.value for item in kind]
        if value not in names:
            raise Wrong(f"must be one of {', '.join(map(repr, names))}, not {_shown(value)}")
        return kind(value)

    return read


def _style(value: object) -> str:
    if not isinstance(value, str) or not STYLES.has(value):
        raise Wrong(f"must be one of {', '.join(map(repr, STYLES.names()))}, not {_shown(value)}")
    return value


def _criteria(value: object) -> str:
    if not isinstance(value, str):
        raise Wrong(f'must be names of criteria, such as "branch,def-use", not {_shown(value)}')
    try:
        return ",".join(criteria_in(value))
    except ValueError as error:
        raise Wrong(f"is wrong: {error}") from None


def _folder(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Wrong(f"must be the path of a folder, not {_shown(value)}")
    return value


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise Wrong('must be a list of names, such as ["requests.get"]')
    return tuple(value)


def _command(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Wrong(f'must be a command, such as "pytest -q", not {_shown(value)}')
    return value


def _permissions(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Wrong('must be a list of what targets may do, such as ["net", "write:build"]')
    try:
        Permissions.parse(value)
    except ValueError as error:
        raise Wrong(f"is wrong: {error}") from None
    return tuple(value)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (dict, list)):
        return "a table" if isinstance(value, dict) else "a list"
    return repr(value)


Reader = Callable[[object], Any]

RULES: Final[dict[str, tuple[str, Reader]]] = {
    "allow": ("allow", _patterns),
    "forbid": ("forbid", _patterns),
    "factories": ("factories", _factories),
    "assume": ("assume", _preconditions),
}
"""Keys that tell the generator what it may do: the field of `Config`, and how a value is read."""

OPTIONS: Final[dict[str, tuple[str, Reader]]] = {
    "private": ("private", _flag),
    "max-length": ("max_length", _whole(1)),
    "time-limit": ("time_limit", _seconds),
    "max-runs": ("max_runs", _whole(1)),
    "seed": ("seed", _whole(None)),
    "jobs": ("jobs", _whole(1)),
    "style": ("style", _style),
    "mock": ("mock", _one_of(MockStyle)),
    "patch": ("patch", _names),
    "no-patch": ("no_patch", _names),
    "criterion": ("criterion", _criteria),
    "learn-from": ("learn_from", _command),
    "learn-limit": ("learn_limit", _seconds),
    "permissions": ("permissions", _permissions),
    "output": ("output", _folder),
}
"""Keys that stand for options of the command line: the option's name there, and how a value is read."""
