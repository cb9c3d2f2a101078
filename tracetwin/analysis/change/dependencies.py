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


def dependency_digests(
    source: bytes, others: Mapping[str, bytes] | None = None, entered: Entered | None = None
) -> dict[str, str]:
    """Return a digest of all that it depends on for each name of a module and each method.

    Raises:
        SyntaxError: one of them is none.
        ValueError: one of them is none, as it holds NULs.
    """
    sources = {"": source, **(others or {})}
    if sum(map(len, sources.values())) > MOST_BYTES:
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
        self._named: dict[Key, set[Key]] = {}
        self._anywhere: dict[str, set[Key]] = {}
        self._in_family: dict[tuple[str, str], set[Key]] = {}
        for key, meaning in self.meanings.items():
            self._enter(key, meaning)
        self._direct: dict[Key, set[Key]] = {}
        self._texts = {key: _digest(meaning.texts) for key, meaning in self.meanings.items()}
        self._docs_matter = any(one.asks_for_docs for one in self.meanings.values())
        at_import = entered.telling - entered.by_import
        self._everything = self._reachable((key for key in self.meanings if key[1] == EVERYTHING), at_import)
        effects = [key for key, meaning in self.meanings.items() if meaning.is_effect]
        self._came: list[set[Key]] = []
        self._effects: dict[Key, list[int]] = {}
        if len(effects) * len(self.meanings) > MOST_STEPS:
            self._everything |= self._reachable(effects, at_import)
            return
        for key in effects:
            self._note_effect(key, self._reachable([key], at_import))

    def _enter(self, key: Key, meaning: Meaning) -> None:
        file, name = key
        for held in (name, *meaning.held):
            self._named.setdefault((file, held), set()).add(key)
        for word in {name, *meaning.members}:
            self._anywhere.setdefault(word, set()).add(key)
        if meaning.owner:
            for word in meaning.members:
                self._in_family.setdefault((self._families[meaning.owner], word), set()).add(key)

    def _note_effect(self, key: Key, reached: set[Key]) -> None:
        """Note that data which a statement may change depends on all that it came to."""
        self._came.append(reached)
        held = {other for name in self.meanings[key].held for other in self._named.get((key[0], name), ())}
        data = {one for one in reached if self.meanings[one].may_change or self.meanings[one].looks_up}
        for one in data | held - {key}:
            self._effects.setdefault(one, []).append(len(self._came) - 1)

    def digest(self, name: str, keys: Collection[Key]) -> str:
        """Return a digest of what a name depends on, which means what some keys do."""
        reached = self._reachable(keys, self._entered.left_out(name).difference(keys))
        for number in {number for key in reached for number in self._effects.get(key, ())}:
            reached |= self._came[number]
        digest = hashlib.sha256()
        for key in sorted(reached | self._everything):
            with_docs = key in keys or self._docs_matter
            for text in (*key, self._texts[key], *(self.meanings[key].docs if with_docs else ())):
                digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
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
            for key in self._anywhere.get(name, ()):
                if self.meanings[key].owner == name == key[1] and key not in found:
                    found[key] = None
                    left += self.meanings[key].bases
        return [*found]

    def _reachable(self, keys: Iterable[Key], left_out: Collection[Key]) -> set[Key]:
        found = set(keys)
        left = list(found)
        while left:
            new = self._mentioned(left.pop()) - found
            new.difference_update(left_out)
            found |= new
            left += new
        return found

    def _mentioned(self, key: Key) -> set[Key]:
        """Return what a meaning mentions."""
        found = self._direct.get(key)
        if found is not None:
            return found
        file, meaning = key[0], self.meanings[key]
        words = meaning.mentions
        anywhere = {*words.anywhere, *(words.names if self.meanings[file, EVERYTHING].stars else ())}
        anywhere |= {word for name, word in words.of_name if self._is_ours(file, name)}
        anywhere |= {word for owner, word in words.of_class if owner not in self._families}
        found = {other for word in anywhere for other in self._anywhere.get(word, ())}
        found |= {other for name in words.names for other in self._named.get((file, name), ())}
        for owner, word in words.of_class:
            found |= self._in_family.get((self._families.get(owner, ""), word), set())
        for owner, beginning in words.starting:
            found |= set(self._starting_with(beginning, self._families.get(owner)))
        for owner, word in words.stored:  # a setter has that name
            family = self._families.get(owner)
            same = self._anywhere.get(word) if family is None else self._in_family.get((family, word))
            found |= {other for other in same or () if other[1].rpartition(".")[2] == word}
        if meaning.looks_up:
            found |= {other for other in self.meanings if other[0] == file}
        self._direct[key] = found
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
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()
