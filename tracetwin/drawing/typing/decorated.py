"""Functions in whose place a decorator has put others, which hand on what they get."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tracetwin.analysis.scopes import code_within, unwrapped
from tracetwin.analysis.sources import Source
from tracetwin.drawing.typing.guesses import Guess


def handed_on(
    source: Source,
    qualname: str,
    function: Callable[..., Any],
    found: Mapping[str, list[Guess]],
    guesses: Callable[[str], Mapping[str, list[Guess]]],
) -> dict[str, list[Guess]]:
    """Return guesses at parameters by what a definition does with them, then by what the function does.

    Args:
        source: where the definition may be.
        qualname: its qualified name.
        function: what has the name now. What it gets goes to the parameters of the same names, else of the
            same places where there are as many.
        found: guesses by what it does itself.
        guesses: gives those for a definition.
    """
    node, code = source.function(qualname), code_within(unwrapped(function))
    merged = dict(found)
    if code is None or node is None or not node.decorator_list:
        return merged
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    written = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    places = dict(zip(names, written, strict=True)) if len(names) == len(written) else {}
    own = guesses(qualname) if names else {}
    for name in names:
        if more := own.get(name if name in written else places.get(name, "")):
            merged[name] = list(dict.fromkeys([*more, *found.get(name, ())]))
    return merged
