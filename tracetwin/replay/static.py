"""Coverable lines and arcs of a file, by coverage.py's own analysis: our numbers are those of its report."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from copy import copy
from dataclasses import field
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from tracetwin.analysis.misuse import Speaking, speaking_of
from tracetwin.model.met import Met
from tracetwin.process.compiler import compiler
from tracetwin.replay.branch_words import branch_words, statement_words
from tracetwin.replay.functions import Arc, FunctionFinder, SourceFunction
from tracetwin.replay.observe.generic import open_classes
from tracetwin.support.data import dataclass
from tracetwin.target.outline import Outline, tree_of

if TYPE_CHECKING:
    from coverage.results import Analysis

    from tracetwin.model.observation import Raised
    from tracetwin.target.environment import PythonEnvironment

T = TypeVar("T")


@dataclass(frozen=True)
class Coverable:
    """All that can be covered in one file.

    Attributes:
        lines: executable lines.
        arcs: branch arcs: those that start at a line with more than one way on.
        functions: functions and methods in the order of the file.
        raising: lines of `raise` and `assert` statements.
        classes: for each class (qualified name), the parameters its constructor takes.
        commands: lines with the names of calls there whose result nobody uses.
        literals: texts that annotations allow, by `Literal`.
        open_classes: how many type variables a class has that its constructor does not speak of.
        waived: arcs that a "no branch" comment waives: they count as taken.
        conditions: what holds where a branch is taken, in words.
        doing: what statements do, in words, by their lines.
        asserting: lines of `assert` statements.
        speaking: what the module says itself of errors that arguments of wrong types lead to.
        messages: texts of its own errors.
        met: what a suite of the user's covers already, None where that is not asked.
    """

    file: str
    lines: frozenset[int]
    arcs: frozenset[Arc]
    functions: tuple[SourceFunction, ...]
    raising: frozenset[int] = frozenset()
    classes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    commands: frozenset[tuple[int, str]] = frozenset()
    literals: frozenset[str] = frozenset()
    open_classes: dict[str, int] = field(default_factory=dict)
    waived: frozenset[Arc] = frozenset()
    conditions: dict[Arc, str] = field(default_factory=dict)
    doing: dict[int, str] = field(default_factory=dict)
    asserting: frozenset[int] = frozenset()
    speaking: Speaking = field(default_factory=Speaking)
    messages: frozenset[str] = frozenset()
    _reporter: Any = None
    _known: dict[Any, Any] = field(default_factory=dict, compare=False)
    met: Met | None = None

    def __getstate__(self) -> dict[str, Any]:
        """The coverable parts, without what measures them, which is coverage.py's."""
        return {**vars(self), "_reporter": None, "_known": {}}

    def covered(self, lines: Iterable[int], arcs: Iterable[Arc]) -> tuple[frozenset[int], frozenset[Arc]]:
        """Which of its lines and branch arcs a measurement covers."""
        # What coverage.py's analysis says, of which every line and arc has its own part; as a whole it takes
        # a millisecond or more, and many cases go the same way.
        way = (frozenset(lines), frozenset(arcs))
        if way not in self._known:
            executed = self.lines.intersection(self._reporter.translate_lines(way[0]))
            taken = self.arcs.intersection(self._reporter.translate_arcs(way[1]))
            self._known[way] = frozenset(executed), self.waived | taken
        found: tuple[frozenset[int], frozenset[Arc]] = self._known[way]
        return found

    def remembered(self, subject: tuple[Any, ...], about: Hashable, made: Callable[[], T]) -> T:
        """Return what is said about immutable things: made once, however often it is asked."""
        key = (*map(id, subject), about)
        if key not in self._known:
            self._known[key] = subject, made()  # their numbers are theirs as long as they are kept
        found: T = self._known[key][1]
        return found

    def raises_itself(self, line: int | None, raised: Raised) -> bool:
        """Return whether code of the module, or its package, made what a line raises, not the interpreter."""
        if line in self.asserting:
            return raised.place == ("builtins", "AssertionError")
        return raised.is_stated or line in self.raising

    def function(self, qualname: str) -> SourceFunction | None:
        """The function of that name; of several, the last, which is the one that stays."""
        found = [function for function in self.functions if function.qualname == qualname]
        return found[-1] if found else None


class _Measured:
    """A measurement as coverage.py's analysis wants to read it."""

    def __init__(self, lines: set[int], arcs: list[Arc]) -> None:
        self._lines = lines
        self._arcs = arcs

    def has_arcs(self) -> bool:
        return True

    def lines(self, _file: str) -> set[int]:
        return self._lines

    def arcs(self, _file: str) -> list[Arc]:
        return self._arcs


def _analysis(reporter: Any, lines: set[int], arcs: list[Arc]) -> Analysis:
    from coverage.results import analysis_from_file_reporter

    data: Any = _Measured(lines, arcs)
    return analysis_from_file_reporter(data, 0, reporter, reporter.filename)


