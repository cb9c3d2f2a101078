"""What a parameter may be where it is of none of the classes that the code asks it for."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import discover

MakeModule = Callable[..., ModuleType]


@pytest.mark.parametrize(
    ("body", "described"),
    [
        ("if isinstance(x, str): y = [x]\n  else: y = list(x)\n  return y", "str | list[str] | None | int"),
        ("if isinstance(x, str): return [x]\n  return [one for one in x]", "str | list[str] | None | int"),
        ("return x if isinstance(x, str) else x.items()", "str | dict[str, int] | None | int"),
        ("if type(x) is str: return 1\n  return x.items()", "str | dict[str, int] | None | int"),
        ("if not isinstance(x, str): return dict(x)\n  return {}", "str | dict[str, int] | None | int"),
        (
            "if isinstance(x, str): return 1\n  elif isinstance(x, dict): return 2\n  else: return list(x)",
            "str | list[int] | dict[str, int] | None | int",
        ),
        ("if isinstance(x, str): return 1\n  return x.upper()", "str | None | int"),
        ("if isinstance(x, str): pass\n  return list(x)", "str | None | int"),
        ("if isinstance(x, (list, str)): return 1\n  return len(x)", None),
        ("def inner(x): return x if isinstance(x, str) else list(x)\n  return x.upper()", "str | None | int"),
    ],
)
def test_what_the_code_does_there_tells(body: str, described: str | None, make_module: MakeModule) -> None:
    (found,) = discover(make_module(f"def f(x='a'):\n  {body}\n"))
    plan = found.parameters[0].plan
    assert plan is not None
    if described is None:
        assert plan.describe().count("list") == 1
    else:
        assert plan.describe() == described


def test_methods_are_looked_into(make_module: MakeModule) -> None:
    source = """
        class Table:
            def put(self, rows=""):
                if isinstance(rows, str):
                    return rows
                return self._all(rows)
            def _all(self, rows):
                return rows.items()
    """
    (found,) = (item for item in discover(make_module(source)) if item.name == "put")
    assert found.parameters[0].plan is not None
    assert found.parameters[0].plan.describe() == "str | dict[str, int] | None | int"
