"""`csv.reader` over traced lines: fields are traced texts, and which character ends them is decided.

Python's own reader reads the same lines: what it makes of them is the result, and should it ever differ from
what is found here, the lines are pinned.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any, Final

from runtime.containers.streams import SStringIO
from runtime.models.registry import models
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import binary, compare
from runtime.values import SStr, kind_of, lose_all, plain

keep_builtins(globals())

_END: Final = None  # of a line


class _WrongError(Exception):
    """Raised where Python's reader refuses these lines."""


class _Record:
    """The automaton of `_csv.c`, for one record; each state is a method that takes a character or `_END`."""

    def __init__(self, dialect: Any) -> None:
        self._dialect = dialect
        self._state: Callable[[Any], None] = self._start_record
        self._field: Any = ""
        self.fields: list[Any] = []

    @property
    def is_complete(self) -> bool:
        """Return whether the next line begins another record."""
        return self._state == self._start_record

    @property
    def is_open(self) -> bool:
        """Return whether something is left over where the lines end."""
        return bool(plain(self._field)) or self._state == self._in_quotes

    def take(self, line: Any) -> None:
        for character in line:
            self._state(character)
        self._state(_END)

    def close(self) -> None:
        """End a record that the lines don't complete."""
        if self._dialect.strict:
            raise _WrongError
        self._save()

    def _save(self) -> None:
        self.fields.append(self._field)
        self._field = ""

    def _add(self, character: Any) -> None:
        self._field = binary("add", self._field, character)

    def _end_field(self, character: Any) -> bool:
        """Take the end of a field: of a line, or a delimiter."""
        if character is _END or _is(character, "\n") or _is(character, "\r"):
            self._save()
            self._state = self._start_record if character is _END else self._eat_newlines
            return True
        return False

    def _is_quote(self, character: Any) -> bool:
        return self._dialect.quoting != csv.QUOTE_NONE and _is(character, self._dialect.quotechar)

    def _start_record(self, character: Any) -> None:
        if character is _END:
            return
        if _is(character, "\n") or _is(character, "\r"):
            self._state = self._eat_newlines
        else:
            self._start_field(character)

    def _start_field(self, character: Any) -> None:
        if self._end_field(character):
            return
        if self._is_quote(character):
            self._state = self._in_quotes
        elif _is(character, self._dialect.escapechar):
            self._state = self._escaped
        elif self._dialect.skipinitialspace and _is(character, " "):
            self._state = self._start_field
        elif _is(character, self._dialect.delimiter):
            self._save()
            self._state = self._start_field
        else:
            self._add(character)
            self._state = self._in_field

    def _escaped(self, character: Any) -> None:
        if character is not _END and (_is(character, "\n") or _is(character, "\r")):
            self._add(character)
            self._state = self._after_escaped_newline
            return
        self._add("\n" if character is _END else character)
        self._state = self._in_field

    def _after_escaped_newline(self, character: Any) -> None:
        """Take a character like `_in_field`, but for the line's end: CPython stays in this state."""
        if character is not _END:
            self._in_field(character)

    def _in_field(self, character: Any) -> None:
        if self._end_field(character):
            return
        if _is(character, self._dialect.escapechar):
            self._state = self._escaped
        elif _is(character, self._dialect.delimiter):
            self._save()
            self._state = self._start_field
        else:
            self._add(character)

    def _in_quotes(self, character: Any) -> None:
        if character is _END:
            return
        if _is(character, self._dialect.escapechar):
            self._state = self._escaped_in_quotes
        elif self._is_quote(character):
            self._state = self._after_quote if self._dialect.doublequote else self._in_field
        else:
            self._add(character)

    def _escaped_in_quotes(self, character: Any) -> None:
        self._add("\n" if character is _END else character)
        self._state = self._in_quotes

    def _after_quote(self, character: Any) -> None:
        if character is not _END and self._is_quote(character):
            self._add(character)
            self._state = self._in_quotes
        elif character is not _END and _is(character, self._dialect.delimiter):
            self._save()
            self._state = self._start_field
        elif not self._end_field(character):
            if self._dialect.strict:
                raise _WrongError
            self._add(character)
            self._state = self._in_field

    def _eat_newlines(self, character: Any) -> None:
        if character is _END:
            self._state = self._start_record
        elif not _is(character, "\n") and not _is(character, "\r"):
            raise _WrongError


def _is(character: Any, mark: Any) -> bool:
    return mark is not None and bool(compare("eq", character, mark))


class CsvReader:
    """The iterator of `csv.reader` for lines that may be traced."""

    def __init__(self, lines: Any, native: Any) -> None:
        self._lines = iter(lines)
        self.dialect = native.dialect
        self.line_num = 0

    def __iter__(self) -> Iterator[list[Any]]:
        return self

    def __next__(self) -> list[Any]:
        record = _Record(self.dialect)
        lines: list[Any] = []
        wrong = False
        while True:
            try:
                line = next(self._lines)
            except StopIteration:
                if not record.is_open:
                    raise
                wrong = self.dialect.strict
                if not wrong:
                    record.close()
                break
            self.line_num += 1
            lines.append(line)
            if kind_of(line) not in (str, SStr):
                break
            try:
                record.take(line)
            except _WrongError:
                wrong = True
            if wrong or record.is_complete:
                break
        return self._checked(record, lines)

    def _checked(self, record: _Record, lines: list[Any]) -> list[Any]:
        """Return the record, if Python finds the same."""
        native = next(csv.reader(map(plain, lines), self.dialect), [])
        if [plain(field) for field in record.fields] == native:
            return record.fields
        lose_all("csv.reader", *lines)
        return native


@models(csv.reader)
def reader(lines: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`csv.reader`; lines of a file that is really open are plain."""
    is_plain = isinstance(lines, io.IOBase) and type(lines) is not SStringIO
    model = csv.reader(lines if is_plain else (), *args, **kwargs)
    if is_plain:
        return model
    if model.dialect.quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONE):
        return CsvReader(lines, model)
    return csv.reader(lines, *args, **kwargs)
