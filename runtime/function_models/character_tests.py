"""Tests of each character of a text, such as `isdigit` and `isalnum`, of str and bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from runtime.library_model import Model, register
from runtime.nodes import Node
from runtime.private_builtins import keep_builtins

keep_builtins(globals())

Ranges = tuple[tuple[int, int], ...]

_ASCII: Final = 128
_OTHER_BLANKS: Final[Ranges] = (
    (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip
_UNUSUAL_DIGITS: Final = ("\u00b2", "\u00bd", "\u0663")  # digits to some tests, but no numbers to `int`
_UNUSUAL_LETTERS: Final = ("\u00e9", "\u00c9")
_FOREIGN: Final = {ord("0") + i: 0x660 + i for i in range(10)} | {ord("a"): "\u00e9", ord("A"): "\u00c9"}
"""Characters beyond ASCII that are like those within."""


@dataclass(frozen=True)
class CharacterTest:
    """One test.

    Attributes:
        good: texts that pass, the shortest first.
        unusual: characters that it takes for something else than one would think.
        beyond: all characters beyond ASCII that pass, None where they are too many to say.
        empty: what it says of the empty text.
    """

    __test__ = False

    name: str
    good: tuple[str, ...]
    bad: tuple[str, ...]
    unusual: tuple[str, ...]
    beyond: Ranges | None = None
    empty: bool = False


TESTS: Final = (
    CharacterTest("isdigit", ("0", "12"), ("a", ""), _UNUSUAL_DIGITS),
    CharacterTest("isdecimal", ("0", "12"), ("a", ""), _UNUSUAL_DIGITS),
    CharacterTest("isnumeric", ("0", "12"), ("a", ""), _UNUSUAL_DIGITS),
    CharacterTest("isalpha", ("a", "ab"), ("0", ""), _UNUSUAL_LETTERS),
    CharacterTest("isalnum", ("a", "0"), ("-", ""), (*_UNUSUAL_DIGITS, *_UNUSUAL_LETTERS)),
    CharacterTest("isspace", (" ",), ("a", ""), ("\u00a0", "\u2003"), _OTHER_BLANKS),
    CharacterTest("isprintable", (), (), ("\n", "\x7f", "\u00a0", "\u2028"), empty=True),
    CharacterTest("isascii", (), (), ("\u00e9", "\u20ac", "\U0001f600", "\ud800"), (), True),
)


def _runs(passes: Callable[[int], bool], size: int) -> Ranges:
    """Return the code points below `size` that pass, as ranges."""
    starts = [code for code in range(size) if passes(code) and not (code and passes(code - 1))]
    ends = [code for code in range(size) if passes(code) and not (code + 1 < size and passes(code + 1))]
    return tuple(zip(starts, ends, strict=True))


def _like(text: str, other: Any) -> Any:
    return text if isinstance(other, str) else text.encode()


def _modelled(kind: type, test: CharacterTest) -> Model:
    """Return the model of the test of one class of texts."""
    function = getattr(kind, test.name)
    of_bytes = kind is bytes
    characters = [bytes([code]) for code in range(256)] if of_bytes else list(map(chr, range(_ASCII)))
    within = _runs(lambda code: function(characters[code]), len(characters))
    complete = of_bytes or test.beyond is not None
    ranges = within if of_bytes else (*within, *(test.beyond or ()))

    def solve(tr: Any, _node: Node, args: list[Any]) -> Any:
        return tr.text.made_of(tr, args[0], ranges, complete=complete, empty=test.empty)

    def distance(text: Any) -> float:
        bad = sum(not function(text[place : place + 1]) for place in range(len(text)))
        return float(bad) if bad else 1.0

    return Model(
        function,
        f"{kind.__name__}.{test.name}",
        solve={"text": solve},
        invert=_within_ascii if test.name == "isascii" else _sampled(test) if test.good else None,
        distance=distance,
        unusual=() if of_bytes else test.unusual,
    )


def _sampled(test: CharacterTest) -> Callable[[Node, Any, Any], Iterator[tuple[Node, Any]]]:
    """Return the inverse by texts that pass or don't, in any length."""

    def invert(node: Node, value: Any, view: Any) -> Iterator[tuple[Node, Any]]:
        text = view.value(node.args[0])
        for option in test.good if value else test.bad:
            yield node.args[0], _like(option, text)
            if option:
                yield node.args[0], _like(option[:1], text) * max(len(text), 1)
                yield node.args[0], text + _like(option, text)

    return invert


def _within_ascii(node: Node, value: Any, view: Any) -> Iterator[tuple[Node, Any]]:
    text = view.value(node.args[0])
    if isinstance(text, str):
        ascii_only = "".join(ch for ch in text if ch.isascii())
        yield node.args[0], ascii_only if value else text.translate(_FOREIGN)


register(*(_modelled(kind, test) for test in TESTS for kind in (str, bytes) if hasattr(kind, test.name)))
