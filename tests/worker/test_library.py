"""The standard library's twins: what they answer, how they are found, what they leave alone."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from runtime import trace
from runtime.expr import sort_of, var
from runtime.values import plain, wrap
from tests.worker.library_twins import Library, natives, twins
from tracetwin.process.worker import Ready
from tracetwin.worker.library.corrections import corrected
from tracetwin.worker.library.modules import BEYOND, PARTS, Numbering, asked_for, source_of

NAMES = ("datetime", "fractions", "json", "urllib.parse", "string")
EXAMPLES = 60

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def native() -> Library:
    return natives(*NAMES)


@pytest.fixture(scope="module")
def twinned() -> Library:
    return twins(*NAMES)


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    yield
    trace.stop()


def _shape(value: Any) -> Any:
    """Type and text of a result; traced values count as what they stand for."""
    value = plain(value)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [_shape(part) for part in value]
    if isinstance(value, dict):
        return "dict", [(_shape(key), _shape(item)) for key, item in value.items()]
    return f"{type(value).__module__}.{type(value).__qualname__}", repr(value)


def _outcome(call: Call, library: Library, values: tuple[Any, ...]) -> Any:
    try:
        return _shape(call(library, *values))
    except Exception as error:  # noqa: BLE001 - whatever it is, the other one has to raise it as well
        return type(error).__module__, type(error).__qualname__


def _traced(place: int, value: Any) -> Any:
    return wrap(value, var(f"v{place}", sort_of(value)))


def _mutated(text: str, rng: random.Random) -> str:
    characters = list(text)
    for _ in range(rng.choice((0, 1, 1, 2))):
        place = rng.randrange(len(characters) + 1)
        characters[place : place + rng.randrange(2)] = rng.choice(
            '0123456789-:+T.,Z Wz/_%eE"\\{}[]nu\u0664\u00e9'
        )
    return "".join(characters)


# CPython's C code takes a time with one digit too many before an offset (3.11 and later).
_ODD_TIME = re.compile(r"[T ](?:[0-9:]{2,3}){1,2}[0-9][+-]")

DATES = ("2024-02-29", "20240229", "2024-W01-1", "1999-12-31", "2024-060")
TIMES = ("T12:30", "T12:30:59.123456", "T123059", "T12:30+02:00", " 04", "T24:00")
DOCUMENTS = (
    '{"a": [1, 2]}',
    '[1, -3e2, "x\\n\\u00e9", null]',
    '"\\ud83d\\ude00"',
    "-0.0",
    "NaN",
    '{"a":1,"a":2}',
)
URLS = ("http://u:p@h:80/p;x?q=1&b=2#f", "//h/p", "mailto:a@b", "http://[::1]:8080/", "x=%41+b&y")
NUMBERS = ("1/3", " 2/4", "-5/10", "1/0", "1.5e2", "7")


def _parts_of_url(lib: Library, text: str) -> list[Any]:
    url = lib.urllib_parse.urlsplit(text)
    return [url, url.geturl(), url.hostname, url.port]


def _duration(lib: Library, a: int, b: int, c: int) -> list[Any]:
    made = lib.datetime.timedelta(a, b, c)
    return [made, str(made), made.total_seconds(), bool(made), made // 7]


def _fraction(lib: Library, a: int, b: int, c: int) -> list[Any]:
    made = lib.fractions.Fraction(a, b)
    return [made + 1, made * c, made < 1, bool(made), round(made), str(made)]


TEXTS: dict[str, tuple[tuple[str, ...], Call]] = {
    "date.fromisoformat": (DATES, lambda lib, s: lib.datetime.date.fromisoformat(s)),
    "datetime.fromisoformat": (
        tuple(d + t for d in DATES[:3] for t in TIMES),
        lambda lib, s: lib.datetime.datetime.fromisoformat(s),
    ),
    "strptime": (
        ("29/02/2024 23:59:01", "01/12/1999 00:00:00"),
        lambda lib, s: lib.datetime.datetime.strptime(s, "%d/%m/%Y %H:%M:%S"),
    ),
    "json.loads": (DOCUMENTS, lambda lib, s: lib.json.loads(s)),
    "urlsplit": (URLS, _parts_of_url),
    "quote": (URLS, lambda lib, s: [lib.urllib_parse.quote(s), lib.urllib_parse.unquote(s)]),
    "parse_qs": (URLS, lambda lib, s: lib.urllib_parse.parse_qs(s)),
    "Fraction": (NUMBERS, lambda lib, s: lib.fractions.Fraction(s)),
    "Template": (
        ("$a and ${b}", "$$ $a", "$", "${"),
        lambda lib, s: lib.string.Template(s).substitute(a=s, b=1),
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_twin_makes_of_a_text_what_the_native_module_makes_of_it(name, native, twinned):
    texts, call = TEXTS[name]
    rng = random.Random(name)
    for _ in range(EXAMPLES):
        text = _mutated(rng.choice(texts), rng)
        if _ODD_TIME.search(text):
            continue
        _same(call, (text,), native, twinned)


def _same(call: Call, values: tuple[Any, ...], native: Library, twinned: Library) -> None:
    expected = _outcome(call, native, values)
    with twinned.in_place():
        assert expected == _outcome(call, twinned, values), values
        trace.start()
        assert expected == _outcome(call, twinned, tuple(_traced(*pair) for pair in enumerate(values))), (
            values
        )
        trace.stop()


ORDERED: dict[str, Call] = {
    "date": lambda lib, a, b, c: lib.datetime.date(2000 + a % 2, 1 + b % 2, 1 + c % 31),
    "datetime": lambda lib, a, b, c: lib.datetime.datetime(2000 + a % 2, 1, 31 - b % 2, 23, 0, c % 60, a),
    "time": lambda lib, a, b, c: lib.datetime.time(a % 2, b % 60, c % 60, a % 3),
    "timedelta": lambda lib, a, b, c: lib.datetime.timedelta(a % 3, b % 3, c % 3),
}


@pytest.mark.parametrize("name", ORDERED)
def test_moments_are_in_the_same_order(name, native, twinned):
    def compared(lib: Library, *values: Any) -> list[Any]:
        one, other = ORDERED[name](lib, *values[:3]), ORDERED[name](lib, *values[3:])
        return [one < other, one <= other, one == other, one != other, one > other, one >= other]

    rng = random.Random(name)
    for _ in range(EXAMPLES):
        first = [rng.randint(0, 5) for _ in range(3)]
        second = [value + rng.choice((0, 0, 0, 1, 30)) for value in first]
        _same(compared, (*first, *second), native, twinned)


INTS: dict[str, Call] = {
    "date": lambda lib, a, b, c: lib.datetime.date(a % 3000, b % 15, c % 35).isoformat(),
    "arithmetic": lambda lib, a, b, c: lib.datetime.date(2000 + b, 1, 1) - lib.datetime.timedelta(c, a),
    "duration": _duration,
    "fraction": _fraction,
    "dumps": lambda lib, a, b, c: lib.json.dumps({"a": [a, b], "b": c}),
}


@pytest.mark.parametrize("name", INTS)
def test_a_twin_makes_of_numbers_what_the_native_module_makes_of_them(name, native, twinned):
    rng = random.Random(name)
    for _ in range(EXAMPLES):
        values = tuple(rng.choice((rng.randint(-5, 40), rng.randint(-5000, 5000))) for _ in range(3))
        _same(INTS[name], values, native, twinned)


def test_classes_of_a_twin_are_called_as_the_native_ones(native, twinned):
    for name in ("date", "datetime", "time", "timedelta", "timezone"):
        assert repr(getattr(native.datetime, name)) == repr(getattr(twinned.datetime, name))
    assert "json.decoder" == twinned.json.JSONDecodeError.__module__


def test_conditions_on_a_date_speak_of_its_parts(twinned):
    current = trace.start()
    made = twinned.datetime.date(*map(_traced, (0, 1, 2), (2000, 5, 6)))
    assert made != twinned.datetime.date(2024, 2, 29)
    assert {"v0", "v1", "v2"} <= {name for node, *_ in current.path for name in node.names}
    assert {} == current.losses


def test_native_modules_and_accelerators_stay_where_they_were(native, twinned):
    assert sys.modules["datetime"] is native.datetime
    assert isinstance(sys.modules["_datetime"], ModuleType)
    assert native.datetime.date is not twinned.datetime.date


def test_what_a_source_asks_for():
    source = (
        b"import json, os.path as p\nfrom urllib import parse\ndef f():\n    from decimal import Decimal\n"
    )
    found = asked_for(source)
    assert {"json", "json.decoder", "urllib.parse", "decimal"} <= set(found)
    assert "datetime" not in found
    assert {"datetime", "_strptime"} <= set(asked_for(b"from datetime import (\n    date,\n)\n"))


@pytest.mark.parametrize("name", PARTS)
def test_a_corrected_source_still_compiles(name):
    source = corrected(name, Path(source_of(name)).read_bytes())
    compile(source, name, "exec", dont_inherit=True)
    assert b"lru_cache(" not in source.replace(b"functools.lru_cache(maxsize", b"")


def test_sites_of_the_library_are_told_from_those_of_the_program():
    from instrumenter.twin import site_base

    number = Numbering(["datetime"]).number
    assert number(site_base("datetime") + 5) < BEYOND
    assert number(-7, ("datetime", 3)) < BEYOND
    assert site_base("target") + 5 == number(site_base("target") + 5)
    assert -7 == number(-7, ("target", 3))


SOURCE = """
    import datetime

    def look():
        return hasattr(datetime.date, "_cmp"), datetime.date.__module__
    """


@pytest.mark.parametrize("python", [True, False])
def test_a_worker_loads_the_listed_modules(make_worker, python):
    from tracetwin.run.module_facts import cache_folder

    listed = ("datetime",) if python else ()
    worker = make_worker(SOURCE, patterns=("target",), cache=cache_folder(), library=listed)
    assert isinstance(worker.start(), Ready)
    assert ("returned", (python, "datetime")) == worker.request(("look", ()))


def test_where_c_code_asks_for_the_inside_a_module_is_loaded_as_it_is(make_worker):
    from tracetwin.run.module_facts import cache_folder

    asking = SOURCE.replace(
        "import datetime\n", "import datetime\n    getattr(datetime, 'datetime_CAPI', None)\n", 1
    )
    worker = make_worker(asking, patterns=("target",), cache=cache_folder(), library=("datetime",))
    assert isinstance(worker.start(), Ready)
    assert ("returned", (False, "datetime")) == worker.request(("look", ()))
    assert 2 == worker.starts


def test_c_code_that_does_not_look_at_the_answer_gets_one(make_worker):
    from tracetwin.run.module_facts import cache_folder

    asking = "import datetime\nassert datetime.datetime_CAPI\ndef look(): return 'here'\n"
    worker = make_worker(asking, patterns=("target",), cache=cache_folder(), library=("datetime",))
    assert isinstance(worker.start(), Ready)
    assert ("returned", "here") == worker.request(("look", ()))
    assert 2 == worker.starts
