"""Extension modules are out of sight of twins that go on without them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import pytest

from instrumenter.hook import Patterns
from tracetwin.worker.library.fallbacks import FallbackFinder

OPTIONAL = """
def ask(finder, *given):
    try:
        return finder.find_spec(*given)
    except ImportError:
        return "hidden"
"""

NEEDED = """
def ask(finder, *given):
    try:
        return finder.find_spec(*given)
    except ImportError:
        raise RuntimeError("build it first")
"""

OTHER = """
def ask(finder, *given):
    try:
        return finder.find_spec(*given)
    except ValueError:
        return "hidden"
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name in (f"_speedups{EXTENSION_SUFFIXES[0]}", "plain.py"):
        (tmp_path / name).write_text("")
    return tmp_path


def asked(source: str, package: Path, name: str = "fast._speedups") -> Any:
    file = package / "asking.py"
    file.write_text(source)
    names: dict[str, Callable[..., Any]] = {}
    exec(compile(source, str(file), "exec"), names)
    return names["ask"](FallbackFinder(Patterns(("fast", "fast.*"))), name, [str(package)])


def test_what_is_imported_in_vain_without_harm_is_not_found(package: Path) -> None:
    assert asked(OPTIONAL, package) == "hidden"


def test_what_must_be_there_is_left_to_others(package: Path) -> None:
    assert asked(NEEDED, package) is None
    assert asked(OTHER, package) is None


def test_sources_and_modules_of_other_packages_are_left_to_others(package: Path) -> None:
    assert asked(OPTIONAL, package, "fast.plain") is None
    assert asked(OPTIONAL, package, "other._speedups") is None
