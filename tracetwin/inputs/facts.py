"""What the code does with one value, and the types that this speaks for."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tracetwin.inputs import recipes
from tracetwin.inputs.guesses import (
    DictGuess,
    DuckGuess,
    FunctionGuess,
    Guess,
    RecordGuess,
    SeriesGuess,
    TupleGuess,
    TypeGuess,
)

# The order breaks ties.
BUILTINS: dict[str, type] = {
    "int": int,
    "str": str,
    "float": float,
    "list": list,
    "dict": dict,
    "bool": bool,
    "tuple": tuple,
    "set": set,
    "bytes": bytes,
    "frozenset": frozenset,
    "complex": complex,
    "exception": ValueError,
}

# Types that are imported only when something speaks for them: where they live, and what only they have.
LIBRARY: dict[str, tuple[str, str, frozenset[str]]] = {
    "file": (
        "io",
        "StringIO",
        frozenset("read readline readlines write writelines seek tell close flush".split()),
    ),
    "datetime": (
        "datetime",
        "datetime",
        frozenset("year month day hour minute second isoformat strftime timestamp weekday tzinfo".split()),
    ),
    "date": (
        "datetime",
        "date",
        frozenset("year month day isoformat strftime weekday toordinal isocalendar".split()),
    ),
    "timedelta": ("datetime", "timedelta", frozenset("days seconds microseconds total_seconds".split())),
    "path": (
        "pathlib",
        "Path",
        frozenset(
            "stem suffix name parent parts exists is_file is_dir read_text with_suffix iterdir".split()
        ),
    ),
}

_KIND_OF = {cls: name for name, cls in BUILTINS.items() if name != "exception"}
_ORDER = {name: index for index, name in enumerate((*BUILTINS, *LIBRARY, "function", "iterator"))}
_WEIGHT_OF_METHOD = {
    "bytes": 0.8,
    "frozenset": 0.5,
    "complex": 0.2,
    "path": 1.5,
    "date": 2.5,
    "exception": 0.1,
}
_COMMON = frozenset(dir(object))

# Asked of single characters more often than of whole texts. The kind "char" is a str of length one.
_OF_CHARACTERS = frozenset("isdigit isalpha isalnum isspace isupper islower isnumeric isdecimal".split())

MOST_GUESSES = 5
MOST_NESTED = 2
MOST_DEPTH = 3
LEAST_SHARE = 0.3  # of the best score: below it a type is not worth a choice


@dataclass(eq=False)
class Facts:
    """Everything seen about one value. Evidence is (weights of types, whether other types are excluded).

    Of what was parsed also the constants it is compared with (bounds are those it may not equal), its items
    by place and its lengths; of a text in it that is parsed in turn, what it is written in and what it holds.
    Of a function that is called where exceptions are caught, one of these.
    """

    evidence: list[tuple[dict[str, float], bool]] = field(default_factory=list)
    named: list[tuple[Any, float]] = field(default_factory=list)
    none: bool = False
    element: Facts | None = None
    key: Facts | None = None
    keys: dict[Any, Facts] = field(default_factory=dict)
    attributes: dict[str, Facts] = field(default_factory=dict)
    methods: dict[str, Facts] = field(default_factory=dict)
    arity: list[Facts] = field(default_factory=list)
    calls: int | None = None
    result: Facts | None = None
    links: list[Facts] = field(default_factory=list)
    is_mapping: bool = False
    values: list[Any] = field(default_factory=list)
    bounds: list[Any] = field(default_factory=list)
    places: dict[int, Facts] = field(default_factory=dict)
    lengths: list[int] = field(default_factory=list)
    written: tuple[str, Facts] | None = None
    failing: type[BaseException] | None = None

    def vote(self, exclusive: bool = False, /, **weights: float) -> None:
        """Add evidence for types; `exclusive` evidence also speaks against all others.

        The same said twice is no more evidence: how often a value is indexed does not tell its type.
        """
        if (weights, exclusive) not in self.evidence:
            self.evidence.append((weights, exclusive))

    def name(self, annotation: Any, weight: float) -> None:
        """Add evidence for a class or other annotation."""
        kind = _KIND_OF.get(annotation) if isinstance(annotation, type) else None
        if annotation is None or annotation is type(None):
            self.none = True
        elif kind is not None:
            self.vote(**{kind: weight})
        else:
            self.named.append((annotation, weight))

    def link(self, other: Facts) -> None:
        """Say that another value is likely of the same type."""
        if other is not self and other not in self.links:
            self.links.append(other)
            other.links.append(self)

    def elements(self) -> Facts:
        """The facts of what iteration and indexing give."""
        self.element = self.element or Facts()
        return self.element

    def key_facts(self) -> Facts:
        """The facts of the keys of a dict."""
        self.key = self.key or Facts()
        return self.key

    def at(self, key: Any) -> Facts:
        """The facts of the value under a constant string key."""
        return self.keys.setdefault(key, Facts())

    def meets(self, value: Any) -> None:
        """Say that the value is compared with a constant."""
        if all(repr(value) != repr(known) for known in self.values):
            self.values.append(value)

    def certainly(self) -> str:
        """The one builtin type that it can only be, "" where there is none."""
        alone = (kinds for kinds, exclusive in self.evidence if exclusive and len(kinds) == 1)
        return next((kind for kinds in alone for kind in kinds), "")

    def empty(self) -> bool:
        """Whether nothing was seen; the text of an annotation is no use of the value."""
        named = any(not isinstance(annotation, str) for annotation, _ in self.named)
        mine = self.evidence or named or self.none or self.keys or self.attributes or self.methods
        return not (mine or self.arity or self.calls is not None or self.element or self.result)


def methods_of(name: str) -> dict[str, float]:
    """The builtin types with a method of that name, weighted."""
    if name in _COMMON:
        return {}
    having = [kind for kind, cls in BUILTINS.items() if hasattr(cls, name)]
    having += [kind for kind, (_, _, members) in LIBRARY.items() if name in members]
    if name in ("real", "imag", "conjugate", "numerator", "denominator"):
        having = ["int", "float", "complex"]
    return {kind: _WEIGHT_OF_METHOD.get(kind, 3.0 - 0.1 * index) for index, kind in enumerate(having)}


class Ranking:
    """Turns facts into ranked guesses.

    `classes` maps the classes of the module to the attributes that their instances have.
    """

    def __init__(self, classes: dict[type, frozenset[str]]) -> None:
        self._classes = classes

    def guesses(self, facts: Facts | None, depth: int = 0) -> tuple[Guess, ...]:
        """The most likely types first; empty where nothing is known."""
        if facts is None or depth > MOST_DEPTH:
            return ()
        found: list[tuple[float, int, Guess]] = []
        scores = self._scores(facts, depth)
        least = max(0.5, LEAST_SHARE * max(scores.values(), default=0.0))
        for kind, score in scores.items():
            if score >= least and (guess := self._shaped(kind, facts, depth)) is not None:
                found.append((-score, _ORDER.get(kind, 99), guess))
        for index, (annotation, weight) in enumerate(_named(facts)):
            found.append((-weight, index - 50, TypeGuess(annotation)))
        found += self._by_attributes(facts, depth)
        found.sort(key=lambda item: item[:2])
        ranked: list[Guess] = []
        for _, _, guess in found:
            if guess not in ranked:
                ranked.append(guess)
        most = MOST_GUESSES if depth == 0 else MOST_NESTED
        ranked = ranked[:most]
        if facts.none and TypeGuess(None) not in ranked:
            ranked = [*ranked[: max(1, most - 1)], TypeGuess(None)]
        return tuple(ranked)

    def best(self, facts: Facts) -> str | None:
        """The name of the builtin type most spoken for."""
        return next(iter(self.kinds(facts)), None)

    def kinds(self, facts: Facts) -> list[str]:
        """The names of the types spoken for, best first."""
        scores = self._scores(facts, 0)
        least = max(0.5, LEAST_SHARE * max(scores.values(), default=0.0))
        known = sorted(scores, key=lambda kind: (-scores[kind], _ORDER.get(kind, 99)))
        return [kind for kind in known if scores[kind] >= least]

    def _scores(self, facts: Facts, depth: int) -> dict[str, float]:
        evidence = [(weights, exclusive, 1.0) for weights, exclusive in _evidence(facts)]
        seen = {id(facts)}
        ring = facts.links
        for strength in (0.6, 0.3):  # what is said of likely equals, and of theirs
            following: list[Facts] = []
            for other in ring:
                if id(other) not in seen:
                    seen.add(id(other))
                    evidence += [(weights, exclusive, strength) for weights, exclusive in _evidence(other)]
                    following += other.links
            ring = following
        if any("char" in weights for weights, _, _ in evidence):
            evidence = [({"char": w["str"], **w} if "str" in w else w, e, s) for w, e, s in evidence]
        scores: defaultdict[str, float] = defaultdict(float)
        for weights, _, strength in evidence:
            for kind, weight in weights.items():
                scores[kind] += weight * strength
        for weights, exclusive, strength in evidence:
            for kind in scores:
                if exclusive and kind not in weights:
                    scores[kind] -= 1.5 * strength
        self._adjust_to_elements(facts, scores, depth)
        return scores

    def _adjust_to_elements(self, facts: Facts, scores: dict[str, float], depth: int) -> None:
        """A str has only characters in it; a dict or set only what can be a key."""
        if facts.element is None or "str" not in scores or depth > MOST_DEPTH:
            return
        inner = self.best(facts.element) if facts.element.links or not facts.element.empty() else None
        if inner is None and not facts.element.attributes and not facts.element.keys:
            return
        if inner == "char":
            scores["str"] += 2.5
        elif inner != "str":
            scores["str"] -= 2.0

    def _shaped(self, kind: str, facts: Facts, depth: int) -> Guess | None:
        """The guess of a kind, with what is known of its inside."""
        inner = self.guesses(facts.element, depth + 1)
        match kind:
            case "char":
                return TypeGuess(str)
            case "list" | "set" | "frozenset" | "iterator":
                if kind == "list" and facts.arity and facts.element is None:
                    inner = tuple(g for part in facts.arity for g in self.guesses(part, depth + 1))[:2]
                return SeriesGuess(kind, inner)
            case "tuple":
                if facts.arity:
                    return TupleGuess(tuple(self.guesses(part, depth + 1) for part in facts.arity))
                return SeriesGuess(kind, inner)
            case "dict":
                if facts.keys:
                    return RecordGuess(
                        tuple((key, self.guesses(part, depth + 1)) for key, part in facts.keys.items())
                    )
                values = () if facts.element is facts.key else inner
                return DictGuess(self.guesses(facts.key, depth + 1), values)
            case "function":
                calls, result = _called(facts)
                failing = next((item.failing for item in (facts, *facts.links) if item.failing), None)
                count = -1 if calls is None else calls
                return FunctionGuess(count, self.guesses(result, depth + 1), failing)
            case _:
                if kind in LIBRARY:
                    return TypeGuess(recipes.lookup(*LIBRARY[kind][:2]))
                return TypeGuess(BUILTINS[kind]) if kind in BUILTINS else None

    def _by_attributes(self, facts: Facts, depth: int) -> list[tuple[float, int, Guess]]:
        """Classes of the module that have all the attributes used; else a duck."""
        used = {name for name in (*facts.attributes, *facts.methods) if name not in _COMMON}
        if not used:
            return []
        fitting = [cls for cls, known in self._classes.items() if used <= known]
        builtin = any(all(hasattr(cls, name) for name in used) for cls in BUILTINS.values())
        weight = (2.0 if builtin else 4.0) * len(used)
        found: list[tuple[float, int, Guess]] = [
            (-weight, index, TypeGuess(cls)) for index, cls in enumerate(fitting)
        ]
        known = [
            *map(frozenset, map(dir, BUILTINS.values())),
            *(members for _, _, members in LIBRARY.values()),
        ]
        if fitting or any(used <= members for members in known):
            return found
        attributes = tuple((name, self.guesses(part, depth + 1)) for name, part in facts.attributes.items())
        methods = tuple((name, self.guesses(part, depth + 1)) for name, part in facts.methods.items())
        return [(-1.5 * len(used), 90, DuckGuess(attributes, methods))]


def _evidence(facts: Facts) -> list[tuple[dict[str, float], bool]]:
    """All evidence about one value, that of its shape included."""
    evidence = list(facts.evidence)
    evidence += [
        ({**methods, "char": 3.0} if name in _OF_CHARACTERS else methods, True)
        for name in facts.methods
        if (methods := methods_of(name))
    ]
    if facts.keys:
        evidence.append(({"dict": 4.0}, True))
    if facts.arity:
        evidence.append(({"tuple": 2.5, "list": 0.6}, True))
    if facts.calls is not None:
        evidence.append(({"function": 4.0}, True))
    for name in facts.attributes:
        owners = {k: 0.7 * w for k, w in methods_of(name).items() if k not in ("list", "dict", "set")}
        if owners:
            evidence.append((owners, True))
    return evidence


def _called(facts: Facts) -> tuple[int | None, Facts | None]:
    """With how many arguments a value is called, and what comes back; also under its other names."""
    known = [item for item in (facts, *facts.links) if item.calls is not None]
    return (known[0].calls, known[0].result) if known else (facts.calls, facts.result)


def _named(facts: Facts) -> list[tuple[Any, float]]:
    """Classes spoken for by name, also through links, strongest first."""
    found = list(facts.named)
    for other in facts.links:
        found += [(annotation, weight * 0.6) for annotation, weight in other.named]
    merged: list[tuple[Any, float]] = []
    for annotation, _ in found:
        if not any(known is annotation or known == annotation for known, _ in merged):
            total = sum(weight for other, weight in found if other is annotation or other == annotation)
            merged.append((annotation, total))
    return sorted(merged, key=lambda item: -item[1])
