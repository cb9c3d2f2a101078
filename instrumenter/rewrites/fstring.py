"""Rewrites `f"a{b!r:>{w}}"` to `fstring("a", field(b, 'r', fstring(">", field(w, '', ''))))`.

Text between fields stays the literal it was, less its `f` and with braces undoubled, so that lines
inside triple quotes remain; a string in which that can't be done exactly stays native.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from instrumenter.rewrites.base import Rewrite
from instrumenter.rewrites.emit import NO_GAP, SPACE, Emitted, Gap, comma, has_newline, kept

_EMPTY: Final = cst.SimpleString("''")
_CONVERTS_FIRST: Final = (3, 13)
"""From this version on a value is converted before its format is evaluated."""


class _Inexact(Exception):
    """A piece of text has no literal of its own with the same value and lines."""


@dataclass
class _Piece:
    """An argument of `fstring`, and the whitespace that preceded it."""

    value: cst.BaseExpression
    before: Gap = NO_GAP


class FString(Rewrite):
    """Formatted strings, alone or within implicit concatenation."""

    def visit_ConcatenatedString(self, node: cst.ConcatenatedString) -> None:
        for part in (node.left, node.right):
            if isinstance(part, (cst.FormattedString, cst.ConcatenatedString)):
                self.parts.add(id(part))

    def leave_FormattedString(
        self, original_node: cst.FormattedString, updated_node: cst.FormattedString
    ) -> cst.BaseExpression:
        if id(original_node) in self.parts:
            return updated_node
        try:
            pieces = self._pieces(original_node, updated_node)
        except _Inexact:
            return original_node
        return self._joined(pieces, updated_node) if pieces else updated_node

    def leave_ConcatenatedString(
        self, original_node: cst.ConcatenatedString, updated_node: cst.ConcatenatedString
    ) -> cst.BaseExpression:
        if id(original_node) in self.parts:
            return updated_node
        originals, gaps = _flat(original_node)
        updates, _ = _flat(updated_node)
        pieces: list[_Piece] = []
        gap: Gap = NO_GAP
        try:
            for original, updated, following in zip(originals, updates, [*gaps, NO_GAP], strict=True):
                found: list[_Piece] = []
                if isinstance(original, cst.FormattedString) and isinstance(updated, cst.FormattedString):
                    found = self._pieces(original, updated)
                found = found or [_Piece(_without_prefix(updated))]
                found[0].before = gap
                pieces.extend(found)
                gap = following
        except _Inexact:
            return original_node
        if not any(isinstance(piece.value, Emitted) for piece in pieces):
            return updated_node
        return self._joined(pieces, updated_node)

    def _joined(self, pieces: Sequence[_Piece], like: cst.BaseExpression | None = None) -> Emitted:
        arguments = _merged(pieces)
        separators = tuple(comma(after=piece.before) for piece in arguments[1:])
        return self.emit("fstring", *(piece.value for piece in arguments), commas=separators, like=like)

    def _pieces(self, original: cst.FormattedString, updated: cst.FormattedString) -> list[_Piece]:
        """Return arguments for `fstring`; none when there is no field."""
        pieces: list[_Piece] = []
        if not any(isinstance(part, cst.FormattedStringExpression) for part in updated.parts):
            return pieces
        quotes = _Quotes(updated)
        for old, new in zip(original.parts, updated.parts, strict=True):
            if isinstance(new, cst.FormattedStringText):
                pieces.append(_Piece(quotes.literal(new.value)))
            elif isinstance(new, cst.FormattedStringExpression):
                assert isinstance(old, cst.FormattedStringExpression)
                if old.equal is not None:
                    pieces.append(_Piece(self._label(old, quotes)))
                pieces.append(_Piece(self._field(old, new, quotes)))
        return pieces

    def _field(
        self, old: cst.FormattedStringExpression, new: cst.FormattedStringExpression, quotes: _Quotes
    ) -> Emitted:
        conversion = new.conversion or ""
        if new.equal is not None and new.conversion is None and new.format_spec is None:
            conversion = "r"
        spec: cst.BaseExpression = _EMPTY
        if new.format_spec:
            spec = self._spec(old.format_spec or (), new.format_spec, quotes)
        gaps = [new.whitespace_after_expression]
        if new.equal is not None:
            gaps = [new.equal.whitespace_before, new.equal.whitespace_after, *gaps]
        breaking = [gap for gap in gaps if has_newline(gap)]
        if len(breaking) > 1:
            raise _Inexact
        value = new.expression
        if self.version >= _CONVERTS_FIRST and conversion and isinstance(spec, Emitted):
            value, conversion = self.emit("field", value, cst.SimpleString(f"'{conversion}'"), _EMPTY), ""
        return self.emit(
            "field",
            value,
            cst.SimpleString(f"'{conversion}'"),
            spec,
            commas=(comma(breaking[0] if breaking else NO_GAP),),
            before=kept(new.whitespace_before_expression),
        )

    def _spec(
        self,
        old: Sequence[cst.BaseFormattedStringContent],
        new: Sequence[cst.BaseFormattedStringContent],
        quotes: _Quotes,
    ) -> cst.BaseExpression:
        pieces: list[_Piece] = []
        for before, part in zip(old, new, strict=True):
            if isinstance(part, cst.FormattedStringText):
                if "{" in part.value or "}" in part.value:
                    raise _Inexact
                pieces.append(_Piece(quotes.literal(part.value)))
            elif isinstance(part, cst.FormattedStringExpression):
                assert isinstance(before, cst.FormattedStringExpression)
                if part.equal is not None:
                    pieces.append(_Piece(self._label(before, quotes)))
                pieces.append(_Piece(self._field(before, part, quotes)))
        if len(pieces) == 1 and isinstance(pieces[0].value, cst.SimpleString):
            return pieces[0].value
        return self._joined(pieces)

    def _label(self, field: cst.FormattedStringExpression, quotes: _Quotes) -> cst.SimpleString:
        """Return the text `{x = }` shows before the value: its source, as written."""
        assert field.equal is not None
        nodes = (
            field.whitespace_before_expression,
            field.expression,
            field.equal,
            field.whitespace_after_expression,
        )
        text = "".join(self.module.code_for_node(node) for node in nodes)
        if "\r" in text:
            raise _Inexact
        if "!" in text or "#" in text:
            # Versions differ in what they show of `!=` and of comments.
            text = quotes.label(text)
        return cst.SimpleString(repr(text))


class _Quotes:
    """Writes pieces of one f-string's text as plain literals."""

    def __init__(self, node: cst.FormattedString) -> None:
        self.quote = node.end
        self.start = node.start
        prefix = node.start[: -len(node.end)]
        self.prefix = prefix.replace("f", "").replace("F", "")
        self.raw = "r" in self.prefix.lower()

    def label(self, text: str) -> str:
        """Return the text that CPython shows of a field `{text}` that ends in `=`."""
        string = ast.parse(f"{self.start}{{{text}}}{self.quote}", mode="eval").body
        assert isinstance(string, ast.JoinedStr)
        shown = string.values[0]
        return str(shown.value) if isinstance(shown, ast.Constant) else ""

    def literal(self, text: str) -> cst.SimpleString:
        """Return a literal with the value the text has in its f-string."""
        value = text.replace("{{", "{").replace("}}", "}")
        odd_backslash = (len(value) - len(value.rstrip("\\"))) % 2 == 1
        if odd_backslash or value.endswith(self.quote[0]):
            if self.raw:
                # A raw literal can end neither in a backslash nor in its own quote.
                if "\n" in value or "\r" in value:
                    raise _Inexact
                return cst.SimpleString(repr(value))
            if odd_backslash:
                value += "\\"
            elif not _escaped_end(value):
                value = f"{value[:-1]}\\{value[-1]}"
        return cst.SimpleString(f"{self.prefix}{self.quote}{value}{self.quote}")


