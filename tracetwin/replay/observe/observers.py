"""Questions to an object about its state: its length, its items, its methods that ask.

A class may hide all it has behind a leading underscore; a reader, and a test, then asks its methods. Only
those are asked that take nothing, whose names are those of questions or that are declared to return
something, and that change nothing when they are called.

Draining an object until it is empty: the order of a heap, of a stack, of a queue.

The last thing that is asked of it, as nothing is left afterwards.
"""

from __future__ import annotations

import functools
import io
import marshal
import re
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from typing import Any, Final

from tracetwin.model.codec import key
from tracetwin.model.recipe import Dictionary, Reference, Scalar, Series
from tracetwin.model.snapshot import Attributes, Built, Snapshot, parts
from tracetwin.process.own_attributes import own_attributes
from tracetwin.replay.observe import rules
from tracetwin.replay.observe.snap import Camera
from tracetwin.replay.observe.step_limit import line_limit

MOST_ASKED = 12
MOST_ITEMS = 20
MOST_OF_RESULT: Final = 3
"""Answers of what a call returned, and objects in a list of them that are asked."""

_QUESTION = re.compile(
    r"(is|has|can|get|num|to|as)(_|[A-Z])\w+|(is)?(empty|full)|(get_?)?(size|length|count|depth|height|top|peek"
    r"|balance|total|state|status|current|first|last|front|back|head|tail|min|max|capacity|value|values|keys"
    r"|items|elements|contents|snapshot)|find_?(min|max|first|last)",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(is|has|can)(_|[A-Z])\w+|has|contains(_?key)?|includes?|exists|get(_?value)?|find|lookup|search|index(_?of)?"
    r"|count(_?of)?|position(_?of)?|value(_?of)?",
    re.IGNORECASE,
)
_ASKING = (
    "__len__",
    "__iter__",
    "__contains__",
    "__getitem__",
    "__str__",
    "__repr__",
    "__bool__",
    "__hash__",
)
_HOLDING = ("__len__", "__iter__", "__contains__", "is_empty", "isEmpty", "empty", "size", "pop")
_WRITTEN_IN_PYTHON: Final = 1 << 9
"""`Py_TPFLAGS_HEAPTYPE`; few classes written in C have it, and these keep more than their attributes."""
_LOOKING_UP = re.compile(r"get|(get_?)?value(_?of)?|look_?up|__getitem__", re.IGNORECASE)
_KEY = re.compile(r"_*(key|k|name)", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z0-9_ .-]{0,12}")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{5,}")


def answers(
    value: Any, home: types.ModuleType, given: Sequence[Any] = (), *, alone: bool = True
) -> list[tuple[str, Snapshot]]:
    """The questions to an object, and its answers.

    Args:
        value: the object.
        home: the target module.
        given: scalars that it was called with: where it does not list what it holds, it is asked for them.
        alone: whether nothing outside answers it, which would be asked once more.

    Returns:
        Pairs of a part's name, ``"len()"`` for the function of it and ``".size()"`` or ``".contains(3)"`` for
        a method, and what came back; only what a test can compare.
    """
    asked = _Asked(value, home)
    found = asked.told(_questions(value)[:MOST_ASKED])
    listed = dict(found).get("list()")
    if listed is not None:
        return [*asked.told(_looked_up(value, listed)), *found]
    found += asked.told(_about(value, given)[:MOST_ASKED])
    found = found or asked.told(_words(value))
    if _taking(type(value)):
        return [*found, *emptied(value, home, dict(found))]
    declared = asked.told(_declared(value)) if alone else []
    return [*found, *sorted(declared, key=lambda one: _says_nothing(one[1]))]


