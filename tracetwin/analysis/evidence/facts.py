"""Facts about one value from the code that uses it: the evidence for its type."""

from __future__ import annotations

import functools
from dataclasses import field
from typing import Any

from tracetwin.analysis.evidence.strength import Evidence, Strength
from tracetwin.support.data import dataclass

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
        frozenset(
            "read readline readlines write writelines seek tell close flush __enter__ __iter__".split()
        ),
    ),
    "binary": ("io", "BytesIO", frozenset()),  # of the same members; declarations tell the two apart
    "datetime": (
        "datetime",
        "datetime",
        frozenset(
            """year month day hour minute second microsecond tzinfo fold isoformat strftime timestamp weekday
            isoweekday isocalendar toordinal timetuple utctimetuple ctime timetz astimezone utcoffset tzname
            dst""".split()
        ),
    ),
    "date": (
        "datetime",
        "date",
        frozenset(
            """year month day isoformat strftime weekday isoweekday toordinal isocalendar timetuple
            ctime""".split()
        ),
    ),
    "time": (
        "datetime",
        "time",
        frozenset("hour minute second microsecond tzinfo fold isoformat strftime tzname dst".split()),
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

OF_FUNCTIONS = frozenset(
    "__code__ __defaults__ __kwdefaults__ __closure__ __globals__ __wrapped__ __name__ __qualname__".split()
)
"""What functions have and no value does; a class has the names only."""

OF_MOMENTS = frozenset(("date", "time", "timestamp"))
"""Methods of moments; attributes of other things have such names as well, and clocks tell the time."""

_KIND_OF = {cls: name for name, cls in BUILTINS.items() if name != "exception"}
_RARELY_MEANT = frozenset(("frozenset", "complex", "exception"))
COMMON = frozenset(dir(object))


@dataclass(eq=False)
class ValueFacts:
    """Everything seen about one value.

    Of what was parsed also the constants it is compared with (bounds are those it may not equal), its items
    by place and its lengths; of a text in it that is parsed in turn, what it is written in and what it holds.
    `specials` are what it does by syntax: iterated, measured, entered; by the name of the method behind it,
    with the facts of what that gives.
    """

    evidence: list[Evidence] = field(default_factory=list)
    named: list[tuple[Any, float]] = field(default_factory=list)
    none: bool = False
    element: ValueFacts | None = None
    key: ValueFacts | None = None
    keys: dict[Any, ValueFacts] = field(default_factory=dict)
    attributes: dict[str, ValueFacts] = field(default_factory=dict)
    methods: dict[str, ValueFacts] = field(default_factory=dict)
    arity: list[ValueFacts] = field(default_factory=list)
    rows: dict[int, ValueFacts] = field(default_factory=dict)  # of what stands in a series: items by place
    calls: int | None = None
    result: ValueFacts | None = None
    links: list[ValueFacts] = field(default_factory=list)
    is_mapping: bool = False
    values: list[Any] = field(default_factory=list)
    bounds: list[Any] = field(default_factory=list)
    places: dict[int, ValueFacts] = field(default_factory=dict)
    lengths: list[int] = field(default_factory=list)
    written: tuple[str, ValueFacts] | None = None
    specials: dict[str, ValueFacts] = field(default_factory=dict)
    is_async: bool = False  # it is called, or it is a method, and what that gives is awaited
    said: set[str] = field(default_factory=set)  # builtin types that are named, so that they do occur
    handed_on: bool = False  # it is passed to somebody
    asked: bool = False  # the code looks whether it is of some classes, so that it may be of none
    forgiven: bool = False  # what it raises where it is of another type is caught
    tested: set[str] = field(default_factory=set)  # attributes that it is asked for, so it may lack them
    keeps_any: bool = False  # attributes of names that the code does not know are set or listed
    is_item: bool = False  # it stands in a series
    maker: type | None = None  # the class whose constructor it is a parameter of

    @property
    def is_declared(self) -> bool:
        """Return whether it is said of which type it is."""
        said = any(item.strength >= Strength.DECLARED for item in self.evidence)
        return said or any(weight >= Strength.DECLARED for _, weight in self.named)

    def is_said_to_be(self, kind: str) -> bool:
        """Return whether its type is said, and may be that kind."""
        return any(item.strength >= Strength.DECLARED and kind in item.shares() for item in self.evidence)

    @property
    def is_blank(self) -> bool:
        """Return whether nothing was seen of it yet but that it is passed on."""
        seen = self.evidence or self.named or self.element or self.attributes or self.methods
        return not (seen or self.specials or self.keys or self.rows or self.calls is not None)

    def may_be(self, kinds: str, strength: Strength = Strength.USED) -> None:
        """Add evidence for kinds of values that says nothing of others."""
        self._add(Evidence(kinds, strength))

    def must_be(self, kinds: str, strength: Strength = Strength.NEEDED) -> None:
        """Add evidence for kinds of values that speaks against all others."""
        self._add(Evidence(kinds, strength, closed=True))

    def _add(self, evidence: Evidence) -> None:
        if evidence not in self.evidence:
            self.evidence.append(evidence)

    def name(self, annotation: Any, strength: Strength, share: float = 1.0) -> None:
        """Add evidence for a class or other annotation."""
        weight = strength * share
        kind = next((kind for known, kind in _KIND_OF.items() if known is annotation), None)
        if annotation is None or annotation is type(None):
            self.none = True
        elif kind is not None:
            self.may_be(kind, strength)
            self.said.add(kind)
        elif not any(known is annotation and same == weight for known, same in self.named):
            self.named.append((annotation, weight))

    def certain_class(self) -> type | None:
        """The class of a value that is made of one; None where the code leaves it open, or it is builtin."""
        named = [cls for cls, weight in self.named if isinstance(cls, type) and weight >= Strength.DECLARED]
        plain = any(item.strength >= Strength.DECLARED for item in self.evidence)
        return named[0] if len(named) == 1 and not plain else None

    def link(self, other: ValueFacts) -> None:
        """Say that another value is likely of the same type."""
        if other is not self and other not in self.links:
            self.links.append(other)
            other.links.append(self)

    def unlink(self, other: ValueFacts) -> None:
        """Take back that another value is of the same type."""
        self.links.remove(other)
        other.links.remove(self)

    def echo(self, other: ValueFacts) -> None:
        """Take over what is said of another value, whatever is learned of it later."""
        for item in other.evidence:
            self._add(item)
        known = [(id(annotation), weight) for annotation, weight in self.named]
        self.named += [one for one in other.named if (id(one[0]), one[1]) not in known]
        self.none |= other.none
        self._take_parts(other)

    def follow(self, other: ValueFacts | None) -> None:
        """Say that it is likely of the type of another value, of which it says nothing itself."""
        if other is not None and other is not self and other not in self.links:
            self.links.append(other)

    def adopt(self, other: ValueFacts) -> None:
        """Say that another value is of the same type, and alike inside where nothing is known of this one."""
        if other is self:
            return
        self.link(other)
        self._take_parts(other)

    def resemble(self, whole: ValueFacts) -> None:
        """Say that a part of a value is of the same type as the whole, of which it says nothing itself."""
        if whole is not self and whole not in self.links:
            self.links.append(whole)
            self.asked |= whole.asked
            self._take_parts(whole)

    def _take_parts(self, other: ValueFacts) -> None:
        self.element = self.element or other.element
        self.key = self.key or other.key
        self.arity = self.arity or other.arity
        self.rows.update((place, part) for place, part in other.rows.items() if place not in self.rows)
        for mine, its in ((self.keys, other.keys), (self.attributes, other.attributes)):
            for name, part in its.items():
                mine.setdefault(name, part)
        for name, part in other.methods.items():
            self.methods.setdefault(name, part)

    def elements(self) -> ValueFacts:
        """The facts of what iteration and indexing give."""
        self.element = self.element or ValueFacts(is_item=True)
        return self.element

    def share_elements(self, other: ValueFacts) -> None:
        """Say that another series has the same elements: what is done with these is done with those."""
        if self.element is not None and other.element is not None:
            self.element.adopt(other.element)
        else:
            self.element = other.element = self.element or other.elements()

    def item(self, place: int) -> ValueFacts:
        """The facts of the item at a constant place: of what stands in a series, each place has its own."""
        if place < len(self.arity):
            return self.arity[place]
        if not self.is_item or self.arity or place < 0:
            return self.elements()
        return self.rows.setdefault(place, ValueFacts())

    def shaped(self, count: int) -> list[ValueFacts]:
        """The facts of each part where it is taken apart into so many."""
        self.arity = self.arity or [self.rows.get(place) or ValueFacts() for place in range(count)]
        return self.arity

    def key_facts(self) -> ValueFacts:
        """The facts of the keys of a dict."""
        self.key = self.key or ValueFacts()
        return self.key

    def special(self, name: str, given: ValueFacts | None = None) -> ValueFacts:
        """The facts of what a special method gives; `given` where they are known."""
        return self.specials.setdefault(name, ValueFacts() if given is None else given)

    def entered(self) -> ValueFacts | None:
        """The facts of what entering it gives; None where it is not a context manager."""
        return self.specials.get("__enter__") or self.specials.get("__aenter__")

    def called(self) -> tuple[int | None, ValueFacts | None]:
        """With how many arguments it is called, and what comes back; also under its other names."""
        known = [item for item in (self, *self.links) if item.calls is not None]
        return (known[0].calls, known[0].result) if known else (self.calls, self.result)

    def at(self, key: Any) -> ValueFacts:
        """The facts of the value under a constant string key."""
        return self.keys.setdefault(key, ValueFacts())

    def meets(self, value: Any) -> None:
        """Say that the value is compared with a constant."""
        if all(repr(value) != repr(known) for known in self.values):
            self.values.append(value)

    def certainly(self) -> str:
        """The one builtin type that it can only be, "" where there is none."""
        alone = (item.shares() for item in self.evidence if item.closed and len(item.shares()) == 1)
        return next((kind for kinds in alone for kind in kinds), "")

    def vague(self) -> bool:
        """True if at most its truth is asked for."""
        parts = (self.named, self.keys, self.attributes, self.methods, self.arity, self.rows, self.specials)
        unused = not any(parts) and self.calls is None and not self.keeps_any
        return unused and all(item.kinds == "bool" for item in self.evidence)

    def empty(self) -> bool:
        """True if nothing was seen; the text of an annotation is no use of the value."""
        named = any(not isinstance(annotation, str) for annotation, _ in self.named)
        mine = self.evidence or named or self.none or self.keys or self.attributes or self.methods
        parts = self.specials or self.arity or self.rows or self.element or self.result
        return not (mine or parts or self.calls is not None or self.keeps_any)


@functools.lru_cache(maxsize=1024)
def kinds_with(name: str) -> str:
    """The set of the kinds that have a member of that name, "" where none has."""
    if name in COMMON:
        return ""
    if name in ("real", "imag", "conjugate", "numerator", "denominator"):
        return "int float > complex"
    having = [kind for kind, cls in BUILTINS.items() if hasattr(cls, name)]
    having += [kind for kind, (_, _, members) in LIBRARY.items() if name in members]
    rare = _RARELY_MEANT | {"bytes"} if "str" in having else _RARELY_MEANT
    usual = [kind for kind in having if kind not in rare]
    likely = [kind for kind in usual if kind not in ("path", "date")] or usual or having
    rest = " ".join(kind for kind in having if kind in usual and kind not in likely)
    return f"{' '.join(likely)} > {rest} >> {' '.join(kind for kind in having if kind in rare)}"


def of_moment(facts: ValueFacts) -> bool:
    """Return whether a value is asked for its day, or its seconds, as moments are."""
    return "date" in facts.methods or "timestamp" in facts.methods
