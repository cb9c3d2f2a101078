"""Advice for one place of a module: what has to happen there, and the command or the words that say so."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import ClassVar, Final

from tracetwin.analysis.entries import Awaited, Definition, WayIn, entry_of, ways_in
from tracetwin.analysis.guards import EXCEPTION, Guard
from tracetwin.analysis.outside import reads_command_line
from tracetwin.analysis.slices import Slice
from tracetwin.model.goal import Uncovered
from tracetwin.report.advice import INFEASIBLE, advice, fate_of, is_of_import
from tracetwin.report.commands import Commands
from tracetwin.report.decided_by_import import decided_by
from tracetwin.report.deciders import Barrier, Deciders, either
from tracetwin.report.dependence import Dependence
from tracetwin.report.docstring_examples import OWN_TESTS, DocstringExamples, in_words
from tracetwin.report.entrances import Entrances
from tracetwin.report.object_counsel import ObjectCounsel
from tracetwin.report.outside_names import OutsideNames
from tracetwin.report.result import Module, ReportedFunction
from tracetwin.report.syntax import parsed, syntax_of
from tracetwin.run.results.chains import calls_missed
from tracetwin.run.results.making import Making
from tracetwin.run.results.places import Places
from tracetwin.support.text import count, duration, listed

_OVER: Final = ("nothing was left to try", "every path was explored")
"""How a search ended that would not go on with more time or runs."""

_GO_ON: Final = "A test has to go on with the generator behind line {}: {}"
_MOST_NAMED: Final = 3


class Counsel:
    """Gives advice for the places of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._tree = parsed(module.source)
        self._places = Places(self._tree)
        self._outermost = {
            line: node for node in self._tree.body for line in range(node.lineno, (node.end_lineno or 0) + 1)
        }
        self._names = OutsideNames(self._tree, module.name)
        self._syntax = syntax_of(module.source)
        self._passed = frozenset(line for case in module.cases for line in case.lines)
        self._examples = DocstringExamples(self._tree, [case.call for case in module.cases if case.call])
        self._deciders = Deciders(self._tree, self._places)
        self.commands = Commands(module, self._places)
        self._making = Making(self._tree, self._places)
        self._objects = ObjectCounsel(self._names, self._places, self._making)
        self.dependence = Dependence(module, self._places, self._names, self._making)
        self._entrances = Entrances(module, self._places, self._names)
        self._functions = {function.name: function for function in module.functions}
        self._misses = {miss.line: miss for miss in module.misses}

    def function(self, line: int) -> str:
        """Return the qualified name of the function that a line belongs to, "" outside of all.

        A function that importing the module does not come to define is none.
        """
        found = None if is_of_import(self._reason(line)) else self._places.around(line)
        return "" if found is None else found[0]

    def called(self, line: int) -> str:
        """Return what a test calls to run the function around a line, "" outside of all."""
        found = self._places.around(line)
        return self.commands.called(found[0]) if found else ""

    def callers(self, function: str) -> list[int]:
        """Return the lines that call a function, but for its own, and for those that no call leads to."""
        found = self._places.calling(function) if function else []
        return [line for line in found if not is_of_import(self._reason(line))]

    def _reason(self, line: int) -> str:
        return self._misses[line].reason if line in self._misses else ""

    def statement(self, line: int) -> int:
        """Return where the outermost statement around a line begins, the line itself where there is none."""
        node = self._outermost.get(line)
        return line if node is None else node.lineno

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
        if found is None or is_of_import(reason):
            return self._imported(line, reason)
        ways = self._blamed(line, found[1])
        if not ways:
            return self._helped(Barrier(*found, line, reason))
        entry = ways[0]
        if entry.handler is not None and entry.guard is not None and entry.guard.outcome == EXCEPTION:
            return self._handled(Barrier(*found, line, reason), entry.handler)
        if entry.guard is None:
            past = f"Runs have to come past line {entry.after}."
            return self._helped(Barrier(*found, entry.after, reason, past))
        takes = [asked for way in ways[:_MOST_NAMED] if (asked := self._asked(way))]
        told = f"It takes {', or '.join(dict.fromkeys(takes))}." if takes else ""
        if any(way.guard == Guard(entry.guard.line, 1 - entry.guard.outcome) for way in ways):
            told = f"Runs have to come past line {entry.guard.line}."  # either way
        return self._helped(Barrier(*found, entry.guard.line, reason, told))

    def _blamed(self, line: int, function: Definition) -> list[WayIn]:
        """The ways in to a line, that first which its reason is about; none where nothing near is run."""
        miss = self._misses.get(line) or Uncovered(line, "")
        ways = [one for one in ways_in(function, line, self._passed | {miss.at}) if one.after]

        def is_other(way: WayIn) -> bool:
            begins = (way.guard.line, way.guard.outcome) if way.guard else (way.after, None)
            return begins != (miss.at, miss.way)

        return sorted(ways, key=is_other)

    def _asked(self, way: WayIn) -> str:
        """The condition of a way in with its place, "" where there is none."""
        when = self._syntax.outcome(way.guard.line, way.guard.outcome) if way.guard else ""
        return f"`{when}` in line {way.guard.line}" if when and way.guard else ""

    def asked(self, line: int) -> str:
        """Return the condition that has to hold for runs to come to a line, with its place; "" for none."""
        found = self._places.around(line)
        ways = self._blamed(line, found[1]) if found is not None else []
        return self._asked(ways[0]) if ways else ""

    def for_side(self, line: int, reason: str) -> str:
        """Return what would help a side of a branch that no test takes."""
        if line not in self._passed:
            return self.for_line(line, reason)
        found = self._places.around(line)
        if found is None or fate_of(reason) == INFEASIBLE:
            return advice(reason)
        return self._helped(Barrier(*found, line, reason))

    def _helped(self, spot: Barrier) -> str:
        """Return what helps where a condition, or whatever stands in a line, has to be passed."""
        way = next((way for words, way in self._WAYS if words in spot.reason), None)
        told = advice(spot.reason) if way is None else way(self, spot)
        takes = "" if "no test could be written" in spot.reason else spot.takes
        return " ".join(filter(None, (takes, told)))

    def _handled(self, spot: Barrier, handler: Awaited) -> str:
        likely = either([f"`{text}` (line {at})" for at, text in handler.likely[:_MOST_NAMED]])
        kinds = handler.kinds or "an exception"
        takes = f"`{kinds}` has to come out of {likely or f'lines {handler.first} to {handler.last}'}."
        spot = replace(spot, takes=takes)
        if "raises the exception handled" not in spot.reason:
            return self._helped(spot)
        first = kinds.strip("()").partition(",")[0]
        told = f"That takes such an input, or a test by hand with a stand-in that raises `{first}`."
        named = ((at, self._names.patched(text)) for at, text in handler.likely)
        at, patched = next((one for one in named if one[1]), (0, ""))
        if patched:
            failing = f"{self.commands.generate(spot.name, '--patch', patched)} tests can make it fail."
            cut = self._places.cut(at)
            if cut and any(line == at for line, _ in cut.sources):
                return f"{takes} With {failing}"
            told = f"That takes such an input. Or with {failing}"
        return " ".join(filter(None, (takes, told, self._more(spot))))

    def _imported(self, line: int, reason: str) -> str:
        """Return what helps a line that only importing the module runs."""
        node = self._outermost.get(line)
        if isinstance(node, ast.If) and self._places.program(line):
            return self.commands.program(self._tree)
        return (decided_by(node, line, self._misses) if node is not None else "") or advice(reason)

    def _spent(self, spot: Barrier) -> str:
        """More budget, what went in, and what makes the search easier."""
        known = self._functions.get(self.commands.called(spot.name))
        more = f"Give it more: {self.commands.generate(spot.name, self.commands.more)}."
        if entered := self._entered(spot):
            more = entered
        elif "went into" in spot.reason or "shared it" in spot.reason:
            more = f"Give it all by itself: {self.commands.generate(spot.name, *self.commands.same)}."
        used = "" if known is None else self._used(known)
        about = not entered and self._places.looks_at_state(spot.line) and "no sequence of" not in spot.reason
        sets = self._objects.set_where(spot) if about else ""
        eases = "" if entered else self._hint(spot) or self._example(spot)
        return " ".join(filter(None, (used, sets, more, eases)))

    def _state(self, spot: Barrier) -> str:
        """An object that has to be another one, or in another state first: what brings it there."""
        if made := self._objects.made_with(spot):
            return f"{made} {self._entered(spot) or self._more(spot) or self._example(spot)}"
        entered = self._entered(spot)
        state = self._objects.set_where(spot) if entered else self._objects.state(spot)
        return " ".join(filter(None, (state, entered or self._more(spot))))

    def _entered(self, spot: Barrier) -> str:
        """Return that another function leads to a place, or prepares the object for it, "" for none."""
        name, why = self._entrances.of(spot, only_setting=self._is_going_on(spot))
        return f"{why}: give that more: {self.commands.generate(name, self.commands.more)}." if name else ""

    def _is_going_on(self, spot: Barrier) -> bool:
        """Return whether the search of a function itself was broken off: calling it leads there soonest."""
        known = self._functions.get(self.commands.called(spot.name))
        return known is not None and known.ended not in _OVER

    def _used(self, known: ReportedFunction) -> str:
        """Return what went into a function so far."""
        figures = known.figures
        if not figures.runs:
            return f"The budget of the module was used up before `{known.name}` was called by itself."
        spent = f"{count(figures.runs, 'run')}, {count(figures.queries, 'question')} to the solver"
        return f"So far {spent} and {duration(figures.seconds)} went into `{known.name}`."

    def _tried(self, spot: Barrier) -> str:
        known = self._functions.get(self.commands.called(spot.name))
        if known is None or known.ended not in _OVER:
            return self._spent(spot)
        return f"More time changes nothing: {known.ended}. {self._hint(spot) or self._example(spot)}"

    def _more(self, spot: Barrier) -> str:
        """More budget, where a search was broken off that would go on with it."""
        return self._spent(spot) if self._is_going_on(spot) else ""

    def _hint(self, spot: Barrier) -> str:
        """Parameters that decide a condition, and whose types were guessed wrong."""
        called = self.commands.called(spot.name)
        misfits = self._functions[called].misfits if called in self._functions else ()
        return self._deciders.hint(spot, self._cut(spot), called, misfits)

    def _example(self, spot: Barrier) -> str:
        """Examples in docstrings that may lead past a place, else that one of the user's shows the way."""
        called = self.commands.called(spot.name)
        own = {*self._places.lines_of(called), *self._places.class_lines(called)}
        found = self._examples.of(called.rpartition(".")[2], own)
        unfit = not found or self._places.asks_for_kinds(spot.line)
        told, runner = (spot.example, OWN_TESTS) if unfit else in_words(found, self.commands.doctests)
        command = self.commands.generate(spot.name, f'--learn-from "{runner}"')
        return f"{told}: {command} learns from it."

    def _undecided(self, spot: Barrier) -> str:
        """A condition in which no argument showed."""
        known, cut = self._functions.get(self.commands.called(spot.name)), self._cut(spot)
        if self._making.deciding(spot.line).made_with:
            return self._state(spot)
        if known is not None and not known.figures.runs:
            return self._spent(spot)  # only calls by others came there
        if hinted := re.findall(r"`\w+`(?= \(its hint is)", spot.reason):
            wider = f"A wider hint than that of {listed(hinted)} lets other kinds be tried."
            return f"{wider} {self._example(spot)}"
        if reads_command_line(cut.parts):
            return self._called_with(spot)
        if patch := self._patch(spot, cut, cut.sources):
            return patch
        if not cut.own:
            return self._names.fixed(cut.names)
        given, receiver = self._deciders.nearest(spot, cut), self._places.receiver(spot.line)
        if receiver in given and self._places.looks_at_state(spot.line):
            return self._state(spot)
        told = [self._deciders.told(spot, name) for name in given if name != receiver]
        if told:
            return (
                f"{listed(told[:_MOST_NAMED])} may decide it all the same, but no run showed how."
                f" {self._hint(spot) or self._entered(spot) or self._example(spot)}"
            )
        if receiver in given:
            words = f"{self._making.deciding(spot.line).words or 'what the object holds'} may decide it"
            return f"{words[0].upper()}{words[1:]}, but no run showed how. {self._example(spot)}"
        return "What is asked there does not come from an argument: a test by hand is shortest."

    def _cut(self, spot: Barrier) -> Slice:
        """The slice that decides there."""
        return self._places.cut(spot.line) or Slice(frozenset(), frozenset(), ())

    def _called_with(self, spot: Barrier) -> str:
        """A condition on the command line."""
        told = f"It hangs on the command line, and on no argument of `{spot.node.name}`"
        return f'{told}: `unittest.mock.patch("sys.argv", ["program", ...])` in a test by hand.'

    def _patch(self, spot: Barrier, cut: Slice, calls: Collection[tuple[int, str]]) -> str:
        """Calls of something imported on which a condition hangs: what they return can be an input."""
        asked = (one for one in cut.calls if one in calls)
        for at, call in sorted(asked, key=lambda one: "(" in one[1]):  # a.b() before a.b().c()
            patched = self._names.patched(f"{call}()")
            if patched:
                command = self.commands.generate(spot.name, "--patch", patched)
                return f"It hangs on what `{call}` (line {at}) returns; with {command} tests say what it is."
        return ""

    def _ends(self, spot: Barrier) -> str:
        """A statement that no run gets past, because of an exception."""
        cut = self._cut(spot)
        if patch := self._patch(spot, cut, cut.sources):
            return patch
        if self._places.receiver(spot.line) not in cut.names:
            return f"It takes an input for which it does not raise. {self._tried(spot)}"
        made = self._making.deciding(spot.line).made_with
        told = "" if made else "It takes an object for which it does not raise: other calls make it first. "
        return told + self._state(spot)

    def _lost(self, spot: Barrier) -> str:
        lines = {int(found) for found in re.findall(r"\(line (\d+)\)", spot.reason)}
        cut = self._cut(spot)
        return self._patch(spot, cut, [one for one in cut.calls if not lines or one[0] in lines]) or (
            f"Nothing can be solved behind such a call. {self._example(spot)}"
        )

    def _refused(self, spot: Barrier) -> str:
        known = self._module.openings
        opened = known.get(self.commands.called(spot.name)) or next(iter(known.values()), {})
        if not opened:
            return advice(spot.reason)
        command = self.commands.generate(spot.name, *(f"--allow {word}" for word in opened))
        told = f"{command} lets it do that, for real."
        roots = {event.partition(".")[0] for event in opened.values()}
        calls = (ast.unparse(one.func) for one in ast.walk(spot.node) if isinstance(one, ast.Call))
        named = filter(None, (self._names.patched(f"{call}()") for call in calls))
        patched = next((name for name in named if name.partition(".")[0] in roots), "")
        return f"{told} Or tests say what it returns: `--patch {patched}`." if patched else told

    def _unwritten(self, spot: Barrier) -> str:
        if "misuse" in spot.reason:
            told = f"Such tests are written with {self.commands.generate(spot.name, '--misuse keep')}."
            found = re.search(r" in line (\d+)[:)]", spot.reason)
            line = int(found[1]) if found else spot.line
            at = self._places.around(line)
            where = Barrier(*at, line, spot.reason) if at and at[1] is spot.node else spot
            return " ".join(filter(None, (told, self._hint(where))))
        if "is refused" in spot.reason:
            return self._refused(spot)
        if found := re.search(r"([\w.]+) is asked more often", spot.reason):
            name = found[1].removeprefix(f"{self._module.name}.")
            if "." not in found[1]:  # of a stand-in, not a name that could be patched or not
                asked = f"A stand-in's `{name}` was called again when the input was replayed"
                return f"{asked}, and has no answer to that: a test by hand can pass a real object."
            return f"A test that really calls it: {self.commands.generate(spot.name, '--no-patch', name)}."
        if "the time was up" in spot.reason:
            return f"Give it more: {self.commands.generate(spot.name, self.commands.more)}."
        return advice(spot.reason)

    def _uncalled(self, spot: Barrier) -> str:
        """A function that no run comes into: another one may make it for whoever calls it then."""
        maker = spot.name.rpartition(".")[0]
        makers = self._places.qualified(maker)
        made_by = [one for one in makers if any(part.lineno in self._passed for part in one.body)]
        if not made_by:
            return f"It can be tested by itself: {self.commands.generate(spot.name)}."
        used = [f"line {line}" for line in self._places.calling(maker)]
        where = f", as {listed(used[:_MOST_NAMED])} {'does' if len(used) == 1 else 'do'}," if used else ""
        told = f"`{maker}` makes `{spot.node.name}` and tests run that, but nothing that they call calls it."
        return f"{told} A test by hand gets it from there{where} and calls it."

    def _behind(self, spot: Barrier) -> str:
        """A function that is called in lines which no test runs: what helps in the first of these."""
        lines = calls_missed(spot.reason)
        miss = next((self._misses[line] for line in lines if line in self._misses), None)
        if miss is None or miss.reason == spot.reason:
            return self._uncalled(spot)
        others = ", or another of these," if len(lines) > 1 else ""
        return f"Line {miss.line}{others} has to be run: {self.for_line(miss.line, miss.reason)}"

    def _limited(self, spot: Barrier) -> str:
        if self._cut(spot).asked:
            return "No value of the classes that are made for it leads there: pass another one by hand."
        return advice(spot.reason)

    _WAYS: ClassVar[tuple[tuple[str, Callable[[Counsel, Barrier], str]], ...]] = (
        ("which no test runs", _behind),
        ("infeasible for the argument types", lambda self, spot: self._hint(spot) or advice(spot.reason)),
        ("sys.argv", _called_with),
        ("ends there", _ends),
        ("goes on in the handler", _ends),
        ("are ended in it", _ends),
        ("comes after the yield", lambda self, spot: _GO_ON.format(spot.line, self._example(spot))),
        ("budget spent", _spent),
        ("solver gave up", _spent),
        ("could not be built", lambda self, spot: self._objects.unbuilt(spot)),
        ("did not depend", _undecided),
        ("which value would is not known", _undecided),
        ("value of another kind", _undecided),
        ("lost at a call into C", _lost),
        ("no test could be written", _unwritten),
        ("but by misuse", _unwritten),
        ("no test of it was written", lambda self, spot: f"{advice(spot.reason)} {self._spent(spot)}"),
        ("refused", _refused),
        ("not reached by any public", _uncalled),
        ("no sequence of calls", _state),
        ("by what the object holds", _state),
        ("limits of generated inputs", _limited),
        ("no input or sequence", _tried),
        ("no path that was found", _tried),
        # With more budget more of the paths are known.
        ("excluded on each path", lambda self, one: self._more(one) or self._hint(one) or self._example(one)),
    )
