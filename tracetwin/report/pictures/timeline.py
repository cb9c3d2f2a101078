"""The time line of a run and its gain curve as pictures, and what its time was spent on as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from tracetwin.model.timeline import Gain, Span
from tracetwin.report.visible import visible
from tracetwin.support.data import dataclass

KINDS: Final = {
    "rewriting": "twins are made", "importing": "modules are imported",
    "exploring": "inputs are searched for", "writing": "tests are replayed, written and run",
}  # fmt: skip
"""What a process may be at work on."""

_WIDTH, _LEFT, _LANE, _BAR, _AXIS, _CURVE = 1000, 78, 34, 20, 22, 120
_LEAST: Final = 1.5
_MOST_TICKS: Final = 10
_STEPS: Final = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600)


@dataclass(frozen=True)
class Spent:
    """The time of processes that went into one thing.

    Attributes:
        part: of that work, "" for what belongs to no part.
        percent: of the time of all of them.
    """

    kind: str
    part: str
    seconds: float
    percent: float


def spent(spans: Iterable[Span]) -> list[Spent]:
    """Return what the time was spent on, in the order of the work and the most expensive first."""
    seconds: dict[tuple[str, str], float] = {}
    for span in spans:
        rest = span.end - span.begin
        for name, part in span.parts:
            seconds[span.kind, name] = seconds.get((span.kind, name), 0.0) + part
            rest -= part
        name = "running inputs" if span.kind == "exploring" else ""
        seconds[span.kind, name] = seconds.get((span.kind, name), 0.0) + max(0.0, rest)
    whole = sum(seconds.values()) or 1.0
    order = list(KINDS)
    ranked = sorted(seconds.items(), key=lambda item: (order.index(item[0][0]), -item[1]))
    return [Spent(kind, part, each, 100 * each / whole) for (kind, part), each in ranked if each >= 0.0005]


def picture(spans: Sequence[Span], title: str) -> str:
    """Return the spans as SVG: a lane for each process, and below a bar the part that went into solving."""
    if not spans:
        return ""
    last = max(*(span.end for span in spans), 0.001)
    lanes = sorted({span.process for span in spans})
    height = _LANE * len(lanes) + _AXIS
    name = escape(visible(title))
    parts = [f'<svg class="timeline" role="img" aria-label="{name}" viewBox="0 0 {_WIDTH} {height}">']
    parts += _axis(last, height)
    for at, lane in enumerate(lanes):
        parts.append(f'<text class="lane" x="0" y="{at * _LANE + 16}">process {lane + 1}</text>')
        parts += (_bar(span, at, last) for span in spans if span.process == lane)
    return "".join([*parts, "</svg>"])


def curve(gains: Sequence[Gain], title: str) -> str:
    """Return the sides of conditions that had been reached at each time as SVG; "" for nothing."""
    most = max((gain.covered for gain in gains), default=0)
    if not most:
        return ""
    last, height = max(gains[-1].seconds, 0.001), _CURVE + _AXIS
    name = escape(visible(title))
    way = f"M{_LEFT} {_CURVE}"
    dots = []
    for gain in gains:
        x, y = _place(gain.seconds, last), 6 + (_CURVE - 6) * (1 - gain.covered / most)
        way += f"H{x:.1f}V{y:.1f}"
        told = f"{gain.seconds:.2f} s: {gain.covered} sides, {gain.runs} runs"
        dots.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{told}</title></circle>')
    label = '<text class="lane" x="0" y="{}">{}</text>'.format
    scale = label(14, f"{most} sides") + label(_CURVE, "0")
    opening = f'<svg class="timeline gains" role="img" aria-label="{name}" viewBox="0 0 {_WIDTH} {height}">'
    return "".join([opening, *_axis(last, height), scale, f'<path d="{way}"/>', *dots, "</svg>"])


def gained(gains: Sequence[Gain]) -> str:
    """Return a gain curve in one sentence; "" for nothing."""
    most = max((gain.covered for gain in gains), default=0)
    if not most:
        return ""
    half, whole = (next(gain for gain in gains if gain.covered >= part) for part in (most / 2, most))
    return (
        f"Half of the {most} sides of conditions were reached after {half.seconds:.1f} s ({half.runs} runs), "
        f"the last new one after {whole.seconds:.1f} s ({whole.runs} of {gains[-1].runs} runs)."
    )


def _axis(last: float, height: int) -> Iterable[str]:
    step = next((step for step in _STEPS if last / step <= _MOST_TICKS), _STEPS[-1])
    for number in range(int(last / step) + 1):
        x = _place(number * step, last)
        yield f'<line class="tick" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{height - _AXIS + 4}"/>'
        yield f'<text class="tick" x="{x:.1f}" y="{height - 4}">{number * step:g} s</text>'


def _bar(span: Span, lane: int, last: float) -> str:
    x, y = _place(span.begin, last), lane * _LANE + 3
    width = max(_LEAST, _place(span.end, last) - x)
    label = _label(span.what, x, y, width)
    inside = sum(seconds for _, seconds in span.parts) / max(span.end - span.begin, 0.001)
    share = ""
    if span.kind == "exploring" and inside > 0:
        part = width * min(1.0, inside)
        share = f'<rect class="solving" x="{x:.1f}" y="{y + _BAR}" width="{part:.1f}" height="5"/>'
    return (
        f'<g class="{span.kind}"><title>{escape(_told(span))}</title>'
        f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}" rx="2"/>{share}{label}</g>'
    )


def _label(what: str, x: float, y: int, width: float) -> str:
    room = int((width - 8) / 6.6)
    if room < 3:
        return ""
    words = visible(what)
    words = words if len(words) <= room else words[: room - 1] + "…"
    return f'<text x="{x + 4:.1f}" y="{y + 14}">{escape(words)}</text>'


def _told(span: Span) -> str:
    lines = [f"{span.kind} {span.what}: {span.begin:.2f} s to {span.end:.2f} s"]
    lines += [f"{name}: {seconds:.2f} s" for name, seconds in span.parts]
    return visible("\n".join(lines))


def _place(seconds: float, last: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - 24) * seconds / last
