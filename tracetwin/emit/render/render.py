"""Writes the text of a test file from chosen cases and what was seen of them."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Collection, Iterator, Sequence
from dataclasses import field, replace

from tracetwin.analysis.evidence.expressions import dotted
from tracetwin.emit.dialects.base import dialect_of
from tracetwin.emit.exhibit import Chosen, Mark
from tracetwin.emit.merge.earlier import EarlierFile
from tracetwin.emit.naming import names, telling
from tracetwin.emit.render.body import CaseWriter
from tracetwin.emit.render.shapes import parameters_of
from tracetwin.emit.render.spoken_of import with_names
from tracetwin.emit.render.tables import Draft, Entry, Tables, single
from tracetwin.emit.source.gate import check_test
from tracetwin.emit.source.identifiers import Unwritable
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import WIDTH
from tracetwin.model.case import Case
from tracetwin.model.options import MockStyle
from tracetwin.model.status import Outcome
from tracetwin.replay.static import Coverable
from tracetwin.support.data import dataclass
from tracetwin.support.text import clean


@dataclass(frozen=True)
class RenderedTest:
    """Where a case went.

    Attributes:
        class_name: the test class, "" for a test function.
        name: the test; several cases may be rows of one.
        position: the case, by its position among those that were given.
        assertions: for each its first line in the file, the line after it, and its mark.
        words: its lines, but for its name.
    """

    class_name: str
    name: str
    position: int
    assertions: tuple[tuple[int, int, Mark], ...] = ()
    words: tuple[str, ...] = ()

    def assertion(self, line: int) -> Mark | None:
        """The mark of the assertion in that line."""
        return next((mark for first, end, mark in self.assertions if first <= line < end), None)

    def moved(self, lines: int) -> RenderedTest:
        """Return it with its assertions that many lines further down."""
        moved = tuple((first + lines, end + lines, mark) for first, end, mark in self.assertions)
        return replace(self, assertions=moved)


@dataclass(frozen=True)
class Rendered:
    """A test file and what it holds."""

    text: str
    tests: list[RenderedTest] = field(default_factory=list)
    dropped: list[tuple[int, str]] = field(default_factory=list)

    def repeated(self) -> Iterator[int]:
        """Give the positions of cases whose tests are word for word those of others before them."""
        known = set[tuple[str, tuple[str, ...]]]()
        for test in self.tests:
            if (test.class_name, test.words) in known:
                yield test.position
            known.add((test.class_name, test.words))


def render(
    target: str,
    chosen: Sequence[Chosen],
    coverable: Coverable,
    *,
    style: str = "unittest",
    mock: MockStyle = MockStyle.AUTO,
    importable: Sequence[str] = (),
    first_party: bool = False,
    place: str = "",
    about: str = "",
    beside: EarlierFile | None = None,
    kept: Sequence[Chosen] = (),
    rows: Collection[int] = (),
) -> Rendered:
    """The text of a test file for the module named `target`.

    Args:
        target: dotted name of the module.
        chosen: cases with their observations.
        coverable: the functions of the module's file.
        style: the dialect.
        mock: how mocks are written.
        importable: other top-level modules that a test may import from.
        first_party: whether the target is part of the project that the tests go to; imports are sorted so.
        place: where the tests find the target, as the end of a sentence; "" for the folder that holds it.
        about: a paragraph for the file's docstring, "" for none.
        beside: a file that the tests will come into, whose names they share.
        kept: cases of tests in that file, from which the names of new ones are to differ.
        rows: the positions of cases that become rows of tables where others are alike.
    """
    first = _Page(target, coverable, style, importable, mock=mock, first_party=first_party)
    kept = [with_names(pair, first.body) for pair in kept]
    first.join(beside, kept)
    chosen = [with_names(pair, first.body) for pair in chosen]
    dropped = _attempt(first, chosen)
    without = {position for position, _ in dropped}
    writable = [position for position in range(len(chosen)) if position not in without]
    # Once more with fresh names: what was dropped may have asked for some, and of the standard modules only
    # those that were asked for can be hidden by a local name.
    page = _Page(target, coverable, style, importable, mock=mock, first_party=first_party, draft=first.space)
    page.place = place or f"with the folder that holds `{target.partition('.')[0]}` on the path"
    page.about = about
    page.rows = rows
    page.join(beside, kept)
    text, tests = page.file([(position, chosen[position]) for position in writable])
    return Rendered(text, tests, dropped)


def unwritable(
    target: str,
    chosen: Sequence[Chosen],
    coverable: Coverable,
    *,
    style: str = "unittest",
    mock: MockStyle = MockStyle.AUTO,
    importable: Sequence[str] = (),
) -> list[tuple[int, str]]:
    """The positions of cases that make no test, and why."""
    page = _Page(target, coverable, style, importable, mock=mock, first_party=False)
    return _attempt(page, [with_names(pair, page.body) for pair in chosen])


def _attempt(page: _Page, chosen: Sequence[Chosen]) -> list[tuple[int, str]]:
    """Write every test by itself: the positions of those that can't be written, and why."""
    found = []
    for position, pair in enumerate(chosen):
        try:
            body = page.body(pair)
            lines = [*body.decorators(), page.dialect.test_line("test"), *body.lines]
            check_test(lines, page.space.names())
        except Unwritable as error:
            found.append((position, str(error)))
    return found


