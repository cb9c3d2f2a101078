"""Inputs that no solver made: constants of the code as seeds, and random neighbours of earlier inputs."""

from __future__ import annotations

import itertools
import math
import random
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from runtime.expr import Node, Sort
from tracetwin.drawing.objects.pattern_texts import matching_texts
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.run import Assignment, Run
from tracetwin.model.invokable import variable_name
from tracetwin.model.status import Status

NAMES_OF_SORTS = {Sort.INT: "int", Sort.STR: "str", Sort.FLOAT: "float", Sort.BYTES: "bytes"}

MOST_REMEDIED = 3
"""Inputs to which one and the same remedy is applied."""

UNBUILT = 3
"""Runs that could not build an object, after which it is made of what others were: it may be easy."""

MOST_MAKINGS = 3
"""Objects that were made in one way of which the values are known."""

MOST_REMEMBERED, FORGOTTEN = 400, slice(100, 200)
"""Runs whose neighbours may be tried, and those of them that go when there are more: the first stay."""

MOST_FIRST = 60
"""Runs that are remembered as the first to pass some side."""

FIRST_SHARE, TEXT_SHARE = 0.75, 0.8
"""How often a neighbour is one of theirs, and how often its texts alone are others."""

ALIKE = 0.1
"""Part of the neighbours of which two values are the same."""

EDITS = (1, 1, 1, 2, 2, 3, 5)
"""Changes of one text."""

LONGEST_PIECE, LONGEST_TEXT = 30, 200

UNANSWERED, REFUTED = 12, 2
"""Neighbours that are due after a question about texts which had no answer, or no solution."""

NEARBY = 4
"""Those that are due after each question where none has helped for a while."""

BOUNDED_PART = 5
"""They are one run in so many at most in a part of the work that is bounded by executions."""

FRUITFUL, MOST_DUE = 8, 200
"""Neighbours that are due after one that showed something new, and that may be due then."""

MOST_HALVED, MOST_DOUBLED = 3, 4
"""How often half as many are due, since none was of use, and how often twice as many."""

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


class Makings:
    """The values that objects were made of, which others like them can be made of as well."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Assignment]] = {}
        self._told: tuple[Assignment, ...] = ()

    def taken(self, inputs: Iterable[Assignment]) -> tuple[Assignment, ...]:
        """Take in the receivers that were made elsewhere, and return them."""
        self._told = tuple(inputs)
        return self._told

    def note(self, run: Run) -> None:
        """Take in what the objects of a run were made of."""
        for maker, name in run.made:
            known = self._known.setdefault(maker, {})
            if len(known) < MOST_MAKINGS:
                parts = {part.removeprefix(f"{name}."): value for part, value in _parts(run, name)}
                known.setdefault(repr(parts), parts)

    def of(self, maker: str) -> Iterable[Assignment]:
        """Return values of which an object was made, by the names of its variables behind its own."""
        own = f"{variable_name(maker.rpartition(':')[2].removesuffix('.__init__'))}."
        told = (one for one in self._told if one and all(name.startswith(own) for name in one))
        others = ({name.removeprefix(own): value for name, value in one.items()} for one in told)
        return [*self._known.get(maker, {}).values(), *itertools.islice(others, MOST_MAKINGS)]


class Remedies:
    """Applies what could help where an object could not be built, each remedy to a few inputs."""

    def __init__(self, makings: Makings) -> None:
        self._makings = makings
        self._applied: Counter[tuple[str, object]] = Counter()
        self._unbuilt: Counter[str] = Counter()

    def inputs(self, run: Run) -> Iterator[Assignment]:
        """Give the input of a run that could not build an object, with what could help.

        That is one more call before it, or what another object was made of that is made in the same way.
        """
        self._makings.note(run)
        for name, value in run.remedies:
            if self._is_due(name, value):
                yield {**run.values, name: value}
        if run.unmade is not None:
            maker, name = run.unmade
            self._unbuilt[name] += 1
            if self._unbuilt[name] <= UNBUILT:
                return
            own = dict(_parts(run, name))
            kept = {other: value for other, value in run.values.items() if other not in own}
            for parts in self._makings.of(maker):
                if self._is_due(name, repr(parts), most=1):
                    yield {**kept, **{f"{name}.{part}": value for part, value in parts.items()}}

    def _is_due(self, name: str, remedy: object, most: int = MOST_REMEDIED) -> bool:
        self._applied[name, remedy] += 1
        return self._applied[name, remedy] <= most


def _parts(run: Run, name: str) -> list[tuple[str, object]]:
    """Return the variables that an object of that name is made of, with their values."""
    return [(part, value) for part, (_, value) in run.variables.items() if part.startswith(f"{name}.")]


def mutated(run: Run, constants: Mapping[str, Sequence[object]], rng: random.Random) -> Assignment:
    """A neighbour of a run's input: one to three variables changed."""
    values = dict(run.values)
    names = sorted(values)
    if not names:
        return {}
    for name in rng.sample(names, min(len(names), rng.randint(1, 3))):
        values[name] = _mutate_value(values[name], constants, rng)
    if rng.random() < ALIKE:
        _make_alike(values, {*run.structural}, rng)
    return values


