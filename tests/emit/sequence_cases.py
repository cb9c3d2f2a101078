"""Cases on `data/sequences.py`, longer than they have to be."""

from __future__ import annotations

from typing import Any

from tests.emit.support import Recipe, case, step
from tracetwin.model.case import Case, Step

MODULE = "sequences"


def new(name: str, *args: Any, bind: str = "it") -> Step:
    """An object of a class is made."""
    return step(("call", MODULE, name), *args, bind=bind)


def do(name: str, *args: Any, on: str = "it", bind: str | None = None) -> Step:
    """A method is called."""
    return step(("method", on, name), *args, bind=bind)


def var(name: str) -> Recipe:
    return Recipe("var", name)


def about(name: str, *steps: Step) -> Case:
    return case(MODULE, name, "method", *steps)


NONE = (None, None, None)
BOX = [
    about("CoinBox.add_qtr", new("CoinBox"), do("add_qtr"), do("return_qtrs"), do("add_qtr"), do("add_qtr")),
    about("CoinBox.vend", new("CoinBox"), do("return_qtrs"), do("vend")),
    about(
        "CoinBox.vend", new("CoinBox"), do("vend"), *[do("add_qtr")] * 4, do("vend"), *[do("add_qtr")] * 3,
        do("return_qtrs"), do("vend"),
    ),
    about("CoinBox.vend", new("CoinBox"), *[do("add_qtr")] * 3, do("vend")),
]  # fmt: skip
COUNTER = [
    about("Counter.check", new("Counter"), *[do("increment")] * 60, do("check")),
    about("Counter.increment", new("Counter"), do("increment"), do("increment")),
]
STACK = [
    about("Stack.pop", new("Stack"), do("push", 1), do("pop"), do("pop")),
    about("Stack.pop", new("Stack"), do("push", 12345), do("push", "a long text"), do("pop")),
    about("Stack.is_full", new("Stack"), *[do("push", 3 * n) for n in range(9)], do("is_full")),
    about("Stack.__setitem__", new("Stack"), do("push", 1), do("push", 2), do("__setitem__", 0, 7)),
    about("Stack.__delitem__", new("Stack"), do("push", 1), do("push", 2), do("__delitem__", 0)),
    about("Stack.__iadd__", new("Stack"), do("push", 1), do("__iadd__", [2, 3])),
    about("Stack.__contains__", new("Stack"), do("__iadd__", [5]), do("push", 1), do("__contains__", 5)),
    about("Stack.__getitem__", new("Stack"), do("push", 4), do("__setitem__", 0, 8), do("__getitem__", 0)),
]
CONNECTION = [
    about(
        "Connection.send", new("Connection"), do("__enter__"), do("login", bind="made"),
        do("login", bind="granted"), do("send", var("granted"), "a long text"),
    ),
    about(
        "Connection.send", new("Connection"), new("Token", 3, bind="t"), do("__enter__"), do("login"),
        do("__exit__", *NONE), do("send", var("t"), "b"),
    ),
    about("Connection.login", new("Connection"), do("__enter__"), do("__exit__", *NONE), do("login")),
]  # fmt: skip
ACCOUNT = [
    about(
        "Account.transfer", new("Account.parse", "100"), new("Account", bind="second"),
        do("deposit", 5, on="second"), do("transfer", var("second"), 40),
    ),
    about(
        "Account.transfer", new("Account"), new("Account", 3, bind="second"), step(("set", "it", "limit"), 9),
        do("transfer", var("second"), 9),
    ),
    about("Account.transfer", new("Account", 5), do("deposit", 1), do("transfer", var("it"), 1)),
    about("Account.transfer", new("Account"), new("Account", bind="b"), do("transfer", var("b"), 1)),
    about("Account.deposit", new("Account", 5), do("deposit", 1), do("deposit", 2)),
]  # fmt: skip
STATE = [
    case(
        MODULE, "last_configured", "function",
        *(step(("call", MODULE, "configure"), name) for name in ("first", "second")),
        step(("call", MODULE, "last_configured")),
    ),
]  # fmt: skip
ALL = [*BOX, *COUNTER, *STACK, *CONNECTION, *ACCOUNT, *STATE]
