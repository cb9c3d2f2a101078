"""Annotations and classes that refuse: each has its reason, and what else the module has can be called."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from tests.drawing.conftest import MakeModule
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.discovery.invokables import PlannedInvokable
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.drawing.plans.plans import SetupFailed

FINE = """
def fine(x: int) -> str:
    return "a" if x > 5 else "b"
"""

BAD: dict[str, tuple[str, dict[str, str]]] = {
    "a name that nothing defines": (
        """
        from __future__ import annotations
        def one(x: Missing): return list(map(str, [x]))
        def two(x: list[Missing]): pass
        def three(x: gone.Thing): pass
        """,
        {"two": "the name 'Missing' is unknown here", "three": "the name 'gone' is unknown here"},
    ),
    "annotations that raise when they are read": (
        """
        from __future__ import annotations
        class Lazy(type):
            def __getattr__(cls, name): raise SystemExit(3)
        class Holder(metaclass=Lazy): pass
        def boom(): raise ValueError("never read me")
        def one(x: boom()): pass
        def two(x: 1 / 0): pass
        def three(x: Holder.thing): pass
        def four(x: exit()): pass
        """,
        {
            "one": "'boom()' can't be evaluated: ValueError: never read me",
            "two": "'1 / 0' can't be evaluated: ZeroDivisionError: division by zero",
            "three": "'Holder.thing' can't be evaluated: SystemExit: 3",
            "four": "can't be evaluated: ",
        },
    ),
    "subscripts that raise": (
        """
        from __future__ import annotations
        class Closed:
            def __class_getitem__(cls, item): raise TypeError("not generic")
        class Stops:
            def __class_getitem__(cls, item): raise KeyboardInterrupt
        class Odd:
            def __class_getitem__(cls, item): return 42
        def one(x: Closed[int]): pass
        def two(x: Stops[int]): pass
        def three(x: Odd[int]): pass
        """,
        {
            "one": "'Closed[int]' can't be evaluated: TypeError: not generic",
            "two": "'Stops[int]' can't be evaluated: KeyboardInterrupt",
            "three": "it is a int, not a type",
        },
    ),
    "annotations that are something else": (
        """
        def one(x: 3): pass
        def two(x: lambda q: q): pass
        def three(x: {"a": int}): pass
        def four(x: NotImplemented): pass
        """,
        {
            "one": "3 of parameter 'x' (it is a int, not a type)",
            "two": "<function <lambda>> of parameter 'x' (it is a function, not a type)",
            "three": "it is a dict, not a type",
            "four": "it is a NotImplementedType, not a type",
        },
    ),
    "annotations that answer no question": (
        """
        class Silent:
            def __getattr__(self, name): raise RuntimeError("no " + name)
            def __eq__(self, other): raise RuntimeError("no equality")
            def __hash__(self): raise RuntimeError("no hash")
            def __bool__(self): raise RuntimeError("no truth")
            def __repr__(self): raise RuntimeError("no text")
        def one(x: Silent()): pass
        """,
        {"one": "RuntimeError: no "},
    ),
    "annotations that are huge": (
        """
        class Huge:
            def __repr__(self): return "y" * 1_000_000
        class Endless:
            def __repr__(self): return repr(self)
        def one(x: Huge()): pass
        def two(x: Endless()): pass
        def three(x: list(range(100_000))): pass
        def four(x: "z" * 100_000): pass
        """,
        {
            "one": "it is a Huge, not a type",
            "two": "a Endless of parameter 'x'",
            "three": "it is a list, not a type",
            "four": "is unknown here",
        },
    ),
    "an enum without members": (
        """
        import enum
        class Empty(enum.Enum): pass
        class NoFlag(enum.Flag): pass
        def one(x: Empty): pass
        def two(x: NoFlag): pass
        """,
        {"one": "the enum Empty has no members", "two": "the enum NoFlag has no members"},
    ),
    "a metaclass that hides everything": (
        """
        class Hiding(type):
            def __getattribute__(cls, name):
                if name in ("__mro__", "__module__", "__qualname__", "__name__", "__dict__", "__init__"):
                    raise RuntimeError("hidden " + name)
                return super().__getattribute__(name)
        class Secret(metaclass=Hiding):
            def __init__(self, n: int): self.n = n
        def one(x: Secret): pass
        """,
        {"Secret": "class Secret can't be looked at: RuntimeError: hidden ", "one": "RuntimeError: hidden "},
    ),
    "a metaclass whose classes have no hash": (
        """
        class Meta(type):
            def __hash__(cls): raise TypeError("no hash")
            def __eq__(cls, other): raise TypeError("no equality")
        class Odd(metaclass=Meta):
            def __init__(self, n: int): self.n = n
        def one(x: Odd): pass
        """,
        {"one": "TypeError: no hash"},
    ),
    "a signature that is none": (
        """
        def one(x: int): pass
        one.__signature__ = 17
        """,
        {"one": "it has no signature that can be read"},
    ),
    "a type without values": (
        """
        from typing import NoReturn
        def one(x: NoReturn): pass
        """,
        {"one": "no value has this type"},
    ),
}


def called(invokables: list[PlannedInvokable]) -> dict[str, PlannedInvokable]:
    return {item.qualname: item for item in invokables}


@pytest.mark.parametrize(("source", "problems"), BAD.values(), ids=BAD)
def test_what_cannot_be_built_has_its_reason(
    source: str, problems: dict[str, str], make_module: MakeModule
) -> None:
    found = called(discover(make_module(textwrap.dedent(source) + FINE)))
    for name, problem in problems.items():
        assert problem in (found[name].problem or "none"), name
        assert len(found[name].problem or "") < 300
    assert found["fine"].problem is None


REFUSING: dict[str, tuple[str, str]] = {
    "a metaclass that makes no instances": (
        """
        class Refuses(type):
            def __call__(cls, *args): raise TypeError("no instances")
        class Closed(metaclass=Refuses): pass
        def one(x: Closed): pass
        """,
        "Closed raised TypeError: no instances",
    ),
    "a constructor that always raises": (
        """
        class Static:
            def __init__(self): raise RuntimeError("static only")
        def one(x: Static): pass
        """,
        "Static raised RuntimeError: static only",
    ),
    "a signature that lies": (
        """
        import inspect
        class Liar:
            __signature__ = inspect.Signature()
            def __init__(self, text: "str"): raise TypeError("int wanted")
        def one(x: Liar): pass
        """,
        "Liar raised TypeError: int wanted",
    ),
}


@pytest.mark.parametrize(("source", "said"), REFUSING.values(), ids=REFUSING)
def test_what_refuses_to_be_made_says_so(source: str, said: str, make_module: MakeModule) -> None:
    found = called(discover(make_module(source)))
    with pytest.raises(SetupFailed, match=said):
        build_arguments(PlainDraw(), found["one"].parameters)


USABLE: dict[str, str] = {
    "metaclasses that forbid instance and subclass checks": """
        class Meta(type):
            def __instancecheck__(cls, thing): raise RuntimeError("no isinstance")
            def __subclasscheck__(cls, other): raise RuntimeError("no issubclass")
        class Odd(metaclass=Meta):
            def __init__(self, n: int): self.n = n
        class Child(Odd): pass
        def one(x: Odd): pass
        """,
    "a metaclass that allows no subclass": """
        class Meta(type):
            def __new__(mcs, name, bases, names):
                if bases: raise TypeError("no subclasses")
                return super().__new__(mcs, name, bases, names)
        class Base(metaclass=Meta):
            def hook(self, x: int) -> int: ...
        def one(x: Base): pass
        """,
    "metaclasses without text and truth": """
        class Meta(type):
            def __repr__(cls): raise TypeError("no text")
            def __bool__(cls): raise TypeError("no truth")
        class Odd(metaclass=Meta):
            def __init__(self, n: int): self.n = n
        def one(x: Odd, y: list[Odd]): pass
        """,
    "private constructors with a class method beside": """
        class Private:
            _token = object()
            def __init__(self, token, value: int):
                if token is not Private._token: raise RuntimeError("private")
            @classmethod
            def make(cls, value: int) -> "Private": return cls(cls._token, value)
        def one(x: Private): pass
        """,
    "names of typing that mean something else": """
        class List:
            def __init__(self, n: int): self.n = n
        class Optional:
            def __class_getitem__(cls, item): return int
        str = int
        def one(x: List, y: Optional["anything"], z: "str"): pass
        """,
    "an enum that can't be iterated": """
        import enum
        class Meta(enum.EnumMeta):
            def __iter__(cls): raise RuntimeError("no iteration")
        class Color(enum.Enum, metaclass=Meta):
            RED = 1
        def one(x: Color): pass
        """,
    "annotations with side effects": """
        from __future__ import annotations
        LOG = []
        def note(kind):
            LOG.append(kind)
            return kind
        def one(x: note(int)): pass
        """,
    "annotations that are no dict": """
        class Odd:
            __annotations__ = 5
            def __init__(self, n: int): self.n = n
        def one(x: Odd): pass
        """,
}


@pytest.mark.parametrize("source", USABLE.values(), ids=USABLE)
def test_what_only_looks_bad_is_built(source: str, make_module: MakeModule) -> None:
    found = called(discover(make_module(source)))["one"]
    assert found.problem is None
    drawn: Any = {"x~0": 0, "x?": 1 if "Private" in source else 0}
    made = build_arguments(PlainDraw(drawn), found.parameters)
    assert len(made.args) == len(found.parameters)


def test_imports_for_type_checkers_may_go_in_circles(make_module: MakeModule) -> None:
    source = """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from {other} import {cls_other}
            from nowhere import Gone
        class {cls}:
            def __init__(self, n: int, other: {cls_other} | None = None): self.n = n
        def one(x: {cls_other}): pass
        def two(x: Gone): pass
        """
    make_module(source.format(other="circle.first", cls="Second", cls_other="First"), "circle.second")
    second = source.format(other="circle.second", cls="First", cls_other="Second")
    module = make_module(second, "circle.first")
    found = called(discover(module))
    assert found["one"].problem is None
    assert "the name 'Gone' is unknown here" in (found["two"].problem or "")
    assert build_arguments(PlainDraw(), found["one"].parameters).args[0].n == 0