def with_answers(seen: Snapshot, value: Any, home: types.ModuleType, *, alone: bool) -> Snapshot:
    """Return what was seen of an object of the target's package, before it what the object says if asked.

    Only where it says nothing else its text is wanted, or what its other methods are declared to return. Of
    a short list of objects each is asked.
    """
    if isinstance(seen, Series) and type(value) in (list, tuple) and len(value) <= MOST_OF_RESULT:
        pairs = zip(seen.items, value, strict=True)
        return replace(seen, items=tuple(with_answers(one, part, home, alone=alone) for one, part in pairs))
    package, _, _ = home.__name__.partition(".")
    if not isinstance(seen, Attributes) or type(value).__module__.partition(".")[0] != package:
        return seen
    asked = _Asked(value, home)
    told = asked.told(_questions(value)[:MOST_ASKED])
    if (listed := dict(told).get("list()")) is not None:
        told = [*asked.told(_looked_up(value, listed)), *told]
    if not told and not seen.attributes:
        told = asked.told(_words(value)) or (asked.told(_declared(value)) if alone else [])
    told.sort(key=lambda one: (_says_nothing(one[1]), one[0] != "list()"))
    return replace(seen, attributes=(*told[:MOST_OF_RESULT], *seen.attributes))


def holds_nothing(everything: Snapshot, value: Any) -> bool:
    """True if an object that people call empty has containers, and all of them are empty."""
    if not isinstance(everything, Attributes) or not any(hasattr(type(value), name) for name in _HOLDING):
        return False
    inside = [snap for _, snap in everything.attributes if isinstance(snap, (Series, Dictionary))]
    return bool(inside) and not any(parts(snap) for snap in inside)


def is_question(name: str) -> bool:
    """True if a method is called as one that asks an object, so that asking more would say nothing new."""
    return bool(_QUESTION.fullmatch(name) or _ABOUT.fullmatch(name)) or name in _ASKING


class _Asked:
    """An object that is asked, and what it looked like when it was looked at last."""

    def __init__(self, value: Any, home: types.ModuleType) -> None:
        self._value, self._home = value, home
        self._before: bytes | None = None

    def told(self, questions: Sequence[tuple[str, Callable[[], Any]]]) -> list[tuple[str, Snapshot]]:
        """The answers, up to the first question that changes the object."""
        found: list[tuple[str, Snapshot]] = []
        for name, ask in questions:
            before = self._picture() if self._before is None else self._before
            try:
                with redirect_stdout(io.StringIO()) as out, redirect_stderr(out), line_limit():
                    answer = ask()
            except BaseException:  # noqa: BLE001 - the target's code: what it refuses to answer is not known
                answer = None
            self._before = self._picture()
            if self._before != before:
                break  # what changes it is no question: from here on it would tell of another state
            if answer is not None and not out.getvalue():
                snap = Camera(self._home).take(answer)
                if _is_telling(snap):
                    found.append((name, snap))
        return found

    def _picture(self) -> bytes:
        """All that the object holds, as bytes that only compare: plain data are not looked at one by one."""
        camera = Camera(self._home, properties=False, private=True)
        held = own_attributes(self._value) if _keeps_all_in_its_dict(type(self._value)) else None
        if held is None:
            return key(camera.take(self._value))
        return b"\n".join(_as_bytes(name, part, camera) for name, part in list(held.items()))


def _keeps_all_in_its_dict(kind: type) -> bool:
    bases = kind.__mro__[:-1]
    return all(base.__flags__ & _WRITTEN_IN_PYTHON and not vars(base).get("__slots__") for base in bases)


def _as_bytes(name: str, part: Any, camera: Camera) -> bytes:
    try:
        return marshal.dumps((name, part), 2)  # without marks of what is shared, which come and go
    except ValueError:
        return str(name).encode() + key(camera.take(part, 1))


