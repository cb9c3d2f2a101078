"""Advice for one place of a module: what has to happen there, and the command or the words that say so."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Final

from tracetwin.analysis.entries import Awaited, Definition, WayIn, entry_of
from tracetwin.analysis.guards import EXCEPTION
from tracetwin.analysis.slices import Slice, slice_of
from tracetwin.report.advice import INFEASIBLE, advice, fate_of
from tracetwin.report.outside_names import OutsideNames
from tracetwin.report.result import Module, ReportedFunction
from tracetwin.report.syntax import parsed, syntax_of
from tracetwin.run.results.places import Places
from tracetwin.support.data import dataclass
from tracetwin.support.text import count, duration, listed

_USED_UP: Final = "time or runs were used up"
_MOST_NAMED: Final = 3
_TIMES: Final = 4
"""How many times the budget is advised that was not enough."""


@dataclass(frozen=True)
class Barrier:
    """A condition, or a line from which nothing goes on, in a function.

    Attributes:
        name: the qualified name of the function.
        node: its definition.
        takes: what has to hold there, in a sentence; "" where that is not known.
    """

    name: str
    node: Definition
    line: int
    reason: str
    takes: str = ""

    @property
    def example(self) -> str:
        """Advice to show an input that leads past it."""
        which = "for which that holds" if self.takes else "that comes there"
        return f'A test or a doctest of yours {which} shows the way: `--learn-from "pytest -q"`.'


class Counsel:
    """Gives advice for the places of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._tree = parsed(module.source)
        self._places = Places(self._tree)
        self._names = OutsideNames(self._tree, module.name)
        self._syntax = syntax_of(module.source)
        self._passed = frozenset(line for case in module.cases for line in case.lines)
        self._functions = {function.name: function for function in module.functions}

    def function(self, line: int) -> str:
        """Return the qualified name of the function that a line belongs to, "" outside of all."""
        found = self._places.around(line)
        return "" if found is None else found[0]

    def statement(self, line: int) -> int:
        """Return where the outermost statement around a line begins, the line itself where there is none."""
        spans = ((one.lineno, one.end_lineno or one.lineno) for one in self._tree.body)
        return next((first for first, last in spans if first <= line <= last), line)

    def way_in(self, line: int) -> WayIn | None:
        """Return the way in to a line from lines that tests run, None where none of its function is."""
        found = self._places.around(line)
        entry = None if found is None else entry_of(found[1], line, self._passed)
        return entry if entry is not None and entry.after else None

    def for_line(self, line: int, reason: str) -> str:
        """Return what would help a line that no test runs."""
        found = self._places.around(line)
        if not reason or fate_of(reason) == INFEASIBLE:
            asked = self.asked(line)
            return f"It would take {asked}. {advice(reason)}" if reason and asked else advice(reason)
        if found is None:
            return self._imported(line, reason)
        entry = self.way_in(line)
        if entry is None:
            return self._helped(Barrier(*found, line, reason))
        if entry.handler is not None and entry.guard is not None and entry.guard.outcome == EXCEPTION:
            return self._handled(Barrier(*found, line, reason), entry.handler)
        if entry.guard is None:
            past = f"Runs have to come past line {entry.after}."
            return self._helped(Barrier(*found, entry.after, reason, past))
        when = self._syntax.outcome(entry.guard.line, entry.guard.outcome)
        return self._helped(Barrier(*found, entry.guard.line, reason, _takes(when, entry.guard.line)))

    def asked(self, line: int) -> str:
        """Return the condition that has to hold for runs to come to a line, with its place; "" for none."""
        entry = self.way_in(line)
        if entry is None or entry.guard is None:
            return ""
        when = self._syntax.outcome(entry.guard.line, entry.guard.outcome)
        return f"`{when}` in line {entry.guard.line}" if when else ""

    def for_side(self, line: int, reason: str) -> str:
        """Return what would help a side of a branch that no test takes."""
        if line not in self._passed:
            return self.for_line(line, reason)
        found = self._places.around(line)
        if found is None or fate_of(reason) == INFEASIBLE:
            return advice(reason)
        return self._helped(Barrier(*found, line, reason))

    def called(self, function: str) -> str:
        """Return the function to call for something within another one: that itself, or the one around."""
        name = function.removesuffix(".setter").removesuffix(".deleter")
        outer, _, last = name.rpartition(".")
        if last in ("__init__", "__new__", "__post_init__") and outer in self._functions:
            return outer
        while name not in self._functions:
            around, _, _ = name.rpartition(".")
            if not any(self._places.qualified(around)):
                break
            name = around
        return name

    def command(self, function: str, *options: str) -> str:
        """Return the command that generates tests of a function, with options."""
        file, _, inside = self._module.file.partition(".whl")
        target = f"{Path(file).name}.whl:{self._module.name}" if inside else self._target()
        folder = Path(self._module.test_file).parent.as_posix() if self._module.test_file else "tests"
        words = ("tracetwin generate", f"{target}:{self.called(function)}", "-o", folder, *options)
        return f"`{' '.join(words)}`"

    def _target(self) -> str:
        """The module in a command: its file below the folder of the run, its name where it lies elsewhere."""
        file = Path(self._module.file)
        if not file.is_absolute():
            return self._module.file
        here = Path.cwd()
        return file.relative_to(here).as_posix() if file.is_relative_to(here) else self._module.name

    def _helped(self, spot: Barrier) -> str:
        """Return what helps where a condition, or whatever stands in a line, has to be passed."""
        way = next((way for words, way in self._WAYS if words in spot.reason), None)
        told = advice(spot.reason) if way is None else way(self, spot)
        takes = "" if "no test could be written" in spot.reason else spot.takes
        return " ".join(filter(None, (takes, told)))

    def _handled(self, spot: Barrier, handler: Awaited) -> str:
        likely = _either([f"`{text}` (line {at})" for at, text in handler.likely[:_MOST_NAMED]])
        kinds = handler.kinds or "an exception"
        takes = f"`{kinds}` has to come out of {likely or f'lines {handler.first} to {handler.last}'}."
        if "raises the exception handled" not in spot.reason:
            return self._helped(replace(spot, takes=takes))
        if patched := next(filter(None, (self._names.patched(text) for _, text in handler.likely)), ""):
            return f"{takes} With {self.command(spot.name, '--patch', patched)} tests can make it fail."
        first = kinds.strip("()").partition(",")[0]
        return f"{takes} That takes such an input, or a test by hand with a stand-in that raises `{first}`."

    def _imported(self, line: int, reason: str) -> str:
        """Return what helps a line that only importing the module runs."""
        for node in self._tree.body:
            if not node.lineno <= line <= (node.end_lineno or node.lineno):
                continue
            if isinstance(node, ast.If):
                test = ast.unparse(node.test)
                if "__main__" in test:
                    return f"It runs only as a program: `python -m {self._module.name}`; no import runs it."
                return f"`{test}` (line {node.lineno}) decides it when the module is imported; no call can."
            if isinstance(node, ast.Try):
                tried = " ".join(ast.unparse(node.body[0]).split())
                failed = any(one.lineno <= line <= (one.end_lineno or 0) for one in node.handlers)
                ends = "fails" if failed else "succeeds"
                return f"It runs where `{tried}` (line {node.body[0].lineno}) {ends}: in another environment."
        return advice(reason)

    def _spent(self, spot: Barrier) -> str:
        """More budget, what went in, and what makes the search easier."""
        known = self._functions.get(self.called(spot.name))
        more = f"Give it more: {self.command(spot.name, self._more())}."
        used = "" if known is None else self._used(known)
        return " ".join(filter(None, (used, more, self._hint(spot) or spot.example)))

    def _used(self, known: ReportedFunction) -> str:
        """Return what went into a function so far."""
        figures = known.figures
        if not figures.runs:
            return f"The budget of the module was used up before `{known.name}` was called by itself."
        spent = f"{count(figures.runs, 'run')}, {count(figures.queries, 'question')} to the solver"
        return f"So far {spent} and {duration(figures.seconds)} went into `{known.name}`."

    def _more(self) -> str:
        options = self._module.options
        if options.get("max_runs"):
            return f"--max-runs {_TIMES * int(options['max_runs'])}"
        return f"--time-limit {_TIMES * float(options.get('time_limit') or 60):g}"

    def _tried(self, spot: Barrier) -> str:
        known = self._functions.get(self.called(spot.name))
        if known is None or known.ended in ("", _USED_UP):
            return self._spent(spot)
        return f"More time changes nothing: {known.ended}. {self._hint(spot) or spot.example}"

    def _hint(self, spot: Barrier) -> str:
        """Parameters that decide a condition and of which nothing says what they are."""
        cut = slice_of(spot.node, spot.line)
        node, names = spot.node, cut.names
        for around in self._places.qualified(self.called(spot.name)):
            if around is not node and around.lineno <= node.lineno <= (around.end_lineno or 0):
                node, names = around, frozenset()  # only what is passed to that one is an input
        known = [one for one in _parameters(node) if not names or one.arg in names]
        bare = [one.arg for one in known if one.annotation is None]
        asked = _kinds_asked(cut, bare)
        told = asked or [f"`{name}`" for name in bare[:_MOST_NAMED]]
        if not told:
            return ""
        where = f"`def {node.name}` (line {node.lineno})"
        return f"A type hint for {listed(told)} in {where} says what is passed."

    def _undecided(self, spot: Barrier) -> str:
        """A condition in which no argument showed."""
        cut = slice_of(spot.node, spot.line)
        if patch := self._patch(spot, cut, ()):
            return patch
        if cut.names.isdisjoint(_own(spot.node)):
            return self._fixed(cut)
        if self._places.looks_at_state(spot.line):
            return self._state(spot)
        return "What is asked there does not come from an argument: a test by hand is shortest."

    def _fixed(self, cut: Slice) -> str:
        """A condition on what the module, its imports or Python itself bring."""
        for name in sorted(cut.names & self._names.constants.keys()):
            patch = f'`unittest.mock.patch("{self._module.name}.{name}", ...)`'
            at = self._names.constants[name]
            return f"No argument decides it, but the module's `{name}` (line {at}): {patch} by hand."
        return (
            "No argument decides it, but Python's version, the platform or what is installed:"
            " another environment takes the other way, or a test by hand that patches what is asked."
        )

    def _patch(self, spot: Barrier, cut: Slice, lines: Collection[int]) -> str:
        """Calls of something imported on which a condition hangs: what they return can be an input."""
        for at, call in sorted(cut.calls, key=lambda one: "(" in one[1]):  # a.b() before a.b().c()
            patched = self._names.patched(f"{call}()") if not lines or at in lines else ""
            if patched:
                command = self.command(spot.name, "--patch", patched)
                return f"It hangs on what `{call}` (line {at}) returns; with {command} tests say what it is."
        return ""

    def _lost(self, spot: Barrier) -> str:
        lines = {int(found) for found in re.findall(r"\(line (\d+)\)", spot.reason)}
        return self._patch(spot, slice_of(spot.node, spot.line), lines) or (
            f"Nothing can be solved behind such a call. {spot.example}"
        )

    def _state(self, spot: Barrier) -> str:
        """A condition on the object: what sets the attributes that it looks at."""
        owner = spot.name.rpartition(".")[0]
        told = []
        for field in self._names.fields_at(spot.node, spot.line):
            found = [f"`{where}` (line {at})" for where, at in self._names.setters(owner, field)]
            told.append(f"`{field}` is set in {listed(found[:_MOST_NAMED])}." if found else "")
        return " ".join(filter(None, [*told, f"If no call does what is needed, {self._factory(owner)}"]))

    def _factory(self, name: str) -> str:
        short = name.rpartition(".")[2].lower() or "object"
        line = f'"{self._names.full(name)}" = "factories:make_{short}"'
        return f"a factory makes such an object: `{line}` in `[tool.tracetwin.factories]` of pyproject.toml."

    def _unbuilt(self, spot: Barrier) -> str:
        found = re.search(r"built: ([A-Za-z_][\w.]*)", spot.reason)
        told = self._factory(found[1] if found else spot.name.rpartition(".")[0])
        return told[0].upper() + told[1:]

    def _refused(self, spot: Barrier) -> str:
        known = self._module.openings
        opened = known.get(self.called(spot.name)) or next(iter(known.values()), {})
        if not opened:
            return advice(spot.reason)
        command = self.command(spot.name, *(f"--allow {word}" for word in opened))
        told = f"{command} lets it do that, for real."
        roots = {event.partition(".")[0] for event in opened.values()}
        calls = (ast.unparse(one.func) for one in ast.walk(spot.node) if isinstance(one, ast.Call))
        named = filter(None, (self._names.patched(f"{call}()") for call in calls))
        patched = next((name for name in named if name.partition(".")[0] in roots), "")
        return f"{told} Or tests say what it returns: `--patch {patched}`." if patched else told

    def _unwritten(self, spot: Barrier) -> str:
        if "misuse" in spot.reason:
            told = f"Such tests are written with {self.command(spot.name, '--misuse keep')}."
            return " ".join(filter(None, (told, self._hint(spot))))
        if "is refused" in spot.reason:
            return self._refused(spot)
        if found := re.search(r"([\w.]+) is asked more often", spot.reason):
            name = found[1].removeprefix(f"{self._module.name}.")
            return f"A test that really calls it: {self.command(spot.name, '--no-patch', name)}."
        if "the time was up" in spot.reason:
            return f"Give it more: {self.command(spot.name, self._more())}."
        return advice(spot.reason)

    def _left_out(self, spot: Barrier) -> str:
        return f"{advice(spot.reason)} Give it more: {self.command(spot.name, self._more())}."

    def _uncalled(self, spot: Barrier) -> str:
        return f"It can be tested by itself: {self.command(spot.name)}."

    def _limited(self, spot: Barrier) -> str:
        if slice_of(spot.node, spot.line).asked:
            return "No value of the classes that are made for it leads there: pass another one by hand."
        return advice(spot.reason)

    def _unfound(self, spot: Barrier) -> str:
        return self._hint(spot) or advice(spot.reason)

    _WAYS: ClassVar[tuple[tuple[str, Callable[[Counsel, Barrier], str]], ...]] = (
        ("infeasible for the argument types", _unfound),
        ("budget spent", _spent),
        ("solver gave up", _spent),
        ("could not be built", _unbuilt),
        ("did not depend", _undecided),
        ("lost at a call into C", _lost),
        ("no test could be written", _unwritten),
        ("no test of it was written", _left_out),
        ("refused", _refused),
        ("not reached by any public", _uncalled),
        ("no sequence of calls", _state),
        ("limits of generated inputs", _limited),
        ("no input or sequence", _tried),
        ("no path that was found", _tried),
    )


def _takes(when: str, line: int) -> str:
    return f"It takes `{when}` in line {line}." if when else ""


def _either(words: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _parameters(node: Definition) -> list[ast.arg]:
    """The parameters of a function, but for those that it has as a method."""
    found = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return [one for one in found if one.arg not in ("self", "cls")]


def _own(node: Definition) -> set[str]:
    """The names that stand for something else in each call."""
    stored = (one for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    taken = (one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg))
    return {*taken, *(one.id for one in stored)}


def _kinds_asked(cut: Slice, names: Collection[str]) -> list[str]:
    """Hints that a condition asks for by `isinstance`."""
    asked = (call.args for call in cut.asked if len(call.args) == 2)
    parts = ((one.id, kind) for one, kind in asked if isinstance(one, ast.Name) and one.id in names)
    return [f"`{name}: {ast.unparse(kind)}`" for name, kind in parts]
