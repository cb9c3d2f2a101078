"""What is done with local variables, fields and results tells of parameters where nothing is annotated."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tracetwin.drawing.discovery.planner import Planner

MakeModule = Callable[..., ModuleType]

STATEMENTS = """
    import re
    from collections import namedtuple
    from dataclasses import dataclass, field
    from datetime import date, datetime, timedelta
    from decimal import Decimal

    GRACE = timedelta(minutes=5)
    TERM = timedelta(days=30)
    RATES = [(Decimal("0.5"), "low"), (Decimal(2), "high")]
    NAMES = {"a": 1}
    Line = namedtuple("Line", "number day cents party kind")

    class Invoice:
        def __init__(self, number, debtor, issued):
            self.number = number
            self.debtor = debtor
            self.issued = issued

        @property
        def due(self):
            return self.issued + TERM

        def late(self, today):
            return today > self.due

    @dataclass
    class Booking:
        room: str
        start: datetime
        limit: timedelta = TERM
        notes: list[str] = field(default_factory=list)

        def overlaps(self, moment):
            return self.start < moment

        def age(self, now):
            return now - self.start > self.limit

    class Matcher:
        def __init__(self, invoices):
            self._invoices = {one.number: one for one in invoices}
            self._seen: dict[str, Booking] = {}

        def open(self):
            return [one for one in self._invoices.values() if one.debtor]

        def named(self, party):
            for one in self.open():
                if normalise(one.debtor) == normalise(party):
                    return one

        def is_late(self, number, when):
            return self._invoices[number].late(when)

        def is_seen(self, room):
            found = self._seen.get(room)
            return found is not None and found.room == room

        def clash(self, moment):
            return any(one.overlaps(moment) for one in self._seen.values() if one.notes)

    def normalise(name):
        return name.lower()

    def parse_amount(text):
        whole, fraction = re.fullmatch("([0-9]+),([0-9]{2})", text).groups()
        cents = int(whole) * 100 + int(fraction)
        return -cents if text.startswith("-") else cents

    def parse(text):
        lines = []
        for number, raw in enumerate(text.splitlines(), start=1):
            fields = [part.strip() for part in raw.split("|")]
            day = date.fromisoformat(fields[0])
            kind = fields[3] if len(fields) > 3 else None
            lines.append(Line(number, day, parse_amount(fields[1]), fields[2], kind))
        return lines

    def before(moment): return moment - GRACE
    def after(distance): return GRACE + distance
    def days(start, end): return (end - start).days
    def seconds(start, end): return (end - start).total_seconds()
    def within(start, end): return end - start <= GRACE
    def by(day, other): return day <= other + TERM
    def rest(one, other): return one - other
    def of_day(moment): return moment.date(), moment.time()
    def dated(entry): return entry.date
    def old(moment, now, limit=GRACE): return now - moment > limit

    def rate(spend):
        for limit, name in RATES:
            if spend >= limit:
                return name

    def half():
        return Decimal("0.5")

    def halved(amount): return amount * half()
    def counted(name, number): return NAMES[name] + number

    def waits(moment):
        limit: datetime = load()
        return moment < limit
