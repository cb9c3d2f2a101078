"""Calls into C code in which values were lost: those that a condition hangs on, and how they are told."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable

from tracetwin.analysis.sources import walk
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.run.results.places import Places
from tracetwin.support.text import call_at

Loss = tuple[str, int, str]
"""What was called, in which line (0: to make an argument) of which module."""


class Losses:
    """Finds out which losses explain that a condition showed no argument.

    Args:
        places: the functions of the module.
        module: its name.
    """

    def __init__(self, places: Places, module: str) -> None:
        self._places = places
        self._module = module

    def before(self, line: int, outcome: ExplorationOutcome, *, abroad: bool) -> str:
        """Return the losses on which the condition of a line hangs, "" for none.

        Args:
            line: that of the condition.
            outcome: of the exploration of what is called.
            abroad: whether those in other modules count, which are not known to have to do with it.
        """
        found = self._places.around(line)
        cut = self._places.cut(line)
        if found is None or cut is None:
            return ""
        arguments = [one for one in walk(found[1].args) if isinstance(one, ast.arg)]
        given = arguments[self._places.is_method(found[1]) :]
        names = [name for _, name in cut.calls]

        def made(kind: str) -> bool:
            return _is_made_for(kind, given, cut.names)

        return self._told(cut.lines, names, outcome, cut.names if abroad else (), made=made)

    def within(self, lines: range, outcome: ExplorationOutcome) -> str:
        """Return the losses in some lines of a function and in what is called there, "" for none."""
        found = self._places.around(lines.start)
        calls = (one for one in walk(found[1]) if isinstance(one, ast.Call)) if found else ()
        names = [ast.unparse(one.func) for one in calls if one.lineno in lines]
        return self._told(lines, names, outcome, {name.partition(".")[0] for name in names})

    def _told(
        self,
        lines: Collection[int],
        calls: Iterable[str],
        outcome: ExplorationOutcome,
        names: Collection[str],
        *,
        made: Callable[[str], bool] = lambda kind: False,
    ) -> str:
        """The losses in some lines, in what is called there, and in the making of arguments.

        `names` are those that may be of another module in which they happen; `made` tells whether the making
        of a value of some kind has to do with it.
        """
        ours = self._places.reached(calls)
        spans = [range(one.lineno, (one.end_lineno or one.lineno) + 1) for one in ours]
        read = {one.id for part in ours for one in walk(part) if isinstance(one, ast.Name)}
        homes = {self._places.home(name, self._module) for name in (*names, *(read if names else ()))} - {""}
        fitting = [
            loss for loss in sorted(outcome.statistics.losses)
            if (made(loss[0]) if not loss[1] else any(_is_of(loss[2], home) for home in homes)
                if loss[2] not in ("", self._module)
                else loss[1] in lines or any(loss[1] in span for span in spans))
        ]  # fmt: skip
        nearest = sorted(fitting, key=lambda loss: (loss[2] != self._module, loss[1] not in lines))
        told = ", ".join(call_at(*loss, self._module) for loss in nearest[:3])
        return f"value lost at a call into C code: {told}" if told else ""


def _is_of(module: str, home: str) -> bool:
    """Return whether a module is of a package, or of what was imported from the own one."""
    own, _, last = home.partition(".")
    return module.partition(".")[0] == own and (not last or last in module.split("."))


def _is_made_for(kind: str, parameters: Iterable[ast.arg], names: Collection[str]) -> bool:
    """Return whether only parameters of these names can be given what is made by calling that."""
    word = re.compile(rf"\b{re.escape(kind.rpartition('.')[2])}\b")
    kinds = {one.arg: "" if one.annotation is None else ast.unparse(one.annotation) for one in parameters}
    fitting = {name for name, hint in kinds.items() if not hint or word.search(hint)}
    return bool(fitting) and fitting <= set(names)
