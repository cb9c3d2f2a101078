"""Definition-use pairs of a class (Buy, Orso, Pezze, table 1)."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from instrumenter.lowering.code import Function, Instruction
from tracetwin.analysis.flow.bodies import registers_of
from tracetwin.analysis.flow.constants import Constants
from tracetwin.analysis.flow.graph import ClassGraph, Spot
from tracetwin.analysis.flow.hierarchy import CONSTRUCTORS
from tracetwin.analysis.flow.locations import LocationTable
from tracetwin.analysis.flow.solve import Solved
from tracetwin.support.data import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Point:
    """A definition or use: line and column of the expression, and the method, as tracetwin names it."""

    line: int
    column: int
    method: str


@dataclass(frozen=True, slots=True)
class DefUsePair:
    """A definition and a use of the same attribute of the same object.

    Attributes:
        number: from 1, by the place of the definition, then that of the use.
        attribute: its name; ``x[]`` stands for the elements of what it holds.
        define: where it is defined; the class body for a default of the class.
        use: where it is used.
        feasible: False if it is certain that no sequence of calls exercises it. Calls are understood to
            return, and attributes to be stored by methods only, as in the paper.
        why: the reason if it is not feasible.
        within: whether both can meet in one call.
    """

    number: int
    attribute: str
    define: Point
    use: Point
    feasible: bool = True
    why: str = ""
    within: bool = False


def pairs_of(solved: Solved, table: LocationTable, name: str) -> tuple[DefUsePair, ...]:
    """All pairs of a class: definitions that reach the end of a method, with the uses in any method.

    As in the paper's table the pairs without a definition-clear path are listed, and marked.
    """
    return _Finder(ClassGraph(solved, table, name)).all()


class _Finder:
    def __init__(self, graph: ClassGraph) -> None:
        self.graph = graph
        self.constants = Constants(graph)
        self._producers: dict[Function, dict[object, Instruction]] = {}
        summaries = graph.summaries
        entries = {*graph.entries, *graph.loose}
        self.uses = {row for number in entries for row in summaries[number].uses}
        self.exposed = {row for number in entries for row in summaries[number].exposed}
        every = entries | set(graph.constructors)
        self.inner = {row for number in every for row in summaries[number].inner}
        self.out = {row for number in every for row in summaries[number].out}
        self.out |= {
            (attribute, spot)
            for number in entries
            for attribute, spot in summaries[number].thrown
            if spot is not None
        }

    def all(self) -> tuple[DefUsePair, ...]:
        found: dict[tuple[str, Point, Point], DefUsePair] = {}
        for attribute, definition, use in sorted(self._candidates()):
            pair = self._pair(attribute, definition, use)
            key = (attribute, pair.define, pair.use)
            known = found.get(key)
            if known is None or (pair.feasible and not known.feasible):
                found[key] = pair
        for pair in self._defaults():
            found.setdefault((pair.attribute, pair.define, pair.use), pair)
        found = {
            key: pair
            for key, pair in found.items()
            if (pair.use.line, pair.use.column) not in self._unwritten
        }
        ordered = sorted(found.values(), key=lambda p: (p.define, p.use, p.attribute))
        return tuple(replace(pair, number=number) for number, pair in enumerate(ordered, 1))

    @cached_property
    def _unwritten(self) -> frozenset[tuple[int, int]]:
        """The places of what `dataclass` makes, such as `__eq__`, which no line of the text uses."""
        functions = self.graph.solved.program.functions
        return frozenset((n.line, n.column) for f in functions if f.made for n in f.nodes if n.line)

    def _candidates(self) -> set[tuple[str, Spot, Spot]]:
        across = {(a, d, u) for a, d in self.out for name, u in self.uses if name == a}
        return across | self.inner | self._in_the_middle()

    def _in_the_middle(self) -> set[tuple[str, Spot, Spot]]:
        """Pairs through code that may run within methods: its definitions reach all uses, all reach its."""
        every = {
            (attribute, (number, node))
            for number, rows in self.graph.actions.items()
            for node, action in rows.items()
            for attribute in action.defines
        }
        loose = self.graph.loose
        return {
            (a, d, u)
            for a, d in every
            for name, u in self.uses
            if a == name and (d[0] in loose or u[0] in loose)
        }

    def _pair(self, attribute: str, definition: Spot, use: Spot) -> DefUsePair:
        define, where = self._point(attribute, definition), self._point(attribute, use)
        if (attribute, definition, use) in self.inner:
            return DefUsePair(0, attribute, define, where, within=True)
        if definition[0] in self.graph.loose:
            return DefUsePair(0, attribute, define, where)
        if not self._is_exposed(attribute, use):
            return DefUsePair(
                0, attribute, define, where, feasible=False, why=self._redefined(attribute, use)
            )
        if use[0] in self.graph.loose:
            return DefUsePair(0, attribute, define, where)
        why = self.constants.obstacle(attribute, definition, use)
        return DefUsePair(0, attribute, define, where, feasible=not why, why=why)

    def _is_exposed(self, attribute: str, use: Spot) -> bool:
        """True if what was defined before the call, or while it paused, may reach a use in it."""
        function = self.graph.solved.program.functions[use[0]]
        return (attribute, use) in self.exposed or function.generator or function.coroutine

    def _redefined(self, attribute: str, use: Spot) -> str:
        """The definitions that reach the use, as none from before the call does."""
        lines = sorted({self._point(a, d).line for a, d, u in self.inner if (a, u) == (attribute, use)})
        if not lines:
            return "the use can't be reached"
        return f"redefined before the use in line {' or '.join(map(str, lines))}"

    def _defaults(self) -> list[DefUsePair]:
        """Values that the class body gives to attributes which methods define as well."""
        made: list[DefUsePair] = []
        defined = {attribute for attribute, _ in self.out}
        for name in self.graph.order:
            body = next(
                f for f in self.graph.solved.program.functions if f.role == "class body" and f.owner == name
            )
            for node in body.nodes:
                attribute = getattr(node.op, "name", "")
                if (
                    type(node.op).__name__ != "Store"
                    or attribute not in defined
                    or self._initialised(attribute)
                ):
                    continue
                define = Point(node.line, node.column, name)
                made += [
                    DefUsePair(0, attribute, define, self._point(attribute, use))
                    if self._is_exposed(attribute, use)
                    else DefUsePair(
                        0,
                        attribute,
                        define,
                        self._point(attribute, use),
                        feasible=False,
                        why=self._redefined(a, use),
                    )
                    for a, use in self.uses
                    if a == attribute
                ]
        return made

    def _initialised(self, attribute: str) -> bool:
        summaries = [self.graph.summaries[number] for number in self.graph.constructors]
        return any(attribute not in summary.clear for summary in summaries)

    def _point(self, attribute: str, spot: Spot) -> Point:
        function = self.graph.solved.program.functions[spot[0]]
        node = function.nodes[spot[1]]
        if attribute.endswith("[]"):
            node = self._container(function, node, attribute[:-2])
        method = function.name
        if method.rpartition(".")[2] in CONSTRUCTORS and function.owner:
            method = function.owner
        return Point(node.line, node.column, method)

    def _container(self, function: Function, node: Instruction, name: str) -> Instruction:
        """The node that gives the container whose elements are meant: its place is that of the expression."""
        env = self.graph.solved.state.env[function]
        producers = self._producers.get(function)
        if producers is None:
            producers = {getattr(n.op, "into", None): n for n in function.nodes}
            self._producers[function] = producers

        def is_named(register: object) -> bool:
            return register in producers and getattr(producers[register].op, "name", "") == name

        # An attribute that is named comes before one that may hold the same container.
        for register in sorted(registers_of(node.op, function), key=is_named, reverse=True):
            made = producers.get(register)
            holds = any(a[0] == "p" and a[2] == name for a in env.get(register, ()))
            if made is not None and made.line and holds:
                return made
        return node
