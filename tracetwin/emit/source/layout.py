"""Lays out expressions over lines as `ruff format --line-length 100` would leave them.

There are two forms of everything in brackets: on one line where it fits, else one item per line with a comma
after the last. A formatter keeps the second form because of that comma, so no other has to be known here.
Strings that do not fit are written in pieces, one per line, which a formatter joins only if they would fit.
"""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Sequence

from tracetwin.support.data import dataclass

WIDTH = 100
STEP = 4


def columns(text: str) -> int:
    """How many columns a line takes: wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


class LaidOut:
    """An expression; immutable."""

    def flat(self) -> str:
        raise NotImplementedError

    def spread(self, prefix: str, suffix: str, indent: int) -> list[str]:
        """Over several lines, or on one where there is no way to break it."""
        raise NotImplementedError


def lay_out(prefix: str, node: LaidOut, suffix: str = "", indent: int = 0) -> list[str]:
    """The lines of an expression between two texts that stay on its first and last line."""
    whole = f"{' ' * indent}{prefix}{node.flat()}{suffix}"
    if columns(whole) <= WIDTH:
        return [whole]
    return node.spread(prefix, suffix, indent)


def fits(text: str, indent: int) -> bool:
    """Return whether a line of that text stays within the width."""
    return columns(text) + indent <= WIDTH


@dataclass(frozen=True)
class Atom(LaidOut):
    """A text that can't be broken."""

    text: str

    def flat(self) -> str:
        return self.text

    def spread(self, prefix: str, suffix: str, indent: int) -> list[str]:
        """One line, too long as it is."""
        return [f"{' ' * indent}{prefix}{self.text}{suffix}"]


