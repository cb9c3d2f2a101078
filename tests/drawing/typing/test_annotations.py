from __future__ import annotations

import collections
import collections.abc
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import io
import numbers
import pathlib
import re
import sys
import types
import typing
import uuid
from typing import Any

import pytest

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.plans import Plan
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import Call, Lambda, PreparedObject, Scalar, list_of
from tracetwin.model.settled_mocks import Settling

HERE = sys.modules[__name__]


class Color(enum.Enum):
    RED = 1
    BLUE = "b"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Point(typing.NamedTuple):
    x: int
    label: str = "a"


Pair = collections.namedtuple("Pair", "left right")  # noqa: PYI024 - the untyped form is the point


class Movie(typing.TypedDict, total=False):
    title: str
    year: int


@dataclasses.dataclass
class Node:
    value: int
    left: Node | None = None
    others: list[Node] = dataclasses.field(default_factory=list)


class Plain:
    def __init__(self, size: int, *, name: str = "p") -> None:
        self.size, self.name = size, name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]


T = typing.TypeVar("T")
Bounded = typing.TypeVar("Bounded", bound=str)
UserId = typing.NewType("UserId", int)

# annotation, the type of every value it may build
CASES: list[tuple[Any, Any]] = [
    (int, int),
    (bool, bool),
    (float, float),
    (str, str),
    (bytes, bytes),
    (bytearray, bytearray),
    (complex, complex),
    (None, type(None)),
    (list, list),
    (list[int], list),
    (list[list[str]], list),
    (typing.List[float], list),  # noqa: UP006
    (collections.abc.Sequence[int], collections.abc.Sequence),
    (collections.abc.MutableSequence[int], collections.abc.MutableSequence),
    (collections.abc.Iterable[str], collections.abc.Iterable),
    (collections.abc.Collection[str], collections.abc.Collection),
    (collections.abc.Iterator[int], collections.abc.Iterator),
    (collections.abc.Generator[int, None, None], collections.abc.Generator),
    (collections.abc.Sized, collections.abc.Sized),
    (collections.abc.Hashable, collections.abc.Hashable),
    (tuple, tuple),
    (tuple[int, str], tuple),
    (tuple[int, ...], tuple),
    (tuple[()], tuple),
    (dict, dict),
    (dict[str, int], dict),
    (dict[Any, Any], dict),
    (dict[tuple[int, str], list[int]], dict),
    (collections.abc.Mapping[str, float], collections.abc.Mapping),
    (collections.abc.MutableMapping[int, str], collections.abc.MutableMapping),
    (collections.defaultdict[str, list[int]], collections.defaultdict),
    (collections.OrderedDict[str, int], collections.OrderedDict),
    (collections.Counter[str], collections.Counter),
    (collections.deque[int], collections.deque),
    (set[int], set),
    (set[Color], set),
    (frozenset[str], frozenset),
    (collections.abc.Set[int], collections.abc.Set),
    (typing.Optional[int], (int, type(None))),  # noqa: UP045
    (typing.Union[int, str], (int, str)),  # noqa: UP007
    (int | None, (int, type(None))),
    ("int | None", (int, type(None))),
    ("list['Node']", list),
    (typing.Literal["a", 1], (str, int)),
    (typing.Literal[Color.RED], Color),
    (Color, Color),
    (Level, Level),
    (Access, Access),
    (Point, Point),
    (Pair, Pair),
    (Movie, dict),
    (Node, Node),
    ("Node", Node),
    (Plain, Plain),
    (set[Plain], set),
    (type[Plain], type),
    (type, type),
    (T, (int, str)),
    (Bounded, str),
    (typing.AnyStr, (str, bytes)),
    (UserId, int),
    (typing.Annotated[int, "a note"], int),
    (typing.Final[int], int),
    (decimal.Decimal, decimal.Decimal),
    (fractions.Fraction, fractions.Fraction),
    (dt.date, dt.date),
    (dt.time, dt.time),
    (dt.datetime, dt.datetime),
    (dt.timedelta, dt.timedelta),
    (dt.tzinfo, dt.tzinfo),
    (pathlib.Path, pathlib.Path),
    (re.Pattern[str], re.Pattern),
    (re.Match[str], re.Match),
    (uuid.UUID, uuid.UUID),
    (range, range),
    (slice, slice),
    (io.StringIO, io.StringIO),
    (typing.TextIO, io.StringIO),
    (typing.IO[str], io.StringIO),
    (typing.IO[bytes], io.BytesIO),
    (typing.BinaryIO, io.BytesIO),
    (numbers.Number, numbers.Number),
    (numbers.Integral, int),
    (numbers.Real, numbers.Real),
    (typing.SupportsInt, typing.SupportsInt),
    (typing.SupportsFloat, typing.SupportsFloat),
    (Exception, Exception),
    (ValueError, ValueError),
    (types.SimpleNamespace, types.SimpleNamespace),
    (collections.abc.Callable[[int], bool], types.FunctionType),
    (collections.abc.Callable[..., str], types.FunctionType),
    (Any, object),
    (object, object),
]

# Identity or position is all that tells these apart.
NOT_COMPARED = (types.FunctionType, io.StringIO, io.BytesIO, Exception, collections.abc.Iterator, re.Match)


def plan_of(annotation: Any) -> Plan:
    planner = Planner(HERE)
    return planner.resolver.plan(annotation, planner.scope(None, None))


