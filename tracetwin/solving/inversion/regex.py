"""Texts for which a regular expression gives what is wished: matches, groups, pieces, replacements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from runtime.expr import Node, Sort
from runtime.meanings.patterns import OPERATORS, pieces_of
from tracetwin.solving.inversion.examples import words
from tracetwin.solving.inversion.tools import Proposal, View, resized, spliced
from tracetwin.support.data import dataclass

MATCHING: Final = ("re.match", "re.fullmatch", "re.search")
_MOST_PLACES: Final = 16
_LONGEST: Final = 400


@dataclass(frozen=True)
class _Use:
    """A pattern and the text that it is applied to.

    Attributes:
        source: the expression of the text.
        positions: where to begin and to end, as far as given.
    """

    pattern: Any
    flags: int
    source: Node
    text: Any
    positions: tuple[int, ...]

    @property
    def compiled(self) -> re.Pattern[Any]:
        return re.compile(self.pattern, self.flags)

    def words(self, **wishes: Any) -> tuple[Any, ...]:
        return words(self.pattern, self.flags, **wishes)

    def matches(self) -> list[tuple[tuple[int, int], ...]]:
        """The spans of the groups of every match."""
        size = self.compiled.groups + 1
        found = OPERATORS["re.finditer"](self.pattern, self.flags, self.text, *self.positions)
        return [match[:size] for match in found]

    def without(self, times: int = 0) -> Any:
        """The text without its matches, or without the first `times` of them."""
        return OPERATORS["re.sub"](self.pattern, self.flags, self.text[:0], self.text, times)


def _use(node: Node, view: View) -> _Use:
    pattern, flags, source, *positions = node.args
    text = view.value(source)
    return _Use(
        view.value(pattern), view.value(flags), source, text, tuple(view.value(place) for place in positions)
    )


def none_or_not(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    """That there is a match, or none; that a group of `split` takes part, or not."""
    source = node.args[0]
    if source.op in MATCHING:
        yield from _unmatched(source, view) if value else _matched(source, view)
    elif source.op == "item":
        number = view.value(source.args[1])
        if source.args[0].op == "re.split":
            yield from _piece_group(source.args[0], number, value, view)
        elif isinstance(number, int):
            yield from _named_last(source, None if value else "", view)


def _matched(node: Node, view: View) -> Iterator[Proposal]:
    use = _use(node, view)
    start = max(0, min(use.positions[0], len(use.text))) if use.positions else 0
    before, after = use.text[:start], use.text[start:]
    for word in use.words():
        yield use.source, before + word
        if node.op == "re.search":
            yield use.source, before + after + word
        if node.op != "re.fullmatch":
            yield use.source, before + word + after
    for word in use.words()[:2]:
        for glue in view.separators if node.op == "re.search" else ():
            if isinstance(use.text, str) and glue:
                yield use.source, before + after + glue + word
                yield use.source, before + word + glue + after


def _unmatched(node: Node, view: View) -> Iterator[Proposal]:
    """Texts like this one in which the pattern is not found."""
    use = _use(node, view)
    text = use.text
    yield use.source, use.without()
    yield use.source, text[:0]
    odd = ["!", "a", "0", " ", "-"]
    extra: list[Any] = odd if isinstance(text, str) else [one.encode() for one in odd]
    for one in extra:
        yield use.source, text + one
        yield use.source, one + text
    for place in range(min(len(text), _MOST_PLACES)):
        yield use.source, spliced(text, (place, place + 1), text[:0])
        for one in extra[:3]:
            yield use.source, spliced(text, (place, place + 1), one)


# groups of a match


def _match_at(node: Node, view: View) -> tuple[_Use, tuple[Any, ...]] | None:
    """The use of a pattern that gave a match, and the match as it is described."""
    if node.op in MATCHING:
        return _use(node, view), view.value(node)
    if node.op == "item" and node.args[0].op == "re.finditer":
        return _use(node.args[0], view), view.value(node)
    return None


def element(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    """An element of what an operator on a pattern gives."""
    source, index = node.args
    place = view.value(index)
    if source.op == "re.findall":
        yield from _found(source, place, 0, value, view)
    elif source.op == "item" and source.args[0].op == "re.findall":
        yield from _found(source.args[0], view.value(source.args[1]), place + 1, value, view)
    elif source.op == "re.split":
        use = _use_of_split(source, view)
        start, stop = _pieces(use)[place]
        yield use.source, spliced(use.text, (start, stop), value)
    elif source.op == "re.subn":
        yield from _as_many(_use_of_sub(source, view), value, view)
    elif source.op == "item" and _match_at(source.args[0], view) is not None:
        yield from _end_of_group(source, place, value, view)
    elif node.sort in (Sort.STR, Sort.INT):
        yield from _named_last(node, value, view)


def _end_of_group(span: Node, side: int, value: int, view: View) -> Iterator[Proposal]:
    """Start or end of a group; -1 for a group that takes no part."""
    found = _match_at(span.args[0], view)
    assert found is not None
    use, match = found
    number = view.value(span.args[1])
    start, stop = match[number]
    if value < 0 or start < 0:
        wish = {"avoided" if value < 0 else "needed": frozenset((number,))}
        for word in use.words(**wish):
            yield use.source, spliced(use.text, match[0], word)
            yield use.source, word
        return
    if side == 1:
        for part in resized(use.text[start:stop], value - start):
            yield use.source, spliced(use.text, (start, stop), part)
        return
    before = match[0][0]
    for text in resized(use.text[:before], value - (start - before)):
        yield use.source, text + use.text[before:]


def _named_last(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    """`lastgroup` and `lastindex`: by a word in which that group takes part."""
    found = _match_at(node.args[0], view)
    if found is None:
        return
    use, match = found
    groups = use.compiled.groupindex
    if value is None:
        wishes: list[dict[str, Any]] = [{"avoided": frozenset(range(1, use.compiled.groups + 1))}]
    elif value == "":
        wishes = [{"needed": frozenset((number,))} for number in range(1, use.compiled.groups + 1)]
    else:
        wishes = [{"needed": frozenset((groups[value] if isinstance(value, str) else value,))}]
    for wish in wishes:
        for word in use.words(**wish):
            yield use.source, spliced(use.text, match[0], word)
            yield use.source, use.text[: match[0][0]] + word


def _found(node: Node, place: int, group: int, value: Any, view: View) -> Iterator[Proposal]:
    """A text that `findall` gives."""
    use = _use(node, view)
    match = use.matches()[place]
    number = group or min(use.compiled.groups, 1)
    if match[number][0] >= 0:
        yield use.source, spliced(use.text, match[number], value)
    for word in use.words(given={number: value}) if number else ():
        yield use.source, spliced(use.text, match[0], word)


# how many


def count(node: Node, value: int, view: View) -> Iterator[Proposal]:
    """As many matches, or pieces of a split."""
    if node.op == "re.split":
        use = _use_of_split(node, view)
        stride = use.compiled.groups + 1
        yield from _as_many(use, (value - 1) // stride, view)
    elif node.op in ("re.findall", "re.finditer"):
        yield from _as_many(_use(node, view), value, view)


def _as_many(use: _Use, number: int, view: View) -> Iterator[Proposal]:
    """A text with so many matches: those that there are, and copies of the last or words of the pattern."""
    matches = use.matches()
    text = use.text
    if number < 0 or number > len(matches) + 20:
        return
    if number < len(matches):
        yield use.source, text[: matches[number][0][0]]
        yield use.source, text[: matches[number - 1][0][1]] if number else text[:0]
        yield use.source, use.without(len(matches) - number)
        return
    missing = number - len(matches)
    options = [text[slice(*matches[-1][0])]] if matches else []
    for word in dict.fromkeys([*options, *use.words()[:4]]):
        for glue in view.separators:
            between: Any = glue if isinstance(text, str) else glue.encode()
            longer = text + (between + word) * missing if text else between.join([word] * missing)
            if len(longer) <= _LONGEST:
                yield use.source, longer
                yield use.source, longer + between


def _use_of_split(node: Node, view: View) -> _Use:
    pattern, flags, source, *_ = node.args
    return _Use(view.value(pattern), view.value(flags), source, view.value(source), ())


def _pieces(use: _Use) -> list[tuple[int, int]]:
    """Where the pieces of a split, and the groups between them, stand."""
    spans: list[tuple[int, int]] = []
    place = 0
    for match in use.matches():
        spans += [(place, match[0][0]), *match[1:]]
        place = match[0][1]
    return [*spans, (place, len(use.text))]


def _piece_group(node: Node, place: int, value: Any, view: View) -> Iterator[Proposal]:
    use = _use_of_split(node, view)
    stride = use.compiled.groups + 1
    match = use.matches()[place // stride]
    for word in use.words(**{"avoided" if value else "needed": frozenset((place % stride,))}):
        yield use.source, spliced(use.text, match[0], word)


# replacements


def _use_of_sub(node: Node, view: View) -> _Use:
    pattern, flags, _, source, *_ = node.args
    return _Use(view.value(pattern), view.value(flags), source, view.value(source), ())


def replaced(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    """`sub`: nothing to replace, or words of the pattern where the template could have come from."""
    use = _use_of_sub(node, view)
    yield use.source, value
    template = view.value(node.args[2])
    made, whole = _reading(template, use)
    spots = [spot for spot in re.finditer(made, value, re.DOTALL) if spot.group()]
    everything = re.fullmatch(whole, value, re.DOTALL)
    for spot in [everything, *spots[:4]] if everything else spots[:4]:
        given = {int(name[1:]): text for name, text in spot.groupdict().items()}
        options = [given[0]] if 0 in given else use.words(given=given)
        for word in options[:4]:
            yield use.source, spliced(value, spot.span(), word)
    if len(spots) > 1:
        for word in use.words()[:3]:
            yield use.source, _with_each(spots, value, word)


def _with_each(spots: list[re.Match[Any]], text: Any, word: Any) -> Any:
    """The text with a word in each of some places."""
    for spot in sorted(spots, key=lambda spot: -spot.start()):
        text = spliced(text, spot.span(), word)
    return text


def _reading(template: Any, use: _Use) -> tuple[Any, Any]:
    """Patterns that find what a template made, and its groups: in a text, and as all of it."""
    octets = isinstance(template, bytes)
    parts: list[str] = []
    seen: set[int] = set()
    for piece in pieces_of(template, use.compiled):
        if not isinstance(piece, int):
            parts.append(re.escape(piece.decode("latin-1") if octets else piece))
        elif piece in seen:
            parts.append(f"(?P=g{piece})")
        else:
            seen.add(piece)
            parts.append(f"(?P<g{piece}>.+?)")
    pattern = "".join(parts)
    whole = pattern.replace(".+?)", ".+)")
    return (pattern.encode("latin-1"), whole.encode("latin-1")) if octets else (pattern, whole)


def unescaped(text: str) -> str:
    """The text that `re.escape` turns into this one."""
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
