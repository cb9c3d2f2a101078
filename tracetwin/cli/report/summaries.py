"""Summaries and pair tables on a terminal (Buy, Orso, Pezze, tables 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from tracetwin.explore.criteria.base import tally
from tracetwin.support.text import clean, shown

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_WIDEST: Final = 200
"""Columns of a table in a pipe, where no terminal says how many there are."""


def show(modules: Iterable[Mapping[str, Any]]) -> None:
    """Tell it on standard output: tables of a terminal, plain text in a pipe."""
    console = _open_console()
    for module in modules:
        for described in module["classes"]:
            for part in _parts(module, described):
                console.print(part)


def _open_console() -> Console:
    """Standard output; a pipe gets lines as wide as they need to be."""
    from rich.console import Console

    console = Console(markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = _WIDEST
    return console


def _parts(module: Mapping[str, Any], described: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield f"{clean(module['name'])}:{clean(described['name'])}  {clean(shown(module['file']))}"
    if described["problem"]:
        yield f"  no summaries: {clean(described['problem'])}"
    if described["methods"]:
        yield _method_table(described["methods"])
    if described["opaque"]:
        yield f"  not symbolic: {clean(', '.join(described['opaque']))}"
    for method in described["methods"]:
        if not method["complete"]:
            yield f"  {clean(method['name'])}: not all paths are known: {clean(method['why'])}"
    if described["pairs"]:
        yield _pair_table(described["pairs"])
        yield f"  {clean(tally('definition-use pair', [pair['status'] for pair in described['pairs']]))}"
    yield ""


def _method_table(methods: Sequence[Mapping[str, Any]]) -> Table:
    table = _table("method", "precondition", "then", "defines")
    for method in methods:
        name = f"{method['name']}()"
        for path in method["paths"]:
            table.add_row(clean(name), clean(path["when"]), clean(_effects(path)), _defined(path))
            name = ""
        if not method["paths"]:
            table.add_row(clean(name), "?", "no path was found", "")
    return table


def _defined(path: Mapping[str, Any]) -> str:
    return "" if path["raises"] else f"{{{clean(', '.join(path['defines']))}}}"


def _effects(path: Mapping[str, Any]) -> str:
    parts = [f"{name}' = {text}" for name, text in path["then"].items()]
    if path["returns"]:
        parts.append(f"return' = {path['returns']}")
    if path["raises"]:
        parts.append(f"raises {path['raises']}")
    return "; ".join(parts) or "-"


def _pair_table(pairs: Sequence[Mapping[str, Any]]) -> Table:
    table = _table("#", "attribute", "definition", "use", "notes")
    for pair in pairs:
        note = pair["sequence"] or (f"inf. {pair['why']}" if pair["status"] == "infeasible" else pair["why"])
        places = [f"{pair[key]['method']} ({pair[key]['line']})" for key in ("define", "use")]
        table.add_row(f"{pair['number']:02}", clean(pair["attribute"]), *map(clean, places), clean(note))
    return table


def _table(*heads: str) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, pad_edge=False, show_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")
    return table
