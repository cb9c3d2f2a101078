"""Values by the annotations of parameters: objects of the module, containers, documents it looks into."""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from tracetwin.emit.select.telling.constants import TextConstants
from tracetwin.emit.select.telling.documents import ANY, Document, WayToRead
from tracetwin.emit.select.telling.signatures import Signatures, SpelledParameter
from tracetwin.emit.select.telling.tables import TABLE, as_people_fill_in, table
from tracetwin.emit.select.telling.values import Values
from tracetwin.emit.select.telling.written import recipe_of, written
from tracetwin.model.recipe import (
    NONE,
    Call,
    Dictionary,
    Recipe,
    Reference,
    Scalar,
    ScalarValue,
    Series,
    SeriesKind,
    tuple_of,
)

DEEPEST: Final = 4
"""Things within each other."""

KEYED_AGAIN: Final = 0.5
"""Part of the keys of dicts that are what was given before."""

AGAIN: Final = 0.15
"""Part of the objects that are like an earlier one of their class."""

_LISTS = ("list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "Iterator")
_SERIES: Final[Mapping[str, SeriesKind]] = {
    **dict.fromkeys(_LISTS, SeriesKind.LIST),
    **dict.fromkeys(("set", "Set", "AbstractSet", "MutableSet"), SeriesKind.SET),
    **dict.fromkeys(("frozenset", "FrozenSet"), SeriesKind.FROZENSET),
}
_DICTS: Final = frozenset(("dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"))

_READERS: Final = frozenset(("json", "tomllib", "tomli", "yaml"))
"""Libraries that read documents."""

_Maker: TypeAlias = "Callable[[TellingValues, str], Recipe]"


class TellingValues(Values):
    """The values of one case of a target."""

    def __init__(
        self, known: Signatures, constants: TextConstants, target: str, chance: random.Random
    ) -> None:
        """Nothing was drawn yet.

        Args:
            known: the module.
            constants: those of the target.
            target: what is called.
            chance: chooses.
        """
        examples = [text for name in ("", target) for text in known.examples.get(name, ())]
        super().__init__(chance, constants, examples, known.times, known.shapes, dated=known.dated)
        self.known = known
        self._depth = 0
        self._objects: dict[str, list[Call]] = {}

    def of(self, annotation: ast.expr, name: str) -> Recipe | None:
        """Return a value of a type for a parameter, None where it can't be made."""
        self._depth += 1
        try:
            return None if self._depth > DEEPEST else self._made(annotation, name)
        finally:
            self._depth -= 1

    def remember(self, parts: Iterable[Recipe]) -> None:
        """See `Values`; objects of the module as well."""
        known = list(parts)
        super().remember(known)
        for part in known:
            if isinstance(part, Call) and part.module == self.known.module:
                self._objects.setdefault(part.qualname, []).append(part)

    def call(self, name: str) -> Recipe | None:
        """Return how an object of the module is made, None where something for it can't be.

        Some equal an earlier one, or do so in all parts but one.
        """
        known = self._objects.setdefault(name, [])
        if known and (roll := self.chance.random()) < AGAIN:
            again = self.chance.choice(known)
            new = again if roll < AGAIN / 2 else self._new(name)
            return again if new is None else self._nearly(again, new)
        made = self._new(name)
        known += [made] if made is not None else []
        return made

    def _new(self, name: str) -> Call | None:
        """A call for a new object."""
        wanted = self.known.classes[name]
        args: list[Recipe] = []
        kwargs: list[tuple[str, Recipe]] = []
        for place, one in enumerate(wanted):
            value = None
            if one.annotation is not None and (one.needed or self.chance.random() < 0.5):
                value = self.of(one.annotation, one.name)
            if value is None and one.needed:
                return None
            if value is not None and len(args) == place and one.needed and not one.by_name:
                args.append(value)
            elif value is not None:
                kwargs.append((one.name, value))
        return Call(self.known.module, name, tuple(args), tuple(kwargs))

    def _made(self, node: ast.expr, name: str) -> Recipe | None:
        match node:
            case ast.Constant(str() as text):
                try:
                    return self._made(ast.parse(text, mode="eval").body, name)
                except SyntaxError:
                    return None
            case ast.Constant(None):
                return NONE
            case ast.BinOp(left, ast.BitOr(), right):
                return self._one_of([left, right], name)
            case ast.Subscript(base, inner):
                return self._generic(base, inner, name)
            case ast.Name() | ast.Attribute():
                return self._plain(ast.unparse(node), name)
            case _:
                return None

    def _one_of(self, options: Sequence[ast.expr], name: str) -> Recipe | None:
        found = [value for one in options if (value := self.of(one, name)) is not None]
        telling = [value for value in found if value != NONE]
        if telling and self.chance.random() < 0.8:
            return self.chance.choice(telling)
        return self.chance.choice(found) if found else None

    def _generic(self, base: ast.expr, inner: ast.expr, name: str) -> Recipe | None:
        kind = ast.unparse(base).rpartition(".")[2]
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if kind in ("Optional", "Union"):
            return self._one_of(parts, name)
        if kind in ("Final", "Annotated"):
            return self.of(parts[0], name)
        if kind == "Literal":
            texts = [part.value for part in parts if isinstance(part, ast.Constant)]
            plain: list[ScalarValue] = [one for one in texts if isinstance(one, (str, int))]
            return Scalar(self.chance.choice(plain)) if plain else None
        if kind in ("tuple", "Tuple"):
            return self._tuple(parts, name)
        if kind in _DICTS and len(parts) > 1:
            return self._dictionary(parts[0], parts[1], name)
        return self._series(_SERIES[kind], parts[0], name) if kind in _SERIES else None

    def _tuple(self, parts: Sequence[ast.expr], name: str) -> Recipe | None:
        if isinstance(parts[-1], ast.Constant) and parts[-1].value is Ellipsis:
            return self._series(SeriesKind.TUPLE, parts[0], name)
        items = [item for part in parts if (item := self.of(part, name)) is not None]
        return tuple_of(*items) if len(items) == len(parts) else None

    def _series(self, kind: SeriesKind, inner: ast.expr, name: str) -> Recipe | None:
        if ast.unparse(inner) == "str" and (known := self.some_again()):
            return Series(kind, tuple(map(Scalar, known)))
        number = self.length()
        drawn = (self.of(inner, name.removesuffix("s")) for _ in range(number))
        items = [one for one in drawn if one is not None]
        if len(items) < number:
            return None
        if kind.has_order and (roll := self.chance.random()) < 0.5:
            items.append(items[0] if roll < 0.2 else self._nearly(items[0], items[-1]))
        return Series(kind, tuple(items))

    def _nearly(self, item: Recipe, other: Recipe) -> Recipe:
        """An object with one part of another: alike by every key that who sorts or sums may use but one."""
        if not (isinstance(item, Call) and isinstance(other, Call)) or item.qualname != other.qualname:
            return item
        parts = min(len(item.args), len(other.args))
        named = [place for place, (key, _) in enumerate(item.kwargs) if key in dict(other.kwargs)]
        if not parts and not named:
            return item
        place = self.chance.randrange(parts + len(named))
        if place < parts:
            return replace(item, args=(*item.args[:place], other.args[place], *item.args[place + 1 :]))
        key = item.kwargs[named[place - parts]][0]
        theirs = dict(other.kwargs)
        pairs = ((one, theirs[one] if one == key else old) for one, old in item.kwargs)
        return replace(item, kwargs=tuple(pairs))

    def _dictionary(self, key: ast.expr, value: ast.expr, name: str) -> Recipe | None:
        if ast.unparse(value).rpartition(".")[2] == "Any" and self.known.documents:
            return recipe_of(self.document())
        pairs: dict[Recipe, Recipe] = {}
        for _ in range(2):
            one = self._key(key)
            known = isinstance(one, Scalar) and one.value in self.known.keys
            word = _spelled(one).rpartition("_")[2].lower() if one and known else name.removesuffix("s")
            made = self.of(value, word)
            if one is None or made is None:
                return None
            pairs.setdefault(one, made)
        return Dictionary(tuple(pairs.items()))

    def _key(self, key: ast.expr) -> Recipe | None:
        """A key of a dict: one that the module looks up, maybe."""
        if self.known.keys and ast.unparse(key) == "str" and self.chance.random() < 0.6:
            return Scalar(self.chance.choice(self.known.keys))
        return self.of(key, "")

    def _plain(self, spelled: str, name: str) -> Recipe | None:
        known = self.known
        if members := known.members.get(spelled):
            return Reference(known.module, f"{spelled}.{self.chance.choice(members)}")
        if spelled in known.classes:
            return self.call(spelled)
        first, _, rest = spelled.partition(".")
        module, imported = known.imported.get(first, ("", ""))
        place = ".".join(part for part in (module, imported, rest) if part) or spelled
        if place in _MAKERS:
            return _MAKERS[place](self, name)
        alias = known.aliases.get(spelled)
        return self.of(alias, name) if isinstance(alias, (ast.Subscript, ast.BinOp)) else None

    def anything(self, name: str) -> Recipe:
        """Return a text, or a document of what the module looks for."""
        if self.known.documents and self.chance.random() < 0.5:
            return recipe_of(self._entries(self.chance.choice(self.known.documents)))
        return self.text(name)

    def like(self, part: Recipe, name: str, items: Sequence[Recipe] = ()) -> Recipe:
        """Return another value of the kind of one, where nothing says more of its type.

        Args:
            part: the value.
            name: what it is for.
            items: what else was seen in a list like it.
        """
        match part:
            case Scalar(value) if type(value) in _PLAIN:
                roll = self.chance.random()
                if isinstance(value, str) and roll < (0.2 if name in self.known.shapes else 0.5):
                    return Scalar(self.near(value))
                most = 0.3 if isinstance(value, str) else 0.05
                if self.knows_texts and roll < most:  # one of those that it is compared with
                    return self.text(name)
                return _PLAIN[type(value)](self, name)
            case Series(kind, known) if known:
                return self._like_series(kind, [*known, *items], name)
            case Dictionary(pairs):
                new = {self.key(key): self.like(one, _spelled(key)) for key, one in pairs}
                return Dictionary(tuple({**new, **self._more({_spelled(key) for key in new})}.items()))
            case Call(module, qualname) if f"{module}.{qualname}" in _MAKERS:
                return _MAKERS[f"{module}.{qualname}"](self, name)
            case Scalar(None) if self.known.documents and self.chance.random() < 0.5:
                return recipe_of(self.document())
            case _:
                return part

    def key(self, key: Recipe) -> Recipe:
        """Return a key of a dict, or what was given before in its place if nobody looks it up by its name."""
        if not isinstance(key, Scalar) or key.value in self.known.keys or self.chance.random() >= KEYED_AGAIN:
            return key
        return Scalar(self.again(key.value))

    def _more(self, keys: Collection[str]) -> dict[Recipe, Recipe]:
        """Entries of a document with some keys, or others of its kind, maybe."""
        fitting = [one for one in self.known.documents if not one.keys().isdisjoint(keys)]
        if (keys and not fitting) or self.chance.random() < 0.6:
            return {}
        found = self._entries(self.chance.choice(fitting)) if fitting else self.document()
        return {Scalar(key): recipe_of(value) for key, value in found.items()}

    def _like_series(self, kind: SeriesKind, known: Sequence[Recipe], name: str) -> Recipe:
        if kind is SeriesKind.TUPLE:
            return Series(kind, tuple(self.like(one, "") for one in known))
        number = self.length()
        drawn = (self.chance.choice(known) for _ in range(number))
        return Series(kind, tuple(self.like(one, name.removesuffix("s")) for one in drawn))

    # -- documents

    def answered(self, text: str) -> str:
        """Return a text that a mock may answer: a document of what the module looks for, if it reads some."""
        reads = text[:1] in ("{", "[") or not self.known.imported.keys().isdisjoint(_READERS)
        if not self.known.documents or not reads:
            return self.near(text)
        single, other = self.document(), self.document()
        return json.dumps(self.chance.choice((single, single, [single, other], [single], [])))

    def document(self) -> dict[str, object]:
        """Return a document with what functions of the module look for in one."""
        return {key: value for keys in self.known.documents for key, value in self._entries(keys).items()}

    def read(self, how: WayToRead) -> str:
        """Return a text that is read as a document."""
        if how.library == TABLE:
            return self._table(how)
        return written(self.document() if how.keys is None else self._entries(how.keys), how.library)

    def _table(self, how: WayToRead) -> str:
        """A table with some rows, of which one may be short, empty or there twice."""
        columns = list(how.keys or (self.chance.choice(self.known.columns) if self.known.columns else ()))
        if how.keys is not None and self.chance.random() < 0.3:
            self.chance.shuffle(columns)
        wanted = columns or ["name"] * self.chance.choice((1, 2, 3))
        rows = [[self._cell(name) for name in wanted] for _ in range(self.chance.choice((1, 2, 2, 3)))]
        return table(columns, as_people_fill_in(rows, self.chance), how.delimiter)

    def _cell(self, name: str) -> str:
        """Return what may stand in a column: by its name, a number, or a text that the module looks for."""
        roll = self.chance.random()
        if self.knows_texts and roll < 0.2:
            return self.known_text()
        if roll < 0.35:
            number = self.integer(name) if roll < 0.25 else self.decimal(name)
            return _spelled(number.args[0] if isinstance(number, Call) else number)
        return str(self._entry(name, None))

    def _entries(self, keys: Document, name: str = "") -> dict[str, object]:
        """Values for all keys, or for some of those that may be missing, of what is found by a name.

        Documents may hold others of their kind: at some depth they hold none.
        """
        self._depth += 1
        try:
            return {} if self._depth > DEEPEST else self._entries_of(keys, name)
        finally:
            self._depth -= 1

    def _entries_of(self, keys: Document, name: str) -> dict[str, object]:
        if ANY in keys:
            names = [self.new_text("name") for _ in range(self.chance.choice((1, 2, 2, 3)))]
            return {one: self._entry(name.removesuffix("s"), keys[ANY]) for one in names}
        every = self.chance.random() < 0.4
        wanted = [key for key in keys if every or key in self.known.needed or self.chance.random() < 0.6]
        return {key: self._entry(key, keys[key]) for key in wanted}

    def _entry(self, key: str, inner: Document | list[Document] | None) -> object:
        if isinstance(inner, dict):
            return self._entries(inner, key)
        if inner is not None:
            return self._several(inner[0])
        if isinstance(known := self.known.defaults.get(key), (bool, int, float)):
            found = self.of(ast.Name(type(known).__name__, ast.Load()), key)
            return found.value if isinstance(found, Scalar) else known
        fields = (one for wanted in self.known.classes.values() for one in wanted if one.name == key)
        found = self._of_field(next(fields, None))
        if isinstance(found, Scalar):
            return found.value
        if isinstance(found, Series) and all(isinstance(item, Scalar) for item in found.items):
            return [item.value for item in found.items if isinstance(item, Scalar)]
        if isinstance(found, Dictionary):
            pairs = ((one, two) for one, two in found.pairs if isinstance(two, Scalar))
            return {_spelled(one): two.value for one, two in pairs}
        if known == []:
            return [self.new_text(key.removesuffix("s")) for _ in range(self.chance.choice((0, 1, 2)))]
        return self.new_text(key)

    def _several(self, keys: Document) -> list[dict[str, object]]:
        """A few entries, of which two may be the same but for one thing."""
        entries = [self._entries(keys) for _ in range(self.chance.choice((1, 2, 2, 3)))]
        if len(entries) > 1 and self.chance.random() < 0.5:
            name = self.chance.choice(sorted(keys))
            first, last = entries[0], entries[-1]
            entries.append({**first, name: last[name]} if name in first.keys() & last.keys() else first)
        return entries

    def _of_field(self, one: SpelledParameter | None) -> Recipe | None:
        return None if one is None or one.annotation is None else self.of(one.annotation, one.name)


def _spelled(key: Recipe) -> str:
    """The key of a dict as a name."""
    return str(key.value) if isinstance(key, Scalar) else ""


_MAKERS: Final[dict[str, _Maker]] = {
    "int": Values.integer, "float": Values.real, "bool": Values.truth, "str": Values.text,
    "bytes": Values.raw, "object": TellingValues.anything, "decimal.Decimal": Values.decimal,
    "datetime.date": Values.date, "datetime.time": Values.time, "datetime.datetime": Values.moment,
    "datetime.timedelta": Values.span,
}  # fmt: skip

_PLAIN: Final[dict[type, _Maker]] = {
    int: Values.integer, float: Values.real, bool: Values.truth, str: Values.text, bytes: Values.raw,
}  # fmt: skip
