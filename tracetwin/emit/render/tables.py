"""Tables of tests: those of one function that differ in values only become rows, each with its name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from itertools import compress, takewhile
from typing import Final

from tracetwin.emit.dialects.base import Dialect, Row
from tracetwin.emit.exhibit import Mark
from tracetwin.emit.render.shapes import (
    EXPECTED,
    Hole,
    Parameters,
    Shape,
    differing,
    shape_of,
    template,
    unwrapped,
)
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import WIDTH, columns
from tracetwin.support.data import dataclass

LEAST_ROWS: Final = 3
MOST_COLUMNS: Final = 5
MOST_STATEMENTS: Final = 5
MOST_LINES: Final = 12
"""Lines of a row."""

_LINKS: Final = frozenset((
    "when", "returns", "return", "yields", "with", "and", "or", "after", "of", "on", "has", "is", "to",
    "for", "in", "from", "a", "the", "are", "no", "not", "raises", "changes",
))  # fmt: skip
"""Words with which the name of a table does not end."""


@dataclass(frozen=True)
class Draft:
    """A test before it is in the file.

    Attributes:
        name: what it is called by itself.
        position: its case, by its position among those that were given.
        subject: what it is a test of, and of which kind that is; a table is of one subject.
        assertions: for each its first line among these, the line after it, and its mark.
        may_join: whether it may be a row.
    """

    name: str
    position: int
    subject: tuple[str, str]
    decorators: tuple[str, ...]
    lines: tuple[str, ...]
    assertions: tuple[tuple[int, int, Mark], ...] = ()
    may_join: bool = False


@dataclass(frozen=True)
class Entry:
    """A test as it is in the file: one by itself, or a table.

    Attributes:
        body: how many lines are before its statements.
        drafts: what it is made of.
    """

    name: str
    lines: tuple[str, ...]
    body: int
    drafts: tuple[Draft, ...]


@dataclass
class Tables:
    """Arranges the tests of one class, or of a file without classes."""

    dialect: Dialect
    space: Namespace
    parameters: Parameters
    _taken: set[str] = field(default_factory=set)

    def entries(self, drafts: Sequence[Draft], taken: Iterable[str]) -> list[Entry]:
        """Return the tests in their order, each table in the place of the first test in it."""
        self._taken = {*taken, *(draft.name for draft in drafts)}
        tables: dict[int, Entry] = {}
        rows: set[int] = set()
        for group in self._alike(drafts):
            for table in self._tables(group):
                self._taken.add(table.name)
                tables[table.drafts[0].position] = table
                rows.update(draft.position for draft in table.drafts)
        return [
            tables.get(draft.position) or single(draft, self.dialect)
            for draft in drafts
            if draft.position in tables or draft.position not in rows
        ]

    def _alike(self, drafts: Sequence[Draft]) -> list[list[tuple[Draft, Shape]]]:
        """The tests that have a shape, those of one subject and shape together."""
        imported = {*self.space.members.values(), *(name.partition(".")[0] for name in self.space.modules)}
        imported -= {"unittest", "pytest"}
        groups: dict[tuple[tuple[str, str], str], list[tuple[Draft, Shape]]] = {}
        for draft in drafts:
            lines = unwrapped(draft.lines) if draft.may_join and not draft.decorators else ()
            if 0 < len(lines) <= MOST_STATEMENTS:
                shape = shape_of(lines, self.parameters, imported)
                if shape is not None:
                    groups.setdefault((draft.subject, shape.key), []).append((draft, shape))
        return [group for group in groups.values() if len(group) >= LEAST_ROWS]

    def _tables(self, group: Sequence[tuple[Draft, Shape]]) -> list[Entry]:
        """The tables of tests of one shape: one, but where they are laid out in several ways."""
        shapes = [shape for _, shape in group]
        places = list(differing(shapes))
        names = self._names([[shape.holes[place] for shape in shapes] for place in places], shapes[0].names)
        if not names:
            return []
        by_text: dict[tuple[str, ...], list[tuple[Draft, list[str]]]] = {}
        for draft, shape in group:
            holes = [shape.holes[place] for place in places]
            text = tuple(template(unwrapped(draft.lines), list(zip(holes, names, strict=True))))
            first = {name: hole.source for hole, name in reversed(list(zip(holes, names, strict=True)))}
            fields = _in_order(holes, names)
            by_text.setdefault(text, []).append((draft, [first[name] for name in fields]))
        fields = _in_order([shapes[0].holes[place] for place in places], names)
        made = (self._table(text, fields, some) for text, some in by_text.items() if len(some) >= LEAST_ROWS)
        return [table for table in made if table is not None]

    def _names(self, columns_: Sequence[Sequence[Hole]], used: Collection[str]) -> list[str]:
        """The names of columns, those of equal ones the same; none where some have none."""
        found: list[str] = []
        known: dict[str, list[str]] = {}
        for column in columns_:
            dumps, wanted = [hole.dump for hole in column], column[0].wanted
            if not wanted:
                return []
            twice = known.get(wanted, dumps) != dumps
            if column[0].is_expected and wanted != EXPECTED and (twice or wanted in used):
                wanted = f"{EXPECTED}_{wanted}"
            name = next((one for one in (wanted, f"{wanted}_value") if self._is_free(one, used)), "")
            if not name or known.setdefault(name, dumps) != dumps:
                return []
            found.append(name)
        return found if len(known) <= MOST_COLUMNS else []

    def _is_free(self, name: str, used: Collection[str]) -> bool:
        return self.space.local(name, used) == name and name not in self._taken

    def _table(
        self, text: tuple[str, ...], fields: Sequence[str], some: Sequence[tuple[Draft, list[str]]]
    ) -> Entry | None:
        """The table of some tests whose rows fit; None for too few, or where it has no name."""
        drafts = [draft for draft, _ in some]
        name, rests = named([draft.name for draft in drafts], drafts[0].subject[0])
        own = {draft.name for draft in drafts}
        if not name or name in self._taken - own:
            return None
        rows = [Row(rest, tuple(values)) for rest, (_, values) in zip(rests, some, strict=True)]
        fitting = [self._fits(name, fields, row, text) for row in rows]
        if not all(fitting):
            left = list(compress(some, fitting))
            return self._table(text, fields, left) if len(left) >= LEAST_ROWS else None
        written = self.dialect.table(name, fields, rows, text)
        return None if written is None else Entry(name, written.lines, written.body, tuple(drafts))

    def _fits(self, name: str, fields: Sequence[str], row: Row, text: Sequence[str]) -> bool:
        """Return whether a table of one row has no line that is too long, and not too many for that row."""
        written, bare = (self.dialect.table(name, fields, rows, text) for rows in ([row], []))
        if written is None or bare is None or written.body - bare.body > MOST_LINES:
            return False
        return all(columns(line) <= WIDTH for line in written.lines)


def single(draft: Draft, dialect: Dialect) -> Entry:
    """Return a test by itself."""
    head = (*draft.decorators, dialect.test_line(draft.name))
    return Entry(draft.name, (*head, *draft.lines), len(head), (draft,))


def _in_order(holes: Sequence[Hole], names: Sequence[str]) -> list[str]:
    """The names of columns, each once: what goes in, then what comes out."""
    expected = {name for hole, name in zip(holes, names, strict=True) if hole.is_expected}
    inner = {name for hole, name in zip(holes, names, strict=True) if not hole.is_expected}
    return sorted(dict.fromkeys(names), key=lambda name: name in expected - inner)


def named(names: Sequence[str], subject: str = "") -> tuple[str, list[str]]:
    """Return what tests have in common in their names, and what each has besides, "" for nothing.

    The name of their subject is not cut short, though it may end as no other does.
    """
    words = [name.split("_") for name in names]
    own = f"test_{subject.rpartition('.')[2]}".split("_")
    common = [some[0] for some in takewhile(lambda some: len(set(some)) == 1, zip(*words, strict=False))]
    common = common[: min(map(len, words)) - 1]
    while common and common != own and (common[-1] in _LINKS or common[-1].isdigit()):
        common.pop()
    if len(common) < len(("test", "function")):
        return "", []
    return "_".join(common), ["_".join(one[len(common) :]) for one in words]
