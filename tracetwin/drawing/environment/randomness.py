"""Randomness: any number that could come is an input; a choice is a place in a sequence."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from runtime.operations.subscripts import getitem
from runtime.values import plain, settle
from tracetwin.drawing.environment.sources import NOTHING, EnvironmentRead, Given, NotDrawn, reads
from tracetwin.model.patch import PatchedCall, Way
from tracetwin.model.recipe import list_of
from tracetwin.model.recipes import Recipe, call, lit, of_value

EXTREME: Final = 1e6
"""Numbers without bounds of their own stay within."""

MOST_BITS: Final = 512
MOST_CHOSEN: Final = 20


@reads("random", "random:random")
def between_0_and_1(reading: EnvironmentRead) -> tuple[Any, Recipe]:
    """At least 0, below 1."""
    value = _floating(reading, 0.5)
    reading.inputs.assume(value >= 0.0)
    reading.inputs.assume(value < 1.0)
    return value, lit(plain(value))


@reads("random", "random:uniform")
def uniform(reading: EnvironmentRead, a: Any, b: Any) -> tuple[Any, Recipe]:
    """Between two numbers, in whichever order."""
    low, high = (a, b) if a <= b else (b, a)
    value = _floating(reading, float(plain(low) + (plain(high) - plain(low)) / 2))
    reading.inputs.assume(value >= low)
    reading.inputs.assume(value <= high)
    return value, lit(plain(value))


@reads(
    "random",
    *(f"random:{name}" for name in ("gauss", "normalvariate", "lognormvariate", "vonmisesvariate")),
    *(f"random:{name}" for name in ("expovariate", "triangular", "gammavariate", "betavariate")),
    *(f"random:{name}" for name in ("paretovariate", "weibullvariate")),
)
def distributed(reading: EnvironmentRead, *_parameters: Any, **_others: Any) -> tuple[Any, Recipe]:
    """Some number of a distribution."""
    value = _floating(reading, 1.0)
    reading.inputs.assume(value >= -EXTREME)
    reading.inputs.assume(value <= EXTREME)
    return value, lit(plain(value))


@reads("random", "random:randint")
def between(reading: EnvironmentRead, a: Any, b: Any) -> tuple[Any, Recipe]:
    """From `a` to `b`, both included."""
    if a > b:
        raise NotDrawn
    return _integer(reading, a, b)


@reads("random", "random:randrange")
def in_range(reading: EnvironmentRead, start: Any, stop: Any = None, step: Any = 1) -> tuple[Any, Recipe]:
    """One of a range."""
    low, high = (0, start) if stop is None else (start, stop)
    if plain(step) == 1:
        if low >= high:
            raise NotDrawn
        return _integer(reading, low, high - 1)
    choices = range(settle(low), settle(high), settle(step))
    place = _place(reading, len(choices))
    value = choices.start + choices.step * place
    return value, lit(plain(value))


@reads("random", "random:getrandbits", "secrets:randbits")
def bits(reading: EnvironmentRead, k: Any) -> tuple[Any, Recipe]:
    """An integer of so many bits."""
    count = settle(k)
    if not 0 <= count <= MOST_BITS:
        raise NotDrawn
    return _integer(reading, 0, 2**count - 1)


@reads("random", "secrets:randbelow")
def below(reading: EnvironmentRead, exclusive_upper_bound: Any) -> tuple[Any, Recipe]:
    """From 0 to a number, which is not included."""
    if exclusive_upper_bound <= 0:
        raise NotDrawn
    return _integer(reading, 0, exclusive_upper_bound - 1)


@reads("random", "random:choice", "secrets:choice")
def choice(reading: EnvironmentRead, seq: Any) -> Given:
    """One of a sequence: its place is the input."""
    size = _size(seq)
    place = reading.memory.get("picked")
    place = _place(reading, size) if place is None else place
    if plain(place) >= size:
        raise NotDrawn
    value = getitem(seq, place)
    recipe = of_value(_plain(value))
    if recipe is not None:
        return value, recipe
    reading.memory["picked"] = place  # a test gives one function for all choices of what can't be written
    return value, PatchedCall(Way.PICK, lit(int(plain(place))))


@reads("random", "random:choices")
def choices(
    reading: EnvironmentRead, population: Any, _weights: Any = None, *, k: Any = 1, **_others: Any
) -> tuple[Any, Recipe]:
    """Some of a sequence, with repetitions."""
    size, count = _size(population), settle(k)
    if not 0 < count <= MOST_CHOSEN:
        raise NotDrawn
    places = [_place(reading, size, f"[{number}]") for number in range(count)]
    return _listed([getitem(population, place) for place in places])


@reads("random", "random:sample")
def sample(reading: EnvironmentRead, population: Any, k: Any, *, counts: Any = None) -> tuple[Any, Recipe]:
    """Some of a sequence without repetitions: neighbours, from a place that is the input."""
    size, count = _size(population), settle(k)
    if counts is not None or not 0 < count <= min(size, MOST_CHOSEN):
        raise NotDrawn
    first = reading.inputs.choice(f"{reading.name}#", size)
    return _listed([population[(first + number) % size] for number in range(count)])


@reads("random", "random:shuffle")
def shuffle(reading: EnvironmentRead, x: Any) -> Given:
    """Leaves a sequence as it is."""
    del reading, x
    return None, NOTHING


@reads("random", "random:randbytes", "secrets:token_bytes", "os:urandom")
def octets(reading: EnvironmentRead, nbytes: Any = None) -> tuple[Any, Recipe]:
    """Bytes that are different each time."""
    value = reading.number.to_bytes(_count(nbytes), "big")
    return value, lit(value)


@reads("random", "secrets:token_hex")
def token_hex(reading: EnvironmentRead, nbytes: Any = None) -> tuple[Any, Recipe]:
    """Twice as many digits, different each time."""
    return _text(f"{reading.number:0{2 * _count(nbytes)}x}")


@reads("random", "secrets:token_urlsafe")
def token_urlsafe(reading: EnvironmentRead, nbytes: Any = None) -> tuple[Any, Recipe]:
    """A text of letters that is different each time."""
    return _text(str(reading.number).rjust(math.ceil(_count(nbytes) * 4 / 3), "A"))


@reads("random", "uuid:uuid4", "uuid:uuid1")
def unique(reading: EnvironmentRead) -> tuple[Any, Recipe]:
    """An identifier that is different each time."""
    from uuid import UUID

    text = f"12345678-1234-4678-9234-{reading.number:012d}"
    return UUID(text), call("uuid", "UUID", lit(text))


def _floating(reading: EnvironmentRead, home: float) -> Any:
    reading.inputs.homes[reading.name] = home
    return reading.inputs.floating(reading.name, home)


def _integer(reading: EnvironmentRead, low: Any, high: Any) -> tuple[Any, Recipe]:
    value = reading.inputs.integer(reading.name, int(plain(low)))
    reading.inputs.assume(value >= low)
    reading.inputs.assume(value <= high)
    return value, lit(plain(value))


def _place(reading: EnvironmentRead, size: int, part: str = "") -> Any:
    """A place in something of that size.

    Raises:
        NotDrawn: it has none.
    """
    if not size:
        raise NotDrawn
    return reading.inputs.integer(f"{reading.name}#{part}", 0, 0, size - 1)


def _size(sequence: Any) -> int:
    """The decided length of a sequence.

    Raises:
        NotDrawn: it is none.
    """
    if not isinstance(sequence, Sequence):
        raise NotDrawn
    return int(settle(len(sequence)))


def _count(number: Any) -> int:
    count = 32 if number is None else settle(number)
    if not isinstance(count, int) or not 0 < count <= MOST_BITS:
        raise NotDrawn
    return count


def _text(text: str) -> tuple[str, Recipe]:
    return text, lit(text)


def _listed(values: list[Any]) -> tuple[list[Any], Recipe]:
    return values, list_of(*map(_written, values))


def _written(value: Any) -> Recipe:
    """The recipe of something that was chosen.

    Raises:
        NotDrawn: a test can't write it down.
    """
    recipe = of_value(_plain(value))
    if recipe is None:
        raise NotDrawn
    return recipe


def _plain(value: Any) -> Any:
    """Without what it depends on, within the containers that are written down."""
    makers: dict[type, Callable[[Any], Any]] = {list: list, tuple: tuple}
    maker = makers.get(type(value))
    return plain(value) if maker is None else maker(_plain(part) for part in value)
