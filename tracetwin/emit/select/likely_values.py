"""Values that a caller might pass: by the name of a parameter, and else by their type."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterator
from typing import Any, Final

from tracetwin.model.recipe import ScalarValue

_TEXTS: Final[dict[str, str]] = {
    "email": "ada@example.com", "mail": "ada@example.com", "user": "ada", "username": "ada",
    "login": "ada", "author": "Ada Byron", "name": "Ada", "firstname": "Ada", "lastname": "Byron",
    "surname": "Byron", "fullname": "Ada Byron", "customer": "Ada Byron", "password": "correct horse",
    "secret": "correct horse", "token": "t0ken", "url": "https://example.com/a?b=c",
    "uri": "https://example.com/a?b=c", "link": "https://example.com/a", "host": "example.com",
    "hostname": "example.com", "domain": "example.com", "scheme": "https", "protocol": "https",
    "address": "10 Main Street", "ip": "10.0.0.1", "path": "data/report.txt", "file": "report.txt",
    "filename": "report.txt", "folder": "data", "directory": "data", "dir": "data", "extension": ".txt",
    "currency": "EUR", "country": "DE", "city": "Berlin", "street": "Main Street", "zip": "10115",
    "phone": "+49 30 1234567", "language": "en", "lang": "en", "locale": "en_GB", "encoding": "utf-8",
    "charset": "utf-8", "date": "2024-02-29", "time": "13:30", "timezone": "Europe/Berlin",
    "color": "red", "colour": "red", "title": "A tale of two cities", "text": "two red apples",
    "message": "two red apples", "content": "two red apples", "body": "two red apples",
    "line": "two red apples", "word": "apple", "label": "apples", "key": "color", "tag": "fruit",
    "sep": ",", "separator": ",", "delimiter": ",", "prefix": "pre", "suffix": "ing", "version": "1.2.3",
    "id": "a7", "code": "A7", "sku": "A7", "unit": "kg", "query": "apples",
}  # fmt: skip

_INTS: Final[dict[str, int]] = {
    "port": 8080, "year": 2024, "month": 3, "day": 15, "hour": 13, "minute": 45, "second": 30, "age": 42,
    "width": 12, "height": 7, "depth": 3, "size": 5, "length": 5, "limit": 10, "maximum": 10, "max": 10,
    "minimum": 2, "min": 2, "count": 3, "quantity": 3, "number": 7, "index": 1, "position": 2, "offset": 2,
    "level": 2, "page": 3, "id": 7, "amount": 250, "price": 250, "total": 250, "timeout": 30,
    "status": 200, "weight": 70, "retries": 3, "attempts": 3,
}  # fmt: skip

_FLOATS: Final[dict[str, float]] = {
    "price": 19.99, "amount": 19.99, "cost": 19.99, "total": 49.95, "rate": 0.25, "ratio": 0.25,
    "percent": 12.5, "weight": 70.5, "height": 1.75, "width": 2.5, "length": 2.5, "timeout": 2.5,
    "temperature": 21.5, "latitude": 52.52, "longitude": 13.4, "seconds": 2.5, "radius": 2.5,
}  # fmt: skip

_PLAIN_TEXTS: Final = ("apple", "pear", "plum", "fig", "cherry", "lemon", "grape", "melon")
_PLAIN_INTS: Final = (3, 5, 7, 11, 13, 17, 19, 23)
_PLAIN_FLOATS: Final = (2.5, 1.25, 3.75, 7.5, 5.5, 4.25)

_FAKER: Final = {
    "email": "email", "mail": "email", "name": "name", "firstname": "first_name", "lastname": "last_name",
    "user": "user_name", "username": "user_name", "url": "url", "uri": "url", "host": "domain_name",
    "hostname": "domain_name", "address": "street_address", "city": "city", "street": "street_name",
    "phone": "phone_number", "country": "country_code", "currency": "currency_code",
}  # fmt: skip
"""Makers of the library faker, which is used where it is installed."""


class LikelyValues:
    """A supply of values, the same in each run."""

    def __init__(self, seed: int = 0) -> None:
        self._faker: Any = _faker(seed)

    def of(self, name: str, value: ScalarValue, number: int) -> Iterator[ScalarValue]:
        """Give values that might stand in the place of one, the most telling first.

        Equal parameters of a test get different ones by the number of values that were made before.
        """
        words = [word for word in re.split(r"[^a-z0-9]+", _spaced(name)) if word]
        if type(value) is int:
            yield from _named(_INTS, words)
            yield _PLAIN_INTS[number % len(_PLAIN_INTS)]
            yield 2
        elif type(value) is float:
            yield from _named(_FLOATS, words)
            yield _PLAIN_FLOATS[number % len(_PLAIN_FLOATS)]
        elif type(value) is str:
            yield from self._texts(words)
            yield _PLAIN_TEXTS[number % len(_PLAIN_TEXTS)]
        elif type(value) is bytes:
            yield _PLAIN_TEXTS[number % len(_PLAIN_TEXTS)].encode()

    def text(self, name: str) -> str | None:
        """Return a text that stands for a name, None for one that says nothing."""
        return next(_named(_TEXTS, [word for word in _spaced(name).split("_") if word]), None)

    def _texts(self, words: list[str]) -> Iterator[str]:
        maker = next(_named(_FAKER, words), "") if self._faker is not None else ""
        if maker:
            yield str(getattr(self._faker, maker)())
        yield from _named(_TEXTS, words)


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _named(table: dict[str, Any], words: list[str]) -> Iterator[Any]:
    """The entry of a table for a name: for all its words, or the last ones, which say what it is."""
    for place in range(len(words)):
        found = table.get("".join(words[place:]))
        if found is not None:
            yield found
            return


def _faker(seed: int) -> Any:
    if importlib.util.find_spec("faker") is None:
        return None
    made = importlib.import_module("faker").Faker()
    made.seed_instance(seed)
    return made
