"""What a mock may derive from: the subtype relation, what fits together, and what an input wants."""

from __future__ import annotations

import abc
import enum
import types
import typing
from collections.abc import Iterator, Sized
from typing import Any

import pytest

from runtime import trace
from runtime.class_choices import Alternative
from runtime.class_tests import asked_callable, asked_isinstance
from runtime.classes import can_derive, classes_in, is_final, is_subclass, minimal, name_of
from runtime.evaluate import evaluate
from runtime.inputs import Inputs
from runtime.trace import Kind
from runtime.values import SBool
from tracetwin.drawing.mocks.interface import consistent_bases, wanted_bases


class Reader(abc.ABC):
    @abc.abstractmethod
    def read(self) -> str: ...


class Writer(typing.Protocol):
    def write(self, text: str) -> None: ...


class Both(Reader, Writer):
    def read(self) -> str:
        return ""

    def write(self, text: str) -> None: ...


class LoudReader(Reader):
    pass


class Plain:
    pass


class Slotted:
    __slots__ = ("a",)


class OtherSlots:
    __slots__ = ("b",)


class Meta(type):
    pass


class WithMeta(metaclass=Meta):
    pass


class OtherMeta(type):
    pass


class WithOtherMeta(metaclass=OtherMeta):
    pass


@typing.final
class Final:
    pass


setattr(Final, "__final__", True)  # noqa: B010 - the decorator does so from Python 3.11 on


class Level(enum.Enum):
    LOW = 1


class NoMembers(enum.Enum):
    pass


class Registering:
    made: typing.ClassVar[list[type]] = []

    def __init_subclass__(cls) -> None:
        cls.made.append(cls)


FITTING = [
    (Reader, Writer),
    (Reader, Plain),
    (Plain, Slotted),
    (Both, Reader),
    (Reader, Both),
    (LoudReader, Writer),
    (WithMeta, Plain),
    (Reader, Exception),
    (ValueError, KeyError),
    (Reader, Sized),
    (int, Plain),
    (NoMembers,),
]
APART = [
    (Slotted, OtherSlots),
    (int, str),
    (list, dict),
    (WithMeta, WithOtherMeta),
    (WithMeta, Reader),
    (bool, Plain),
    (type(None), Plain),
    (Level,),
    (OSError, StopIteration),
]


@pytest.mark.parametrize("bases", FITTING + APART, ids=repr)
def test_what_fits_together_is_what_python_makes_a_class_of(bases: tuple[type, ...]) -> None:
    try:
        types.new_class("Made", minimal(bases))
    except TypeError:
        made = False
    else:
        made = True
    assert (bases in FITTING) is made
    assert made is can_derive(bases)


def test_nothing_derives_from_what_is_final() -> None:
    assert is_final(Final)
    assert not can_derive((Reader, Final))


def test_to_find_out_makes_no_class() -> None:
    assert can_derive((Reader, Registering))
    assert [] == Registering.made


def test_an_order_of_bases_that_python_refuses_is_none() -> None:
    first, second = type("First", (Plain, Reader), {}), type("Second", (Reader, Plain), {})
    assert not can_derive((first, second))


def test_classes_are_found_by_their_names() -> None:
    names = [f"{__name__}:Reader", "gone:Away", f"{__name__}:X", "builtins:ValueError"]
    assert (Reader, ValueError) == wanted_bases(names)
    assert f"{__name__}:Reader" == name_of(Reader)
    assert name_of(type("Reader", (), {})) is None


@pytest.mark.parametrize(
    ("declared", "wanted", "bases"),
    [
        ((Reader,), (), (Reader,)),
        ((Reader,), (Writer,), (Reader, Writer)),
        ((Reader,), (Both,), (Both,)),
        ((Reader,), (Final, Writer, int, str), (Reader, Writer, int)),
        ((Reader,), (WithMeta,), (Reader,)),
    ],
)
def test_wanted_bases_are_taken_as_far_as_they_fit(
    declared: tuple[type, ...], wanted: tuple[type, ...], bases: tuple[type, ...]
) -> None:
    assert bases == consistent_bases(declared, wanted)


def test_the_relation_knows_registered_and_hooked_classes() -> None:
    class Virtual:
        def __len__(self) -> int:
            return 0

    Reader.register(Virtual)
    assert is_subclass(Virtual, Reader)
    assert is_subclass(Virtual, Sized)
    assert is_subclass(Plain, Sized) is False


