"""The plain form of recipes and snapshots, in which they cross the borders of processes."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from tracetwin.model.codec.checks import (
    Malformed,
    Plain,
    flag,
    items,
    number,
    optional,
    pairs,
    parts,
    table,
    text,
)
from tracetwin.model.recipe import (
    SCALARS,
    Answer,
    Call,
    CallResult,
    Dictionary,
    Lambda,
    MockMember,
    MockNumber,
    MockRecipe,
    Place,
    PreparedObject,
    PreparingCall,
    Recipe,
    RecordedCall,
    Reference,
    Scalar,
    Series,
    SeriesKind,
    Variable,
)
from tracetwin.model.snapshot import Attributes, Built, Iterated, Itself, Opaque, Shuffled, Snapshot

Item = TypeVar("Item")

EQUAL: Final = 2
"""The version of marshal in which equal data have equal bytes."""


def key(thing: Recipe | Snapshot) -> bytes:
    """Equal for equal things only: NaN equals NaN, while ``1``, ``1.0`` and ``True`` differ."""
    return marshal.dumps(encode(thing), EQUAL)


def encode(thing: Recipe | Snapshot) -> Plain:
    """The plain form of a recipe or snapshot."""
    return _ENCODERS[type(thing)](thing)


def encode_all(things: Iterable[Recipe | Snapshot]) -> list[Plain]:
    """Their plain forms."""
    return [_ENCODERS[type(thing)](thing) for thing in things]


def encode_named(things: Iterable[tuple[str, Recipe | Snapshot]]) -> list[Plain]:
    """Pairs of a name and the plain form."""
    return [(name, _ENCODERS[type(thing)](thing)) for name, thing in things]


def _optional(recipe: Recipe | None) -> Plain:
    return None if recipe is None else encode(recipe)


def _mock(mock: MockRecipe) -> Plain:
    spec = {
        "number": mock.number,
        "kind": mock.kind,
        "name": mock.name,
        "hint": mock.hint,
        "bases": list(mock.bases),
        "parameters": mock.parameters,
        "offers": None if mock.offers is None else dict(mock.offers),
        "arguments": None if mock.args is None else (encode_all(mock.args), encode_named(mock.kwargs)),
        "inherits": mock.inherits,
    }
    return ("mock", spec, {name: _member(member) for name, member in mock.members.items()})


def _member(member: MockMember) -> Plain:
    return (member.kind, list(map(_recorded, member.calls)), _optional(member.value))


def _recorded(call: RecordedCall) -> Plain:
    kwargs = [(name, _optional(part)) for name, part in call.kwargs]
    answer = call.answer
    effects = [(place, encode(part)) for place, part in answer.effects]
    return (list(map(_optional, call.args)), kwargs, encode(answer.recipe), answer.raises, effects)


def _prepared(made: PreparedObject) -> Plain:
    calls = [(call.name, encode_all(call.args), encode_named(call.kwargs)) for call in made.calls]
    return ("made", (made.number, made.hint), encode(made.construction), calls)


def _result(result: CallResult) -> Plain:
    raise ValueError(f"the result of a call has no plain form: {result.hint}")


_ENCODERS: Final[dict[type, Callable[[Any], Plain]]] = {
    Scalar: lambda one: ("lit", one.value),
    Series: lambda one: (one.kind.value, encode_all(one.items)),
    Dictionary: lambda one: ("dict", [(encode(key), encode(value)) for key, value in one.pairs]),
    Reference: lambda one: ("ref", one.module, one.qualname),
    Call: lambda one: ("call", one.module, one.qualname, encode_all(one.args), encode_named(one.kwargs)),
    Lambda: lambda one: ("lambda", one.parameters, encode(one.result)),
    Variable: lambda one: ("var", one.name),
    PreparedObject: _prepared,
    CallResult: _result,
    MockRecipe: _mock,
    MockNumber: lambda one: ("mock", one.number),
    Opaque: lambda one: ("opaque", one.type_name, one.why),
    Iterated: lambda one: ("iter", one.type_name, encode_all(one.items), one.exhausted),
    Attributes: lambda one: ("object", one.module, one.qualname, encode_named(one.attributes)),
    Built: lambda one: ("built", one.module, one.qualname, encode_all(one.args), encode_named(one.kwargs)),
    Shuffled: lambda one: ("shuffled", one.kind.value, encode_all(one.items)),
    Itself: lambda one: ("self",),
}


def recipe(plain: Plain) -> Recipe:
    """The recipe that a plain form stands for."""
    return _read(_RECIPES, plain)


def snapshot(plain: Plain) -> Snapshot:
    """The snapshot that a plain form stands for."""
    return _read(_SNAPSHOTS, plain)


def _read(readers: dict[str, Callable[[Plain], Item]], plain: Plain) -> Item:
    if type(plain) is not tuple or not plain or type(plain[0]) is not str:
        raise Malformed(f"no kind: {type(plain).__name__}")
    reader = readers.get(plain[0])
    if reader is None:
        raise Malformed(f"no such kind: {type(plain[0]).__name__}")
    try:
        return reader(plain)
    except (IndexError, ValueError, RecursionError) as error:
        raise Malformed("parts are missing, or nested too deeply") from error


def recipes(plain: Plain) -> tuple[Recipe, ...]:
    """The recipes that are there."""
    return tuple(map(recipe, items(plain)))


def snapshots(plain: Plain) -> tuple[Snapshot, ...]:
    """The snapshots that are there."""
    return tuple(map(snapshot, items(plain)))


def _scalar(plain: Plain) -> Scalar:
    if type(plain[1]) not in SCALARS:
        raise Malformed(f"not a scalar: {type(plain[1]).__name__}")
    return Scalar(plain[1])


def _reference(plain: Plain) -> Reference:
    return Reference(text(plain[1]), text(plain[2]))


def _call(plain: Plain) -> Call:
    return Call(text(plain[1]), text(plain[2]), recipes(plain[3]), pairs(plain[4], recipe))


def _made(plain: Plain) -> PreparedObject:
    count, hint = parts(plain[1], 2)
    found = [parts(one, 3) for one in items(plain[3])]
    calls = [PreparingCall(text(name), recipes(args), pairs(kwargs, recipe)) for name, args, kwargs in found]
    return PreparedObject(number(count), text(hint), recipe(plain[2]), calls)


def _mocked(plain: Plain) -> MockRecipe | MockNumber:
    if type(plain[1]) is int:
        return MockNumber(plain[1])
    spec, members = table(plain[1]), table(plain[2])
    if spec.keys() != _SPEC:
        raise Malformed(f"not a mock: {len(spec)} parts")
    started = optional(spec["arguments"], lambda both: parts(both, 2))
    return MockRecipe(
        number(spec["number"]),
        text(spec["kind"]),
        text(spec["name"]),
        text(spec["hint"]),
        pairs(spec["bases"], text),
        number(spec["parameters"]),
        optional(spec["offers"], lambda offers: dict(pairs(list(table(offers).items()), text))),
        None if started is None else recipes(started[0]),
        () if started is None else pairs(started[1], recipe),
        flag(spec["inherits"]),
        {name: _read_member(member) for name, member in members.items()},
    )


_SPEC: Final = frozenset(
    ("number", "kind", "name", "hint", "bases", "parameters", "offers", "arguments", "inherits")
)


def _read_member(plain: Plain) -> MockMember:
    kind, calls, value = parts(plain, 3)
    return MockMember(text(kind), tuple(map(_read_recorded, items(calls))), optional(value, recipe))


def _read_recorded(plain: Plain) -> RecordedCall:
    args, kwargs, result, raises, effects = parts(plain, 5)
    changes = tuple(
        (_place(place), recipe(part)) for place, part in (parts(one, 2) for one in items(effects))
    )
    return RecordedCall(
        tuple(optional(arg, recipe) for arg in items(args)),
        pairs(kwargs, lambda part: optional(part, recipe)),
        Answer(recipe(result), flag(raises), changes),
    )


def _place(plain: Plain) -> Place:
    return plain if type(plain) is int else text(plain)


def _pair_of(plain: Plain, read: Callable[[Plain], Item]) -> tuple[Item, Item]:
    first, second = parts(plain, 2)
    return read(first), read(second)


_RECIPES: Final[dict[str, Callable[[Plain], Recipe]]] = {
    "lit": _scalar,
    **{kind.value: lambda plain: Series(SeriesKind(plain[0]), recipes(plain[1])) for kind in SeriesKind},
    "dict": lambda plain: Dictionary(tuple(_pair_of(pair, recipe) for pair in items(plain[1]))),
    "ref": _reference,
    "call": _call,
    "lambda": lambda plain: Lambda(number(plain[1]), recipe(plain[2])),
    "var": lambda plain: Variable(text(plain[1])),
    "made": _made,
    "mock": _mocked,
}

_SNAPSHOTS: Final[dict[str, Callable[[Plain], Snapshot]]] = {
    "lit": _scalar,
    **{kind.value: lambda plain: Series(SeriesKind(plain[0]), snapshots(plain[1])) for kind in SeriesKind},
    "dict": lambda plain: Dictionary(tuple(_pair_of(pair, snapshot) for pair in items(plain[1]))),
    "ref": _reference,
    "mock": lambda plain: MockNumber(number(plain[1])),
    "opaque": lambda plain: Opaque(text(plain[1]), text(plain[2])),
    "iter": lambda plain: Iterated(text(plain[1]), snapshots(plain[2]), flag(plain[3])),
    "object": lambda plain: Attributes(text(plain[1]), text(plain[2]), pairs(plain[3], snapshot)),
    "built": lambda plain: Built(
        text(plain[1]), text(plain[2]), snapshots(plain[3]), pairs(plain[4], snapshot)
    ),
    "shuffled": lambda plain: Shuffled(SeriesKind(text(plain[1])), snapshots(plain[2])),
    "self": lambda _: Itself(),
}
