"""Example documents: values that a parsed text may stand for, and the texts."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final
from urllib.parse import quote_plus

from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.drawing.typing.ranking import Ranking

MOST_EXAMPLES: Final = 4
_MOST_DEPTH: Final = 4
_LEAVES: Final[dict[str, Any]] = {"int": 1, "str": "a", "char": "a", "float": 1.5, "bool": True}
_ANYTHING: Final = ("a", 1, True)
_ANY_DOCUMENT: Final = ({"a": 1}, [1, "a", None], "a", 1.5)
_RANKING: Final = Ranking({})


def texts(kind: str, facts: ValueFacts) -> list[str]:
    """Some texts of a kind that the code may go on with, the likeliest first."""
    made = [_text(kind, facts, variant) for variant in range(MOST_EXAMPLES)]
    return list(dict.fromkeys(text for text in made if text))


def _text(kind: str, facts: ValueFacts, variant: int) -> str:
    if kind == "url":
        known = {name: part for name, part in facts.attributes.items() if part.values or part.written}
        return _url({name: str(_example(part, variant, _MOST_DEPTH)) for name, part in known.items()})
    return _AS_TEXT[kind](_example(facts, variant, 0))


def _example(facts: ValueFacts, variant: int, depth: int) -> Any:
    """A value of which this is known, another one for another variant."""
    if facts.written is not None:
        return _text(*facts.written, variant)
    choices = _choices(facts, depth)
    return choices[variant % len(choices)](variant // len(choices))


def _choices(facts: ValueFacts, depth: int) -> list[Callable[[int], Any]]:
    """Ways to make a value, each of a variant."""
    kinds = _RANKING.kinds(facts)
    leading = (["dict"] if facts.keys else []) + kinds[:2]
    found: list[Callable[[int], Any]] = []
    if depth < _MOST_DEPTH and "dict" in leading:
        found.append(lambda variant: _dict(facts, variant, depth))
    if depth < _MOST_DEPTH and ("list" in leading or _has_places(facts)):
        found.append(lambda variant: _list(facts, variant, depth))
        found = found if facts.keys or leading[:1] == ["dict"] else found[::-1]
    values = list(facts.values)
    if not found and not values:
        values = [_LEAVES[kind] for kind in kinds if kind in _LEAVES]
    values += [not value for value in values if type(value) is bool and (not value) not in values]
    values += facts.bounds
    if facts.none:
        values.append(None)
    known: list[Callable[[int], Any]] = [partial(_itself, value) for value in values]
    found = found + known if _is_looked_into(facts) else known + found
    return found or [partial(_itself, value) for value in (_ANYTHING if depth else _ANY_DOCUMENT)]


def _itself(value: Any, _: int) -> Any:
    return value


def _is_looked_into(facts: ValueFacts) -> bool:
    return bool(facts.keys or facts.element or facts.key) or _has_places(facts)


def _has_places(facts: ValueFacts) -> bool:
    return bool(facts.places or facts.arity) or bool(facts.lengths)


def _dict(facts: ValueFacts, variant: int, depth: int) -> dict[str, Any]:
    if facts.keys:
        return {str(key): _example(inner, variant, depth + 1) for key, inner in facts.keys.items()}
    element = facts.element or ValueFacts()
    if element.keys and not (facts.key and facts.key.values):  # two, so that their order may matter
        return {key: _example(element, variant + n, depth + 1) for n, key in enumerate(("b", "a"))}
    key = _example(facts.key, variant, _MOST_DEPTH) if facts.key is not None else "a"
    return {str(key): _example(element, variant, depth + 1)}


def _list(facts: ValueFacts, variant: int, depth: int) -> list[Any]:
    places = dict(enumerate(facts.arity)) if facts.arity else facts.places
    length = facts.lengths[variant % len(facts.lengths)] if facts.lengths else 1
    length = max([length, *(place + 1 for place in places)])
    rest = facts.element or ValueFacts()
    return [_example(places.get(place, rest), variant, depth + 1) for place in range(length)]


def _json(value: Any) -> str:
    return json.dumps(value, skipkeys=True, default=str)  # constants may be of any type


def _toml(value: Any) -> str:
    """A document of tables: what stands in none comes first."""
    tables = _tables(value, ()) if isinstance(value, dict) else [((), {"a": 1})]
    return "\n".join(_table(place, rows) for place, rows in tables)


def _tables(value: dict[str, Any], place: tuple[str, ...]) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    """The values of a table that are none, and the tables in it."""
    inner = {key: one for key, one in value.items() if isinstance(one, dict)}
    own = {key: one for key, one in value.items() if key not in inner and one is not None}
    rest = [table for key, one in inner.items() for table in _tables(one, (*place, key))]
    return [(place, own), *rest] if own or not inner else rest


def _table(place: tuple[str, ...], rows: dict[str, Any]) -> str:
    head = f"[{'.'.join(map(_toml_key, place))}]\n" if place else ""
    return head + "".join(f"{_toml_key(key)} = {_toml_value(one)}\n" for key, one in rows.items())


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{_toml_key(key)} = {_toml_value(one)}" for key, one in value.items() if one is not None)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml_value(one) for one in value if one is not None)}]"
    return json.dumps(value, default=str)


def _toml_key(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else json.dumps(key)


def _query(value: Any) -> str:
    """A query: of each key the first of its values."""
    if not isinstance(value, dict):
        return "a=1&b=2"
    return "&".join(f"{quote_plus(key)}={quote_plus(str(_first(item)))}" for key, item in value.items())


def _first(item: Any) -> Any:
    return item[0] if isinstance(item, (list, tuple)) and item else item


def _url(parts: dict[str, str]) -> str:
    """An address of which the code looks at these parts."""
    place = parts.get("netloc") or parts.get("hostname") or "host"
    place += f":{parts['port']}" if "port" in parts and "netloc" not in parts else ""
    place = f"{parts['username']}:{parts.get('password', '')}@{place}" if "username" in parts else place
    path = "/" + parts.get("path", "").lstrip("/")
    path += f"?{parts['query']}" if "query" in parts else ""
    path += f"#{parts['fragment']}" if "fragment" in parts else ""
    return f"{parts.get('scheme') or 'http'}://{place}{path}"


def _series(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else ["a", 1]


def _rows(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [["a", 1]]


def _records(value: Any) -> str:
    """A table whose first line holds the names of the columns."""
    rows = [row for row in _series(value) if isinstance(row, dict)] or [{"a": 1}]
    return "".join(map(_row, [list(rows[0]), *(list(row.values()) for row in rows)]))


def _row(cells: Iterable[Any]) -> str:
    return ",".join(map(_cell, cells)) + "\n"


def _cell(value: Any) -> str:
    text = str(value)
    quoted = any(mark in text for mark in ',"\n')
    return '"' + text.replace('"', '""') + '"' if quoted else text


_AS_TEXT: Final[dict[str, Callable[[Any], str]]] = {
    "json": _json,
    "toml": _toml,
    "query": _query,
    "words": lambda value: shlex.join(str(_first(word)) for word in _series(value)),
    "rows": lambda value: "".join(_row(_series(row)) for row in _rows(value)),
    "records": _records,
}
