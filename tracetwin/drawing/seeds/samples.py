"""Texts that the library's parsers can read, as seeds: the solver would have to build them step by step."""

from __future__ import annotations

import ast
import base64
import datetime as dt
import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, Final
from urllib.parse import quote, quote_plus, unquote, unquote_plus

from tracetwin.analysis.evidence.documents import Documents, functions_calling
from tracetwin.analysis.evidence.expressions import FollowedExpressions
from tracetwin.analysis.sources import Source
from tracetwin.drawing.discovery.invokables import PlannedInvokable
from tracetwin.drawing.seeds.examples import texts
from tracetwin.drawing.seeds.used_patterns import UsedPatterns

MOST: Final = 8
MOST_TEXT: Final = 400
_MOST_TURNED: Final = 4

_V4: Final = ("10.0.0.1", "192.168.1.254")
_V6: Final = ("::1", "2001:db8::ff")
_STAMP: Final = dt.datetime(2024, 2, 29, 13, 30, 45)  # noqa: DTZ001 - texts without a zone

READABLE: Final[Mapping[str, tuple[str, ...]]] = {
    "urllib.parse.unquote": ("a%20b",),
    "urllib.parse.unquote_plus": ("a+b%21",),
    "ipaddress.ip_address": (_V4[0], _V6[0]),
    "ipaddress.IPv4Address": _V4,
    "ipaddress.IPv6Address": _V6,
    "ipaddress.ip_network": ("10.0.0.0/8", "::/64"),
    "ipaddress.IPv4Network": ("10.0.0.0/8", "192.168.1.0/24"),
    "ipaddress.IPv6Network": ("::/64",),
    "ipaddress.ip_interface": ("10.0.0.1/8", "::1/64"),
    "datetime.date.fromisoformat": ("2024-02-29",),
    "datetime.datetime.fromisoformat": ("2024-02-29T13:30:45",),
    "datetime.time.fromisoformat": ("13:30:45",),
    "decimal.Decimal": ("1.10", "-2E+3"),
    "fractions.Fraction": ("1/3", "0.25"),
    "textwrap.dedent": ("    a\n      b\n",),
    "html.unescape": ("&lt;a&gt; &#33;",),
}
"""By the full name of a function texts that it can read, where its twin and the solver do not find them."""


def _address(text: str) -> str:
    """The address of a network, "" where a text is none."""
    place = text.partition("/")[0]
    return place if re.fullmatch(r"\d+(\.\d+){3}|[0-9a-fA-F]*:[0-9a-fA-F:]*", place) else ""


TURNED: Final[Mapping[str, Callable[[str], str]]] = {
    "base64.urlsafe_b64decode": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "base64.b32decode": lambda text: base64.b32encode(text.encode()).decode(),
    "base64.b16decode": lambda text: base64.b16encode(text.encode()).decode(),
    "urllib.parse.quote": unquote,
    "urllib.parse.quote_plus": unquote_plus,
    "urllib.parse.unquote": lambda text: quote(text, safe=""),
    "urllib.parse.unquote_plus": quote_plus,
    "ipaddress.ip_address": _address,
    "ipaddress.IPv4Address": _address,
    "ipaddress.IPv6Address": _address,
    "html.escape": html.unescape,
    "html.unescape": html.escape,
}
"""By the full name of a function its inverse, where neither a model nor the solver knows it."""


_STAMPS: Final = ("datetime.datetime.strptime", "time.strptime")


class Samples:
    """Sample texts for the invokables of one module."""

    def __init__(self, module: ModuleType, source: Source) -> None:
        self._names = dict(vars(module))
        self._source = source
        self._patterns = UsedPatterns(self._names, source)
        self._calling = functions_calling(source, {*_STAMPS, *TURNED, *READABLE})

    def of(self, invokable: PlannedInvokable, constants: Mapping[str, Sequence[Any]]) -> list[str]:
        """Texts that what is called on behalf of an invokable can read, or finds in them, at most `MOST`."""
        calls: list[tuple[str, ast.Call, FollowedExpressions]] = []
        documents = Documents(self._source, self._names, lambda *call: calls.append(call), self._calling)
        name = invokable.definition
        if invokable.kind == "constructor":
            name = f"{invokable.owner}.__init__"
        documents.look_at(name, invokable.first_line, invokable.owner)
        rows: list[Iterable[str]] = [texts(kind, facts) for kind, facts in documents.found]
        near = [*constants.get("str", ()), *(raw.decode("latin-1") for raw in constants.get("bytes", ()))]
        near = [text for text in near if text.isascii()]
        for called, node, where in calls:
            rows += [_formatted(called, node, where), _turned(called, near), READABLE.get(called, ())]
        rows += self._patterns.texts(name, invokable.first_line, invokable.owner)
        return _in_turn(rows)


def _in_turn(rows: Iterable[Iterable[str]]) -> list[str]:
    """The first of each row, then the second of each, and so on; each text once."""
    columns: list[list[str]] = []
    for row in rows:
        for index, text in enumerate(row):
            columns[index:] = columns[index:] or [[]]
            columns[index].append(text)
    found = dict.fromkeys(text for column in columns for text in column if 0 < len(text) < MOST_TEXT)
    return list(found)[:MOST]


def _formatted(called: str, node: ast.Call, where: FollowedExpressions) -> Iterator[str]:
    """Texts that `strptime` can read, where its format is a constant."""
    if called not in _STAMPS or len(node.args) < 2:
        return
    written = node.args[1]
    form = written.value if isinstance(written, ast.Constant) else where.constant(written)
    if isinstance(form, str):
        yield _STAMP.strftime(form)


def _turned(called: str, near: Iterable[str]) -> list[str]:
    back = TURNED.get(called)
    if back is None:
        return []
    return [turned for text in near if (turned := back(text))][:_MOST_TURNED]
