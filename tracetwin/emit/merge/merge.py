"""Brings new tests into a file: all that stays there stays as it is, byte for byte, in its place.

Only lines are put in and taken out, where the syntax tree says that statements begin and end; nothing that
stays is printed anew.

Helpers of tests, such as classes that patch, that a file has already under another name.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, TypeAlias

from tracetwin.emit.merge.earlier import EarlierFile, Imported, imports_of, is_test_class, tests_of
from tracetwin.emit.merge.ledger import lines_of, span_of
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.standard import is_standard, is_tool
from tracetwin.support.data import dataclass

Key: TypeAlias = tuple[str, str]
"""The class of a test, "" for a function, and its name."""

_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Changes:
    """How the tests of a file change.

    Attributes:
        page: a file with the new tests, and with what they need.
        replaced: old tests that go, each with the new one that takes its place, None for none.
        first_party: whether import sorters know the target as part of the project.
    """

    page: str
    replaced: Mapping[Key, Key | None] = field(default_factory=dict)
    first_party: bool = False


def merged(earlier: EarlierFile, changes: Changes) -> str:
    """Return the text of a file with other tests in it."""
    if not changes.page and not changes.replaced:
        return earlier.text
    return _Merger(earlier, changes).text()


def without_import(text: str, module: str, name: str) -> str:
    """Return a file that does not import a name by `from module import name`."""
    lines = lines_of(text)
    for node in reversed(imports_of(ast.parse(text))):
        if not isinstance(node, ast.ImportFrom) or node.module != module:
            continue
        left = [alias for alias in node.names if alias.name != name]
        if len(left) == len(node.names):
            continue
        space = Namespace("")
        if left:
            _take_in(ast.ImportFrom(module, left, 0), space)
        lines[node.lineno - 1 : node.end_lineno] = space.block()
    return "\n".join(lines).rstrip("\n") + "\n"


class _Source:
    """A file by its statements."""

    def __init__(self, text: str) -> None:
        self.lines = lines_of(text)
        self.tree = ast.parse(text)
        self.tests = {(owner, node.name): node for owner, node in tests_of(self.tree)}
        self.classes = {
            node.name: node
            for node in self.tree.body
            if isinstance(node, ast.ClassDef) and is_test_class(node)
        }

    def of(self, node: Definition) -> list[str]:
        first, end = span_of(node)
        return self.lines[first:end]


class _Merger:
    def __init__(self, earlier: EarlierFile, changes: Changes) -> None:
        self.earlier = earlier
        self.changes = changes
        self.old = _Source(earlier.text)
        self.new = _Source(with_helpers_of(earlier.text, changes.page))
        # Lines from the first to before the second are replaced; those at one place in their order.
        self.edits: list[tuple[int, int, list[str]]] = []

    def text(self) -> str:
        placed = {new for new in self.changes.replaced.values() if new is not None}
        self._replace()
        self._add([key for key in self.new.tests if key not in placed])
        self._define()
        self._import()
        lines = list(self.old.lines)
        for first, end, put in sorted(self.edits, key=lambda edit: edit[:2], reverse=True):
            lines[first:end] = put
        return "\n".join(lines).rstrip("\n") + "\n"

    def _replace(self) -> None:
        """Put new tests in the place of old ones, and take out those that nothing replaces."""
        going = {key for key, new in self.changes.replaced.items() if new is None and key in self.old.tests}
        for key, new in self.changes.replaced.items():
            if new is not None and key in self.old.tests:
                self.edits.append((*span_of(self.old.tests[key]), self.new.of(self.new.tests[new])))
        for name, node in self.old.classes.items():
            own = {key for key in going if key[0] == name}
            if own and len(own) == len(node.body) and not self._gets(name):
                self._take_out(node)
                going -= own
        for key in going:
            self._take_out(self.old.tests[key])

    def _gets(self, owner: str) -> bool:
        """Return whether a class gets new tests."""
        return any(key[0] == owner for key in self.new.tests)

    def _take_out(self, node: Definition) -> None:
        """Remove a statement with the empty lines before it."""
        first, end = span_of(node)
        while first > 0 and not self.old.lines[first - 1].strip():
            first -= 1
        self.edits.append((first, end, []))

    def _add(self, keys: Collection[Key]) -> None:
        """Put tests behind those of their class; classes that are new behind all others."""
        put: dict[int, list[str]] = {}
        last = self._last_definition()
        owners = dict.fromkeys(owner for owner, _ in keys)
        # The last class may end where a new one begins: what comes into it stands before that.
        for owner in sorted(owners, key=lambda name: name not in self.old.classes):
            tests = [self.new.of(self.new.tests[key]) for key in keys if key[0] == owner]
            if owner in self.old.classes:
                _, end = span_of(self.old.classes[owner])
                put.setdefault(end, []).extend(line for test in tests for line in ["", *test])
            elif owner:
                head = self.new.of(self.new.classes[owner])[0]
                body = [line for number, test in enumerate(tests) for line in [*[""][:number], *test]]
                put.setdefault(last, []).extend(["", "", head, *body])
            else:
                put.setdefault(last, []).extend(line for test in tests for line in ["", "", *test])
        self.edits += [(place, place, lines) for place, lines in put.items()]

    def _last_definition(self) -> int:
        """Return the line behind the last class or function of the file, or behind its imports."""
        ends = [span_of(node)[1] for node in self.old.tree.body if isinstance(node, _DEFINITIONS)]
        return max(ends, default=self._behind_imports())

    def _behind_imports(self) -> int:
        ends = [node.end_lineno or 0 for node in imports_of(self.old.tree)]
        heads = [node.end_lineno or 0 for node in self.old.tree.body[:1]]
        return max([*ends, *heads], default=0)

    def _define(self) -> None:
        """Put helpers that are new behind those that are there, before the first test."""
        known = {node.name for node in helpers_of(self.old.tree)}
        put = [
            line for node in helpers_of(self.new.tree) if node.name not in known
            for line in ["", "", *self.new.of(node)]
        ]  # fmt: skip
        if not put:
            return
        tests = [span_of(node)[0] for node in (*self.old.classes.values(), *self.old.tests.values())]
        before = min(tests, default=len(self.old.lines))
        ends = [span_of(node)[1] for node in helpers_of(self.old.tree) if span_of(node)[1] <= before]
        place = max([*ends, self._behind_imports()])
        self.edits.append((place, place, put))

    def _import(self) -> None:
        """Import what the new tests need: sorted anew where nobody changed the block, else behind it."""
        old, new = imports_of(self.old.tree), imports_of(self.new.tree)
        said = {line for node in old for line in _said(node)}
        missing = [line for node in new for line in _said(node) if line not in said]
        if not missing:
            return
        first = min((node.lineno - 1 for node in old), default=self._behind_imports())
        end = max((node.end_lineno or 0 for node in old), default=first)
        if old and self._is_block(first, end):
            self.edits.append((first, end, self._block(self.changes.page)))
        else:
            self.edits.append((end, end, missing))

    def _is_block(self, first: int, end: int) -> bool:
        """Return whether the imports stand as they were written."""
        return self.old.lines[first:end] == self._block("")

    def _block(self, page: str) -> list[str]:
        """Return the imports of the file, and those of a page, as they are written."""
        space = Namespace("")
        for text in (self.earlier.text, page):
            for node in imports_of(ast.parse(text)):
                _take_in(node, space)
        runner = next((name for name in sorted(space.modules) if not is_standard(name)), None)
        space.modules.discard(runner or "")
        return space.block(runner, first_party=self.changes.first_party)


def _take_in(node: Imported, space: Namespace) -> None:
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            space.members[node.module or "", alias.name] = alias.asname or alias.name
        elif is_tool(alias.name):
            space.modules.add(alias.name)
        else:
            space.members["", alias.name] = alias.asname or alias.name


def _said(node: Imported) -> list[str]:
    """Return an import as single ones, a line each."""
    if isinstance(node, ast.Import):
        return [ast.unparse(ast.Import([alias])) for alias in node.names]
    return [ast.unparse(ast.ImportFrom(node.module, [alias], node.level)) for alias in node.names]


Definition: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef"


def helpers_of(tree: ast.Module) -> list[Definition]:
    """Return the classes and functions beside tests."""
    return [
        node
        for node in tree.body
        if isinstance(node, _DEFINITIONS) and not is_test_class(node) and not node.name.startswith("test")
    ]


def with_helpers_of(text: str, page: str) -> str:
    """Return new tests that use the helpers of a file wherever theirs say the same."""
    new = ast.parse(page)
    old = helpers_of(ast.parse(text))
    quoted = [node.value for node in ast.walk(new) if isinstance(node, ast.Constant)]
    words = {word for value in quoted if isinstance(value, str) for word in re.findall(r"\w+", value)}
    names: dict[str, str] = {}
    for node in helpers_of(new):
        if node.name not in words:  # else what a test expects may show it
            names.update({node.name: same} if (same := _equal(node, old, names)) else {})
    names = {name: same for name, same in names.items() if name != same}
    return _renamed(page, names) if names else page


def _equal(node: Definition, old: Sequence[Definition], names: Mapping[str, str]) -> str:
    """Return the name of a helper that says the same, "" where there is none."""
    likely = sorted(old, key=lambda one: _stem(one.name) != _stem(node.name))
    text = ast.unparse(node)
    for one in likely:
        if _renamed(text, {**names, node.name: one.name}) == ast.unparse(one):
            return one.name
    return ""


def _stem(name: str) -> str:
    return re.sub(r"\d+", "", name)


def _renamed(source: str, names: Mapping[str, str]) -> str:
    """Return a source with other identifiers."""
    lines = io.StringIO(source).readlines()  # as they are counted below: no other separators
    for (row, first), (_, end), name in reversed(list(_identifiers(source))):
        if name in names:
            line = lines[row - 1]
            lines[row - 1] = line[:first] + names[name] + line[end:]
    return "".join(lines)


def _identifiers(source: str) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.start, token.end, token.string