"""


def guesses(module: ModuleType, name: str) -> dict[str, list[str]]:
    function: Any = module
    for part in name.split("."):
        function = inspect.getattr_static(function, part)
    return {key: list(map(str, some)) for key, some in Planner(module).usage.guesses(name, function).items()}


@pytest.mark.parametrize(
    ("name", "parameter", "expected"),
    [
        ("before", "moment", ["datetime", "date"]),
        ("after", "distance", ["timedelta", "datetime", "date"]),
        ("days", "start", ["date", "datetime"]),
        ("seconds", "end", ["datetime", "date"]),
        ("within", "end", ["datetime", "date"]),
        ("by", "day", ["date", "datetime"]),
        ("by", "other", ["date", "datetime"]),
        ("rest", "one", ["int", "float"]),
        ("old", "now", ["datetime", "date"]),
        ("Invoice.__init__", "debtor", ["str"]),
        ("Invoice.__init__", "issued", ["date", "datetime"]),
        ("Matcher.__init__", "invoices", ["list[Invoice]", "tuple[Invoice]"]),
        ("Booking.age", "now", ["datetime", "date"]),
        ("counted", "number", ["int", "float"]),
    ],
)
def test_a_parameter_is_what_the_code_says(
    name: str, parameter: str, expected: list[str], make_module: MakeModule
) -> None:
    assert guesses(make_module(STATEMENTS), name)[parameter] == expected


@pytest.mark.parametrize(
    ("name", "parameter", "first"),
    [
        ("of_day", "moment", "datetime"),
        ("dated", "entry", "object with date"),
        ("rate", "spend", "Decimal"),
        ("halved", "amount", "Decimal"),
        ("waits", "moment", "datetime"),
        ("Invoice.late", "today", "date"),
        ("Booking.overlaps", "moment", "datetime"),
        ("Matcher.named", "party", "str"),
        ("Matcher.is_late", "when", "date"),
        ("Matcher.is_seen", "room", "str"),
        ("Matcher.clash", "moment", "datetime"),
    ],
)
def test_a_parameter_is_most_likely_what_it_stands_beside(
    name: str, parameter: str, first: str, make_module: MakeModule
) -> None:
    assert guesses(make_module(STATEMENTS), name)[parameter][0] == first


def test_fields_of_named_tuples_are_what_calls_give_them(make_module: MakeModule) -> None:
    usage = Planner(make_module(STATEMENTS)).usage
    found = {key: str(some[0]) for key, some in usage.guesses("Line.__init__").items()}
    wanted = {"number": "int", "day": "date", "cents": "int", "party": "str", "kind": "str"}
    assert found == wanted
    assert "None" in map(str, usage.guesses("Line.__init__")["kind"])


ODD = """
    class Meta(type):
        def __eq__(cls, other): return cls is other

    class Odd(metaclass=Meta): pass

    class Shape: pass
    class Circle: pass

    class Row(tuple):
        _fields = None

    TABLE = [Odd()]
    ONE = Odd()
    NAMES = ["a", "b"]
    MIXED = {"a": 1, "b": "c"}
    ROW = Row((1, 2))

    def defaulted(one=ONE): return one
    def looked_for(one):
        for other in TABLE:
            if other == one: return 1
        for () in enumerate(one): pass
    def sliced(names): return names == NAMES[1:]
    def mixed(value): return value == MIXED["a"]
    def parse(text): return "x"
    def hidden(number, parse): return number + parse(3)
    def lines():
        yield 1
        return "x"
    def added(one): return one + lines()
    total = "text"
    def counted(one):
        total = one.days
        return total
    def local(number): return number + counted(3)
    def price(name): return name
    for name in {"a": 1, "b": 2}: price(name)

    class Visitor:
        table = {Shape: "x", Circle: "y"}
        def go(self, node, option=3): return self.table[type(node)]
"""


@pytest.mark.parametrize(
    ("name", "parameter", "first"),
    [
        ("sliced", "names", "list"),
        ("hidden", "number", "int"),
        ("added", "one", "int"),
        ("local", "number", "int"),
        ("price", "name", "str"),
        ("Visitor.go", "node", "Shape"),
        ("mixed", "value", "int"),
    ],
)
def test_what_only_looks_like_evidence_is_none(
    name: str, parameter: str, first: str, make_module: MakeModule
) -> None:
    assert guesses(make_module(ODD), name)[parameter][0].startswith(first)


def test_classes_and_loops_of_odd_kinds_end_no_analysis(make_module: MakeModule) -> None:
    module = make_module(ODD)
    assert guesses(module, "defaulted")["one"]
    assert guesses(module, "looked_for")["one"]
    assert Planner(module).usage.guesses("Row.__init__") == {}


def test_names_that_lead_to_each_other_are_followed_a_little(make_module: MakeModule) -> None:
    rounds = "".join(f"        {one} = {one} ^ {' ^ '.join('abcdef')}\n" for one in "abcdef" * 9)
    calls = "".join(f"        if e == {n}: return simplified(simplified(e))\n" for n in range(40))
    source = (
        f"\n    def mixed(a, b, c, d, e, f):\n{rounds}        return taken(a, simplified(b))\n"
        f"    def simplified(e):\n{calls}        return e\n    def taken(a, b): return a, b\n"
    )
    assert guesses(make_module(source), "taken")["a"]


def test_a_named_tuple_is_what_texts_are_taken_apart_into(make_module: MakeModule) -> None:
    module = make_module(
        """
        from collections import namedtuple
        from datetime import datetime, timedelta
        Shift = namedtuple("Shift", "who start end note")
        def read(line):
            who, begin, hours = (part.strip() for part in line.split(";"))
            start = datetime.fromisoformat(begin)
            return Shift(who, start, start + timedelta(hours=float(hours)), None)
        def rest(first, second): return (second.start - first.end).days
        """
    )
    found = Planner(module).usage.guesses("Shift.__new__")
    firsts = {name: str(some[0]) for name, some in found.items() if name != "_cls"}
    assert firsts == {"who": "str", "start": "datetime", "end": "datetime", "note": "None"}


def test_what_is_handed_through_many_functions_is_what_the_last_one_takes(make_module: MakeModule) -> None:
    module = make_module(
        """
        from datetime import timedelta
        def one(when): return two(when)
        def two(when): return three(when)
        def three(when): return four(when)
        def four(when): return five(when)
        def five(when): return six(when)
        def six(when): return when + timedelta(days=3)
        """
    )
    assert guesses(module, "six")["when"][0] == "date"
    assert "date" in guesses(module, "one")["when"]
