"""Possible writes of the code of some modules: attributes by name, and parts of other modules.

Most of what a program can change it never does. Reading its bytecode once tells which rare kinds of state
(the code of a function, the class of an object, names of library modules) have to be compared after every
run at all. Names that are only made while a program runs are missed, unless it calls `setattr` and the like:
then everything counts as written.
"""

from __future__ import annotations

import gc
import opcode
import sys
import types
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any, Final

from tracetwin.process.walls import sandbox
from tracetwin.support.data import dataclass

_ANY: Final = frozenset(
    "setattr delattr vars __dict__ __setattr__ __delattr__ patch monkeypatch exec".split()
)
"""Code that names one of these may store attributes under any name."""

_GLOBALS: Final = _ANY | {"globals", "eval", "modules"}
"""Code that names one of these may store globals of any module."""


def _number(name: str) -> int:
    """The number of an instruction, -1 where compiled code has none of that name."""
    number = opcode.opmap.get(name, -1)
    return number if number < 256 else -1


_LOADS: Final = {_number("LOAD_GLOBAL"): int(sys.version_info >= (3, 11)), _number("LOAD_NAME"): 0}
_PARTS: Final = {_number("LOAD_ATTR"): int(sys.version_info >= (3, 12)), _number("LOAD_METHOD"): 0}
"""By how many bits the index of a name is shifted: the lowest one tells more of the instruction."""

_LOCALS: Final = (_number("LOAD_FAST"), _number("LOAD_FAST_CHECK"))
_MODULE: Final = "import"
"""The beginning of a path that starts at a module by its name."""

_STORES: Final = (_number("STORE_ATTR"), _number("DELETE_ATTR"))
_HELD: Final = frozenset(bytes([number]) for number in (*_PARTS, *_STORES) if number >= 0)
"""Instructions behind an object of which only an attribute is wanted."""

_OF_GLOBALS: Final = (_number("STORE_GLOBAL"), _number("DELETE_GLOBAL"))
_IMPORT: Final = _number("IMPORT_NAME")


@dataclass
class Writes:
    """Possible writes of code.

    Attributes:
        stored: names of attributes that are stored or deleted.
        places: paths of what has an attribute stored: a global name, then attributes.
        imported: modules that functions import when they run.
        rebinds: whether globals are bound anew.
    """

    stored: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    places: set[tuple[str, ...]] = field(default_factory=set)
    imported: set[str] = field(default_factory=set)
    rebinds: bool = False

    @property
    def anything(self) -> bool:
        """True if attributes are stored whose names the code does not tell."""
        return not self.named.isdisjoint(_ANY)

    @property
    def any_global(self) -> bool:
        """True if globals of whatever module may be stored."""
        return not self.named.isdisjoint(_GLOBALS)

    def stores(self, *names: str) -> bool:
        """True if one of these attributes may be stored."""
        return not self.stored.isdisjoint(names) or (self.anything and not self.texts.isdisjoint(names))

    def add(self, other: Writes) -> None:
        """Take over what other code could write."""
        self.stored |= other.stored
        self.named |= other.named
        self.texts |= other.texts
        self.places |= other.places
        self.imported |= other.imported
        self.rebinds |= other.rebinds


def writes_of(codes: Iterable[types.CodeType]) -> Writes:
    """The possible writes of these functions and those inside of them."""
    found = Writes()
    waiting = list(codes)
    seen: set[int] = set()
    while waiting:
        code = waiting.pop()
        if id(code) in seen:
            continue
        seen.add(id(code))
        found.named.update(code.co_names)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                waiting.append(constant)
            elif isinstance(constant, str):
                found.texts.add(constant)
        _Reader(code, found).read()
    return found


def used_as_values(codes: Iterable[types.CodeType]) -> set[str]:
    """The globals that are not only there to have an attribute read, as in ``setattr(module, name, 1)``."""
    found: set[str] = set()
    waiting = list(codes)
    while waiting:
        code = waiting.pop()
        waiting += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        found |= _Reader(code, Writes()).values()
    return found


def functions_of(modules: Iterable[types.ModuleType]) -> list[types.FunctionType]:
    """Every function that there is of some modules, wherever it is kept."""
    own = {id(vars(module)) for module in modules}
    with sandbox.looking():
        # Not `gc.get_referrers`, which compares all references with each of the modules.
        things = gc.get_objects()
    return [thing for thing in things if type(thing) is types.FunctionType and id(thing.__globals__) in own]


class _Reader:
    """Reads one code object: only the few instructions that matter are looked for."""

    def __init__(self, code: types.CodeType, found: Writes) -> None:
        self._code = code
        self._found = found
        self._names = code.co_names
        self._numbers = code.co_code[::2]
        self._arguments = code.co_code[1::2]

    def read(self) -> None:
        found = self._found
        found.rebinds |= any(number in self._numbers for number in _OF_GLOBALS if number >= 0)
        for place in self._places(_IMPORT):
            found.imported.add(self._name(place, 0))
        for number in _STORES:
            for place in self._places(number):
                found.stored.add(self._name(place, 0))
                path = self._path(place)
                if path:
                    found.places.add(path)

    def values(self) -> set[str]:
        """The globals that are used as they are."""
        found = set()
        for number, shift in _LOADS.items():
            for place in self._places(number):
                following = place + 1
                while following < len(self._numbers) and self._numbers[following] in (0, opcode.EXTENDED_ARG):
                    following += 1
                if self._numbers[following : following + 1] not in _HELD:
                    found.add(self._name(place, shift))
        return found

    def _places(self, number: int) -> Iterator[int]:
        if number < 0:
            return
        place = self._numbers.find(number)
        while place >= 0:
            yield place
            place = self._numbers.find(number, place + 1)

    def _name(self, place: int, shift: int) -> str:
        argument, bits, before = self._arguments[place], 8, place - 1
        while before >= 0 and self._numbers[before] == opcode.EXTENDED_ARG:
            argument |= self._arguments[before] << bits
            bits, before = bits + 8, before - 1
        argument >>= shift
        return self._names[argument] if argument < len(self._names) else ""

    def _path(self, place: int) -> tuple[str, ...]:
        """The names that lead to the object whose attribute is stored, () where it is not reached so."""
        parts: list[str] = []
        while place > 0:
            place -= 1
            number = self._numbers[place]
            if number in (0, opcode.EXTENDED_ARG):  # 0: room for what the interpreter remembers
                continue
            if number in _LOADS:
                return (self._name(place, _LOADS[number]), *reversed(parts))
            if number in _LOCALS:
                return (*self._imported(place), *reversed(parts)) if self._imported(place) else ()
            if number not in _PARTS:
                break
            parts.append(self._name(place, _PARTS[number]))
        return ()

    def _imported(self, place: int) -> tuple[str, ...]:
        """For a local variable that has the name of a module which this code imports: how that is found."""
        argument, names = self._arguments[place], self._code.co_varnames
        name = names[argument] if argument < len(names) else ""
        return (f"{_MODULE} {name}",) if name in self._found.imported else ()


def found_at(names: dict[str, Any], path: tuple[str, ...]) -> list[Any]:
    """The objects along a path that stand in modules and classes, without running code of the target's."""
    found: list[Any] = []
    module, _, name = path[0].partition(" ")
    held: Any = sys.modules.get(name, found) if module == _MODULE else names.get(path[0], found)
    for part in (*path[1:], ""):
        if held is found:
            break
        found.append(held)
        try:
            held = vars(held).get(part, found) if isinstance(held, (type, types.ModuleType)) else found
        except TypeError:
            break
    return found
