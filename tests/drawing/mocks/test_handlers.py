"""Which exceptions a mock may raise."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tracetwin.analysis.sources import read
from tracetwin.drawing.mocks.handlers import documented, handled_at, handled_now, looked_at
from tracetwin.model import recipes

MakeModule = Callable[..., ModuleType]

HEAD = """
import contextlib, json, socket
from contextlib import suppress
class Lost(Exception): pass
ERRORS = (KeyError, Lost)
"""


class Asked:
    """Something that a program uses, and that finds out what is handled there."""

    def __init__(self) -> None:
        self.handled: list[str] = []

    def poll(self, *_args: Any) -> int:
        self.handled = [error.__name__ for error in handled_now()]
        return 1

    async def wait(self) -> int:
        return self.poll()

    __enter__ = __getitem__ = poll

    def __exit__(self, *_args: object) -> None:
        pass


# what a function does with `x`, and the names of the exceptions that may come from there
CALLERS: list[tuple[str, list[str]]] = [
    ("try: x.poll()\n  except ValueError: pass", ["ValueError"]),
    (
        "try: x.poll()\n  except Exception as e: isinstance(e, (KeyError, Lost)); isinstance(e, ValueError)",
        ["KeyError", "ValueError", "Exception"],
    ),
    (
        "try: x.poll()\n  except (ValueError, KeyError): pass\n  except OSError: pass",
        ["ValueError", "OSError"],
    ),
    ("errors = (LookupError, Lost)\n  try: x.poll()\n  except errors: pass", ["LookupError"]),
    ("for error in ERRORS:\n    try: x.poll()\n    except error: pass", ["Lost"]),
    ("try: x.poll()\n  except: pass", ["Exception"]),
    (
        "try: x.poll()\n  except Exception: pass\n  except BaseException: pass",
        ["Exception", "KeyboardInterrupt"],
    ),
    ("try: x.poll()\n  except OSError: pass\n  except ConnectionError: pass", ["OSError"]),
    ("try: x.poll()\n  except ERRORS: pass", ["KeyError"]),
    ("try: x.poll()\n  except socket.timeout: pass", [socket.timeout.__name__]),
    ("try: x.poll()\n  except json.JSONDecodeError: pass", ["JSONDecodeError"]),
    ("try: x.poll()\n  except unknown.Error: pass", []),
    ("try: x.poll()\n  except x.Error: pass", []),
    ("try: 1 / 0\n  except ZeroDivisionError: x.poll()", []),
    ("try: x.poll()\n  finally: pass", []),
    ("x.poll()\n  try: pass\n  except ValueError: pass", []),
    ("with suppress(KeyError): x.poll()", ["KeyError"]),
    ("with contextlib.suppress(KeyError, Lost): x.poll()", ["KeyError"]),
    ("try: (lambda f: f())(x.poll)\n  except KeyError: pass", ["KeyError"]),
    ("try:\n    for i in range(3):\n      if x: x.poll(i)\n  except KeyError: pass", ["KeyError"]),
    ("try: helper(x)\n  except Lost: pass\ndef helper(x): x.poll()", ["Lost"]),
    (
        "try: helper(x)\n  except Lost: pass\ndef helper(x):\n  try: x.poll()\n  except OSError: pass",
        ["OSError", "Lost"],
    ),
    ("try: g(x)\n  except TimeoutError: pass\ndef g(x):\n  try: x.poll()\n  except OSError: 1", ["OSError"]),
    ("try: Box(x)\n  except Lost: pass\nclass Box:\n  def __init__(self, x): x.poll()", ["Lost"]),
    ("try:\n    with x: pass\n  except Lost: pass", ["Lost"]),
    ("try: x[1]\n  except LookupError: pass", ["LookupError"]),
]


@pytest.fixture
def make_traced(make_module: MakeModule, monkeypatch: pytest.MonkeyPatch) -> MakeModule:
    """Modules that count as the program's."""

    def make(source: str) -> ModuleType:
        module = make_module(source)
        monkeypatch.setattr(recipes, "is_traced", lambda name: name == module.__name__)
        return module

    return make


