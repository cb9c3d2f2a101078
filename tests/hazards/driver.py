"""Does one act of a hazard, as any program would: ``python driver.py MODULE ACT``."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
from collections.abc import Callable
from typing import Any

SAMPLES = {"int": 7, "float": 7.0, "str": "seven", "bytes": b"seven", "bool": True, "list": [7]}


def main(module: str, act: str) -> None:
    """Import the module, call the act with samples of what it wants, show what comes of it."""
    del sys.path[0]
    sys.dont_write_bytecode = True
    loaded = importlib.import_module(module)
    if act != "import":
        sys.stdout.write(f"{perform(getattr(loaded, act))!r}\n")


def perform(act: Callable[..., Any]) -> object:
    """What a call gives, or what it raises; of a class, what its methods give."""
    try:
        given = call(act)
    except Exception as error:  # noqa: BLE001 - an act may raise anything
        return repr(error)
    if not inspect.isclass(act):
        return given
    methods = [getattr(given, name) for name in vars(act) if not name.startswith("_")]
    return [call(method) for method in methods if callable(method)]


def call(function: Callable[..., Any]) -> object:
    """Call with samples; go through what is given out."""
    arguments = [
        SAMPLES.get(str(getattr(parameter.annotation, "__name__", parameter.annotation)).partition("[")[0], 7)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    ]
    given = function(*arguments)
    if inspect.iscoroutine(given):
        return asyncio.run(given)
    return list(given) if inspect.isgenerator(given) else given


if __name__ == "__main__":
    main(*sys.argv[1:])