def _questions(value: Any) -> list[tuple[str, Callable[[], Any]]]:
    kind = type(value)
    asked: list[tuple[str, Callable[[], Any]]] = []
    permits = rules.current.may_ask
    if _own(kind, "__len__") and permits(value, "__len__"):
        asked.append(("len()", lambda: len(value)))
    # What has a length and is indexed may be a sequence; what is none refuses.
    sequence = _own(kind, "__len__") and _own(kind, "__getitem__")
    listed = "__iter__" if _own(kind, "__iter__") else "__getitem__"
    if (listed == "__iter__" or sequence) and not hasattr(kind, "__next__") and permits(value, listed):
        asked.append(("list()", lambda: _items(value)))
    for name, part in _parts(value):
        if _QUESTION.fullmatch(name) and _takes(part, 1) and permits(value, name):
            asked.append((f".{name}()", functools.partial(_called, value, name)))
    return asked


def _called(value: Any, name: str) -> Any:
    return getattr(value, name)()


def _declared(value: Any) -> list[tuple[str, Callable[[], Any]]]:
    """Public methods that take nothing and are declared to return something, whatever they are called."""
    asked: list[tuple[str, Callable[[], Any]]] = []
    for name, part in _parts(value):
        returned = getattr(part, "__annotations__", {}).get("return")
        public = not name.startswith("_") and not _QUESTION.fullmatch(name)
        silent = returned in (None, "None", "Never", "NoReturn")
        if public and not silent and _takes(part, 1) and rules.current.may_ask(value, name):
            asked.append((f".{name}()", functools.partial(_called, value, name)))
    return asked[:MOST_ASKED]


def _says_nothing(snap: Snapshot) -> bool:
    """Return whether it is false, none, zero or empty."""
    match snap:
        case Scalar(value):
            return not value
        case Built(_, _, args):
            return not any(isinstance(one, Scalar) and str(one.value).strip("0.-") for one in args)
        case _:
            return not parts(snap)


def _parts(value: Any) -> list[tuple[str, Any]]:
    """The members of an object's classes that are not of the standard library.

    What is overridden comes once; what an attribute of the object itself hides is left out.
    """
    found: dict[str, Any] = {}
    for base in type(value).__mro__:
        if base.__module__.partition(".")[0] not in sys.stdlib_module_names:
            for name, part in vars(base).items():
                found.setdefault(name, part)
    hiding = own_attributes(value) or {}
    return [(name, part) for name, part in found.items() if name not in hiding]


def _about(value: Any, given: Sequence[Any]) -> list[tuple[str, Callable[[], Any]]]:
    """Questions for something that the object was called with."""
    asked: list[tuple[str, Callable[[], Any]]] = []
    for one in given:
        source = _source(one)
        if source:
            for name, part in _parts(value):
                if _ABOUT.fullmatch(name) and _takes(part, 2) and rules.current.may_ask(value, name, one):
                    asked.append((f".{name}({source})", functools.partial(getattr(value, name), one)))
    return asked


def _looked_up(value: Any, listed: Snapshot) -> list[tuple[str, Callable[[], Any]]]:
    """The values that a map which lists its keys holds under them."""
    if not isinstance(listed, Series) or not listed.items:
        return []
    for name, part in _parts(value):
        by_key = _takes(part, 2) and _KEY.fullmatch(part.__code__.co_varnames[1])
        if by_key and _LOOKING_UP.fullmatch(name) and rules.current.may_ask(value, name):
            return [(f".{name}(*)", functools.partial(_held, value, getattr(value, name)))]
    return []


def _held(value: Any, look: Callable[[Any], Any]) -> dict[Any, Any]:
    return {one: look(one) for one in _items(value) or ()}


def _source(value: Any) -> str:
    """The literal of a plain scalar, "" where it would be long."""
    if type(value) in (int, bool):
        return repr(value) if abs(value) < 10**6 else ""
    return f'"{value}"' if type(value) is str and _PLAIN.fullmatch(value) else ""


def _words(value: Any) -> list[tuple[str, Callable[[], Any]]]:
    """Its text, where it says nothing else."""
    return [("str()", lambda: str(value))] if _own(type(value), "__str__") else []


def _own(kind: type, name: str) -> bool:
    """True if a class, not one of the standard library it comes from, defines a method."""
    for base in kind.__mro__:
        if name in vars(base):
            return base.__module__.partition(".")[0] not in sys.stdlib_module_names
    return False


