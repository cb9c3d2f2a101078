"""Which lines of an original a call executes. Also a program: one question per line of its standard input.

A question is a JSON list [module, function, arguments as an expression, names that it needs as
[module, name] pairs]; the answer is a JSON list of line numbers, or null where the expression can't be
evaluated. The functions are imported from the folder in the first argument.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import json
import signal
import sys
from types import FrameType
from typing import Any

SECONDS = 2
"""How long one call may take."""

OTHER_MODULES = ("datetime", "decimal", "fractions", "math", "collections")


class _TooLong(BaseException):
    """A call did not end in time."""


def lines_executed(module: str, function: str, arguments: str, names: list[list[str]]) -> list[int] | None:
    """The lines of the module that ``function(arguments)`` executes; None where that can't be evaluated.

    Args:
        module: importable name of the original.
        function: what to call in it.
        arguments: what stands between the parentheses of the call.
        names: modules and names in them that the arguments need.
    """
    loaded = importlib.import_module(module)
    scope: dict[str, Any] = {**vars(builtins), "nan": float("nan"), "inf": float("inf")}
    scope.update(_modules())
    scope.update(vars(loaded))
    for home, name in names:
        scope.setdefault(name.partition(".")[0], _named(home, name.partition(".")[0]))
    called = _evaluated(arguments, scope) or _evaluated(arguments, {**scope, **_modules()})
    return None if called is None else _traced(vars(loaded)[function], *called, str(loaded.__file__))


def _modules() -> dict[str, Any]:
    return {name: importlib.import_module(name) for name in OTHER_MODULES}


def _evaluated(arguments: str, scope: dict[str, Any]) -> tuple[Any, Any] | None:
    """Positional and named arguments; `datetime` in them may be the class or the module."""
    scope["_collect"] = lambda *args, **kwargs: (args, kwargs)
    try:
        called: tuple[Any, Any] = eval(f"_collect({arguments})", scope)  # noqa: S307 - our own, or CrossHair's
    except (NameError, SyntaxError, TypeError, ValueError, AttributeError, ArithmeticError):
        return None
    return called


def _named(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name, None)


def _traced(function: Any, args: Any, kwargs: Any, file: str) -> list[int]:
    lines: set[int] = set()

    def follow(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        if event == "line":
            lines.add(frame.f_lineno)
        return follow

    def stop(*_: Any) -> None:
        raise _TooLong

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    sys.settrace(follow)
    try:
        with contextlib.suppress(Exception, _TooLong):  # how a call ends is not the question here
            function(*args, **kwargs)
    finally:
        sys.settrace(None)
        signal.alarm(0)
    return sorted(lines)


def main() -> None:
    """Answer questions until there are no more."""
    sys.path.insert(0, sys.argv[1])
    for question in sys.stdin:
        print(json.dumps(lines_executed(*json.loads(question))), flush=True)


if __name__ == "__main__":
    main()
