"""The states of a class as a picture: a column for each depth, and the calls between them."""

from __future__ import annotations

import textwrap
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from html import escape
from typing import Final

from tracetwin.report.class_result import State, States
from tracetwin.report.visible import visible
from tracetwin.support.data import dataclass

_COLUMN, _ROW, _BOX, _HIGH, _TOP = 390, 74, 256, 46, 40
_LETTERS: Final = 31
_LINES: Final = 2


@dataclass(frozen=True)
class Arrow:
    """All calls from one state to one other, of one kind."""

    before: int
    after: int
    new: bool
    calls: tuple[str, ...]


def arrows(states: States) -> list[Arrow]:
    """Return the arrows of the picture; what only leaves an object as it was is none."""
    calls: dict[tuple[int, int, bool], list[str]] = {}
    for move in states.moves:
        if move.before >= 0:
            calls.setdefault((move.before, move.after, move.new), []).append(move.call)
    return [Arrow(*key, tuple(dict.fromkeys(words))) for key, words in calls.items()]


def places(states: Sequence[State], found: Sequence[Arrow]) -> dict[int, tuple[int, float]]:
    """Return the column and the row of each state: near those that lead to it."""
    rows: dict[int, tuple[int, float]] = {}
    for depth in sorted({state.depth for state in states}):
        here = [state.number for state in states if state.depth == depth]
        wish = {number: _wish(number, found, rows) for number in here}
        for row, number in enumerate(sorted(here, key=lambda number: (wish[number], number))):
            rows[number] = depth, float(row)
    return rows


def _wish(number: int, found: Sequence[Arrow], rows: dict[int, tuple[int, float]]) -> float:
    """The row in the middle of the states that lead to it for the first time."""
    before = [rows[one.before][1] for one in found if one.after == number and one.new and one.before in rows]
    return sum(before) / len(before) if before else 0.0


def picture(states: States, title: str) -> str:
    """Return the states as SVG."""
    if not states.states:
        return ""
    found = arrows(states)
    common = set.intersection(*(set(state.holds.items()) for state in states.states))
    where = places(states.states, found)
    width = _COLUMN * max(column for column, _ in where.values()) + _BOX + 90
    height = _TOP + _ROW * (1 + round(max(row for _, row in where.values())))
    name = escape(visible(title))
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return "".join(
        [
            f'<svg class="states" role="img" aria-label="{name}" {size}>',
            *_heads(where),
            *(_arrow(one, where) for one in found),
            *(_box(state, where[state.number], common) for state in states.states),
            "</svg>",
        ]
    )


def _heads(where: dict[int, tuple[int, float]]) -> Iterator[str]:
    for column in sorted({column for column, _ in where.values()}):
        words = "made" if not column else f"{column} call{'s' * (column > 1)}"
        yield f'<text class="head" x="{_COLUMN * column + 4}" y="16">{words}</text>'


def _corner(place: tuple[int, float]) -> tuple[int, int]:
    return 4 + _COLUMN * place[0], round(_TOP - 12 + _ROW * place[1])


def _arrow(one: Arrow, where: dict[int, tuple[int, float]]) -> str:
    (left, upper), (right, lower) = _corner(where[one.before]), _corner(where[one.after])
    words = ", ".join(call or "constructor" for call in one.calls)
    kind = "new" if one.new else "subsumed"
    told = f"{words}: state {one.before} to state {one.after}" + ("" if one.new else ", which subsumes it")
    label = visible(words if len(words) <= _LETTERS - 6 else words[: _LETTERS - 7] + "…")
    if one.before == one.after:
        x, y = left + _BOX, upper + 10
        way = f"M{x} {y}C{x + 34} {y - 16} {x + 34} {y + 40} {x} {y + 24}"
        at = (x + 4, upper + _HIGH + 8)
    elif right > left:
        start, end = (left + _BOX, upper + _HIGH // 2), (right, lower + _HIGH // 2)
        middle = (start[0] + end[0]) // 2
        way = f"M{start[0]} {start[1]}C{middle} {start[1]} {middle} {end[1]} {end[0]} {end[1]}"
        at = (end[0] - 8, end[1] - 4)
    else:
        start, end = (left + _BOX // 2, upper + _HIGH), (right + _BOX // 2, lower + _HIGH)
        deep = max(start[1], end[1]) + 18
        way = f"M{start[0]} {start[1]}C{start[0]} {deep} {end[0]} {deep} {end[0]} {end[1]}"
        at = ((start[0] + end[0]) // 2, deep - 3)
    return (
        f'<g class="{kind}"><title>{escape(visible(told))}</title><path d="{way}"/>'
        f'<text x="{at[0]}" y="{at[1]}">{escape(label)}</text></g>'
    )


def _box(state: State, place: tuple[int, float], common: Container[tuple[str, str]]) -> str:
    """A state, of which is written what not all states have in common."""
    x, y = _corner(place)
    own = replace(state, holds=dict(item for item in state.holds.items() if item not in common))
    words = visible(f"{state.number}: {own.words or state.words}")
    lines = textwrap.wrap(words, _LETTERS, max_lines=_LINES, placeholder=" …")
    calls = ", ".join(state.calls) or "making it"
    told = f"state {state.number}: {state.words}\nwhen {state.when}\nafter {calls}"
    texts = "".join(
        f'<text x="{x + 6}" y="{y + 18 + 16 * number}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f'<g class="state"><title>{escape(visible(told))}</title>'
        f'<rect x="{x}" y="{y}" width="{_BOX}" height="{_HIGH}" rx="4"/>{texts}</g>'
    )
