"""Types ranked by the evidence for them, as guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from runtime.classes import is_subclass
from tracetwin.analysis.evidence.facts import (
    BUILTINS,
    COMMON,
    LIBRARY,
    OF_FUNCTIONS,
    OF_MOMENTS,
    ValueFacts,
    of_moment,
)
from tracetwin.analysis.evidence.strength import DISCOUNTS, LEAST_SHARE, Strength, combined
from tracetwin.drawing.plans.type_forms import LOOKING
from tracetwin.drawing.plans.wrapped import AWAITABLE, CONTEXT
from tracetwin.drawing.typing.class_names import ClassNames
from tracetwin.drawing.typing.gathered import evidence_of, named_classes, of_characters
from tracetwin.drawing.typing.guesses import (
    DictGuess,
    DuckGuess,
    FunctionGuess,
    Guess,
    RecordGuess,
    SeriesGuess,
    TupleGuess,
    TypeGuess,
    WrappedGuess,
)
from tracetwin.drawing.typing.kept_guesses import MOST_NESTED, kept
from tracetwin.drawing.typing.neighbours import Neighbours
from tracetwin.model import recipes

# The order breaks ties.
_KINDS = (*BUILTINS, *LIBRARY, "function", "iterator", "context", "awaitable")
_ORDER = {name: index for index, name in enumerate(_KINDS)}

# What objects without a class have to offer where the code uses it; all others may be builtin containers.
_OF_DUCKS = frozenset(("__enter__", "__aenter__", "__anext__"))

_GIVING_ELEMENTS = frozenset(("pop", "get"))

_OTHERS = (TypeGuess(int), TypeGuess(str))
_KNOWN_MEMBERS = {kind: frozenset(dir(cls)) for kind, cls in BUILTINS.items()} | {
    kind: members for kind, (_, _, members) in LIBRARY.items()
}
_KNOWN_ANYWHERE = frozenset().union(*_KNOWN_MEMBERS.values())
_READING = ("read", "readline", "read1", "peek")

MOST_DEPTH = 3
LEAST_TELLING = 2
"""Attributes that have to be used before a class of another module is taken for what is meant."""


_OPEN_OBJECTS: Final = (DuckGuess(()), DuckGuess((("name", (TypeGuess(str),)), ("size", (TypeGuess(int),)))))
"""Objects of which code lists the attributes, or to which it gives some: none at first, or two."""


class Ranking:
    """Turns facts into ranked guesses.

    `classes` maps the classes of the module to the attributes that their instances have; `neighbours` knows
    those of other modules.
    """

    def __init__(self, classes: dict[type, frozenset[str]], neighbours: Neighbours | None = None) -> None:
        self._classes = classes
        self._neighbours = neighbours
        self._strange = frozenset() if neighbours is None else neighbours.strange_kinds()
        self._answered: dict[tuple[ValueFacts, int, bool], tuple[Guess, ...]] = {}
        self._by_name: ClassNames | None = None

    def note_name(self, name: str, facts: ValueFacts) -> None:
        """Add the class that has the name of a parameter to its facts, if it has all that is asked of it."""
        if self._by_name is None:
            others = [] if self._neighbours is None else self._neighbours.candidates()
            self._by_name = ClassNames([*self._classes, *others], self._attributes)
        self._by_name.note(name, facts)

    def guesses(self, facts: ValueFacts | None, depth: int = 0, *, keyed: bool = False) -> tuple[Guess, ...]:
        """The most likely types first; empty where nothing is known. `keyed`: of what has a key in a dict."""
        if facts is None or depth > MOST_DEPTH:
            return ()
        if depth == 0:
            self._answered.clear()  # facts grow between questions, not within one
        key = facts, depth, keyed
        if key not in self._answered:
            self._answered[key] = self._ranked(facts, depth, _OTHERS[::-1] if keyed else _OTHERS)
        return self._answered[key]

    def _ranked(self, facts: ValueFacts, depth: int, others: Sequence[Guess]) -> tuple[Guess, ...]:
        found: list[tuple[float, int, Guess]] = []
        scores = self._scores(facts, depth)
        best = max(scores.values(), default=0.0)
        least = max(Strength.HINT, LEAST_SHARE * best)
        for kind, score in scores.items():
            if kind in ("set", "frozenset") and kind not in facts.said and score < scores.get("list", 0.0):
                continue  # it would only have an order that no test can rely on
            likely = score >= least or kind in facts.said
            if likely and (guess := self._shaped(kind, facts, depth)) is not None:
                found.append((-score, _ORDER.get(kind, 99), guess))
        held = self._held(facts, depth) if facts.named else ()
        for index, (annotation, weight) in enumerate(named_classes(facts, deep=best < Strength.USED)):
            found.append((-weight, index - 50, TypeGuess(annotation, held)))
        found += self._by_attributes(facts, depth, best)
        found.sort(key=lambda item: item[:2])
        ranked: list[Guess] = []
        for _, _, guess in found:
            if guess not in ranked:
                ranked.append(guess)
        return kept(ranked, facts, depth, others)

    def _held(self, facts: ValueFacts, depth: int) -> tuple[tuple[str, tuple[Guess, ...]], ...]:
        """Return what the attributes of an object may be, as far as something is done with them."""
        parts = [(name, part) for name, part in facts.attributes.items() if not part.empty()]
        found = [(name, self.guesses(part, depth + 1)) for name, part in parts]
        return tuple((name, guesses) for name, guesses in found if guesses)

    def best(self, facts: ValueFacts, depth: int = 0) -> str | None:
        """The name of the builtin type most spoken for; values may hold what they are held by."""
        return next(iter(self.kinds(facts, depth)), None)

    def kinds(self, facts: ValueFacts, depth: int = 0) -> list[str]:
        """The names of the types spoken for, best first."""
        scores = self._scores(facts, depth)
        least = max(Strength.HINT, LEAST_SHARE * max(scores.values(), default=0.0))
        known = sorted(scores, key=lambda kind: (-scores[kind], _ORDER.get(kind, 99)))
        return [kind for kind in known if scores[kind] >= least]

    def _settle_rows(self, facts: ValueFacts, depth: int) -> None:
        """Take what is indexed by constants for a tuple, unless it is the first item only, or of a text."""
        rows, facts.rows = facts.rows, {}
        used = facts.element or facts.arity or facts.methods or "__len__" in facts.specials
        if max(rows) and not used and all(self.best(part, depth + 1) != "char" for part in rows.values()):
            facts.arity = [rows.get(place) or ValueFacts() for place in range(max(rows) + 1)]
        elif not facts.arity:
            for part in rows.values():
                facts.elements().adopt(part)

    def _scores(self, facts: ValueFacts, depth: int) -> dict[str, float]:
        if facts.rows:
            self._settle_rows(facts, depth)
        evidence = [(item, 1.0) for item in evidence_of(facts)]
        seen = {id(facts)}
        ring = facts.links
        for discount in DISCOUNTS:  # what is said of likely equals, and of theirs
            following: list[ValueFacts] = []
            for other in ring:
                if id(other) not in seen:
                    seen.add(id(other))
                    evidence += [(item, discount) for item in evidence_of(other)]
                    following += other.links
            ring = following
        if facts.asked:  # what one branch does with it says nothing against what another does
            evidence = [(replace(item, closed=False), discount) for item, discount in evidence]
        if any("char" in item.shares() for item, _ in evidence):
            evidence = [(of_characters(item), discount) for item, discount in evidence]
        scores = combined(evidence)
        self._adjust_to_elements(facts, scores, depth)
        self._adjust_to_contents(facts, scores, depth)
        return scores

    def _adjust_to_elements(self, facts: ValueFacts, scores: dict[str, float], depth: int) -> None:
        """A str has only characters in it; a dict or set only what can be a key."""
        if facts.element is None or "str" not in scores or depth > MOST_DEPTH:
            return
        known = facts.element.links or not facts.element.empty()
        inner = self.best(facts.element, depth + 1) if known else None
        if inner is None and not facts.element.attributes and not facts.element.keys:
            return
        if inner == "char":
            scores["str"] += Strength.NEEDED
        elif inner != "str":
            scores["str"] -= Strength.USED

    def _adjust_to_contents(self, facts: ValueFacts, scores: dict[str, float], depth: int) -> None:
        """Of the two kinds of files the one that gives what is done with its contents comes first."""
        if scores.get("file", 0.0) <= 0 or depth > MOST_DEPTH:
            return
        entered = facts.entered()
        methods = {**facts.methods, **(entered.methods if entered else {})}
        if any(self.best(methods[name], depth + 1) == "bytes" for name in _READING if name in methods):
            scores["binary"] = scores["file"] + Strength.SUITS

    def _shaped(self, kind: str, facts: ValueFacts, depth: int) -> Guess | None:
        """The guess of a kind, with what is known of its inside."""
        inner = _whole(self.guesses(facts.element, depth + 1))
        match kind:
            case "char":
                return TypeGuess(str)
            case "list" | "set" | "frozenset" | "iterator":
                if kind == "list" and facts.arity:
                    parts = [g for part in facts.arity for g in self.guesses(part, depth + 1)]
                    inner = _whole(tuple(dict.fromkeys((*parts, *inner))))[:MOST_NESTED]
                return SeriesGuess(kind, inner)
            case "tuple":
                if facts.arity:
                    return TupleGuess(tuple(self.guesses(part, depth + 1) for part in facts.arity))
                return SeriesGuess(kind, inner)
            case "dict":
                if facts.keys:
                    keys = facts.keys.items()
                    return RecordGuess(
                        tuple((key, self.guesses(part, depth + 1, keyed=True)) for key, part in keys)
                    )
                values = () if facts.element is facts.key else inner
                return DictGuess(_whole(self.guesses(facts.key, depth + 1)), values)
            case _:
                return self._giving(kind, facts, depth) or _plain(kind)

    def _giving(self, kind: str, facts: ValueFacts, depth: int) -> Guess | None:
        """Guesses of what gives a value when it is called, entered or awaited."""
        match kind:
            case "function":
                calls, result = facts.called()
                is_async = any(item.is_async for item in (facts, *facts.links))
                count = -1 if calls is None else calls
                return FunctionGuess(count, self.guesses(result, depth + 1), is_async)
            case "context":
                return WrappedGuess(CONTEXT, self.guesses(facts.entered(), depth + 1))
            case "awaitable":
                return WrappedGuess(AWAITABLE, self.guesses(facts.specials.get("__await__"), depth + 1))
            case _:
                return None

    def having(self, used: set[str]) -> tuple[list[type], bool]:
        """The classes whose instances have all these attributes, and whether they are of the module."""
        own = [cls for cls, known in self._classes.items() if used <= known]
        if not own and self._neighbours is not None and len(used) >= LEAST_TELLING:
            return self._neighbours.fitting(used), False
        return own, bool(own)

    def _by_attributes(self, facts: ValueFacts, depth: int, best: float) -> list[tuple[float, int, Guess]]:
        """Classes of the module that have all the attributes used; else a duck.

        Where no builtin type has one of them these come first, whatever else is done: `best` is the weight
        of the likeliest builtin type.
        """
        entered = facts.entered()
        sources = (facts,) if entered is None else (facts, entered)
        read = {name: part for source in sources for name, part in source.attributes.items()}
        called = {name: part for source in sources for name, part in source.methods.items()}
        used = {name for name in (*read, *called) if name not in COMMON}
        if facts.asked and (rest := used - self._known_of(facts)):  # used where it is none of these
            used = rest
            read, called = ({k: v for k, v in parts.items() if k in rest} for parts in (read, called))
        used |= {name for name in facts.specials if name in _OF_DUCKS and (used or name == "__anext__")}
        if not used and facts.keeps_any:
            return [(-Strength.PASSED, place, duck) for place, duck in enumerate(_OPEN_OBJECTS, 90)]
        if not used or (used & OF_FUNCTIONS and all(map(_is_special, used))):
            return []  # a function is meant
        if used & LOOKING:
            return [(-Strength.PASSED * len(used), -1, TypeGuess(type))]
        if any(used <= self._attributes(cls) for cls, weight in facts.named if weight >= Strength.DECLARED):
            return []  # what is declared has them
        fitting, own, wraps = self._fitting(facts, used)
        later = any(part.is_async for part in called.values())
        builtin = not later and any(all(hasattr(cls, name) for name in used) for cls in BUILTINS.values())
        known = _KNOWN_ANYWHERE | (OF_MOMENTS if of_moment(facts) else frozenset())
        strange = later or any(name not in known for name in used - facts.tested)
        lead = best + Strength.HINT if strange else 0.0
        weight = max(lead, (Strength.USED if builtin else Strength.PASSED) * len(used))
        held = self._held(facts, depth) if fitting else ()
        found: list[tuple[float, int, Guess]] = [
            (-weight, index, TypeGuess(cls, held)) for index, cls in enumerate(fitting)
        ]
        holding = [kind for kind, members in _KNOWN_MEMBERS.items() if used <= members]
        if not wraps and (own or (holding and not later and not self._strange.issuperset(holding))):
            return found
        duck = self._duck(facts, depth, read, called)
        if wraps:  # what wraps another object does what that does, and needs one that wraps nothing
            return [(-weight, -1, duck), *found]
        if holding:  # classes that the module does not import: others may be like them, and say more of it
            is_said = bool(facts.evidence or facts.named or called or facts.specials)
            place = min(map(_ORDER.__getitem__, holding)) if is_said else -1
            return [*found, (-best, place, duck)]
        if found:  # it stands behind the first class of another module, which may be hard to make
            return [found[0], (-weight, 0, duck), *found[1:]]
        return [(-max(lead, Strength.SUITS * len(used)), 90, duck)]

    def _duck(
        self, facts: ValueFacts, depth: int, read: dict[str, ValueFacts], called: dict[str, ValueFacts]
    ) -> DuckGuess:
        """An object with these attributes and methods."""
        for name, part in called.items():
            if name in _GIVING_ELEMENTS and part.empty() and facts.element is not None:
                called[name] = facts.element  # as it would be of a container
        attributes = tuple((name, self.guesses(part, depth + 1)) for name, part in read.items())
        methods = (
            (name, self._result(name, part, depth)) for name, part in {**called, **facts.specials}.items()
        )
        return DuckGuess(attributes, tuple(methods))

    def _fitting(self, facts: ValueFacts, used: set[str]) -> tuple[list[type], bool, bool]:
        """The classes that have all that is used, those that are named first.

        And whether they are of the module, and whether the value is wrapped: each of them has the constructor
        that it is for, and nobody asks whether there is one, so that chains of them would have no end.
        """
        fitting, own = self.having(used)
        named = [cls for cls, _ in facts.named if used <= self._attributes(cls)]
        fitting = [*named, *(cls for cls in fitting if cls not in named)]
        is_there = not facts.none and not any("bool" in item.shares() for item in facts.evidence)
        maker = facts.maker if is_there else None
        if maker is not None:
            fitting.sort(key=lambda cls: is_subclass(cls, maker) is True)
        wraps = own and maker is not None and is_subclass(fitting[0], maker) is True
        if wraps and self._neighbours is not None and len(used) >= LEAST_TELLING:
            fitting = [*self._neighbours.fitting(used), *fitting]
        return fitting, own, wraps

    def _attributes(self, named: Any) -> frozenset[str]:
        """The attributes of the instances of a class, as far as they are known."""
        if not isinstance(named, type) or self._neighbours is None:
            return frozenset()
        return self._classes.get(named) or self._neighbours.attributes(named)

    def _known_of(self, facts: ValueFacts) -> frozenset[str]:
        """The attributes of the module's classes that a value may be of."""
        named = [cls for cls, _ in facts.named if isinstance(cls, type)]
        return frozenset().union(*(self._classes.get(cls, frozenset()) for cls in named))

    def _result(self, method: str, facts: ValueFacts, depth: int) -> tuple[Guess, ...]:
        """The guesses for the result of a duck's method; of what is iterated the elements are known."""
        found = self.guesses(facts, depth + 1)
        return (SeriesGuess("iterator", found),) if method == "__iter__" else found


def _plain(kind: str) -> Guess | None:
    """The guess of a class without parts."""
    if kind in LIBRARY:
        return TypeGuess(recipes.lookup(*LIBRARY[kind][:2]))
    return TypeGuess(BUILTINS[kind]) if kind in BUILTINS else None


def _whole(elements: tuple[Guess, ...]) -> tuple[Guess, ...]:
    """Without `float` where `int` fits better: that would be a choice for each element."""
    whole, broken = TypeGuess(int), TypeGuess(float)
    if whole not in elements or broken not in elements[elements.index(whole) :]:
        return elements
    return tuple(guess for guess in elements if guess != broken)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