_Named = tuple[str, int, Chosen]
"""The name of a test, its position among those that were given, and what it is made of."""


class _Page:
    place = ""
    about = ""
    rows: Collection[int] = ()

    def __init__(
        self,
        target: str,
        coverable: Coverable,
        style: str,
        importable: Sequence[str],
        *,
        mock: MockStyle,
        first_party: bool,
        draft: Namespace | None = None,
    ) -> None:
        own = {function.qualname.partition(".")[0] for function in coverable.functions} | set(
            coverable.classes
        )
        self.target = target
        self.first_party = first_party
        self.coverable = coverable
        self.mock = mock
        dialect = dialect_of(style)
        modules = None if draft is None else draft.modules
        self.space = Namespace(target, importable, own, modules, draft, dialect.reserved)
        self.dialect = dialect(self.space)
        self.beside = EarlierFile()
        self.kept: Sequence[Chosen] = ()

    def join(self, beside: EarlierFile | None, kept: Sequence[Chosen]) -> None:
        """Take in the file that the tests will come into."""
        if beside:
            self.beside, self.kept = beside, kept
            self.space.join(beside.members, beside.definitions)

    def body(self, chosen: Chosen) -> CaseWriter:
        case, seen = chosen
        body = CaseWriter(case, seen, self.space, self.dialect, self.coverable, mock=self.mock)
        body.write()
        return body

    def file(self, chosen: Sequence[tuple[int, Chosen]]) -> tuple[str, list[RenderedTest]]:
        lines: list[str] = []
        tests: list[RenderedTest] = []
        for class_name, members in self._groups(chosen):
            lines += ["", "", self.dialect.class_line(class_name)] if class_name else []
            for number, entry in enumerate(self._entries(class_name, members)):
                lines += ([""] if number else []) if class_name else ["", ""]
                tests += [_placed(class_name, entry, draft, len(lines)) for draft in entry.drafts]
                lines += entry.lines
        lines += self.dialect.ending()
        defined = [line for one in self.space.definitions.values() for line in ["", "", *one]]
        head = [*self._head([*defined, *lines]), *defined]
        text = "\n".join([*head, *lines]).rstrip("\n") + "\n"
        return text, [test.moved(len(head) + 1) for test in tests]

    def _entries(self, class_name: str, members: Sequence[_Named]) -> list[Entry]:
        """Return the tests of a class, those that are alike as tables."""
        drafts = [self._draft(name, position, pair) for name, position, pair in members]
        if not self.rows:
            return [single(draft, self.dialect) for draft in drafts]
        tables = Tables(self.dialect, self.space, parameters_of(self.coverable))
        return tables.entries(drafts, self.beside.names(class_name))

    def _draft(self, name: str, position: int, pair: Chosen) -> Draft:
        """Write a test by itself."""
        body = self.body(pair)
        case, seen = pair
        is_plain = len(body.written) <= (1 if seen.raised is None else 2) and len(case.steps) <= 2
        return Draft(
            name, position, (case.target, case.kind), tuple(body.decorators()), tuple(body.lines),
            tuple(body.written), may_join=is_plain and position in self.rows,
        )  # fmt: skip

    def _groups(self, chosen: Sequence[tuple[int, Chosen]]) -> Iterator[tuple[str, list[_Named]]]:
        """Yield test classes by name with their tests; "" with all tests where the dialect has no classes."""
        groups: dict[tuple[str, str], list[tuple[int, Chosen]]] = {}
        for position, pair in sorted(chosen, key=lambda item: self._order(item[0], item[1])):
            groups.setdefault(_group(pair[0]), []).append((position, pair))
        if not self.dialect.in_classes:
            yield "", self._named("", [member for members in groups.values() for member in members])
            return
        taken: set[str] = set()
        for (group, kind), members in groups.items():
            name = names.class_name(group, kind, taken)
            yield name, self._named(name, members)

    def _named(self, class_name: str, members: Sequence[tuple[int, Chosen]]) -> list[_Named]:
        pairs = [*self.kept, *(pair for _, pair in members)]
        subjects = [names.subject(case, seen, self.coverable) for case, seen in pairs]
        if not self.dialect.in_classes:
            subjects = telling.with_owners(subjects, [_group(case) for case, _ in pairs])
        taken = self.beside.names(class_name)
        found = telling.name_all(subjects, taken)[len(self.kept) :]
        return [(name, at, pair) for name, (at, pair) in zip(found, members, strict=True)]

    def _order(self, position: int, chosen: Chosen) -> tuple[int, str, bool, int]:
        case, seen = chosen
        found = self.coverable.function(case.target)
        line = found.first_line if found else 0
        return (line, case.target, seen.outcome is not Outcome.RETURNED, position)

    def _head(self, lines: list[str]) -> list[str]:
        """Return the docstring and the imports."""
        self._forget_unused("\n".join(lines))
        place = clean(self.place).replace("\\", "/").replace('"', "'")  # within a docstring
        head = [
            f'"""Tests of `{self.target}`, generated by tracetwin from what it did.',
            "",
            *([*textwrap.wrap(self.about, WIDTH), ""] if self.about else []),
            *textwrap.wrap(f"Run them {place}:", WIDTH, break_long_words=False, break_on_hyphens=False),
            f"    {self.dialect.command}",
            '"""',
            "",
        ]
        imports = self.space.block(self.dialect.runner, first_party=self.first_party)
        return [*head, *imports]

    def _forget_unused(self, body: str) -> None:
        tree = ast.parse(body)
        chains = {dotted(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        single = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        self.space.modules = {module for module in self.space.modules if module in chains | single}
        self.space.members = {key: given for key, given in self.space.members.items() if given in single}


def _placed(class_name: str, entry: Entry, draft: Draft, before: int) -> RenderedTest:
    """Return where a case went: an entry that stands behind so many lines."""
    first = before + entry.body
    places = ((first + begin, first + end, mark) for begin, end, mark in draft.assertions)
    words = (*draft.decorators, *draft.lines)
    return RenderedTest(class_name, entry.name, draft.position, tuple(places), words)


def _group(case: Case) -> tuple[str, str]:
    """Return what shares a test class: a function, or all that belongs to a class."""
    if case.kind == "constructor":
        return case.target.removesuffix(".__init__"), "class"
    owner = case.target.rpartition(".")[0]
    return (owner, "class") if owner else (case.target, "function")