@dataclass(frozen=True)
class Quoted(LaidOut):
    """A str or bytes literal."""

    value: str | bytes

    def flat(self) -> str:
        return quoted(self.value)

    def spread(self, prefix: str, suffix: str, indent: int) -> list[str]:
        """Pieces, in brackets of their own unless an item of something on its own line."""
        if not prefix:
            pieces = self._pieces(WIDTH - indent - columns(suffix))
            return [" " * indent + piece for piece in pieces[:-1]] + [f"{' ' * indent}{pieces[-1]}{suffix}"]
        inner = indent + STEP
        lines = [self.flat()] if fits(self.flat(), inner) else self._pieces(WIDTH - inner)
        return [
            f"{' ' * indent}{prefix}(",
            *(" " * inner + line for line in lines),
            f"{' ' * indent}){suffix}",
        ]

    def bracketed(self, indent: int) -> list[str]:
        """As an item of a collection, where pieces without brackets could be taken for items."""
        inner = indent + STEP
        pieces = [" " * inner + piece for piece in self._pieces(WIDTH - inner)]
        return [f"{' ' * indent}(", *pieces, f"{' ' * indent}),"]

    def halves(self, indent: int) -> list[str]:
        """At least two pieces, though it may fit."""
        room = min(WIDTH - indent - 4, columns(self.flat()) * 2 // 3)
        return [" " * indent + piece for piece in self._pieces(max(room, 8))]

    def _pieces(self, room: int) -> list[str]:
        """Literals of at most that many columns, broken after line ends where there are some."""
        pieces: list[str] = []
        start, value = 0, self.value
        while start < len(value):
            end = start + 1
            line_end = b"\n" if isinstance(value, bytes) else "\n"
            while end < len(value) and value[end - 1 : end] != line_end:
                if columns(quoted(value[start : end + 1])) > room:
                    break
                end += 1
            pieces.append(quoted(value[start:end]))
            start = end
        return pieces


@dataclass(frozen=True)
class Group(LaidOut):
    """Items between brackets; `opening` may begin with what is called: ``f(``."""

    opening: str
    items: tuple[LaidOut, ...]
    closing: str

    def flat(self) -> str:
        """With a comma after the only item of a tuple."""
        lone = "," if len(self.items) == 1 and self.opening == "(" else ""
        return f"{self.opening}{', '.join(item.flat() for item in self.items)}{lone}{self.closing}"

    def spread(self, prefix: str, suffix: str, indent: int) -> list[str]:
        if not self.items:
            return [f"{' ' * indent}{prefix}{self.flat()}{suffix}"]
        lines = [f"{' ' * indent}{prefix}{self.opening}"]
        literal = self.opening in ("[", "(", "{")
        for item in self.items:
            if literal and isinstance(item, Quoted) and not fits(item.flat() + ",", indent + STEP):
                lines += item.bracketed(indent + STEP)
            else:
                lines += lay_out("", item, ",", indent + STEP)
        return [*lines, f"{' ' * indent}{self.closing}{suffix}"]


@dataclass(frozen=True)
class Prefixed(LaidOut):
    """Something that stands directly after a text: ``name=value``, and a ``lambda: value`` that is short."""

    text: str
    node: LaidOut

    def flat(self) -> str:
        return self.text + self.node.flat()

    def spread(self, prefix: str, suffix: str, indent: int) -> list[str]:
        """The text stays on the first line."""
        return self.node.spread(prefix + self.text, suffix, indent)


@dataclass(frozen=True)
class KeyValue(LaidOut):
    """Key and value of a dict."""

    key: LaidOut
    value: LaidOut

    def flat(self) -> str:
        return f"{self.key.flat()}: {self.value.flat()}"

    def spread(self, prefix: str, suffix: str, indent: int) -> list[str]:
        """The key is broken only where it is too long by itself."""
        lines = self.value.spread(f"{prefix}{self.key.flat()}: ", suffix, indent)
        if columns(lines[0]) <= WIDTH:
            return lines
        if isinstance(self.key, Quoted) and not prefix:
            lines = self.key.halves(indent)
            lines[-1] += ": "
        else:
            lines = self.key.spread(prefix, ": ", indent)
        rest = lines[-1].strip()
        return lines[:-1] + lay_out(f"{rest} ", self.value, suffix, indent)


def call(function: str, arguments: Sequence[LaidOut]) -> LaidOut:
    """``function(argument, ...)``."""
    return Group(f"{function}(", tuple(arguments), ")")


def read(source: str) -> LaidOut:
    """Return an expression that is written already, so that it can be laid out anew."""
    text = f"({source}\n)"

    def taken(node: ast.expr) -> LaidOut:
        match node:
            case ast.Constant(str() | bytes() as value):
                return Quoted(value)
            case ast.List(items):
                return Group("[", tuple(map(taken, items)), "]")
            case ast.Tuple(items) if items:
                return Group("(", tuple(map(taken, items)), ")")
            case ast.Dict(keys, values) if None not in keys:
                pairs = zip(keys, values, strict=True)
                return Group("{", tuple(KeyValue(taken(key), taken(one)) for key, one in pairs if key), "}")
            case ast.Call(function, arguments, []):
                return call(ast.unparse(function), [taken(one) for one in arguments])
            case _:
                return Atom(ast.get_source_segment(text, node) or ast.unparse(node))

    return taken(ast.parse(text, mode="eval").body)


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


def quoted(value: str | bytes) -> str:
    """A literal in the quotes that need fewer escapes, double ones if in doubt; any value is safe."""
    letters = value if isinstance(value, str) else value.decode("latin-1")
    quote = "'" if letters.count('"') > letters.count("'") else '"'
    narrow = isinstance(value, bytes)
    body = "".join(_escaped(letter, quote, narrow) for letter in letters)
    return f"{'b' if narrow else ''}{quote}{body}{quote}"


def _escaped(letter: str, quote: str, narrow: bool) -> str:
    if letter == quote:
        return "\\" + letter
    if letter in _SHORT:
        return _SHORT[letter]
    code = ord(letter)
    if 32 <= code < 127:
        return letter
    if code < 256 and (narrow or not letter.isprintable()):
        return f"\\x{code:02x}"
    if _is_plain(letter):
        return letter
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _is_plain(letter: str) -> bool:
    """Return whether a character outside ASCII shows by itself, in its place, as nothing else."""
    return (
        letter.isprintable()
        and unicodedata.category(letter)[0] in "LNPS"
        and unicodedata.bidirectional(letter) not in ("R", "AL")
    )
