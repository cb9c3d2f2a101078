"""The arguments that runs of a function had, in words: their types, and values of those that were kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from tracetwin.analysis.entries import Definition
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.explore.summaries.wording import recipe_text
from tracetwin.model.case import Case
from tracetwin.model.invokable import Invokable
from tracetwin.run.results.places import Places
from tracetwin.support.text import is_a, listed

MOST_VALUES: Final = 3
"""Values of one argument that are told."""

LONGEST: Final = 40
"""Characters of such a value."""


def always_passed(places: Places, line: int, invokable: Invokable, outcome: ExplorationOutcome) -> str:
    """Return of which types the arguments were that a condition looks at, "" where that is not known.

    What comes from an argument by other steps, such as an item of what a call returns, may be of any type.
    """
    found, cut = places.around(line), places.cut(line)
    if found is None or cut is None or not _is_called(found[0], invokable):
        return ""
    told = []
    given = _parameters(places, found[1])
    for number, one in enumerate(given):
        known = outcome.statistics.passed
        kinds = known.get(str(number), set()) | known.get(one.arg, set())
        if cut.near.get(one.arg) == 0 and kinds and "" not in kinds:
            words = [is_a(kind).removeprefix("is ") for kind in sorted(kinds)]
            hint = f" (its hint is `{ast.unparse(one.annotation)}`)" if one.annotation else ""
            told.append(f"`{one.arg}`{hint} was always {listed(words).replace(' and ', ' or ')}")
    return listed(told)


def values_tried(
    places: Places, line: int, sides: AbstractSet[int], invokable: Invokable, outcome: ExplorationOutcome
) -> str:
    """Return values of the arguments that decide a condition, of kept runs that took some sides of it."""
    found, cut = places.around(line), places.cut(line)
    if found is None or cut is None or not _is_called(found[0], invokable):
        return ""
    names = [one.arg for one in _parameters(places, found[1])]
    tried: dict[str, dict[str, None]] = {name: {} for name in names if name in cut.near}
    for case in outcome.cases:
        if case.target == invokable.qualname and not sides.isdisjoint(case.shows):
            for name, value in _given(case, names):
                if name in tried and value:
                    tried[name][value] = None
    return listed([
        f"`{name} = {'` or `'.join(list(values)[:MOST_VALUES])}`" for name, values in tried.items() if values
    ])


def _given(case: Case, names: list[str]) -> Iterator[tuple[str, str]]:
    """The arguments of a case's call by name, each as source; "" where that is too long, or none."""
    for name, recipe in (*zip(names, case.last.args, strict=False), *case.last.kwargs):
        text = recipe_text(recipe)
        tells = len(text) <= LONGEST and "..." not in text and "`" not in text
        yield name, text if tells and text != name else ""  # a prepared object goes by the name


def _is_called(name: str, invokable: Invokable) -> bool:
    return name in (invokable.qualname, f"{invokable.qualname}.__init__")


def _parameters(places: Places, function: Definition) -> list[ast.arg]:
    """The parameters of a function that are given by place, without its object."""
    return [*function.args.posonlyargs, *function.args.args][places.is_method(function) :]
