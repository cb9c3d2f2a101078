"""An explorer process has the modules ready that it used last."""

from __future__ import annotations

from typing import Any

import pytest

from tracetwin.run.explorer import open_modules
from tracetwin.run.explorer.open_modules import OpenModules


class Module:
    is_open = True

    def close(self) -> None:
        self.is_open = False


def test_the_one_that_was_used_longest_ago_goes() -> None:
    modules = OpenModules(2)
    made: dict[int, Any] = {index: Module() for index in range(3)}
    for index in (0, 1, 0, 2):
        modules.get(index, lambda index=index: made[index])  # type: ignore[misc]
    assert [made[index].is_open for index in range(3)] == [True, False, True]
    assert modules.get(0, Module) is made[0]  # type: ignore[arg-type]
    modules.close()
    assert not any(module.is_open for module in made.values())


def test_only_one_is_kept_where_expressions_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = OpenModules(4)
    first: Any = modules.get(0, Module)  # type: ignore[arg-type]
    monkeypatch.setattr(open_modules, "MOST_NODES", 0)
    modules.get(1, Module)  # type: ignore[arg-type]
    assert not first.is_open
    assert modules.is_alone(1)
    assert not modules.is_alone(0)
