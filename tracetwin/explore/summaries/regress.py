"""Weakest conditions before a path, so that a condition holds after it; their distance from a new object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

from runtime.expr import FALSE, Node, var
from tracetwin.explore.summaries.logic import Condition, Reasoner, Substitution
from tracetwin.explore.summaries.repeats import Repeated, names_wanted, repeated
from tracetwin.explore.summaries.summary import CONSTRUCTOR, MethodPath, Summaries
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class CallTurn:
    """A path, or many turns of one, with its parameters renamed apart from those of other calls.

    Attributes:
        after: values after it, over those before.
        put_in: puts these in the place of attributes.
        times: how often it is taken: a variable, or None for once.
    """

    before: Condition
    after: Mapping[str, Node]
    put_in: Substitution
    times: Node | None = None


class Regressor:
    """Goes from conditions after paths to those before them; what is asked again is not computed again."""

    def __init__(self, summaries: Summaries) -> None:
        self._summaries = summaries
        self._reasoner: Reasoner = summaries.reasoner
        self._turns: dict[tuple[int, int], tuple[CallTurn, list[CallTurn]]] = {}
        self._changes: dict[int, frozenset[str]] = {}
        self._made: dict[int, CallTurn] = {}
        self._wanted: dict[Condition, frozenset[str]] = {}
        self._possible: dict[Condition, bool] = {}
        self._paths: list[MethodPath] = []  # kept, so that no identity is used twice

    def wanted(self, condition: Condition) -> frozenset[str]:
        """The attributes that a condition speaks of."""
        found = self._wanted.get(condition)
        if found is None:
            found = self._wanted[condition] = names_wanted(condition)
        return found

    def changes(self, path: MethodPath) -> frozenset[str]:
        """The variables that a path gives another value."""
        found = self._changes.get(id(path))
        if found is None:
            self._paths.append(path)
            names = (name for name, value in path.after.items() if value is not var(name, value.sort))
            found = self._changes[id(path)] = frozenset(names)
        return found

    def touches(self, path: MethodPath, condition: Condition) -> bool:
        """Return whether a condition may be another one before a path than after it."""
        return any(
            name not in path.after or name in self.changes(path) for name in self.wanted(condition)
        )

    def turns(self, path: MethodPath, tag: int) -> tuple[CallTurn, list[CallTurn]]:
        """A path once, and the ways to take it many times; `tag` sets its parameters apart."""
        key = (id(path), tag)
        found = self._turns.get(key)
        if found is None:
            self._paths.append(path)
            own = _renamed(path, tag, self._summaries.receiver)
            names = self.changes(path)
            many = [_many(again) for again in repeated(own, f"@{tag}#", names, self._reasoner)]
            once = CallTurn(own.condition, own.after, _putting(own.after))
            found = self._turns[key] = (once, many)
        return found

    def made(self, path: MethodPath) -> CallTurn:
        """A path of the receiver's making."""
        found = self._made.get(id(path))
        if found is None:
            self._paths.append(path)
            found = self._made[id(path)] = CallTurn(path.condition, path.after, _putting(path.after))
        return found

    def before(self, turn: CallTurn, condition: Condition) -> Condition:
        """Return the condition before a turn, so that `condition` holds after it."""
        return self._reasoner.canonical((*map(turn.put_in, condition), *turn.before))

    def lost(self, turn: CallTurn, condition: Condition) -> str:
        """An attribute in a condition that a turn leaves in a way that can't be said, "" if there is none."""
        return min((name for name in self.wanted(condition) if name not in turn.after), default="")

    def is_made(self, condition: Condition) -> bool:
        """Return whether a new receiver can have what a condition asks of attributes that never change."""
        fixed = tuple(node for node in condition if self._is_fixed(node))
        if not fixed:
            return True
        found = self._possible.get(fixed)
        if found is None:
            made = [self.made(path) for path in self._summaries.of(CONSTRUCTOR).usable()]
            found = self._possible[fixed] = any(
                self.lost(turn, fixed) or self._reasoner.possible(self.before(turn, fixed)) for turn in made
            )
        return found

    def _is_fixed(self, node: Node) -> bool:
        """Return whether a conjunct speaks of attributes, and only of such that no word changes."""
        names = [name for name in node.names if name.startswith("self.")]
        return bool(names) and self._changing.isdisjoint(names)

    @cached_property
    def _changing(self) -> frozenset[str]:
        """The attributes that some word changes, or may change."""
        paths = [path for word in self._summaries.words for path in self._summaries.of(word).usable()]
        known = {name for path in paths for name in path.after}
        lost = {name for path in paths for name in known if name not in path.after}
        return frozenset(lost).union(*(self.changes(path) for path in paths))

    def distance(self, condition: Condition) -> int:
        """How many conjuncts a new object certainly does not meet, however it is made."""
        made = self._summaries.of(CONSTRUCTOR).usable()
        counts = [sum(self.made(path).put_in(node) is FALSE for node in condition) for path in made]
        return min(counts, default=0)


def _putting(after: Mapping[str, Node]) -> Substitution:
    def value(name: str, node: Node) -> Node | None:
        if not name.startswith("self."):
            return node
        found = after.get(name)
        return found if found is not None and found.sort is node.sort else None

    return Substitution(value)


def _many(again: Repeated) -> CallTurn:
    return CallTurn(again.condition, again.after, _putting(again.after), again.times)


def _renamed(path: MethodPath, tag: int, receiver: str) -> MethodPath:
    """A path with its parameters apart from those of other calls; the constructor's keep their names."""
    common = ("self.", f"{receiver}.", f"{receiver}?")

    def own(name: str, node: Node) -> Node:
        return node if name.startswith(common) else var(f"@{tag}.{name}", node.sort)

    rename: Callable[[Node], Node] = Substitution(own)
    return replace(
        path,
        condition=tuple(rename(node) for node in path.condition),
        after={name: rename(value) for name, value in path.after.items()},
    )