@pytest.mark.parametrize(("body", "expected"), CALLERS, ids=[body for body, _ in CALLERS])
def test_what_the_callers_handle_may_be_raised(make_traced: MakeModule, body, expected):
    module = make_traced(f"{HEAD}\ndef f(x):\n  {body}\n")
    asked = Asked()
    module.f(asked)
    assert expected == asked.handled


def test_handlers_may_be_named_by_an_attribute(make_traced: MakeModule):
    module = make_traced("""
        class Retry:
            def __init__(self, errors=(OSError, KeyError)):
                self.errors = errors
            def run(self, x):
                try:
                    x.poll()
                except self.errors:
                    pass
    """)
    asked = Asked()
    module.Retry().run(asked)
    assert ["OSError"] == asked.handled


def test_awaited_calls_count(make_traced: MakeModule):
    module = make_traced("""
        async def inner(x):
            return await x.wait()
        async def f(x):
            try:
                return await inner(x)
            except TimeoutError:
                return 1
    """)
    asked = Asked()
    asyncio.run(module.f(asked))
    assert ["TimeoutError"] == asked.handled


@pytest.mark.parametrize(
    "awaited",
    ["asyncio.wait_for(x.wait(), 5)", "asyncio.gather(inner(x), inner(x))", "asyncio.create_task(inner(x))"],
)
def test_what_a_task_raises_is_handled_where_another_awaits_it(make_traced: MakeModule, awaited: str):
    module = make_traced(f"""
        import asyncio
        async def inner(x):
            try:
                return await x.wait()
            except KeyError:
                return 2
        async def outer(x):
            return await {awaited}
        async def f(x):
            try:
                return await outer(x)
            except TimeoutError:
                return 1
    """)
    asked = Asked()
    asyncio.run(module.f(asked))
    assert (["KeyError"] if "inner" in awaited else []) + ["TimeoutError"] == asked.handled


def test_handlers_of_others_do_not_count(make_module: MakeModule):
    module = make_module("def f(x):\n  try: x.poll()\n  except KeyError: pass\n")
    asked = Asked()
    module.f(asked)
    assert [] == asked.handled


def test_all_classes_around_a_line_are_told_the_inner_ones_first(make_module: MakeModule):
    module = make_module("""
        def f(x):
            try:
                try:
                    x.poll()
                except (KeyError, ValueError):
                    pass
            except OSError:
                pass
    """)
    assert [KeyError, ValueError, OSError] == handled_at(read(module), 5, vars(module))


def test_classes_that_no_import_can_name_are_left_out(make_traced: MakeModule):
    module = make_traced("""
        def make():
            class Local(Exception): pass
            return Local
        Hidden = make()
        def f(x):
            try: x.poll()
            except Hidden: pass
    """)
    asked = Asked()
    module.f(asked)
    assert [] == asked.handled


@pytest.mark.parametrize(
    "document",
    [
        "Get.\n\nRaises:\n    KeyError: none.\n        More of it.\n    json.JSONDecodeError: bad.",
        "Get.\n\nRaises\n------\nKeyError\n    None.\njson.JSONDecodeError\n    Bad.",
        "Get.\n\n:raises KeyError: none\n:raise json.JSONDecodeError: bad",
    ],
    ids=["Google", "NumPy", "reST"],
)
def test_documentation_promises_exceptions(document):
    def poll() -> None:
        pass

    poll.__doc__ = document
    assert (KeyError, json.JSONDecodeError) == documented(poll, {"json": json})


def test_a_handler_that_only_raises_again_does_not_look(make_module: MakeModule):
    module = make_module("""
        def f(x):
            try: x.poll()
            except KeyError as error: raise ValueError from error
            except OSError as error: return error.errno
            except TimeoutError as error: return 1
    """)
    source, names = read(module), vars(module)
    assert [False, True, True] == [looked_at(source, e, names) for e in (KeyError, OSError, TimeoutError)]
