"""A module of bills as text, and cases that are made of calls of it."""

from __future__ import annotations

import ast
from typing import Any

from tracetwin.emit.select.telling.cases import TellingCases
from tracetwin.emit.select.telling.constants import TextConstants
from tracetwin.emit.select.telling.signatures import Signatures
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.recipe import Call, Recipe, Scalar, walk

SOURCE = '''\
"""Bills."""
import datetime
import tomllib
from dataclasses import dataclass, field
from datetime import time
from decimal import Decimal
from enum import Enum
from typing import Any, Protocol

OPENS = time(7, 45)

class Status(Enum):
    OPEN = "open"
    PAID = "paid"

class Sender(Protocol):
    def send(self, text: str) -> str: ...

@dataclass
class Line:
    text: str
    amount: Decimal
    count: int = 1

@dataclass
class Bill:
    number: str
    day: datetime.date
    lines: list[Line] = field(default_factory=list)
    status: Status = Status.OPEN

    def total(self) -> Decimal: ...
    def pay(self, amount: Decimal) -> None: ...
    def find(self, key, most): ...
    def drop(self, key, least): ...

def parse(text: str) -> list[str]:
    """Parse a list such as '5, 30'."""

def same(first: str, second: str) -> bool: ...

def read(data: dict[str, Any]) -> list[str]:
    return [one["name"] for one in data.get("labels", [])]

def configure(text: str) -> None:
    data = tomllib.loads(text)
    table = data.get("service", {})
    table["host"]

def post(sender: Sender, at: datetime.datetime | None = None) -> None: ...

COLUMNS = ("name", "unit price")

def counted(first, second): ...

def limited(first, most=10): ...

def imported(text):
    rows = csv.reader(io.StringIO(text))
    return list(rows)

def opened(path, other):
    return [*csv.reader(open(path)), *csv.reader(other.open(), delimiter='"')]

def summed(lines, path):
    with open(path) as stream:
        for row in csv.DictReader(stream, delimiter=";"):
            row["kind"]
    table = csv.DictReader(lines, delimiter=";")
    return [row["kind"] for number, row in enumerate(table)]
'''
KNOWN = Signatures("bills", ast.parse(SOURCE))
MAKER = TellingCases(KNOWN, lambda target: TextConstants(ints=(14,)))


def call(target: str, *args: Recipe, **more: Any) -> Case:
    return Case("bills", target, "function", (Step(Act.CALL, "bills", target, args),), **more)


def method(name: str, *args: Recipe) -> Case:
    maker = Step(
        Act.CALL,
        "bills",
        "Bill",
        (Scalar(""), Call("datetime", "date", (Scalar(1), Scalar(1), Scalar(1)))),
        bind="bill",
    )
    return Case("bills", f"Bill.{name}", "method", (maker, Step(Act.METHOD, "bill", name, args)))


def made(case: Case, others: tuple[Case, ...] = (), most: int = 80) -> list[Case]:
    return list(MAKER.of(case.target, [case], [others] if others else [], most))


def parts(cases: list[Case]) -> list[Recipe]:
    return [part for case in cases for recipe in case.given() for part in walk(recipe)]
