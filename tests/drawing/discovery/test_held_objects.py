"""What is called through objects of private classes that a module holds."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tracetwin.drawing.discovery.discovery import discover

MakeModule = Callable[..., ModuleType]

SOURCE = """
    class Open:
        def __call__(self, n: int): return n

    class _Base:
        def size(self, text: str): return len(text)

    class _Reader(_Base):
        LIMIT = 3
        def __init__(self, strict): self.strict = strict
        def __call__(self, text: str, **options): return self._parts(text)
        def _parts(self, text): return text.split(",")
        def first(self, text: str): return self._parts(text)[0]

    class _Quiet:
        def __repr__(self): return "quiet"

    read = _Reader(strict=True)
    also = read
    lenient = _Reader(strict=False).first
    _hidden = _Reader(strict=True)
    public = Open()
    QUIET = _Quiet()
"""


def test_objects_of_private_classes_are_called(make_module: MakeModule) -> None:
    found = {item.qualname: item for item in discover(make_module(SOURCE)) if item.owner is None}
    assert {name: item.written for name, item in found.items()} == {
        "read": "_Reader.__call__",
        "read.size": "_Base.size",
        "read.first": "_Reader.first",
        "lenient": "_Reader.first",
    }
    assert [parameter.name for parameter in found["read"].parameters] == ["text", "options"]
    assert (found["read"].kind, found["read"].first_line) == ("function", 11)


def test_a_selected_one_is_found(make_module: MakeModule) -> None:
    assert [item.qualname for item in discover(make_module(SOURCE), ("read.first",))] == ["read.first"]
