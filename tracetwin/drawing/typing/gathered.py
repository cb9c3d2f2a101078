"""All evidence about one value: what is said of it, what its shape and members tell, the classes by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tracetwin.analysis.evidence.facts import OF_FUNCTIONS, OF_MOMENTS, ValueFacts, kinds_with, of_moment
from tracetwin.analysis.evidence.strength import DISCOUNTS, Evidence, Strength, shares

# Asked of single characters more often than of whole texts. The kind "char" is a str of length one.
_OF_CHARACTERS = frozenset("isdigit isalpha isalnum isspace isupper islower isnumeric isdecimal".split())


def of_characters(item: Evidence) -> Evidence:
    """The evidence about a value that is a character: each set with `str` has `char` as well."""
    if "str" not in item.shares() or "char" in item.shares():
        return item
    return replace(item, kinds=re.sub(r"\bstr\b", "char str", item.kinds))


def evidence_of(facts: ValueFacts) -> Iterator[Evidence]:
    """All evidence about one value, that of its shape included."""
    yield from facts.evidence
    for name, part in facts.methods.items():
        kinds = "" if part.is_async else kinds_with(name)
        if name in OF_MOMENTS and of_moment(facts):
            kinds = "datetime"
        if kinds or part.is_async:
            yield _closed(f"char {kinds}" if name in _OF_CHARACTERS else kinds)
    if facts.keys:
        yield _closed("dict", Strength.PASSED)
    if facts.arity:
        yield _closed("tuple >> list")
    yield from _of_specials(facts)
    if facts.calls is not None:
        yield _closed("function", Strength.PASSED)
    if not OF_FUNCTIONS.isdisjoint(facts.attributes):
        yield _closed("function", Strength.PASSED)
    for name in facts.attributes:
        owners = " ".join(kind for kind in shares(kinds_with(name)) if kind not in ("list", "dict", "set"))
        if owners:
            yield _closed(owners)


def _of_specials(facts: ValueFacts) -> Iterator[Evidence]:
    """Of what is entered or awaited: files have methods for what is read, plain values are only wrapped."""
    if "__await__" in facts.specials:
        yield _closed("awaitable", Strength.PASSED)
    if "__anext__" in facts.specials:
        yield _closed("")
    entered = facts.entered()
    if entered is None:
        return
    methods = (*entered.methods, *facts.methods)
    if not methods:
        yield _closed("context")
    elif "__enter__" in facts.specials:
        yield _closed("file", Strength.USED)
        for name in entered.methods:
            yield _closed(kinds_with(name))


def _closed(kinds: str, strength: Strength = Strength.NEEDED) -> Evidence:
    return Evidence(kinds, strength, closed=True)


def named_classes(facts: ValueFacts, *, deep: bool) -> list[tuple[Any, float]]:
    """Classes spoken for by name, also through links, strongest first; `deep`: through those of links."""
    found = list(facts.named)
    for other in facts.links:
        found += [(annotation, weight * DISCOUNTS[0]) for annotation, weight in other.named]
        further = [one for one in other.links if one is not facts] if deep and not other.named else ()
        for third in further:
            found += [(annotation, weight * DISCOUNTS[1]) for annotation, weight in third.named]
    merged: list[tuple[Any, float]] = []
    for annotation, _ in found:
        if not any(known is annotation or known == annotation for known, _ in merged):
            total = sum(weight for other, weight in found if other is annotation or other == annotation)
            merged.append((annotation, total))
    return sorted(merged, key=lambda item: -item[1])
