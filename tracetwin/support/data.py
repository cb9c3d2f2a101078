"""Makes data classes as the library does, in a third of the time: each process of ours needs hundreds.

The library compiles up to six methods of each class. Here one is compiled, `__init__`; others are closures.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - so that others may import it here
else:

    def dataclass(cls: Any = None, /, *, frozen: bool = False, slots: bool = False, **more: Any) -> Any:
        """Return a class as `dataclasses.dataclass` makes it, which does so itself where more is asked."""
        if cls is None:
            return lambda cls: dataclass(cls, frozen=frozen, slots=slots, **more)
        if more:
            return dataclasses.dataclass(cls, frozen=frozen, slots=slots, **more)
        return _made(cls, frozen=frozen, slots=slots)


_MADE: Final = object()
"""The default of a parameter whose value a factory makes."""


def _made(cls: Any, *, frozen: bool, slots: bool) -> Any:
    own = dict(vars(cls))
    cls = dataclasses.dataclass(init=not frozen, repr=False, eq=False, slots=slots)(cls)
    fields = dataclasses.fields(cls)
    key = _values_of([field.name for field in fields if field.compare])
    methods: list[Callable[..., Any]] = [_repr([field.name for field in fields if field.repr]), _eq(key)]
    if frozen:
        methods += [_hash(key), _init(cls, fields)]
        cls.__setattr__, cls.__delattr__ = _refuse_to_set, _refuse_to_delete
        if slots:
            cls.__getstate__, cls.__setstate__ = _values, _take_values
    elif "__hash__" not in own:
        cls.__hash__ = None
    for method in methods:
        name = method.__name__
        # A class that says how it compares has the hash None from Python, and is given one all the same.
        if own.get(name) is None:
            method.__qualname__ = f"{cls.__qualname__}.{name}"
            setattr(cls, name, method)
    return cls


def _values_of(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda one: tuple(getattr(one, name) for name in names)


def _repr(names: Sequence[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def __repr__(self: Any) -> str:  # noqa: N807
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _eq(key: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(key: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(key(self))

    return __hash__


def _refuse_to_set(_self: object, name: str, _value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _values(self: Any) -> list[Any]:
    """Return what is copied, or pickled, of one with slots."""
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _take_values(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


def _init(cls: Any, fields: Sequence[dataclasses.Field[Any]]) -> Callable[..., None]:
    """Return the constructor of a frozen class."""
    names: dict[str, Any] = {"__name__": cls.__module__, "_set": object.__setattr__, "_MADE": _MADE}
    parameters, body = ["self"], []
    for field in fields:
        name, value = field.name, field.name
        if field.default_factory is not dataclasses.MISSING:
            names[f"_make_{name}"] = field.default_factory
            value = f"_make_{name}() if {name} is _MADE else {name}" if field.init else f"_make_{name}()"
            parameters += [f"{name}=_MADE"] if field.init else []
        elif field.default is not dataclasses.MISSING:
            names[f"_of_{name}"] = field.default
            parameters += [f"{name}=_of_{name}"] if field.init else []
        elif field.init:
            parameters.append(name)
        if field.init or field.default_factory is not dataclasses.MISSING:
            body.append(f"_set(self, {name!r}, {value})")
    body += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    lines = "\n    ".join(body or ["pass"])
    exec(f"def __init__({', '.join(parameters)}):\n    {lines}", names)  # noqa: S102 - as the library does
    made: Callable[..., None] = names.pop("__init__")
    return made
