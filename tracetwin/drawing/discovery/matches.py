"""Matches as arguments: of the module's own regular expressions, with the groups that the code asks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from tracetwin.analysis.sources import FunctionNode
from tracetwin.drawing.objects.pattern_texts import compiled_in, matching_texts
from tracetwin.drawing.plans.matches import MatchPlan
from tracetwin.drawing.plans.plans import Plan, UnionPlan, one_of

MOST_PATTERNS: Final = 4
MOST_LOOKED_AT: Final = 400
MOST_GROUPS: Final = 10

_ASKING: Final = frozenset(("group", "start", "end", "span"))


def with_own_matches(
    plan: Plan, node: FunctionNode | None, name: str, holders: Iterable[Mapping[str, Any]]
) -> Plan:
    """The plan of a parameter in which a match of anything is one of the module's patterns."""
    if isinstance(plan, UnionPlan):
        parts = [with_own_matches(part, node, name, holders) for part in plan.plans]
        return plan if parts == [*plan.plans] else replace(plan, plans=tuple(parts))
    if node is None or not isinstance(plan, MatchPlan):
        return plan
    known = dict.fromkeys(pair for names in holders for pair in _patterns(names))
    asked = _groups(node, name)
    fitting = [pair for pair in known if _has(pair, asked)]
    said = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
    fitting.sort(key=lambda pair: -len(said & set(re.compile(*pair).groupindex)))
    matches: list[Plan] = [made for pair in fitting[:MOST_PATTERNS] for made in _matches(*pair)]
    return one_of([*matches, plan if _has((plan.pattern, plan.flags), asked) else _made_up(asked)])


def _matches(pattern: Any, flags: int) -> list[MatchPlan]:
    """Matches of a pattern: some of its texts, whose parts may be others."""
    if not isinstance(pattern, bytes):
        return [MatchPlan(pattern, text, flags) for text in matching_texts(pattern, flags)]
    texts = matching_texts(pattern.decode("latin-1"), flags)
    return [MatchPlan(pattern, text.encode("latin-1"), flags) for text in texts]


def _made_up(asked: set[str | int]) -> MatchPlan:
    """A match with the groups that are asked for, in words one after the other, of a pattern made for it."""
    names = sorted(group for group in asked if isinstance(group, str) and group.isidentifier())
    count = max([len(names), *(group for group in asked if isinstance(group, int) and group < MOST_GROUPS)])
    groups = [f"(?P<{name}>[^ ]*)" for name in names] + ["([^ ]*)"] * (count - len(names))
    return MatchPlan(" ".join(groups) or "(.*)", " ".join("abcdefghij"[: len(groups)]) or "a")


def _patterns(names: Mapping[str, Any]) -> Iterator[tuple[Any, int]]:
    """Yield patterns of str or bytes that names hold, also in containers: compiled, or with named groups."""
    for value in list(names.values())[:MOST_LOOKED_AT]:
        inner = value.values() if type(value) is dict else value if type(value) in (list, tuple) else (value,)
        for item in list(inner)[:MOST_LOOKED_AT]:
            found = compiled_in(item)
            if found is not None:
                yield found.pattern, found.flags & ~re.UNICODE
            elif type(item) is str and "(?P<" in item and _is_pattern(item):
                yield item, 0


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def _groups(node: FunctionNode, name: str) -> set[str | int]:
    """The groups that a function asks a match for: ``m.group("x", 2)``, ``m["x"]``, ``a, b = m.groups()``."""
    found: set[str | int] = set()
    for part in ast.walk(node):
        match part:
            case ast.Call(ast.Attribute(ast.Name(asked), way), args) if asked == name and way in _ASKING:
                keys: list[ast.expr] = args
            case ast.Subscript(ast.Name(asked), key) if asked == name:
                keys = [key]
            case ast.Assign([ast.Tuple(parts)], ast.Call(ast.Attribute(ast.Name(asked), "groups"))) if (
                asked == name
            ):
                keys = [ast.Constant(len(parts))]
            case _:
                continue
        values = (key.value for key in keys if isinstance(key, ast.Constant))
        found.update(value for value in values if isinstance(value, (str, int)))
    return found


def _has(pair: tuple[Any, int], groups: set[str | int]) -> bool:
    """True if a pattern has groups of these names and numbers."""
    compiled = re.compile(*pair)
    return all(
        group in compiled.groupindex if isinstance(group, str) else group <= compiled.groups
        for group in groups
    )