def _make_alike(values: dict[str, object], fixed: set[str], rng: random.Random) -> None:
    """Give one variable the value of another of its type: who compares two things finds them the same."""
    free = [name for name in sorted(values) if name not in fixed and type(values[name]) in (int, str, bytes)]
    rng.shuffle(free)
    for name in free[:1]:
        others = [other for other in free[1:] if type(values[other]) is type(values[name])]
        values.update(dict.fromkeys(others[:1], values[name]))


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


class NearbyInputs:
    """Inputs near those of earlier runs, with texts put together from what paths compare them with.

    Nobody solves anything for them. They come from runs that were the first to pass some side more often than
    from others, as those of a fuzzer do that is guided by coverage.

    Attributes:
        due: how many are to be run before the next question.
    """

    def __init__(self, constants: Mapping[str, Sequence[object]], rng: random.Random) -> None:
        self.due = self._count = 0
        self._level = 0
        self._useful = True
        self._guided = False
        self._constants = constants
        self._known = [*constants.get("str", ()), *constants.get("bytes", ())]
        self._random = rng
        self._first: list[Run] = []
        self._pieces: dict[str, None] = {}
        self._seen: set[int] = set()

    def note(self, run: Run, *, first: bool) -> None:
        """Take in a run, and whether it was the first to pass some side."""
        for step in run.path:
            self._take(step.node)
        if first and _texts(run):
            self._first.append(run)
            del self._first[:-MOST_FIRST]

    def guide(self, budget: Budget) -> None:
        """From now on, neighbours are of runs that came somewhere first, unless executions are counted."""
        self._guided |= not budget.is_counted

    def ask_some(self, budget: Budget) -> None:
        """Have some neighbours run where no question has helped for a while."""
        self.guide(budget)
        self.due += NEARBY

    def ask(self, budget: Budget, *, unanswered: bool) -> None:
        """Have some neighbours run after a question about texts: more where the last ones were of use.

        Where executions are counted, a question costs no more than one of them, and finds more.
        """
        if budget.is_counted:
            return
        self._guided = True
        self._level = max(-MOST_HALVED, min(MOST_DOUBLED, self._level + (1 if self._useful else -1)))
        self._useful = False
        self.due += math.ceil((UNANSWERED if unanswered else REFUTED) * 2.0**self._level)

    def is_due(self, runs: int, budget: Budget) -> bool:
        """Return whether one is to be run now, after so many runs of any kind."""
        too_many = self._guided and budget.runs is not None and self._count * BOUNDED_PART > runs
        return self.due > 0 and not too_many and not budget.spent()

    def tell(self, *, found: bool) -> None:
        """Take in whether one came to a side that no run had passed: more of them are due then."""
        self.due -= 1
        self._count += 1
        self._useful |= found
        if found and self._guided:
            self.due = min(self.due + FRUITFUL, MOST_DUE)

    def of(self, run: Run) -> Assignment:
        """Return a neighbour of the input of a run, or of one that was the first to pass a side."""
        if not self._guided:
            return mutated(run, self._constants, self._random)
        if self._first and self._random.random() < FIRST_SHARE:
            run = self._random.choice(self._first)
        texts = _texts(run)
        if not texts or self._random.random() > TEXT_SHARE:
            return mutated(run, self._constants, self._random)
        name = self._random.choice(texts)
        value, pieces = run.values[name], [*self._pieces, *map(_as_text, self._known)]
        text = _as_text(value)
        for _ in range(self._random.choice(EDITS)):
            text = _mutate_text(text, [*pieces, *self._others()], self._random)[:LONGEST_TEXT]
        return {**run.values, name: text.encode("latin-1", "replace") if isinstance(value, bytes) else text}

    def _others(self) -> Iterator[str]:
        """Give a text of another run, to be put together with this one."""
        if self._first:
            run = self._random.choice(self._first)
            yield from (_as_text(run.values[name]) for name in _texts(run))

    def _take(self, node: Node) -> None:
        """Take the texts and the patterns out of a condition that was not seen yet."""
        waiting = [node]
        while waiting:
            node = waiting.pop()
            if node.ident in self._seen or not node.args:
                continue
            self._seen.add(node.ident)
            constants = [arg.data for arg in node.args if arg.op == "const"]
            if node.op.startswith("re.") and len(constants) > 1:
                pattern, flags = constants[:2]
                if isinstance(pattern, str) and isinstance(flags, int):
                    self._pieces.update(dict.fromkeys(matching_texts(pattern, flags)))
            else:
                texts = [_as_text(one) for one in constants if isinstance(one, (str, bytes))]
                self._pieces.update((one, None) for one in texts if 0 < len(one) <= LONGEST_PIECE)
            waiting.extend(node.args)


def _as_text(value: object) -> str:
    """Return a text, or the one that bytes stand for."""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _texts(run: Run) -> list[str]:
    """Return the names of the texts in the input of a run."""
    return [
        name
        for name, (sort, _) in run.variables.items()
        if sort in (Sort.STR, Sort.BYTES) and name in run.values and name not in run.structural
    ]


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
