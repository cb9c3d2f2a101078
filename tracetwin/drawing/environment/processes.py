"""Other programs: what `subprocess` tells of them, where the target may not start any."""

from __future__ import annotations

import sys
from typing import Any, Final

from runtime.values import plain
from tracetwin.drawing.environment.sources import EnvironmentRead, Thrown, decided, reads
from tracetwin.model.recipe import list_of
from tracetwin.model.recipes import Recipe, call, lit

_TEXT: Final = ("text", "universal_newlines", "encoding", "errors")
CODES: Final = (-64, 255)
"""Return codes of programs, negative for a signal."""


@reads("subprocess", "subprocess:run", needs="subprocess", tells=True)
def run(reading: EnvironmentRead, *_command: Any, **options: Any) -> tuple[Any, Recipe]:
    """A program that has run."""
    _may_fail(reading)
    code = reading.inputs.integer(f"{reading.name}.returncode", 0, *CODES)
    streams = [_stream(reading, name, options) for name in ("stdout", "stderr")]
    if options.get("check") and code != 0:
        raise _failed(plain(code))
    made: Any = _module().CompletedProcess([], code, *streams)
    written = [lit(plain(value)) for value in (code, *streams)]
    while len(written) > 1 and written[-1] == lit(None):
        written.pop()
    return made, call("subprocess", "CompletedProcess", list_of(), *written)


@reads("subprocess", "subprocess:check_output", "subprocess:getoutput", needs="subprocess", tells=True)
def output(reading: EnvironmentRead, *_command: Any, **options: Any) -> tuple[Any, Recipe]:
    """The output of a program."""
    _may_fail(reading)
    value = _output(reading, reading.name, options, text=reading.title.endswith("getoutput"))
    return value, lit(plain(value))


@reads("subprocess", "subprocess:call", "subprocess:check_call", "os:system", needs="subprocess", tells=True)
def code_of(reading: EnvironmentRead, *_command: Any, **_options: Any) -> tuple[Any, Recipe]:
    """The return code of a program."""
    _may_fail(reading)
    low, high = (0, 0) if reading.title.endswith("check_call") else CODES
    value = reading.inputs.integer(reading.name, 0, low, high)
    return value, lit(plain(value))


def _may_fail(reading: EnvironmentRead) -> None:
    """Let the program be missing, fail, or take too long, where the target has a handler for that."""
    reading.may_raise(FileNotFoundError, PermissionError, OSError)
    module = _module()
    handled = set(reading.handled) & {module.CalledProcessError, module.TimeoutExpired}
    if module.SubprocessError in reading.handled:
        handled.add(module.CalledProcessError)
    fails = reading.title.rpartition(".")[2] in ("check_output", "check_call", "getoutput")
    if fails and module.CalledProcessError in handled and _decided(reading, "failed"):
        raise _failed(1)
    if module.TimeoutExpired in handled and _decided(reading, "late"):
        recipe = call("subprocess", "TimeoutExpired", lit("command"), lit(1))
        raise Thrown(module.TimeoutExpired("command", 1), recipe)


def _decided(reading: EnvironmentRead, how: str) -> int:
    return decided(reading.inputs, f"{reading.name}!{how}", f"{reading.title}!{how}", 2)


def _module() -> Any:
    return sys.modules["subprocess"]


def _failed(code: int) -> Thrown:
    recipe = call("subprocess", "CalledProcessError", lit(code), lit("command"))
    return Thrown(_module().CalledProcessError(code, "command"), recipe)


def _stream(reading: EnvironmentRead, name: str, options: dict[str, Any]) -> Any:
    """The content of a stream afterwards; None of one that was not caught."""
    reading.inputs.homes[f"{reading.name}.{name}"] = ""  # few look at it
    caught = options.get("capture_output") or options.get(name) == _module().PIPE
    return _output(reading, f"{reading.name}.{name}", options) if caught else None


def _output(reading: EnvironmentRead, name: str, options: dict[str, Any], *, text: bool = False) -> Any:
    if text or any(options.get(option) for option in _TEXT):
        return reading.inputs.text(name)
    return reading.inputs.octets(name)
