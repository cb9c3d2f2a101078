"""Random sequences of calls on an original, and the definition-use pairs that they execute."""

from __future__ import annotations

import gc
import inspect
import itertools
import random
import signal
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from tracetwin.worker.dataflow.flow import FlowObserver, FlowPair

LONGEST: Final = 6
_POOL: Final[tuple[object, ...]] = (0, 1, 2, 3, -1, True, "a", "", None)
_RECURSION: Final = 120
_ALARM: Final = 0.5
_numbers = itertools.count()


@dataclass
class Executed:
    """What sequences of one class executed.

    Attributes:
        pairs: each pair with a sequence that executes it.
        sequences: how many were run.
        cut: how many of them were ended by the clock; nothing of them counts.
    """

    pairs: dict[FlowPair, str] = field(default_factory=dict)
    sequences: int = 0
    cut: int = 0


class _TooLongError(BaseException):
    pass


def loaded(source: str, file: str) -> dict[str, Any]:
    """The names of a module made of a text, as its code runs under `file`."""
    module = types.ModuleType(f"fuzzed_{next(_numbers)}")
    module.__file__ = file
    sys.modules[module.__name__] = module
    exec(compile(source, file, "exec"), module.__dict__)  # noqa: S102 - our own text
    return module.__dict__


def fuzz(source: str, name: str, sequences: int, seed: int, *, raising: bool = False) -> Executed:
    """Run sequences of the class called `name`.

    Args:
        source: the module's text.
        name: of the class, in the module.
        sequences: how many.
        seed: of the choices.
        raising: whether a sequence goes on after a call that raised; else that call is its last one.
    """
    file = f"<fuzzed {next(_numbers)}>"
    names = loaded(source, file)
    draw = random.Random(seed)  # noqa: S311 - reproducible test data
    observer = FlowObserver(file, source)
    found = Executed()
    with _bounded():
        for _ in range(sequences):
            _sequence(names, name, draw, observer, found, raising=raising)
    return found


@contextmanager
def _bounded() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _TooLongError

    known, handler = sys.getrecursionlimit(), signal.signal(signal.SIGALRM, stop)
    sys.setrecursionlimit(len(inspect.stack()) + _RECURSION)
    collecting = gc.isenabled()
    gc.disable()  # an alarm within a callback of the collector would end nothing, and be told as an error
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if collecting:
            gc.enable()
        signal.signal(signal.SIGALRM, handler)
        sys.setrecursionlimit(known)


def _sequence(
    names: Mapping[str, Any],
    name: str,
    draw: random.Random,
    observer: FlowObserver,
    found: Executed,
    *,
    raising: bool,
) -> None:
    class_ = names[name]
    state = _class_state(names)
    told: list[str] = []
    things: list[Any] = []
    observer.start()
    signal.setitimer(signal.ITIMER_REAL, _ALARM)
    try:
        with suppress(Exception):
            things.append(_called(class_, class_, draw, names, told))
            for _ in range(draw.randint(1, LONGEST)):
                _one(things[0], draw, names, told, raising=raising)
    except _TooLongError:
        found.cut += 1
        things.clear()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        observed = observer.stop()
        _put_back(state)
    found.sequences += 1
    number = id(things[0]) if things else -1
    for pair in observed.pairs:
        if pair.thing == number:
            found.pairs.setdefault(pair._replace(thing=0, owner=""), "; ".join(told))


def _one(
    thing: Any, draw: random.Random, names: Mapping[str, Any], told: list[str], *, raising: bool
) -> None:
    member = draw.choice(members(type(thing)))
    try:
        held = inspect.getattr_static(type(thing), member)
        if isinstance(held, property):
            if held.fset is not None and draw.random() < 0.5:
                value = draw.choice(_POOL)
                told.append(f"{member} = {value!r}")
                setattr(thing, member, value)
            else:
                told.append(member)
                getattr(thing, member)
            return
        result = _called(getattr(thing, member), held, draw, names, told)
        if isinstance(result, Iterator):
            list(itertools.islice(result, 3))
    except Exception:
        if not raising:
            raise


def members(class_: type) -> list[str]:
    """The public methods and properties of a class of the text, the special ones among them."""
    found = []
    for name in dir(class_):
        held = inspect.getattr_static(class_, name)
        written = isinstance(held, (property, types.FunctionType)) and held is not None
        special = name.startswith("__") and name not in ("__init__", "__new__", "__repr__", "__post_init__")
        own = not name.startswith("_") or special
        if written and own and getattr(getattr(held, "fget", held), "__module__", "") == class_.__module__:
            found.append(name)
    return found


def _called(
    function: Callable[..., Any], held: object, draw: random.Random, names: Mapping[str, Any], told: list[str]
) -> Any:
    arguments = []
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    try:
        hints = typing.get_type_hints(held.__init__ if isinstance(held, type) else held)
    except (NameError, TypeError, AttributeError):
        hints = {}
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.KEYWORD_ONLY):
            continue
        if parameter.default is not parameter.empty and draw.random() < 0.2:
            break
        arguments.append(_argument(hints.get(parameter.name), draw, names))
    told.append(f"{getattr(function, '__name__', '?')}({', '.join(map(repr, arguments))})"[:80])
    return function(*arguments)


def _argument(hint: Any, draw: random.Random, names: Mapping[str, Any]) -> Any:
    if hint is int or hint is None:
        return draw.choice(_POOL[:5] if hint is int or draw.random() < 0.8 else _POOL)
    origin = typing.get_origin(hint)
    if hint is bool:
        return draw.random() < 0.5
    if hint is str:
        return draw.choice(["", "a", "b", "ab", "1", "open"])
    if origin in (list, tuple, set):
        inner = typing.get_args(hint)
        made = [_argument(inner[0] if inner else int, draw, names) for _ in range(draw.randint(0, 3))]
        return origin(made)
    if isinstance(hint, type) and names.get(hint.__name__) is hint:
        return _called(hint, hint, draw, names, [])
    return draw.choice(_POOL)


def _class_state(names: Mapping[str, Any]) -> list[tuple[type, dict[str, Any]]]:
    classes = [value for value in names.values() if isinstance(value, type)]
    module = names["__name__"]
    return [(c, dict(vars(c))) for c in classes if c.__module__ == module]


def _put_back(state: list[tuple[type, dict[str, Any]]]) -> None:
    for class_, known in state:
        for name in [n for n in vars(class_) if n not in known]:
            delattr(class_, name)
        for name, value in known.items():
            if vars(class_).get(name) is not value:
                setattr(class_, name, value)