def test_unions_and_tuples_name_their_classes() -> None:
    assert (int, str, type(None)) == classes_in((int, typing.Optional[str]))  # noqa: UP045 - another type
    assert (list,) == classes_in(typing.List)  # noqa: UP006 - as above
    assert classes_in(3) is None


class Drawing:
    """An input whose value `x` is a mock of `Reader`, alone or beside an instance of `Both`."""

    def __init__(self, assignment: dict[str, object], *, choice: bool = False) -> None:
        trace.start()
        self.inputs = Inputs(assignment)
        name = "x|1" if choice else "x"
        bases = consistent_bases((Reader,), wanted_bases(self.inputs.wanted(name)))
        body = {"read": lambda self: "", "write": lambda self, text: None}
        mock = types.new_class("Stub", bases, {}, lambda names: names.update(body))
        alternatives = [Alternative(Both), Alternative(None, name, (Reader,))]
        if not choice:
            self.value: Any = mock()
            self.inputs.decided(self.value, "", 0, alternatives[1:])
            return
        place = self.inputs.choice("x?", 2)
        self.value = mock() if place else Both()
        self.inputs.decided(self.value, "x?", place, alternatives)

    def asked(self, what: Any) -> Any:
        return asked_isinstance(self.value, what)

    def assumed(self) -> list[Any]:
        return [node for node, _, _, kind in trace.current.path if kind == Kind.ASSUME]


@pytest.fixture(autouse=True)
def _disarmed() -> Iterator[None]:
    yield
    Inputs({})
    trace.stop()


def key(cls: type, name: str = "x") -> str:
    return f"{name}<:{name_of(cls)}"


def test_what_a_mock_derives_from_is_an_input() -> None:
    drawing = Drawing({})
    assert drawing.asked(Reader) is True
    answer = drawing.asked(LoudReader)
    assert type(answer) is SBool
    assert (False, frozenset({key(LoudReader)})) == (answer.v, answer.e.names)


def test_an_input_that_wants_it_gets_it() -> None:
    drawing = Drawing({key(LoudReader): True})
    assert drawing.asked(LoudReader).v is True
    assert drawing.inputs.variables[key(LoudReader)][1] is True


def test_a_class_that_does_not_fit_is_refused_whatever_the_input_wants() -> None:
    drawing = Drawing({key(WithMeta): True, key(Final): True})
    assert drawing.asked(WithMeta) is False
    assert drawing.asked((Final, int, str)) is False


def test_who_derives_from_a_class_derives_from_its_bases() -> None:
    drawing = Drawing({})
    below, above = drawing.asked(Both).e, drawing.asked(Plain).e
    drawing.asked(LoudReader)
    assert [] == drawing.assumed()
    loud = type("Loud", (Plain,), {"__module__": __name__, "__qualname__": "Loud"})
    globals()["Loud"] = loud
    try:
        inner = drawing.asked(loud).e
    finally:
        del globals()["Loud"]
    (rule,) = drawing.assumed()
    names = [str(node.data) for node in (inner, above, below)]
    truths = [(True, False), (True, True), (False, True), (False, False)]
    assert [False, True, True, True] == [
        evaluate(rule, dict(zip(names, (one, other, False), strict=True))) for one, other in truths
    ]


def test_two_classes_that_do_not_fit_together_are_never_both_wanted() -> None:
    drawing = Drawing({})
    one, other = drawing.asked(Slotted).e, drawing.asked(OtherSlots).e
    (rule,) = drawing.assumed()
    assert evaluate(rule, {str(one.data): True, str(other.data): True}) is False
    assert evaluate(rule, {str(one.data): True, str(other.data): False}) is True


def test_beside_an_instance_a_mock_is_one_more_way_to_pass_or_to_fail() -> None:
    drawing = Drawing({}, choice=True)
    node = drawing.asked(Both).e
    values = [(0, False), (1, False), (1, True)]
    assert [True, False, True] == [
        evaluate(node, {"x?": place, key(Both, "x|1"): derives}) for place, derives in values
    ]


def test_whether_a_mock_is_callable_is_decided_by_its_members() -> None:
    assert asked_callable(Drawing({}).value) is False
