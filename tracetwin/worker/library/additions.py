"""Python code that takes the place of code in C, and of patterns, within the library's twins.

A position that a pattern finds in a text depends on all of the text; here each character is looked at in its
turn, at a known place.
"""

from __future__ import annotations

from typing import Final

ISO_DIGITS: Final = b"""
def _int_of_digits(text, count):
    if len(text) != count or not text.isascii() or not text.isdigit():
        raise ValueError(text)
    return int(text)
"""
"""`int` takes signs, spaces and other digits as well."""

JSON_FOUND: Final = b"""
class _Found:
    def __init__(self, place, parts=()):
        self._place, self._parts = place, parts
    def end(self):
        return self._place
    def groups(self):
        return self._parts
"""

JSON_CHUNK: Final = (
    JSON_FOUND
    + rb"""
class _Chunk:
    def match(self, text, start):
        place = start
        while True:
            character = text[place:place + 1]
            if character == '':
                return None
            if character == '"' or character == '\\' or character < ' ':
                return _Found(place + 1, (text[start:place], character))
            place += 1
STRINGCHUNK = _Chunk()
"""
)

JSON_SPACE: Final = rb"""
class _Space:
    def match(self, text, place):
        while text[place:place + 1] != '' and text[place:place + 1] in ' \t\n\r':
            place += 1
        return _Found(place)
WHITESPACE = _Space()
"""

JSON_NUMBER: Final = (
    JSON_FOUND
    + rb"""
class _Number:
    def match(self, text, start):
        place = start
        if text[place:place + 1] == '-':
            place += 1
        if text[place:place + 1] == '0':
            place += 1
        else:
            end = self._digits(text, place)
            if end == place:
                return None
            place = end
        integer, fraction, exponent = text[start:place], None, None
        if text[place:place + 1] == '.':
            end = self._digits(text, place + 1)
            if end > place + 1:
                place, fraction = end, text[place:end]
        if text[place:place + 1] == 'e' or text[place:place + 1] == 'E':
            sign = text[place + 1:place + 2]
            first = place + 2 if sign == '-' or sign == '+' else place + 1
            end = self._digits(text, first)
            if end > first:
                place, exponent = end, text[place:end]
        return _Found(place, (integer, fraction, exponent))
    def _digits(self, text, place):
        while '0' <= text[place:place + 1] <= '9':
            place += 1
        return place
NUMBER_RE = _Number()
"""
)

TEXT_STREAM: Final = rb"""
class StringIO:
    def __init__(self, text):
        self._text, self._at = text, 0
    def read(self, count):
        piece = self._text[self._at:self._at + count]
        self._at += count
        return piece
    def readline(self):
        end = self._text.find("\n", self._at)
        end = len(self._text) if end < 0 else end + 1
        piece, self._at = self._text[self._at:end], end
        return piece
    def close(self):
        pass
"""

GROUPBY: Final = b"""
def groupby(values, key):
    group = []
    for value in values:
        kind = key(value)
        if group and kind is not last:
            yield last, group
            group = []
        last = kind
        group.append(value)
    if group:
        yield last, group
"""
