"""Inputs that no solver made: constants of the code as seeds, and random neighbours of earlier inputs."""

from __future__ import annotations

import random
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from runtime.expr import Sort
from tracetwin.explore.loop.run import Assignment, Run
from tracetwin.model.status import Status

NAMES_OF_SORTS = {Sort.INT: "int", Sort.STR: "str", Sort.FLOAT: "float", Sort.BYTES: "bytes"}

MOST_REMEDIED = 3
"""Inputs to which one and the same remedy is applied."""

MOST_REMEMBERED, FORGOTTEN = 400, slice(100, 200)
"""Runs whose neighbours may be tried, and those of them that go when there are more: the first stay."""

ANSWER = "()"
"""In the name of what a mock answers."""

SAMPLES = "samples"
"""What the library's parsers can read, among the constants."""


def seeded(run: Run, constants: Mapping[str, Sequence[object]], limit: int) -> list[Assignment]:
    """Inputs in which the texts of `run` can be read, then those with constants that occur in the code."""
    inputs = [made for text in constants.get(SAMPLES, ()) for made in _sample(run, str(text))]
    for index in range(limit):
        values: Assignment = {}
        for name, (sort, _) in run.variables.items():
            known = constants.get(NAMES_OF_SORTS.get(sort, ""), ())
            if index < len(known) and name not in run.structural:
                values[name] = known[index]
        if values:
            inputs.append(values)
    return inputs


def _sample(run: Run, text: str) -> list[Assignment]:
    """Inputs in which texts are one that the code can read: what mocks answer, then arguments as well."""
    values: Assignment = {}
    for name, (sort, _) in run.variables.items():
        if name not in run.structural and sort in (Sort.STR, Sort.BYTES):
            values[name] = text if sort is Sort.STR else text.encode()
    answers = {name: value for name, value in values.items() if ANSWER in name}
    return [made for made in ((answers, values) if answers != values else (values,)) if made]


class Remedies:
    """Applies what could help where an object could not be built, each remedy to a few inputs."""

    def __init__(self) -> None:
        self._applied: Counter[tuple[str, int]] = Counter()

    def inputs(self, run: Run) -> Iterator[Assignment]:
        """Give the input of a run that could not build an object, with one more call that could help."""
        for name, value in run.remedies:
            self._applied[name, value] += 1
            if self._applied[name, value] <= MOST_REMEDIED:
                yield {**run.values, name: value}


def mutated(run: Run, constants: Mapping[str, Sequence[object]], rng: random.Random) -> Assignment:
    """A neighbour of a run's input: one to three variables changed."""
    values = dict(run.values)
    names = sorted(values)
    if not names:
        return {}
    for name in rng.sample(names, min(len(names), rng.randint(1, 3))):
        values[name] = _mutate_value(values[name], constants, rng)
    return values


def _mutate_value(value: object, constants: Mapping[str, Sequence[object]], rng: random.Random) -> object:
    known = constants.get(type(value).__name__, ())
    if known and rng.random() < 0.4:
        return rng.choice(list(known))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, -value, value * 2, value // 2, rng.randint(-1000, 1000), 0])
    if isinstance(value, float):
        return rng.choice([value + 1, value / 2, -value, value * 10, rng.uniform(-100, 100), 0.0])
    if isinstance(value, str):
        return _mutate_text(value, [str(k) for k in known], rng)
    if isinstance(value, bytes):
        return _mutate_text(value.decode("latin-1"), [], rng).encode("latin-1", "replace")
    return value


def _mutate_text(text: str, pieces: Sequence[str], rng: random.Random) -> str:
    at = rng.randint(0, len(text))
    piece = rng.choice(pieces) if pieces and rng.random() < 0.5 else rng.choice(string.printable[:95])
    action = rng.randrange(4)
    if action == 0 and text:
        return text[:at] + text[at + 1 :]
    if action == 1 and text:
        return text[:at] + piece + text[at + 1 :]
    if action == 2:
        return text + piece
    return text[:at] + piece + text[at:]


class Remembered:
    """The runs of an exploration whose neighbours may be tried: the first and the last ones.

    Attributes:
        all: in their order.
        built: those of them in which all objects could be built.
    """

    def __init__(self) -> None:
        self.all: list[Run] = []
        self.built: list[Run] = []

    def __bool__(self) -> bool:
        return bool(self.all)

    @property
    def first(self) -> Run:
        return self.all[0]

    def note(self, run: Run) -> None:
        """From now on, neighbours of a run may be tried."""
        self.all.append(run)
        if run.status is not Status.SETUP:
            self.built.append(run)
        if len(self.all) > MOST_REMEMBERED:
            del self.all[FORGOTTEN]
            self.built = [run for run in self.all if run.status is not Status.SETUP]

    def any(self, chance: random.Random) -> Run:
        """Return some earlier run, of those that came to the target where there are any."""
        return chance.choice(self.built or self.all)
