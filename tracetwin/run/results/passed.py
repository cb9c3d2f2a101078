"""The types of arguments that all runs of a function had, in words."""

from __future__ import annotations

import ast

from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.invokable import Invokable
from tracetwin.run.results.places import Places
from tracetwin.support.text import is_a, listed


def always_passed(places: Places, line: int, invokable: Invokable, outcome: ExplorationOutcome) -> str:
    """Return of which types the arguments were that decide a condition, "" where that is not known."""
    found, cut = places.around(line), places.cut(line)
    name = invokable.qualname
    if found is None or cut is None or found[0] not in (name, f"{name}.__init__"):
        return ""
    told = []
    given = [*found[1].args.posonlyargs, *found[1].args.args][places.is_method(found[1]) :]
    for number, one in enumerate(given):
        known = outcome.statistics.passed
        kinds = known.get(str(number), set()) | known.get(one.arg, set())
        if one.arg in cut.near and kinds and "" not in kinds:
            words = [is_a(kind).removeprefix("is ") for kind in sorted(kinds)]
            hint = f" (its hint is `{ast.unparse(one.annotation)}`)" if one.annotation else ""
            told.append(f"`{one.arg}`{hint} was always {listed(words).replace(' and ', ' or ')}")
    return listed(told)
