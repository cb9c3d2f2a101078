"""The one codec: recipes, snapshots, cases and observations as plain data at the borders of processes."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NoReturn

from tracetwin.model.case import Act, Case, Step
from tracetwin.model.field_types import (
    ENCODERS,
    KINDS,
    READERS,
    TAGS,
    Plain,
    member_of,
    parts,
    reader,
    register,
    table,
    tagged,
    text,
)
from tracetwin.model.field_types import encode as encode  # noqa: PLC0414 - of what is registered here
from tracetwin.model.observation import CalledWith, Observation, Written
from tracetwin.model.patch import (
    ArgumentsPatch,
    AwakePatch,
    ClassPatch,
    EnvironPatch,
    FunctionPatch,
    Patch,
    StdinPatch,
)
from tracetwin.model.recipe import (
    Call,
    CallResult,
    Dictionary,
    Lambda,
    MockNumber,
    MockRecipe,
    PreparedObject,
    Recipe,
    Reference,
    Scalar,
    Series,
    SeriesKind,
    Variable,
)
from tracetwin.model.snapshot import Attributes, Built, Iterated, Itself, Opaque, Shuffled, Snapshot

EQUAL: Final = 2
"""The version of marshal in which equal data have equal bytes."""

register(
    {
        Scalar: "lit",
        Dictionary: "dict",
        Reference: "ref",
        Call: "call",
        Lambda: "lambda",
        Variable: "var",
        PreparedObject: "made",
        MockRecipe: "answers",
        MockNumber: "mock",
        Opaque: "opaque",
        Iterated: "iter",
        Attributes: "object",
        Built: "built",
        Shuffled: "shuffled",
        Itself: "self",
        Written: "written",
        CalledWith: "called",
        FunctionPatch: "function",
        EnvironPatch: "environ",
        StdinPatch: "stdin",
        ArgumentsPatch: "argv",
        ClassPatch: "class",
        AwakePatch: "awake",
    },
    (Case, Step, Observation),
)

_BOTH: Final = (Scalar, Reference, Variable, MockNumber)
_OF_RECIPES: Final = (*_BOTH, Call, Lambda, PreparedObject, MockRecipe)
_OF_SNAPSHOTS: Final = (*_BOTH, Opaque, Iterated, Attributes, Built, Shuffled, Itself)


class _Recipes:
    """Stands for `Recipe` in annotations, which name each other."""


class _Snapshots:
    """Stands for `Snapshot`."""


KINDS.update(Recipe=_Recipes, Snapshot=_Snapshots)


def _without_form(result: CallResult) -> NoReturn:
    raise ValueError(f"the result of a call has no plain form: {result.hint}")


ENCODERS[CallResult] = _without_form
ENCODERS[Series] = lambda one: (one.kind.value, [ENCODERS[part.__class__](part) for part in one.items])


def _reader(kinds: tuple[type, ...], part: type, alias: Any) -> Any:
    """The function that reads one of these, or a series of such."""
    readers: dict[str, Any] = {}
    READERS[part] = READERS[alias] = read = tagged(readers)
    series, pairs = reader(tuple[part, ...]), reader(tuple[tuple[part, part], ...])  # type: ignore[valid-type]
    readers.update({TAGS[kind]: reader(kind) for kind in kinds})
    readers["dict"] = lambda plain: Dictionary(pairs(parts(plain, 2)[1]))
    for kind in SeriesKind:
        readers[kind.value] = lambda plain, kind=kind: Series(kind, series(parts(plain, 2)[1]))
    return read


recipe: Callable[[Plain], Recipe] = _reader(_OF_RECIPES, _Recipes, Recipe)
"""The recipe that a plain form stands for."""
snapshot: Callable[[Plain], Snapshot] = _reader(_OF_SNAPSHOTS, _Snapshots, Snapshot)
"""The snapshot that a plain form stands for."""
decode_step: Callable[[Plain], Step] = reader(Step)
decode_patch: Callable[[Plain], Patch] = reader(Patch)
decode_case: Callable[[Plain], Case] = reader(Case)
decode_observation: Callable[[Plain], Observation] = reader(Observation)


def key(thing: Recipe | Snapshot) -> bytes:
    """Equal for equal things only: NaN equals NaN, while ``1``, ``1.0`` and ``True`` differ."""
    return marshal.dumps(encode(thing), EQUAL)


def case_key(case: Case) -> bytes:
    """Equal for cases that do the same: have equal steps and patches."""
    return marshal.dumps(([*map(encode, case.steps)], [*map(encode, case.patches)]), EQUAL)


def step_key(step: Step) -> bytes:
    """Equal for equal steps only."""
    return marshal.dumps(encode(step), EQUAL)


def observation_key(seen: Observation, parts: Iterable[str]) -> bytes:
    """Equal for observations of which these parts are equal, as `key` is."""
    plain = encode(seen)
    return marshal.dumps([plain[name] for name in parts], EQUAL)


def receiver_of(plain: Plain) -> str | None:
    """The variable that a step acts on, None for a call, without decoding the rest."""
    step = table(plain)
    return Step(member_of(Act, step["act"]), text(step["place"]), text(step["name"])).receiver


def argument_types(plain: Plain) -> Iterator[tuple[str, str]]:
    """Yield for the arguments of a step, by place or name, the type of each, without decoding the rest.

    It is "" where the recipe of an argument does not say by itself what it makes. Of what is no step, which
    whoever decodes it will refuse, there are none.
    """
    if isinstance(plain, dict) and isinstance(plain.get("args"), list):
        yield from ((str(number), _type_made(part)) for number, part in enumerate(plain["args"]))
        yield from ((str(name), _type_made(part)) for name, part in plain.get("kwargs", ()))


def _type_made(part: Plain) -> str:
    if not isinstance(part, (tuple, list)) or len(part) < 2:
        return ""
    if part[0] == "lit":
        return type(part[1]).__name__
    if part[0] == "call" and len(part) > 2:
        return str(part[2]).rpartition(".")[2]
    return str(part[0]) if part[0] in ("list", "tuple", "set", "frozenset", "dict") else ""
