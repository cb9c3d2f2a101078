"""Mutations of a file as bytes, as lines and as tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import words

_TOKEN: Final = re.compile(r"\w+|\s+|[^\w\s]")


def mutate_bytes(random: Random, data: bytes) -> bytes:
    """Flip, insert, remove, repeat or cut off some bytes."""
    array = bytearray(data)
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(array) + 1)
        kind = random.randrange(5)
        if kind == 0 and place < len(array):
            array[place] ^= 1 << random.randrange(8)
        elif kind == 1:
            array[place:place] = random.randbytes(random.randint(1, 6))
        elif kind == 2:
            del array[place : place + random.randint(1, 40)]
        elif kind == 3:
            array[place:place] = array[place : place + random.randint(1, 60)] * random.randint(1, 9)
        elif random.random() < 0.3:
            del array[place:]
    return bytes(array)


def mutate_encoding(random: Random, text: str) -> bytes:
    """Write a text in an encoding that it does not say, with a mark of byte order, or other ends of lines."""
    kind = random.randrange(6)
    if kind == 0:
        cookie = random.choice(words.COOKIES)
        comment = random.choice(("# coding: {}", "# -*- coding: {} -*-", "#!x\n# vim: set fileencoding={} :"))
        return _encoded(comment.format(cookie) + "\n" + text, random.choice(("utf-8", cookie)))
    if kind == 1:
        return random.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf" * 2)) + text.encode()
    if kind == 2:
        return text.replace("\n", random.choice(("\r\n", "\r", "\x0c\n", "\n\r", "\x85", "\\\n"))).encode()
    if kind == 3:
        return text.encode(random.choice(("utf-16", "utf-32", "utf-7", "utf-16-le")))
    if kind == 4:
        odd = _insert(random, text, random.choice(("\x00", "\ud800", "\xe9", "\x1a")))
        return odd.encode("latin-1", "replace")
    return "".join(line + random.choice(("\n", "\r\n", "\r")) for line in text.split("\n")).encode()


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding, "replace")
    except (LookupError, ValueError, AssertionError):  # no encoding of text, or none at all
        return text.encode(errors="replace")


def _insert(random: Random, text: str, piece: str) -> str:
    place = random.randrange(len(text) + 1)
    return text[:place] + piece + text[place:]


def mutate_lines(random: Random, text: str, other: str) -> str:
    """Remove, repeat, move, indent or join lines, or take some from another file."""
    lines = text.split("\n")
    for _ in range(random.randint(1, 3)):
        place, size = random.randrange(len(lines)), random.randint(1, 4)
        chosen = lines[place : place + size]
        kind = random.randrange(7)
        if kind == 0:
            del lines[place : place + size]
        elif kind == 1:
            lines[place:place] = chosen * random.randint(1, 5)
        elif kind == 2:
            del lines[place : place + size]
            target = random.randrange(len(lines) + 1)
            lines[target:target] = chosen
        elif kind == 3:
            lines[place] = random.choice(("    ", "\t", " ", "\x0c", "  \t")) + lines[place]
        elif kind == 4:
            lines[place] = lines[place].lstrip()
        elif kind == 5:
            lines[place : place + 2] = [random.choice((" ", "; ", "\\\n", "")).join(lines[place : place + 2])]
        else:
            lines[place:place] = _same_depth(random, lines[place], other)
        lines = lines or [""]
    return "\n".join(lines)


def _same_depth(random: Random, line: str, other: str) -> list[str]:
    """Some lines of another text, indented like a line of this one."""
    theirs = other.split("\n")
    place = random.randrange(len(theirs))
    chosen = theirs[place : place + random.randint(1, 6)]
    depth = len(line) - len(line.lstrip())
    base = len(chosen[0]) - len(chosen[0].lstrip())
    return [" " * depth + piece[base:] for piece in chosen]


def mutate_tokens(random: Random, text: str) -> str:
    """Replace, remove, repeat or exchange some words, or put odd ones between them."""
    tokens: list[str] = _TOKEN.findall(text)
    for _ in range(random.randint(1, 4)):
        tokens = _one_token(random, tokens) or [""]
    return "".join(tokens)


def _one_token(random: Random, tokens: list[str]) -> list[str]:
    place = random.randrange(len(tokens))
    pools: tuple[Callable[[], str], ...] = (
        lambda: random.choice(words.NAMES),
        lambda: words.literal(random),
        lambda: random.choice(words.EXPRESSIONS),
        lambda: random.choice(words.MARKS),
        lambda: random.choice(tokens),
    )
    kind = random.randrange(len(pools) + 3)
    if kind < len(pools):
        place = _like(random, tokens, kind)
        return [*tokens[:place], pools[kind](), *tokens[place + 1 :]]
    if kind == len(pools):
        return tokens[:place] + tokens[place + 1 :]
    if kind == len(pools) + 1:
        return tokens[:place] + [tokens[place]] * random.randint(2, 4) + tokens[place + 1 :]
    return [*tokens[:place], random.choice(words.MARKS), *tokens[place:]]


def _like(random: Random, tokens: Sequence[str], kind: int) -> int:
    """A place in a text: mostly that of a word, so that many of the results can still be parsed."""
    place = random.randrange(len(tokens))
    for _ in range(5 if kind < 3 else 0):
        if tokens[place].isidentifier() or tokens[place].isdigit():
            break
        place = random.randrange(len(tokens))
    return place
