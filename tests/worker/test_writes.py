"""What bytecode tells of what code could write."""

from __future__ import annotations

import json
import types
from typing import Any

from tracetwin.worker.restore.writes import Writes, found_at, functions_of, used_as_values, writes_of

COUNT = 0


def plain(a: Any) -> Any:
    return a.x + len(a.y)


def patches() -> None:
    json.kept = 1  # type: ignore[attr-defined]
    json.JSONEncoder.item_separator = ";"
    del json.JSONEncoder.kept  # type: ignore[attr-defined]


def rebinds() -> None:
    global COUNT  # noqa: PLW0603
    COUNT = 1


def imports() -> None:
    import colorsys

    colorsys.kept = 1  # type: ignore[attr-defined]


def inner() -> Any:
    def nested(x: Any) -> None:
        x.__class__ = int

    return nested


def sets(x: Any) -> None:
    setattr(x, "__code__", 1)  # noqa: B010


def hands_over() -> None:
    setattr(json, "kept", 1)  # noqa: B010
    json.loads("1")


def of(*functions: Any) -> Writes:
    return writes_of(function.__code__ for function in functions)


def test_code_that_only_reads_writes_nothing() -> None:
    found = of(plain)
    assert (found.stored, found.places, found.imported, found.rebinds) == (set(), set(), set(), False)
    assert not found.anything
    assert found.named >= {"x", "y", "len"}


def test_stores_are_found_with_the_path_to_the_object() -> None:
    found = of(patches)
    assert found.stored == {"kept", "item_separator"}
    assert found.places == {("json",), ("json", "JSONEncoder")}
    assert found_at(globals(), ("json", "JSONEncoder")) == [json, json.JSONEncoder]
    assert found_at(globals(), ("missing", "x")) == []


def test_globals_imports_and_functions_inside() -> None:
    assert of(rebinds).rebinds
    found = of(imports)
    assert found.imported == {"colorsys"}
    assert found.places == {("import colorsys",)}
    assert of(inner).stores("__class__")


def test_names_made_at_run_time_count_where_the_text_has_them() -> None:
    assert of(sets).stores("__code__")
    assert not of(sets).stores("__class__")
    assert used_as_values([hands_over.__code__]) >= {"json", "setattr"}
    assert "json" not in used_as_values([patches.__code__]) | used_as_values([plain.__code__])


def test_every_function_of_a_module_is_found() -> None:
    module = types.ModuleType("held")
    exec("def f(): return lambda: 1\nkept = {'g': [lambda: 2]}\ninner = f()\n", vars(module))
    names = sorted(function.__qualname__ for function in functions_of([module]))
    assert names == ["<lambda>", "f", "f.<locals>.<lambda>"]