def _merged(pieces: Sequence[_Piece]) -> list[_Piece]:
    """Return the pieces with neighbouring literals made one, so that CPython folds them onto one line."""
    merged: list[_Piece] = []
    for piece in reversed(pieces):
        value = piece.value
        if merged and not isinstance(value, Emitted) and not isinstance(merged[-1].value, Emitted):
            following = merged.pop()
            assert isinstance(value, cst.SimpleString)
            assert isinstance(following.value, (cst.SimpleString, cst.ConcatenatedString))
            gap = kept(following.before, SPACE)
            value = cst.ConcatenatedString(value, following.value, whitespace_between=gap)
        merged.append(_Piece(value, piece.before))
    return merged[::-1]


def _escaped_end(value: str) -> bool:
    """Return whether the last character has a backslash before it that is not itself escaped."""
    head = value[:-1]
    return (len(head) - len(head.rstrip("\\"))) % 2 == 1


def _flat(node: cst.ConcatenatedString) -> tuple[list[cst.BaseExpression], list[Gap]]:
    """Return the strings of an implicit concatenation, and the whitespace between them."""
    strings: list[cst.BaseExpression] = []
    gaps: list[Gap] = []
    rest: cst.BaseExpression = node
    while isinstance(rest, cst.ConcatenatedString):
        strings.append(rest.left)
        gaps.append(rest.whitespace_between)
        rest = rest.right
    strings.append(rest)
    return strings, gaps


def _without_prefix(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return a string literal; an f-string without fields loses its `f`."""
    if isinstance(node, cst.FormattedString):
        quotes = _Quotes(node)
        texts = [part.value for part in node.parts if isinstance(part, cst.FormattedStringText)]
        return quotes.literal("".join(texts))
    return node
