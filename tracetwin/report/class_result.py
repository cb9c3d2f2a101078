"""Classes as a run has looked into them, read back into typed data: states, paths of methods, pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracetwin.model.field_types import read_as
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class State:
    """A state; the fields are those that `tracetwin explore --json` writes."""

    number: int
    depth: int
    calls: tuple[str, ...]
    holds: Mapping[str, str]
    when: str

    @property
    def words(self) -> str:
        """The attributes in one line."""
        return ", ".join(f"{name} = {value}" if name else value for name, value in self.holds.items())


@dataclass(frozen=True)
class ReportedMove:
    """A call between states; the fields are those of `tracetwin.explore.states.graph.Move`."""

    before: int
    after: int
    call: str
    new: bool


@dataclass(frozen=True)
class DepthFigures:
    """The figures of one depth, as `tracetwin explore` shows them."""

    depth: int
    new: int
    states: int
    subsumed: int
    runs: int
    queries: int
    solved: int
    seconds: float
    covered: int
    complete: bool


@dataclass(frozen=True)
class States:
    """The states of a class.

    Attributes:
        stopped: why they are not all that there are within the depth, "" where they are.
    """

    states: tuple[State, ...]
    moves: tuple[ReportedMove, ...]
    rows: tuple[DepthFigures, ...]
    stopped: str


@dataclass(frozen=True)
class Path:
    """One way through a method.

    Attributes:
        when: the condition on the object and the arguments.
        effects: what holds afterwards, in words.
        defines: the attributes that get a value.
        ends: what it returns or raises, in words.
    """

    method: str
    when: str
    effects: str
    defines: str
    ends: str


@dataclass(frozen=True)
class Pair:
    """A definition of an attribute and a use of it.

    Attributes:
        fate: ``covered``, ``infeasible`` or ``open``.
        why: the proof, or why nothing is known.
        sequence: calls that go from the one to the other, "" for none.
        tests: numbers of tests that do.
    """

    attribute: str
    define: str
    define_line: int
    use: str
    use_line: int
    fate: str
    why: str
    sequence: str
    tests: tuple[int, ...] = ()


@dataclass(frozen=True)
class ReportedClass:
    """A class.

    Attributes:
        problem: why its paths are not known, "" where they are.
        partly: methods of which not all paths are known, with the reason.
        states: None where no object could be made.
    """

    name: str
    problem: str
    paths: tuple[Path, ...]
    partly: tuple[tuple[str, str], ...]
    pairs: tuple[Pair, ...]
    states: States | None


def read_class(plain: Mapping[str, Any], tests: Mapping[str, tuple[int, ...]]) -> ReportedClass:
    """Return the typed form of a class."""
    methods = plain["methods"]
    return ReportedClass(
        plain["name"],
        plain["problem"],
        tuple(_path(method["name"], path) for method in methods for path in method["paths"]),
        tuple((method["name"], method["why"]) for method in methods if not method["complete"]),
        tuple(_pair(pair, tests.get(f"{plain['name']}:{pair['number']}", ())) for pair in plain["pairs"]),
        None if plain.get("states") is None else _states(plain["states"]),
    )


def _path(method: str, plain: Mapping[str, Any]) -> Path:
    effects = "; ".join(f"{name} = {text}" for name, text in plain["then"].items())
    ends = f"raises {plain['raises']}" if plain["raises"] else f"returns {plain['returns'] or None}"
    return Path(method, plain["when"], effects, ", ".join(plain["defines"]), ends)


def _pair(plain: Mapping[str, Any], tests: tuple[int, ...]) -> Pair:
    define, use = plain["define"], plain["use"]
    return Pair(
        plain["attribute"], define["method"], define["line"], use["method"], use["line"], plain["status"],
        plain["why"], plain["sequence"], tests,
    )  # fmt: skip


def _states(plain: Mapping[str, Any]) -> States:
    states = tuple(read_as(State, one) for one in plain["states"])
    known = {state.number for state in states}
    moves = (read_as(ReportedMove, one) for one in plain["moves"])
    return States(
        states,
        tuple(move for move in moves if move.after in known and (move.before < 0 or move.before in known)),
        tuple(read_as(DepthFigures, row) for row in plain["rows"]),
        plain["stopped"],
    )