def _settled(built: tuple[Any, recipes.Recipe], draw: PlainDraw) -> tuple[Any, recipes.Recipe]:
    return built[0], Settling(draw.pool.mocks).recipe(built[1])


def variants(plan: Plan, rounds: int = 12) -> list[tuple[Any, recipes.Recipe]]:
    """What a plan builds for its defaults, and for other values of whatever it asks for."""
    first = PlainDraw()
    built = [_settled(plan.build(first, "x"), first)]
    values: dict[str, list[Any]] = {
        "int": [1, -7, 10**6],
        "bool": [True],
        "float": [0.5, -2.0, 1e300],
        "str": ["a", "b7", "it's\n"],
        "bytes": [b"a", b"\x00"],
    }
    for step in range(rounds):
        assignment: dict[str, Any] = {}
        draw = PlainDraw()
        for _ in range(3):  # new choices ask for new names
            plan.build(draw, "x")
            for index, (name, kind) in enumerate(draw.asked.items()):
                row = values.get(kind)
                assignment.setdefault(name, row[(step + index) % len(row)] if row else (step + index) % 5)
            draw = PlainDraw(assignment)
        built.append(_settled(plan.build(draw, "x"), draw))
    return built


@pytest.mark.parametrize(("annotation", "expected"), CASES, ids=[f"{case[0]!r:.60}" for case in CASES])
def test_every_value_built_is_of_the_annotated_type_and_its_recipe_rebuilds_it(
    annotation: Any, expected: Any
) -> None:
    for value, recipe in variants(plan_of(annotation)):
        assert isinstance(value, expected)
        again = recipes.evaluate(recipe)
        assert type(again) is type(value)
        if not isinstance(value, NOT_COMPARED):
            assert repr(again) == repr(value) if isinstance(value, float) else again == value


def test_variants_differ_where_there_is_more_than_one_value() -> None:
    for annotation in (int, str, list[int], dict[str, int], Node, tuple[int, ...], Movie, decimal.Decimal):
        assert len({repr(recipe) for _, recipe in variants(plan_of(annotation))}) > 2, annotation


def test_a_function_built_for_a_callable_takes_its_parameters_and_returns_the_annotated_type() -> None:
    draw = PlainDraw()
    value, recipe = plan_of(collections.abc.Callable[[int, str], list[int]]).build(draw, "f")
    assert value(1, "a") == [0]
    value(1, "a").append(1)
    assert value(1, "a") == [0], "each call returns a list of its own"
    assert Settling(draw.pool.mocks).recipe(recipe) == Lambda(2, list_of(Scalar(0)))
    with pytest.raises(TypeError):
        value(1)


def test_nested_structures_end_with_the_defaults_and_can_grow() -> None:
    plan = plan_of(Node)
    value, recipe = plan.build(PlainDraw(), "n")
    assert value == Node(0, None, [])
    assert recipe == PreparedObject(1, "n", Call(__name__, "Node", (Scalar(0),)), [])
    grown, _ = plan.build(PlainDraw({"n.left?": 0, "n.left.left?": 0, "n.left.left.value": 5}), "n")
    assert grown.left.left.value == 5


def test_dict_keys_start_apart_and_an_equal_one_is_left_out() -> None:
    plan = plan_of(dict[str, int])
    assert plan.build(PlainDraw({"d#": 3}), "d")[0] == {"": 0, "a": 0, "b": 0}
    value, recipe = plan.build(PlainDraw({"d#": 2, "d.key0": "k", "d.key1": "k"}), "d")
    assert value == {"k": 0}
    assert recipes.evaluate(recipe) == value


def test_the_first_of_set_members_moves_when_its_default_is_taken() -> None:
    value, _ = plan_of(set[int]).build(PlainDraw({"s#": 3, "s[0]": 1}), "s")
    assert value == {1, 0, 2}


def test_bounds_in_annotated_limit_an_int() -> None:
    bound = types.SimpleNamespace(ge=3, lt=6)
    plan = plan_of(typing.Annotated[int, bound])
    assert plan.build(PlainDraw(), "x")[0] == 3
    assert plan.build(PlainDraw({"x": 100}), "x")[0] == 5


def test_alternatives_of_a_union_draw_under_names_of_their_own() -> None:
    draw = PlainDraw({"x?": 1, "x": 3, "x|1": "text"})
    assert plan_of(int | str).build(draw, "x")[0] == "text"


def test_a_type_variable_is_one_type_for_all_parameters() -> None:
    draw = PlainDraw({"~T?": 1, "~T": 1})
    plan = plan_of(T)
    assert type(plan.build(draw, "a")[0]) is type(plan.build(draw, "b")[0]) is str


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        ("Missing", "'Missing' is unknown"),
        ("1 +", "can't be evaluated"),
        (typing.NoReturn, "no value has this type"),
        (3, "not a type"),
        (types.CodeType, "code"),
        ("Callable[[int], 'Missing']", "the result of the function"),
    ],
)
def test_what_cannot_be_built_has_a_reason(annotation: Any, reason: str) -> None:
    with pytest.raises(Unbuildable, match=re.escape(reason)):
        plan_of(annotation)


def test_alternatives_that_cannot_be_built_are_left_out() -> None:
    assert plan_of("int | Movie | None").describe().startswith("int")
    assert plan_of("Union['Missing', int]").describe() == "int"
    assert plan_of("list['Missing']").build(PlainDraw(), "x")[0] == []
