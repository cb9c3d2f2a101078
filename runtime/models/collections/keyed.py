"""Hashing: methods of native dicts and sets whose keys are traced, `set(x)`, `hash(x)`."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from runtime import trace
from runtime.containers import SDict, SSet
from runtime.containers.decisions import combined, decide_place, raw_keys
from runtime.containers.dicts import pairs_of
from runtime.lookup import find_key, has_traced_key, is_traced_key, value_of_key
from runtime.models.registry import SHALLOW, models, models_method
from runtime.private_builtins import keep_builtins
from runtime.values import kind_of, pin, without_pinning

keep_builtins(globals())


@models(hash, takes="number; tuple[int]")
def traced_hash(value: Any, /) -> int:
    """`hash(x)`: the value is pinned, a hash says all of it."""
    return hash(pin(value))


_MAPPINGS: Final = (dict, collections.defaultdict, collections.OrderedDict, collections.Counter)


def _on_mappings(name: str, takes: str) -> Callable[[Any], Any]:
    """Register a model of a method that all native dicts have."""

    def register(model: Any) -> Any:
        models_method(dict, name, takes=takes)(model)
        for kind in _MAPPINGS[1:]:
            models_method(kind, name)(model)
        return model

    return register


@_on_mappings("get", "int int?|None?; str int?")
def dict_get(self: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    """`d.get(k)`."""
    if not _symbolic(self, key):
        return self.get(key, default)
    keys = list(self)
    position = find_key(keys, key)
    return default if position < 0 else value_of_key(keys, list(self.values()), key, position)


def _symbolic(mapping: Any, key: Any) -> bool:
    return is_traced_key(key) or has_traced_key(mapping)


def _settle(mapping: Any, key: Any) -> None:
    """Decide which key of a native dict or set `key` equals, if any."""
    if _symbolic(mapping, key):
        decide_place(raw_keys(mapping), key)


def _settling(name: str) -> Callable[..., Any]:
    def model(self: Any, key: Any, /, *rest: Any, **kwargs: Any) -> Any:
        _settle(self, key)
        return without_pinning(partial(getattr(self, name), key, *rest, **kwargs))

    return model


_on_mappings("setdefault", "int int?; str int?")(_settling("setdefault"))
_on_mappings("pop", "int int?; str int?")(_settling("pop"))
models_method(collections.OrderedDict, "move_to_end")(_settling("move_to_end"))
for _name in ("add", "discard", "remove"):
    models_method(set, _name, takes="int; str; bool; float")(_settling(_name))


def _combining(kind: type, name: str) -> Callable[..., Any]:
    native = getattr(kind, name)

    def model(self: Any, *args: Any) -> Any:
        if not trace.traced_keys and all(kind_of(arg) in _SETS for arg in args):
            return native(self, *args)
        return combined(name, native, self, args)

    return model


_SETS: Final = frozenset((set, frozenset))
_READING: Final = (
    "union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint",
)  # fmt: skip
for _name in _READING:
    for _kind in (set, frozenset):
        models_method(_kind, _name, takes="set[int]; list[int]")(_combining(_kind, _name))
for _name in ("update", "intersection_update", "difference_update", "symmetric_difference_update"):
    models_method(set, _name, takes="set[int]; list[int]")(_combining(set, _name))


def _stored(mapping: Any, pairs: Iterable[tuple[Any, Any]]) -> None:
    """Store entries one after the other, each under the key that it was decided to be."""
    store = type(mapping).__setitem__
    for key, value in pairs:
        if is_traced_key(key) or trace.traced_keys:
            _settle(mapping, key)
            without_pinning(store, mapping, key, value)
        else:
            store(mapping, key, value)


def _is_plain_pair(entry: Any) -> bool:
    kind = type(entry)
    return not ((kind is tuple or kind is list) and len(entry) == 2 and is_traced_key(entry[0]))


def _updated(self: Any, *args: Any, **kwargs: Any) -> None:
    """`d.update(...)` of a native dict."""
    kind = type(args[0]) if args else dict
    if not trace.traced_keys and kind is dict:
        type(self).update(self, *args, **kwargs)
    else:
        _stored(self, pairs_of(args, kwargs))


models_method(dict, "update", takes="dict[str,int]; dict[int,str]")(_updated)
models_method(collections.defaultdict, "update")(_updated)
models_method(collections.OrderedDict, "update")(_updated)


@models(dict, takes="dict[str,int]?")
def traced_dict_of(*args: Any, **kwargs: Any) -> Any:
    """`dict(x)`: which keys are equal is decided one after the other."""
    if len(args) != 1 or kwargs or kind_of(args[0]) in _MAPPINGS or hasattr(args[0], "keys"):
        plain_copy = len(args) == 1 and not kwargs and type(args[0]) is SDict
        return args[0].copy() if plain_copy else _merged(args, kwargs)
    rest: list[Any] = []

    def is_plain(entry: Any) -> bool:
        if not _is_plain_pair(entry):
            rest.append(entry)
        return not rest

    source = iter(args[0])
    made = dict(itertools.takewhile(is_plain, source))
    if rest:
        _stored(made, pairs_of((itertools.chain(rest, source),), {}))
    return made


def _merged(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not trace.traced_keys or not args or not kwargs:
        return dict(*args, **kwargs)
    made = dict(*args)
    _stored(made, kwargs.items())
    return made


def _from_keys(kind: Any) -> None:
    @models_method(kind, "fromkeys")
    def model(cls: Any, keys: Any, value: Any = None, /) -> Any:
        """`dict.fromkeys(keys)`."""
        made = cls()
        _stored(made, ((key, value) for key in keys))
        return made


for _mapping in (dict, collections.OrderedDict):
    _from_keys(_mapping)


@models(collections.Counter)
def counter_of(*args: Any, **kwargs: Any) -> Any:
    """`Counter(x)`: which elements are equal is decided one after the other."""
    if len(args) != 1 or kwargs or args[0] is None or isinstance(args[0], Mapping):
        return collections.Counter(*args, **kwargs)
    made: collections.Counter[Any] = collections.Counter()
    for key in args[0]:
        if is_traced_key(key) or trace.traced_keys:
            _settle(made, key)
            without_pinning(dict.__setitem__, made, key, without_pinning(dict.get, made, key, 0) + 1)
        else:
            dict.__setitem__(made, key, dict.get(made, key, 0) + 1)
    return made


_UNTRACED: Final = frozenset((str, bytes, range))
_STORED: Final = frozenset((list, tuple, set, frozenset, dict))


def _collected(kind: type) -> Callable[..., Any]:
    """`set(x)`, `frozenset(x)`: which elements are equal is decided one after the other."""

    def model(*args: Any, **kwargs: Any) -> Any:
        if len(args) != 1 or kwargs:
            return kind(*args, **kwargs)
        source = args[0]
        if type(source) is SSet:
            return source.copy() if kind is set else kind(source)
        # Only Python itself brings equal elements into the same order every time.
        given = kind_of(source)
        if given in _UNTRACED or (given in _STORED and not any(map(is_traced_key, source))):
            return kind(source)
        return _decided(kind, iter(source))

    return model


def _decided(kind: type, source: Any) -> Any:
    traced: list[Any] = []

    def is_plain(element: Any) -> bool:
        if is_traced_key(element):
            traced.append(element)
        return not traced

    before = kind(itertools.takewhile(is_plain, source))
    if not traced:
        return before
    elements = set(before)
    for element in itertools.chain(traced, source):
        _settle(elements, element)
        without_pinning(elements.add, element)
    return elements if kind is set else kind(elements)


_COLLECTED: Final = "list[small]?; str; bytes; tuple[float]; set[int]; dict[str,int]; list[number]; int"

for _collection in (set, frozenset):
    models(_collection, takes=_COLLECTED)(_collected(_collection))


SHALLOW.add(hash)
