"""Functions under `lru_cache` elsewhere forget what a run taught them."""

from __future__ import annotations

import functools
import sys
import types

import pytest

from tracetwin.worker.restore.caches import Caches


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    module = types.ModuleType("some_other_library")

    class Kind:
        __module__ = "some_other_library"

        @staticmethod
        def plain() -> int:
            return 1

    Kind.learns = functools.lru_cache(lambda n: [n])  # type: ignore[attr-defined]
    module.Kind = Kind  # type: ignore[attr-defined]
    module.width = functools.lru_cache(lambda n: [n])  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "some_other_library", module)
    return module


def test_what_was_learnt_since_is_forgotten(library: types.ModuleType) -> None:
    caches = Caches()
    first = library.width(1), library.Kind.learns(1)
    caches.forget()
    assert library.width(1) is not first[0]
    assert library.Kind.learns(1) is not first[1]


def test_modules_that_are_imported_later_are_found(
    library: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "some_other_library")
    caches = Caches()
    monkeypatch.setitem(sys.modules, "some_other_library", library)
    first = library.width(1)
    caches.forget()
    assert library.width(1) is not first


def test_the_library_of_the_language_keeps_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("shlex")
    module.width = functools.lru_cache(lambda n: [n])  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "shlex", module)
    caches = Caches()
    first = module.width(1)
    caches.forget()
    assert module.width(1) is first
    traced = Caches(["shlex"])
    module.width(2)
    traced.forget()
    assert module.width(1) is not first
