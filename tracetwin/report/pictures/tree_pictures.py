"""A constraint tree as a picture, and as text for programs that draw graphs.

Places for the nodes of a constraint tree: leaves under each other, depth from left to right.

Conditions between which nothing branches off are one box: in the tree of a parser most nodes have one child.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import field
from html import escape
from typing import Final

from tracetwin.report.result import ReportedNode, ReportedTree
from tracetwin.report.visible import visible
from tracetwin.support.data import dataclass

MARKS: Final = {
    "inner": "", "tested": "✓", "run": "·", "infeasible": "⊘", "unknown": "?", "pending": "…",
    "cut": "✂",
}  # fmt: skip
"""One mark for each state, as colour alone tells not everybody something."""

WORDS: Final = {
    "inner": "condition",
    "tested": "tested",
    "run": "run; other cases show as much",
    "infeasible": "no input goes this way after what is before it; another path may",
    "unknown": "the solver gave up",
    "pending": "not tried yet",
    "cut": "there was no room for what follows",
}

_WIDTH, _HEIGHT, _BOX, _LETTERS = 284, 26, 252, 34
COLOURS: Final = {
    "inner": "#5b6470", "tested": "#0b6fb8", "run": "#6aa9d8", "infeasible": "#8a8a8a", "unknown": "#7a3e9d",
    "pending": "#a0155a", "cut": "#a0155a",
}  # fmt: skip
_STYLE: Final = "".join(
    (
        "text{font:12px ui-monospace,monospace;fill:#1b1f24}",
        "path{fill:none;stroke:#9aa4b0}",
        "rect{fill:#fff;stroke-width:1.5}",
        *(f".{state} rect{{stroke:{colour}}}" for state, colour in COLOURS.items()),
    )
)


def svg(tree: ReportedTree, title: str, *, alone: bool = True) -> str:
    """Return a tree as SVG."""
    boxes = laid_out(tree)
    width = _WIDTH * (1 + max((box.depth for box in boxes), default=0))
    height = _HEIGHT * (1 + round(max((box.row for box in boxes), default=0)))
    parts = [_opening(width, height, title, alone=alone)]
    parts += [_edge(box) for box in boxes if box.parent is not None]
    parts += map(_box, boxes)
    return "".join([*parts, "</svg>\n"])


def _opening(width: int, height: int, title: str, *, alone: bool) -> str:
    name = escape(visible(title))
    space = ' xmlns="http://www.w3.org/2000/svg"' if alone else ""
    style = f"<style>{_STYLE}</style>" if alone else ""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg{space} class="tree" role="img" aria-label="{name}" {size}>{style}'


def _place(box: Box) -> tuple[int, int]:
    return 4 + box.depth * _WIDTH, round(2 + box.row * _HEIGHT)


def _edge(box: Box) -> str:
    assert box.parent is not None
    left, upper = _place(box.parent)
    right, lower = _place(box)
    start, middle = left + _BOX, (left + _BOX + right) // 2
    half = (_HEIGHT - 4) // 2
    way = f"M{start} {upper + half}C{middle} {upper + half} {middle} {lower + half} {right} {lower + half}"
    return f'<path data-order="{box.order}" d="{way}"/>'


def _box(box: Box) -> str:
    x, y = _place(box)
    return (
        f'<g class="{_state(box.last)}" data-order="{box.order}"><title>{escape(_told(box))}</title>'
        f'<rect x="{x}" y="{y}" width="{_BOX}" height="{_HEIGHT - 4}" rx="4"/>'
        f'<text x="{x + 6}" y="{y + 15}">{escape(_label(box))}</text></g>'
    )


def _state(node: ReportedNode) -> str:
    return node.state if node.state in MARKS else "inner"


def _label(box: Box) -> str:
    mark = MARKS.get(box.last.state, "")
    more = f" (+{len(box.nodes) - 1})" if len(box.nodes) > 1 else ""
    room = _LETTERS - len(mark) - len(more) - 1
    words = visible(box.last.text)
    words = words if len(words) <= room else words[: room - 1] + "…"
    return f"{mark} {words}{more}".strip()


def _told(box: Box) -> str:
    """All that is known of a box, for whoever points at it."""
    lines = [f"line {node.line}: {node.text}" if node.line else node.text for node in box.nodes[-12:]]
    end = box.last
    lines.append(WORDS.get(end.state, end.state) + (f": {end.ending}" if end.ending else ""))
    lines += [f"{name} = {value}" for name, value in end.values.items()]
    return visible("\n".join(lines))


def foldable(tree: ReportedTree, function: str) -> str:
    """Return what a script needs to draw a tree whose nodes can be folded, as JSON.

    Each box is a list: the number of the box before it (-1: none), its label, all that is known of it, its
    state, when it came, and the function that it is a call of ("" within the function itself).
    """
    boxes = laid_out(tree)
    numbers = {id(box): number for number, box in enumerate(boxes)}
    rows = [
        [
            -1 if box.parent is None else numbers[id(box.parent)],
            _label(box), _told(box), box.last.state, box.order,
            "" if box.last.function in ("", function) else visible(box.last.function),
        ]
        for box in boxes
    ]  # fmt: skip
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def dot(tree: ReportedTree, title: str) -> str:
    """Return a tree in the language of Graphviz."""
    lines = [f"digraph {_quoted(title)} {{", "  rankdir=LR; node [shape=box, fontname=monospace];"]
    for number, node in enumerate(tree.nodes):
        words = f"{MARKS.get(node.state, '')} {node.text}".strip()
        lines.append(f'  n{number} [label={_quoted(words)}, color="{COLOURS[_state(node)]}"];')
        if node.parent >= 0:
            lines.append(f"  n{node.parent} -> n{number};")
    return "\n".join([*lines, "}"]) + "\n"


def mermaid(tree: ReportedTree) -> str:
    """Return a tree in the language of Mermaid, each kind of node in its colour."""
    used = {_state(node) for node in tree.nodes}
    kinds = [f"  classDef {state} stroke:{colour}" for state, colour in COLOURS.items() if state in used]
    lines = ["flowchart LR", *kinds]
    for number, node in enumerate(tree.nodes):
        words = f"{MARKS.get(node.state, '')} {node.text}".strip()
        safe = "".join(c if c.isalnum() or c == " " else f"#{ord(c)};" for c in visible(words, 120))
        lines.append(f'  n{number}["{safe}"]:::{_state(node)}')
        if node.parent >= 0:
            lines.append(f"  n{node.parent} --> n{number}")
    return "\n".join(lines) + "\n"


def _quoted(words: str) -> str:
    return '"' + visible(words).replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


@dataclass
class Box:
    """One or several nodes in a row.

    Attributes:
        depth: how many boxes are before it.
        row: where it stands, in leaves from the top.
    """

    nodes: list[ReportedNode]
    children: list[Box] = field(default_factory=list)
    parent: Box | None = None
    depth: int = 0
    row: float = 0.0

    @property
    def last(self) -> ReportedNode:
        """The last of its nodes, which says how it ends."""
        return self.nodes[-1]

    @property
    def order(self) -> int:
        """When the first of its nodes came."""
        return self.nodes[0].order


def laid_out(tree: ReportedTree) -> list[Box]:
    """Return the boxes of a tree with their places, parents before children."""
    children: dict[int, list[int]] = {}
    for number, node in enumerate(tree.nodes):
        children.setdefault(node.parent, []).append(number)
    found: list[Box] = []
    rows = 0
    waiting: list[tuple[int, Box | None]] = [(number, None) for number in reversed(children.get(-1, []))]
    while waiting:
        number, parent = waiting.pop()
        box = Box([tree.nodes[number]], parent=parent, depth=parent.depth + 1 if parent else 0)
        after: Sequence[int] = children.get(number, [])
        while _goes_on(box, after, tree):
            box.nodes.append(tree.nodes[after[0]])
            after = children.get(after[0], [])
        found.append(box)
        if parent is not None:
            parent.children.append(box)
        waiting += [(each, box) for each in reversed(after)]
        if not after:
            box.row = rows
            rows += 1
    for box in reversed(found):
        if box.children:
            box.row = (box.children[0].row + box.children[-1].row) / 2
    return found


def _goes_on(box: Box, after: Sequence[int], tree: ReportedTree) -> bool:
    """Return whether what follows belongs in the same box: nothing branches off, no other function begins."""
    return (
        len(after) == 1 and box.last.state == "inner" and tree.nodes[after[0]].function == box.last.function
    )
