"""Every kind of class: what of it can be called, and under which name."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.discovery.invokables import PlannedInvokable, build_receiver
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.model.case import Act

MakeModule = Callable[..., ModuleType]


def found(module: ModuleType) -> dict[str, PlannedInvokable]:
    return {item.qualname: item for item in discover(module)}


def test_a_property_is_read_stored_and_deleted(make_module: MakeModule) -> None:
    rows = found(
        make_module("""
            class Box:
                def __init__(self): self._size = 1
                @property
                def size(self): return self._size
                @size.setter
                def size(self, value: int):
                    self._size = value
                @size.deleter
                def size(self):
                    self._size = 0
        """)
    )
    accesses = {name: item.access for name, item in rows.items() if item.kind == "property"}
    assert accesses == {"Box.size": "get", "Box.size.setter": "set", "Box.size.deleter": "del"}
    assert {item.name for item in rows.values() if item.kind == "property"} == {"size"}
    lines = [rows[name].first_line for name in accesses]
    assert lines == sorted(lines)
    assert len(set(lines)) == 3


def test_a_descriptor_of_the_module_is_used_through_its_owner(make_module: MakeModule) -> None:
    rows = found(
        make_module("""
            class Positive:
                def __set_name__(self, owner, name): self.name = "_" + name
                def __get__(self, thing, owner=None): return getattr(thing, self.name, 0)
                def __set__(self, thing, value: int):
                    if value < 0:
                        raise ValueError
                    setattr(thing, self.name, value)

            class Account:
                balance = Positive()
        """)
    )
    assert rows["Account.balance"].access == "get"
    put = rows["Account.balance.setter"]
    assert [item.name for item in put.parameters] == ["value"]
    assert put.first_line > rows["Account.balance"].first_line > 0
    assert not any(name.startswith("Positive.__") for name in rows)


ABSTRACT = """
    from abc import ABC, abstractmethod

    class Shape(ABC):
        def __init__(self, name: str): self.name = name
        @abstractmethod
        def area(self) -> int: ...
        def label(self) -> str: return self.name
        @classmethod
        def default(cls): return cls("default")

    class Square(Shape):
        def __init__(self, name: str, side: int):
            super().__init__(name)
            self.side = side
        def area(self) -> int: return self.side ** 2

    class Point(Shape):
        def area(self) -> int: return 0
