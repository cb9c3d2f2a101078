"""Digests of what the functions of a module depend on, there and in others, to tell what changes affect.

All that mentions a name depends on whatever has it, in the module and in those that its import asks for; an
attribute may be that of any of their classes, unless it is known of which; who reads an attribute depends on
the methods that may change it. Left out is what would have been seen to be entered, and never was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import PurePath
from typing import Final, TypeAlias

from tracetwin.analysis.change.meanings import EVERYTHING, Meaning, meanings_of
from tracetwin.support.data import dataclass

Key: TypeAlias = tuple[str, str]
"""A file, "" for the module itself, and a name that it defines, or one of a method: `Class.method`."""


MOST_BYTES: Final = 1_250_000
"""Bytes of all sources together up to which each name has a digest of its own; else all have one of all."""

MOST_STEPS: Final = 300_000
"""Effects times meanings up to which each effect is followed by itself; else what any comes to matters."""


@dataclass(frozen=True)
class Entered:
    """The functions that runs came into.

    Attributes:
        telling: those of which it would be known.
        by_import: those that the module's import came into.
        by_function: for each function that was explored, those that its runs came into.
    """

    telling: frozenset[Key] = frozenset()
    by_import: frozenset[Key] = frozenset()
    by_function: Mapping[str, frozenset[Key]] = field(default_factory=dict)

    def left_out(self, name: str) -> frozenset[Key]:
        """Return the functions that the exploration of a function or of a class never came into."""
        inside = [one for qualname, one in self.by_function.items() if name == unit_of(qualname)]
        inside += [one for qualname, one in self.by_function.items() if qualname.startswith(f"{name}.")]
        return self.telling.difference(*inside) if inside else frozenset()


def unit_of(qualname: str) -> str:
    """Return what a function belongs to: a function of the module, or a method of one of its classes."""
    return ".".join(qualname.partition(".<locals>")[0].split(".")[:2])


def entered_in(file: str, source: bytes, scopes: Iterable[str]) -> Iterator[Key]:
    """Yield the functions of a module that hold some scopes.

    Raises:
        SyntaxError: it is none.
        ValueError: it is none, as it holds NULs.
    """
    known = meanings_of(source)
    for scope in scopes:
        unit = unit_of(scope)
        yield file, unit if unit in known else unit.partition(".")[0]


def telling_in(file: str, source: bytes, scopes: Iterable[str]) -> Iterator[Key]:
    """Yield the functions of a module of which it is seen that a run comes into them, by where its sites are.

    Raises:
        SyntaxError: it is none.
        ValueError: it is none, as it holds NULs.
    """
    known = meanings_of(source)
    return ((file, scope) for scope in scopes if scope in known and known[scope].owner != scope)


def tells_names_apart(sizes: Iterable[int]) -> bool:
    """Return whether names have digests of their own in modules of so many bytes each."""
    return sum(sizes) <= MOST_BYTES


def dependency_digests(
    source: bytes, others: Mapping[str, bytes] | None = None, entered: Entered | None = None
) -> dict[str, str]:
    """Return a digest of all that it depends on for each name of a module and each method.

    Raises:
        SyntaxError: one of them is none.
        ValueError: one of them is none, as it holds NULs.
    """
    sources = {"": source, **(others or {})}
    if not tells_names_apart(map(len, sources.values())):
        whole = _digest(f"{file} {sources[file]!r}" for file in sorted(sources))
        return dict.fromkeys(_units(source), whole)
    graph = _Graph(sources, entered or Entered())
    found = {name: graph.digest(name, [("", name)]) for name in _units(source)}
    for name, inherited in graph.inherited():
        if name not in found:
            found[name] = graph.digest(name, inherited)
    return found


def _units(source: bytes) -> list[str]:
    """The names of a module, and its methods."""
    return [name for name in meanings_of(source) if name[:1] != "\0"]


class _Graph:
    """Some modules and the dependencies between their functions.

    A set of meanings is an int: the bits of their places in the order of their keys.

    Attributes:
        meanings: by file and name.
    """

    def __init__(self, sources: Mapping[str, bytes], entered: Entered) -> None:
        self.meanings: dict[Key, Meaning] = {
            (file, name): meaning
            for file, source in sources.items() for name, meaning in meanings_of(source).items()
        }  # fmt: skip
        self._entered = entered
        self._files = {part for file in sources for part in (*PurePath(file).parts, PurePath(file).stem)}
        self._families = _families(self.meanings.values())
        self._keys = sorted(self.meanings)
        self._places = {key: place for place, key in enumerate(self._keys)}
        self._of_file = {file: self._set(key for key in self._keys if key[0] == file) for file in sources}
        self._named: dict[Key, int] = {}
        self._anywhere: dict[str, int] = {}
        self._in_family: dict[tuple[str, str], int] = {}
        for key, meaning in self.meanings.items():
            self._enter(key, meaning)
        self._direct: list[int | None] = [None] * len(self._keys)
        self._texts = [_told(key, self.meanings[key]) for key in self._keys]
        self._docs_matter = any(one.asks_for_docs for one in self.meanings.values())
        shown = (key for key in self._keys if self.meanings[key].may_change or self.meanings[key].looks_up)
        self._data = self._set(shown)
        at_import = self._set(entered.telling - entered.by_import)
        whole = self._set(key for key in self._keys if key[1] == EVERYTHING)
        self._everything = self._reachable(whole, at_import)
        effects = [key for key, meaning in self.meanings.items() if meaning.is_effect]
        self._came: list[tuple[int, int]] = []
        if len(effects) * len(self.meanings) > MOST_STEPS:
            self._everything |= self._reachable(self._set(effects), at_import)
            return
        known: dict[int, int] = {}
        for key in effects:
            place = self._places[key]
            known[place] = self._reachable(1 << place, at_import, known)
            self._note_effect(key, known[place])

    def _set(self, keys: Iterable[Key]) -> int:
        """Return the set of those keys that there are."""
        found = 0
        for key in keys:
            if key in self._places:
                found |= 1 << self._places[key]
        return found

    def _enter(self, key: Key, meaning: Meaning) -> None:
        file, name = key
        bit = 1 << self._places[key]
        for held in {name, *meaning.held}:
            self._named[file, held] = self._named.get((file, held), 0) | bit
        for word in {name, *meaning.members}:
            self._anywhere[word] = self._anywhere.get(word, 0) | bit
        if meaning.owner:
            family = self._families[meaning.owner]
            for word in meaning.members:
                self._in_family[family, word] = self._in_family.get((family, word), 0) | bit

    def _note_effect(self, key: Key, reached: int) -> None:
        """Note that data which a statement may change depends on all that it came to."""
        held = 0
        for name in self.meanings[key].held:
            held |= self._named.get((key[0], name), 0)
        self._came.append((reached & self._data | held & ~(1 << self._places[key]), reached))

    def digest(self, name: str, keys: Collection[Key]) -> str:
        """Return a digest of what a name depends on, which means what some keys do."""
        own = self._set(keys)
        reached = self._reachable(own, self._set(self._entered.left_out(name)) & ~own)
        for came in [came for changed, came in self._came if changed & reached]:
            reached |= came
        digest = hashlib.sha256()
        for place in _bits(reached | self._everything):
            text, docs = self._texts[place]
            digest.update(text)
            if self._docs_matter or own >> place & 1:
                digest.update(docs)
        return digest.hexdigest()[:24]

    def inherited(self) -> Iterator[tuple[str, list[Key]]]:
        """Yield the methods that classes of the module have from others, with what they mean."""
        methods: dict[tuple[str, str], list[Key]] = {}
        for key, meaning in self.meanings.items():
            if meaning.owner != key[1]:
                methods.setdefault((key[0], meaning.owner), []).append(key)
        for key, meaning in self.meanings.items():
            for file, base in () if key[0] else self._ancestors(meaning):
                for method in methods.get((file, base), ()):
                    yield f"{key[1]}.{method[1].partition('.')[2]}", [key, method]

    def _ancestors(self, meaning: Meaning) -> list[Key]:
        found: dict[Key, None] = {}
        left = [*meaning.bases]
        while left:
            name = left.pop(0)
            for key in map(self._keys.__getitem__, _bits(self._anywhere.get(name, 0))):
                if self.meanings[key].owner == name == key[1] and key not in found:
                    found[key] = None
                    left += self.meanings[key].bases
        return [*found]

    def _reachable(self, keys: int, left_out: int, known: Mapping[int, int] | None = None) -> int:
        """Return what can be come to; `known` says by place what from single ones, the same left out."""
        found = left = keys
        while left:
            last = left.bit_length() - 1
            if known and last in known:
                found |= known[last]
                left &= ~known[last]
                continue
            new = self._mentioned(last) & ~(found | left_out)
            found |= new
            left = left ^ 1 << last | new
        return found

    def _mentioned(self, place: int) -> int:
        """Return what a meaning mentions."""
        known = self._direct[place]
        if known is not None:
            return known
        key = self._keys[place]
        file, meaning = key[0], self.meanings[key]
        words = meaning.mentions
        anywhere = {*words.anywhere, *(words.names if self.meanings[file, EVERYTHING].stars else ())}
        anywhere |= {word for name, word in words.of_name if self._is_ours(file, name)}
        anywhere |= {word for owner, word in words.of_class if owner not in self._families}
        found = self._of_file[file] if meaning.looks_up else 0
        for word in anywhere:
            found |= self._anywhere.get(word, 0)
        for name in words.names:
            found |= self._named.get((file, name), 0)
        for owner, word in words.of_class:
            found |= self._in_family.get((self._families.get(owner, ""), word), 0)
        for owner, beginning in words.starting:
            found |= self._set(self._starting_with(beginning, self._families.get(owner)))
        for owner, word in words.stored:  # a setter has that name
            family = self._families.get(owner)
            same = self._anywhere.get(word, 0) if family is None else self._in_family.get((family, word), 0)
            found |= self._set(
                other for other in map(self._keys.__getitem__, _bits(same))
                if other[1].rpartition(".")[2] == word
            )  # fmt: skip
        self._direct[place] = found
        return found

    def _is_ours(self, file: str, name: str) -> bool:
        """Return whether attributes of what a name stands for may be those of our modules."""
        meaning = self.meanings.get((file, name))
        return meaning is None or not meaning.imported or meaning.imported in self._files

    def _starting_with(self, beginning: str, family: str | None) -> Iterator[Key]:
        for key, meaning in self.meanings.items():
            related = family is None or self._families.get(meaning.owner) == family
            if related and any(member.startswith(beginning) for member in (key[1], *meaning.members)):
                yield key


def _told(key: Key, meaning: Meaning) -> tuple[bytes, bytes]:
    """Return the text of a meaning, and its docstrings."""
    texts = [*key, _digest(meaning.texts)]
    return _joined(texts), _joined(meaning.docs)


def _bits(places: int) -> Iterator[int]:
    """Yield the places in a set, in order."""
    while places:
        low = places & -places
        yield low.bit_length() - 1
        places ^= low


def _families(meanings: Iterable[Meaning]) -> dict[str, str]:
    """Return for the name of each class one of those that it is related to, the same for all of these."""
    classes = [meaning for meaning in meanings if meaning.owner]
    found = {meaning.owner: meaning.owner for meaning in classes}

    def first(name: str) -> str:
        while found[name] != name:
            name = found[name]
        return name

    for meaning in classes:
        for base in meaning.bases:
            if base in found:
                found[first(meaning.owner)] = first(base)
    return {name: first(name) for name in found}


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256(_joined(texts)).hexdigest()


def _joined(texts: Iterable[str]) -> bytes:
    return b"".join(text.encode("utf-8", "surrogatepass") + b"\0" for text in texts)
