"""Signatures of operations, in the words of `runtime.models.registry.TAKES`, read into data."""

from __future__ import annotations

import ast
import importlib
import re
from dataclasses import dataclass
from typing import Any

SCALAR_WORDS = ("int", "small", "float", "bool", "str", "bytes", "char", "digits", "spec", "name")
"""Words for values of one sort; the narrower ones make it likely that an operation succeeds."""

MANY = {"number": ("int", "float", "bool", "small"), "scalar": ("int", "float", "bool", "str", "bytes")}
"""Words that stand for several."""

CONTAINER_WORDS = ("list", "tuple", "dict", "set", "frozenset")

_TOKEN = re.compile(
    r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\[[^\]]*(?:\[[^\]]*\][^\]]*)*\]|\([^)]*\)|[^\s;'"\[(])+|;"""
)
_INNER = re.compile(r"^(\w+)\[(.*)\]$", re.DOTALL)


class SignatureError(ValueError):
    """A signature that nobody can read."""


@dataclass(frozen=True)
class Constant:
    """An argument that is always the same and never traced."""

    value: Any


@dataclass(frozen=True)
class Word:
    """A value to draw: a scalar word, or a container of such."""

    kind: str
    parts: tuple[tuple[Choice, ...], ...] = ()


Choice = Word | Constant


@dataclass(frozen=True)
class Argument:
    """One argument: what it may be, whether it may be missing, and its name if it is passed by name."""

    choices: tuple[Choice, ...]
    optional: bool
    keyword: str | None


@dataclass(frozen=True)
class Signature:
    """The arguments of one way to call an operation."""

    arguments: tuple[Argument, ...]


def signatures(text: str) -> list[Signature]:
    """All signatures in a row of `TAKES`; "()" stands for a call without arguments.

    Raises:
        SignatureError: a word is unknown.
    """
    found: list[list[Argument]] = [[]]
    for token in _TOKEN.findall(text):
        if token == ";":
            found.append([])
        elif token != "()":
            found[-1].append(_argument(token))
    return [Signature(tuple(arguments)) for arguments in found]


def _argument(token: str) -> Argument:
    optional = token.endswith("?")
    named = re.match(r"(\w+)=(?!=)", token)
    if named:
        token = token[named.end() :]
    return Argument(_choices(token), optional, named[1] if named else None)


def _choices(text: str) -> tuple[Choice, ...]:
    return tuple(choice for part in _split(text, "|") for choice in _choice(part.strip().removesuffix("?")))


def _split(text: str, separator: str) -> list[str]:
    """Split outside of quotes and brackets."""
    parts, depth, quote, start, escaped = [], 0, "", 0, False
    for place, character in enumerate(text):
        if quote:
            quote = "" if character == quote and not escaped else quote
            escaped = character == "\\" and not escaped
        elif character in "'\"":
            quote = character
        elif character in "[(":
            depth += 1
        elif character in "])":
            depth -= 1
        elif character == separator and not depth:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def _choice(text: str) -> list[Choice]:
    if text in MANY:
        return [Word(kind) for kind in MANY[text]]
    if text in SCALAR_WORDS:
        return [Word(text)]
    if text.startswith("@"):
        return [Constant(_object(text[1:]))]
    inner = _INNER.match(text)
    if inner and inner[1] in CONTAINER_WORDS:
        parts = tuple(_choices(part.strip()) for part in _split(inner[2], ",") if part.strip())
        return [Word("pair" if inner[1] == "tuple" and "," in inner[2] else inner[1], parts)]
    try:
        return [Constant(ast.literal_eval(text))]
    except (ValueError, SyntaxError):
        raise SignatureError(f"unknown word {text!r}") from None


def _object(dotted: str) -> Any:
    """The object called `module.name` or, of a builtin type, `type.name`."""
    parts = dotted.split(".")
    for length in range(len(parts) - 1, -1, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]) or "builtins")
            for part in parts[length:]:
                found = getattr(found, part)
        except (ImportError, AttributeError):
            continue
        return found
    raise SignatureError(f"there is no {dotted}")