"""


def test_what_an_abstract_class_defines_is_called_on_a_concrete_one(make_module: MakeModule) -> None:
    module = make_module(ABSTRACT)
    rows = found(module)
    assert "Shape.area" not in rows
    assert rows["Shape"].path == "Point"  # it inherits the constructor
    assert rows["Shape.default"].path == "Point.default"
    receiver, step = build_receiver(PlainDraw(), rows["Shape.label"], "shape")
    assert type(receiver).__name__ in ("Square", "Point")
    assert step.name == type(receiver).__name__


def test_an_abstract_class_without_a_concrete_one_has_a_problem(make_module: MakeModule) -> None:
    rows = found(make_module(ABSTRACT.partition("class Square")[0]))
    assert "abstract" in str(rows["Shape"].problem)


def test_the_methods_of_a_metaclass_are_called_on_a_class(make_module: MakeModule) -> None:
    rows = found(
        make_module("""
            class Meta(type):
                count = 0
                def __call__(cls, *args):
                    Meta.count += 1
                    return super().__call__(*args)
                def total(cls, more: int): return Meta.count + more

            class Made(metaclass=Meta):
                def size(self): return 1
        """)
    )
    assert set(rows) == {"Meta.total", "Made.size"}
    total = rows["Meta.total"]
    assert (total.kind, total.path, [item.name for item in total.parameters]) == (
        "classmethod",
        "Made.total",
        ["more"],
    )


def test_a_class_behind_a_decorators_function_is_made_by_that(make_module: MakeModule) -> None:
    module = make_module("""
        import functools

        def singleton(cls):
            made = {}
            @functools.wraps(cls)
            def get(*args):
                if cls not in made:
                    made[cls] = cls(*args)
                return made[cls]
            return get

        @singleton
        class Settings:
            def __init__(self, size: int): self.size = size
            def grow(self): self.size += 1
    """)
    rows = found(module)
    assert rows["Settings"].path == "Settings"
    receiver, step = build_receiver(PlainDraw({"settings.size": 4}), rows["Settings.grow"], "settings")
    assert receiver.size == 4
    assert (step.act, step.place, step.name) == (Act.CALL, module.__name__, "Settings")


def test_partial_methods_and_borrowed_functions_are_methods(make_module: MakeModule) -> None:
    rows = found(
        make_module("""
            from functools import partialmethod

            def _shared(self, n: int): return n

            class Money:
                def convert(self, currency: str, n: int = 1): return currency * n
                to_euro = partialmethod(convert, "EUR")
                compare = _shared
        """)
    )
    assert [item.name for item in rows["Money.to_euro"].parameters] == ["n"]
    assert [item.name for item in rows["Money.compare"].parameters] == ["n"]


def test_the_definition_that_is_in_force_counts(make_module: MakeModule) -> None:
    rows = found(
        make_module("""
            if True:
                class Box:
                    def go(self): return 1
            else:
                class Box:
                    def go(self): return 2
        """)
    )
    assert rows["Box.go"].first_line == 4


def test_the_arguments_of_exit_speak_of_one_exception(make_module: MakeModule) -> None:
    rows = found(
        make_module("""
            class Lost(Exception): pass
            class Hard(Exception):
                def __init__(self, code): self.code = code

            class Lock:
                def __enter__(self): return self
                def __exit__(self, kind, error, trace):
                    if kind is None:
                        return False
                    return isinstance(error, (Lost, Hard)) or issubclass(kind, KeyError)

            class Loose:
                def __enter__(self): return self
                def __exit__(self, *args): return args[0] is Lost

            class Stop:
                def __enter__(self): return self
                def __exit__(self, kind, error, trace):
                    return kind is not None and issubclass(kind, KeyboardInterrupt)
        """)
    )
    leave = rows["Lock.__exit__"].parameters
    assert build_arguments(PlainDraw(), leave).args == [None, None, None]
    kinds = set()
    for chosen in (1, 2, 3):
        kind, error, trace = build_arguments(PlainDraw({"raised?": chosen}), leave).args
        assert type(error) is kind
        assert trace is None
        kinds.add(kind.__name__)
    assert kinds == {"Lost", "KeyError", "ValueError"}  # Hard can't be made without more
    loose = build_arguments(PlainDraw({"raised?": 1}), rows["Loose.__exit__"].parameters)
    assert [type(value).__name__ for value in loose.args] == ["type", "Lost", "NoneType"]
    stop = build_arguments(PlainDraw({"raised?": 1}), rows["Stop.__exit__"].parameters)
    assert stop.args[0] is KeyboardInterrupt


def test_special_methods_that_tests_can_call(make_module: MakeModule) -> None:
    rows = found(
        make_module("""
            class Odd:
                def __class_getitem__(cls, key: int): return key
                def __setattr__(self, name: str, value: int): object.__setattr__(self, name, value)
                def __init_subclass__(cls): pass
                def __set_name__(self, owner, name): pass
                def __getstate__(self): return {}
        """)
    )
    assert set(rows) == {"Odd.__class_getitem__", "Odd.__setattr__", "Odd.__getstate__"}
    assert rows["Odd.__class_getitem__"].kind == "classmethod"


def test_a_descriptor_that_no_class_of_the_module_has_is_called_by_itself(make_module: MakeModule) -> None:
    rows = found(
        make_module("""
            class lazily:
                def __init__(self, function): self.function = function
                def __get__(self, thing, owner): return self if thing is None else self.function(thing)
                def __html__(self): return "a protocol of others"
        """)
    )
    assert {"lazily", "lazily.__get__", "lazily.__html__"} == set(rows)
    assert ["thing", "owner"] == [item.name for item in rows["lazily.__get__"].parameters]


def test_hooks_of_a_subclass_are_reached_through_what_it_inherits(make_module: MakeModule) -> None:
    rows = found(
        make_module("""
            class Rule:
                def __init__(self, n: int): self.n = n
                def shown(self): return self._left() + "="
                def match(self, text: str): return self._core(text)
                def _core(self, text): return self._match(text)
                def _match(self, text): return None
                def other(self): return 1

            class Literal(Rule):
                def _match(self, text): return text == "a"
                def _left(self): return self._own() if self.n else ""
                def _own(self): return "n"

            class Plain(Rule):
                def _match(self, text): return text == "b"
                def again(self): return self._match("b")
        """)
    )
    assert {"Literal.shown", "Literal.match"} == {name for name in rows if name.startswith("Literal")}
    assert {"Plain.again"} == {name for name in rows if name.startswith("Plain")}
    receiver, _ = build_receiver(PlainDraw({}), rows["Literal.match"], "literal")
    assert "Literal" == type(receiver).__name__