def _remember(reporter: Any) -> None:
    """Let a reporter look at its source once, not anew for each measurement."""
    for name in ("lines", "excluded_lines", "no_branch_lines", "arcs", "exit_counts"):
        setattr(reporter, name, partial(_copied, cache(getattr(reporter, name))))


def _copied(make: Callable[[], Any]) -> Any:
    return copy(make())


def _branches(by_line: dict[int, list[int]]) -> frozenset[Arc]:
    return frozenset((start, end) for start, ends in by_line.items() for end in ends)


def _without(unseen: set[int], possible: set[Arc]) -> set[Arc]:
    """Return arcs that lead past lines; whoever comes to one of them goes where it goes on."""
    for line in sorted(unseen):
        ends = [end for start, end in possible if start == line]
        starts = [start for start, end in possible if end == line]
        past = {(start, end) for start in starts for end in ends[:1] if start != line != end}
        possible = {arc for arc in possible if line not in arc} | past
    return possible


def coverable(file: str, there: PythonEnvironment | None = None) -> Coverable:
    """Analyse a file (it may lie inside a wheel or another zip file), for the interpreter that runs it.

    Raises:
        coverage.exceptions.NotPython: the file has a syntax error.
        coverage.exceptions.NoSource: there is no such file.
    """
    import coverage
    from coverage.python import PythonFileReporter

    cover = coverage.Coverage(data_file=None, branch=True, config_file=False, messages=False)
    reporter = PythonFileReporter(file, cover)
    _remember(reporter)
    analysis = _analysis(reporter, set(), [])
    forks = {line for line, ways in analysis.exit_counts.items() if ways > 1}
    possible = {arc for arc in analysis.arc_possibilities if arc[1] not in analysis.excluded}
    waived = {arc for arc in possible if arc[0] in forks} - _branches(analysis.missing_branch_arcs())
    statements = set(analysis.statements)
    if there is not None and there.is_older:  # it has no code for `pass`, nor for `while True`
        lines = compiler(there).lines(reporter.source(), file)
        unseen = statements.difference(reporter.translate_lines(lines))
        statements, possible = statements - unseen, _without(unseen, possible)
        ways = Counter(start for start, _ in possible)
        forks = {line for line in forks if ways[line] > 1}
    arcs = frozenset(arc for arc in possible if arc[0] in forks)
    tree = ast.parse(reporter.source())
    finder = FunctionFinder(statements, arcs)
    finder.visit(tree)
    raising, asserting = (frozenset(lines_of(tree, kind)) for kind in (ast.Raise, ast.Assert))
    return Coverable(
        file,
        frozenset(statements),
        arcs,
        tuple(finder.functions),
        raising | asserting,
        finder.classes,
        frozenset(_commands(tree)),
        frozenset(_literals(tree)),
        open_classes(tree),
        arcs & waived,
        branch_words(tree),
        statement_words(tree),
        asserting,
        speaking_of(tree),
        frozenset(_messages(tree)),
        reporter,
    )


def _commands(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The calls that are statements of their own, by all their lines."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Expr):
            continue
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(call, ast.Call):
            name = ast.unparse(call.func).rpartition(".")[2]
            yield from ((line, name) for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _messages(tree: ast.AST) -> Iterator[str]:
    """The sentences in `raise` statements, and behind an `assert`."""
    for node in ast.walk(tree):
        told = node if isinstance(node, ast.Raise) else node.msg if isinstance(node, ast.Assert) else None
        texts = (part.value for part in (ast.walk(told) if told else ()) if isinstance(part, ast.Constant))
        yield from (text.strip() for text in texts if isinstance(text, str) and " " in text.strip())


def _literals(tree: ast.AST) -> Iterator[str]:
    """The texts in ``Literal["a", "b"]``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] == "Literal":
            texts = (part.value for part in ast.walk(node.slice) if isinstance(part, ast.Constant))
            yield from (text for text in texts if isinstance(text, str))


@dataclass(frozen=True)
class Outlined(Coverable):
    """All that can be covered in a module without source: its lines, but no branches."""

    def covered(self, lines: Iterable[int], arcs: Iterable[Arc]) -> tuple[frozenset[int], frozenset[Arc]]:
        """Which of its lines a measurement covers."""
        return self.lines.intersection(lines), frozenset()


def outlined(file: str, outline: Outline) -> Outlined:
    """The coverable parts of a module of which only its code objects are known."""
    finder = FunctionFinder(set(outline.lines), frozenset())
    finder.visit(tree_of(outline))
    return Outlined(
        file, frozenset(outline.lines), frozenset(), tuple(finder.functions), classes=finder.classes
    )


def lines_of(tree: ast.AST, kind: type[ast.stmt]) -> Iterator[int]:
    """Give the lines of all statements of a kind."""
    for node in ast.walk(tree):
        if isinstance(node, kind):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)