def _items(value: Any) -> list[Any] | None:
    taken = []
    for item in value:
        taken.append(item)
        if len(taken) > MOST_ITEMS:
            return None
    return taken


_LAZY = 0x20 | 0x80 | 0x200
"""Flags of code that makes a generator, a coroutine, or both."""


def _takes(part: object, count: int) -> bool:
    """True if it is a function, and no lazy one, of that many arguments with the object itself."""
    if not isinstance(part, types.FunctionType) or part.__code__.co_flags & _LAZY:
        return False
    return part.__code__.co_argcount == count and not part.__code__.co_kwonlyargcount


def _is_telling(snap: Snapshot) -> bool:
    """True if it is short, exact and true of other runs."""
    match snap:
        case Scalar(str(value)):
            return not _ADDRESS.search(value) and len(value) <= MOST_ITEMS * 5
        case Scalar() | Reference():
            return True
        case Built():
            return all(map(_is_telling, parts(snap)))
        case Series(_, items):
            return len(items) <= MOST_ITEMS and all(map(_is_telling, items))
        case Dictionary(pairs):
            return len(pairs) <= MOST_ITEMS and all(map(_is_telling, parts(snap)))
        case _:
            return False


FEWEST: Final = 2
MOST: Final = 10
"""Things that are taken out; of a single one its questions tell enough."""

_TAKING = re.compile(
    r"(pop|extract|dequeue|poll|remove|delete|take)_?(first|last|min|max|minimum|maximum|front|top|head)?"
    r"|pop_?left|pop_?item",
    re.IGNORECASE,
)
_COUNTS: Final = ("len()", ".size()", ".length()", ".count()")


def emptied(value: Any, home: types.ModuleType, told: Mapping[str, Snapshot]) -> list[tuple[str, Snapshot]]:
    """The things that an object gives out, one after the other.

    Args:
        value: the object; it is empty afterwards, or as good as any that refused.
        home: the target module.
        told: the answers to its questions, by name.

    Returns:
        A pair of a name like ``".pop()*len()"`` and a snapshot of the list, or nothing where it has no number
        of things that goes down by one each time.
    """
    count = next((name for name in _COUNTS if name in told), "")
    told_count = told.get(count)
    number = told_count.value if isinstance(told_count, Scalar) else 0
    name = _taking(type(value))
    if type(number) is not int or not FEWEST <= number <= MOST or not name:
        return []
    if not rules.current.may_ask(value, name):
        return []
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(out), line_limit():
        taken = _taken(getattr(value, name), _counter(value, count), number)
    if taken is None or out.getvalue():
        return []
    snap = Camera(home).take(taken)
    if not isinstance(snap, Series) or not all(map(_is_thing, snap.items)):
        return []
    return [(f".{name}()*{count}", snap)]


def _is_thing(snap: Snapshot) -> bool:
    return isinstance(snap, Scalar) and snap.value is not None


def _taken(take: Callable[[], Any], count: Callable[[], Any], number: int) -> list[Any] | None:
    taken = []
    try:
        for left in reversed(range(number)):
            taken.append(take())
            if count() != left:
                return None
    except BaseException:  # noqa: BLE001 - the target's code: what it does not give out is not known
        return None
    return taken


def _taking(kind: type) -> str:
    """The method that takes out one thing, of several the first that is defined."""
    for base in kind.__mro__:
        for name, part in vars(base).items():
            if _TAKING.fullmatch(name) and isinstance(part, types.FunctionType):
                code = part.__code__
                if code.co_argcount == 1 and not code.co_kwonlyargcount and not code.co_flags & 0x2A0:
                    return name
    return ""


def _counter(value: Any, count: str) -> Callable[[], Any]:
    if count == "len()":
        return lambda: len(value)
    found: Callable[[], Any] = getattr(value, count[1:-2])
    return found
