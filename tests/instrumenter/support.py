"""The mini-language of the instrumenter's tests: before -> after, and running both."""

from __future__ import annotations

import builtins
import re
import textwrap
from types import CodeType, ModuleType
from typing import Any

from instrumenter.transform import instrument
from instrumenter.twin import Twin, site_base

NAME = "sample"


def twin_of(source: str | bytes, name: str = NAME) -> Twin:
    twin = instrument(source, name=name, filename=f"{name}.py")
    assert twin.untouched is None
    return twin


def with_indices(twin: Twin, name: str = NAME) -> str:
    """The twin's text with site ids as their indices, `#0`, `#1`."""
    base = site_base(name)
    return re.sub(r"\d{5,}", lambda found: f"#{int(found[0]) - base}", twin.source)


def assert_twin(before: str, after: str) -> None:
    """The twin of a source, written with `_` for `_tt` and `#0` for the first site."""
    expected = re.sub(r"\b_\.", "_tt.", textwrap.dedent(after))
    expected = re.sub(r"\b_(\d)\b", r"_tt\1", expected)
    twin = twin_of(textwrap.dedent(before))
    assert expected == with_indices(twin)
    compile(twin.source, "twin", "exec")


def assert_untouched(source: str) -> None:
    source = textwrap.dedent(source)
    assert source == twin_of(source).source


def outcome(source: str, code: CodeType, interface: ModuleType | None = None, prelude: str = "_tt") -> Any:
    """What running a module leaves: its names, what it recorded, or how it failed."""
    log: list[Any] = []
    space: dict[str, Any] = {"__name__": NAME, "log": log}
    if interface is not None:
        setattr(builtins, prelude, interface)
    try:
        exec(code, space)
    except BaseException as error:  # noqa: BLE001 - however a program ends is what is compared
        lines = []
        traceback = error.__traceback__
        while traceback is not None:
            lines.append((traceback.tb_frame.f_code.co_name, traceback.tb_lineno))
            traceback = traceback.tb_next
        failed: Any = (type(error), str(error), lines[1:])
    else:
        failed = None
    return log, repr(space.get("result")), failed


def assert_same_run(source: str, interface: ModuleType) -> None:
    """Original and twin record the same log, the same `result`, the same error at the same lines."""
    source = textwrap.dedent(source)
    twin = twin_of(source)
    original = outcome(source, compile(source, "sample.py", "exec"))
    traced = outcome(source, compile(twin.source, "sample.py", "exec"), interface, twin.prelude_name)
    for expected, actual in zip(original[0], traced[0], strict=False):
        assert expected == actual, f"{expected} became {actual}"
    assert original == traced, f"{original[1:]} became {traced[1:]}"
