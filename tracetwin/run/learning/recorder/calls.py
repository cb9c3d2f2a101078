"""Which calls are noted, and how often: those of functions that the targets define."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tracetwin.run.learning.recorder.describe import Describer
    from tracetwin.run.learning.recorder.notes import Notes

MOST_LOOKED_AT: Final = 3000
"""Calls of one function that are looked at; what comes later is like those before."""

EACH: Final = 300
"""Of so many calls each is looked at, later every `SOME`th."""
SOME: Final = 16

MOST_CALLS: Final = 24
"""Distinct calls of one function that are written down."""

MOST_SHAPES: Final = 12
"""Distinct shapes of one parameter."""

MOST_FAILURES: Final = 20

_TARGET, _PROJECT, _GENERATED, _OTHER = 3, 2, 1, 0
_realpath: Final = os.path.realpath
_dumps: Final = json.dumps


class _Function:
    """The calls seen of one function."""

    def __init__(self, code: CodeType, module: str) -> None:
        count = code.co_argcount + code.co_kwonlyargcount
        self.names = code.co_varnames[:count]
        self.positional = code.co_argcount
        rest = iter(code.co_varnames[count:])
        self.more = next(rest) if code.co_flags & 0x04 else ""
        self.keywords = next(rest) if code.co_flags & 0x08 else ""
        self.place = [module, _realpath(code.co_filename), code.co_name, code.co_firstlineno]
        self.looked_at = 0
        self.calls: set[str] = set()
        self.shapes: dict[str, dict[str, int]] = {}
        self.start = sys.maxsize if code.co_flags & 0x2A0 else -1  # a generator is entered more than once

    def passed(self, arguments: Any) -> Iterator[tuple[str, Any]]:
        """The arguments of a constructor in the order of a call, those behind a star without a name."""
        count = self.positional
        yield from ((name, arguments.get(name)) for name in self.names[1:count])
        yield from (("", value) for value in arguments.get(self.more, ()))
        yield from ((name, arguments.get(name)) for name in self.names[count:])
        yield from arguments.get(self.keywords, {}).items()

    @property
    def parameters(self) -> list[str]:
        """All names, those behind stars with them."""
        stars = [f"*{self.more}"] * bool(self.more) + [f"**{self.keywords}"] * bool(self.keywords)
        return [*self.names, *stars]


class CallRecorder:
    """Looks at calls; failures of ours (too deep a recursion, say) end the looking at last, never the test.

    Args:
        settings: ``targets`` (name of a module for each file), ``roots`` (folders of the project).
        notes: where to write.
    """

    def __init__(self, settings: dict[str, Any], describer: Describer, notes: Notes) -> None:
        self._files: dict[str, str] = settings["targets"]
        self._names = set(self._files.values())
        self._roots: tuple[str, ...] = tuple(settings["roots"])
        self._packages = {name.partition(".")[0] for name in self._names}
        self._describer = describer
        self._notes = notes
        self._functions: dict[int, tuple[CodeType, _Function]] = {}
        self._project: dict[str, bool] = {}
        self._modules: dict[str, str] = {}
        self.kinds: dict[str, int] = {}
        self._failures = 0

    def entered(self, code: CodeType, frame: FrameType) -> bool:
        """Look at a call that begins; whether later calls of this function are of interest, too."""
        kind = self.kinds.get(code.co_filename)
        if kind is None:
            kind = self.kinds[code.co_filename] = self._kind(code.co_filename, frame)
        if kind == _OTHER or self._failures >= MOST_FAILURES:
            return False
        try:
            makes = code.co_name == "__init__" and self._note_made(code, frame, kind)
            return (kind == _TARGET and code.co_name[0] != "<" and self._note_call(code, frame)) or makes
        except Exception as error:  # noqa: BLE001 - whatever is wrong with us, the test goes on
            self._failures += 1
            if self._failures == MOST_FAILURES:
                self._notes.add({"trouble": f"{type(error).__name__}: {error}"})
            return True

    def _kind(self, file: str, frame: FrameType) -> int:
        """Return the kind of a file; generated code has none."""
        if file.startswith("<"):
            return _GENERATED
        real = _realpath(file)
        name = str(frame.f_globals.get("__name__", ""))
        module = self._files.get(real) or (name if name in self._names else "")
        if module:
            self._modules[file] = module
            return _TARGET
        return _PROJECT if self._is_of_project(real, name) else _OTHER

    def _is_of_project(self, file: str, module: str) -> bool:
        within = file.startswith(self._roots) and f"{os.sep}site-packages{os.sep}" not in file
        return within or module.partition(".")[0] in self._packages

    # Objects

    def _note_made(self, code: CodeType, frame: FrameType, kind: int) -> bool:
        """Remember how an object is being made; whether such code may make more of interest."""
        if not code.co_argcount:
            return False
        function = self._function(code)
        arguments = frame.f_locals
        made = arguments.get(function.names[0])
        cls = type(made)
        if kind == _GENERATED and not self._is_ours(cls):
            return True  # the same code may serve another class
        maker = _constructor(cls)
        if maker is not None and maker.__code__ is code:
            self._remember(made, maker, function, arguments)
        return True

    def _is_ours(self, cls: type) -> bool:
        module = str(type.__getattribute__(cls, "__module__"))
        if module not in self._project:
            file = getattr(sys.modules.get(module), "__file__", None)
            self._project[module] = isinstance(file, str) and self._is_of_project(_realpath(file), module)
        return self._project[module]

    def _remember(self, made: Any, maker: FunctionType, function: _Function, arguments: Any) -> None:
        """Tell the describer with what arguments an object is made."""
        given: list[tuple[str, Any]] = []
        parts, gap = 0, False
        defaults = _defaults(maker)
        for place, (name, value) in enumerate(function.passed(arguments)):
            recipe = self._describer.describe(value)[1]
            parts += self._describer.parts
            if recipe is None and name in defaults and value is defaults[name]:
                gap = True  # a sentinel, say, that nobody can write down, nor needs to
                continue
            is_positional = place < maker.__code__.co_argcount - 1 or not name
            given.append(("" if is_positional and not gap else name, recipe))
        whole = all(recipe is not None for _, recipe in given)
        args = [recipe for name, recipe in given if not name]
        recipe = ["call", *_name_of(type(made)), args, [[*pair] for pair in given if pair[0]]]
        self._describer.made(made, recipe if whole else None, parts)

    # Calls

    def _function(self, code: CodeType) -> _Function:
        known = self._functions.get(id(code))
        if known is None:
            made = _Function(code, self._modules.get(code.co_filename, ""))
            known = self._functions[id(code)] = (code, made)  # the code lives as long as its number is in use
        return known[1]

    def _note_call(self, code: CodeType, frame: FrameType) -> bool:
        function = self._function(code)
        if function.start >= 0:
            function.start = min(function.start, frame.f_lasti)
            if frame.f_lasti != function.start:
                return True
        function.looked_at += 1
        if function.looked_at > EACH and function.looked_at % SOME:
            return function.looked_at < MOST_LOOKED_AT
        arguments = frame.f_locals
        call = {}
        for parameter in function.parameters:
            name = parameter.lstrip("*")
            if name not in arguments:
                continue
            shape, recipe = self._describer.describe(arguments[name])
            self._note_shape(function, parameter, shape)
            if recipe is not None:
                call[parameter] = recipe
        self._write_call(function, call)
        return function.looked_at < MOST_LOOKED_AT

    def _note_shape(self, function: _Function, parameter: str, shape: Any) -> None:
        """Count a shape; it is written when first seen, and whenever its count has doubled."""
        known = function.shapes.setdefault(parameter, {})
        text = _dumps(shape)
        if text not in known and len(known) >= MOST_SHAPES:
            return
        count = known[text] = known.get(text, 0) + 1
        if count & (count - 1) == 0:
            note = {"at": function.place, "parameter": parameter, "shape": shape, "count": count}
            self._notes.add(note)

    def _write_call(self, function: _Function, call: dict[str, Any]) -> None:
        text = _dumps(call)
        if text not in function.calls and len(function.calls) < MOST_CALLS:
            function.calls.add(text)
            self._notes.add({"at": function.place, "call": call})


def _constructor(cls: type) -> FunctionType | None:
    """The `__init__` that makes instances of a class, without its decorators."""
    for base in type.__dict__["__mro__"].__get__(cls):
        found = type.__dict__["__dict__"].__get__(base).get("__init__")
        if found is not None:
            while type(found) is FunctionType and "__wrapped__" in found.__dict__:
                found = found.__dict__["__wrapped__"]
            return found if type(found) is FunctionType else None
    return None


def _defaults(function: FunctionType) -> dict[str, Any]:
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(values) : code.co_argcount]
    return {**dict(zip(names, values, strict=True)), **(function.__kwdefaults__ or {})}


def _name_of(cls: type) -> list[str]:
    get = type.__getattribute__
    return [str(get(cls, "__module__")), str(get(cls, "__qualname__"))]
