"""Parameters of constructors that hold what their object wraps: something that does what it does."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.objects.constructors import constructor_parameters

MakeModule = Callable[..., ModuleType]

WRAPPER = """
class Retrying:
    def __init__(self, inner): self._inner = inner
    def send(self, message): return self._inner.send(message)
    def close(self): self._inner.close()
"""

NODE = """
class Node:
    def __init__(self, value, following{default}):
        self.value = value
        self.following = following
    def total(self): return self.value + {rest}
"""


def described(module: ModuleType, name: str) -> list[str]:
    planner, cls = Planner(module), getattr(module, name)
    parameters = constructor_parameters(planner, cls, planner.scope(None, cls), 0)
    return [str(item.plan and item.plan.describe()) for item in parameters]


def test_what_is_wrapped_is_an_object_that_has_what_is_asked_of_it(make_module: MakeModule) -> None:
    (inner,) = described(make_module(WRAPPER), "Retrying")
    assert inner.startswith("object with send, close | Retrying")


@pytest.mark.parametrize(
    ("default", "rest"),
    [
        ("", "(self.following.total() if self.following else 0)"),
        ("", "(0 if self.following is None else self.following.total())"),
        ("=None", "self.following.total()"),
    ],
)
def test_chains_that_have_an_end_are_made_of_their_like(
    make_module: MakeModule, default: str, rest: str
) -> None:
    _, following = described(make_module(NODE.format(default=default, rest=rest)), "Node")
    assert following.startswith("Node")
    assert "object" not in following


def test_another_class_that_does_it_is_taken_before_any_object(make_module: MakeModule) -> None:
    other = "class Plain:\n    def send(self, message): return 1\n    def close(self): pass\n"
    (inner,) = described(make_module(WRAPPER + other), "Retrying")
    assert inner.startswith("Plain | mock of Plain | Retrying")
