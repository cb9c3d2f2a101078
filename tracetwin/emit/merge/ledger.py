"""The last lines of a generated file: the tests that it had when it was written.

By them each test tells whether it is as it was written. One that is not has become its user's: it was edited.
And what is listed and not there was deleted, or stands there in other words; it is not written again. A test
that only got another name, or another layout, is as it was written.
"""

from __future__ import annotations

import ast
import hashlib
import io
import re
import textwrap
import tokenize
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from tracetwin.emit.stamp import words_of
from tracetwin.support.data import dataclass
from tracetwin.support.syntax import first_line

WIDTH: Final = 100
_HEAD: Final = "# Written by tracetwin as {}; a test that you edit, rename or delete is yours and stays so:"
_HEAD_PATTERN: Final = re.compile(re.escape(_HEAD).replace(re.escape("{}"), "([a-z0-9_-]+)"))
_LINE_END: Final = re.compile("\r\n|\r|\n")
_ENTRY_PATTERN: Final = re.compile(r"\b([0-9a-f]{4})([0-9a-f]{8})\b")

TestNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One test as it was written: digests of its name, and of all else that it says."""

    name: str
    body: str

    def __str__(self) -> str:
        return self.name + self.body

    def is_like(self, other: LedgerEntry) -> bool:
        """Return whether both have the same name, or say the same."""
        return self.name == other.name or self.body == other.body


@dataclass(frozen=True)
class Ledger:
    """The tests of a file as they were written, and in which dialect."""

    style: str
    entries: tuple[LedgerEntry, ...]


def lines_of(text: str) -> list[str]:
    """Return the lines of a file as its syntax tree counts them: other separators are part of a line."""
    lines = _LINE_END.split(text)
    return lines[:-1] if not lines[-1] else lines


def entry_of(node: TestNode, lines: list[str]) -> LedgerEntry:
    """Return the entry of a test."""
    digest = hashlib.sha256()
    for word in (*comments_in(node, lines), *words_of([node.decorator_list, node.body])):
        digest.update(word.encode("utf-8", "surrogatepass") + b"\0")
    name = hashlib.sha256(node.name.encode()).hexdigest()
    return LedgerEntry(name[:4], digest.hexdigest()[:8])


def span_of(node: TestNode | ast.ClassDef) -> tuple[int, int]:
    """Return the first line of a definition, with its decorators, and the line after it; counted from 0."""
    return first_line(node) - 1, node.end_lineno or node.lineno


def comments_in(node: TestNode, lines: list[str]) -> Iterator[str]:
    """Yield the comments of a definition."""
    first, end = span_of(node)
    source = textwrap.dedent("\n".join(lines[first:end]))
    if "#" not in source:
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.string
    except (tokenize.TokenError, IndentationError):  # a text of many lines that begins further left
        yield source


def with_ledger(text: str, style: str, entries: Iterable[LedgerEntry]) -> str:
    """Return a file with these as its last lines, in the place of those that it has."""
    listed = " ".join(map(str, dict.fromkeys(entries)))
    rest = without_ledger(text).rstrip("\n")
    if not listed:
        return f"{rest}\n"
    prefix = "# "
    wrapped = textwrap.wrap(listed, WIDTH, initial_indent=prefix, subsequent_indent=prefix)
    return "\n".join([rest, "", "", _HEAD.format(style), *wrapped, ""])


def without_ledger(text: str) -> str:
    """Return a file without these lines."""
    lines = text.splitlines(keepends=True)
    place = _place(lines)
    if place is None:
        return text
    end = place + 1
    while end < len(lines) and _is_list(lines[end]):
        end += 1
    return "".join([*lines[:place], *lines[end:]])


def ledger_of(text: str) -> Ledger | None:
    """Return what the last lines of a file say, None where they say nothing of tests."""
    lines = lines_of(text)
    place = _place(lines)
    head = _HEAD_PATTERN.match(lines[place].strip()) if place is not None else None
    if place is None or head is None:
        return None
    found: list[LedgerEntry] = []
    for line in lines[place + 1 :]:
        if not _is_list(line):
            break
        found += [LedgerEntry(*pair) for pair in _ENTRY_PATTERN.findall(line)]
    return Ledger(head.group(1), tuple(found))


def _place(lines: list[str]) -> int | None:
    places = (at for at in range(len(lines) - 1, -1, -1) if _HEAD_PATTERN.match(lines[at].strip()))
    return next(places, None)


def _is_list(line: str) -> bool:
    words = line.split()
    return words[:1] == ["#"] and len(words) > 1 and all(map(_ENTRY_PATTERN.fullmatch, words[1:]))
