"""Answers `isinstance`, `hasattr`, `is` and the like as conditions, where the input decides a value's class.

These functions stand in for `isinstance`, `issubclass`, `hasattr`, `callable`, `type` and the operators that
compare identity only during a run that drew such a value. In any other run, what is called is Python's own.

Class patterns of a `match` whose subject is of a class that the input decides.

Patterns are left to Python, which tells nobody what it compared. So where such a subject may come in, the
patterns are read in the source, and what each class test will find is recorded before Python does it.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import operator
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

from runtime import class_choices, trace, twin
from runtime.class_choices import IS_CALLABLE, IS_NONE, ClassChoices, Question, having, instance_of
from runtime.classes import classes_in
from runtime.frames import hide_module_frames, trim_traceback
from runtime.models.calls.callee import stand_in
from runtime.models.objects.builtins import traced_type
from runtime.operations import conditions
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import invert_truth
from runtime.twin import subject
from runtime.values import SBool

keep_builtins(globals())

_is_armed = False


def begin(drawn: class_choices.Drawn) -> ClassChoices:
    """Begin a new input, of which no value is known yet."""
    _disarm()
    return class_choices.begin(drawn, _arm)


def _answered(value: Any, question: Callable[[], Question | None], outcome: bool) -> Any:
    found = class_choices.current.of(value)
    if found is None:
        return outcome
    asked = question()
    return outcome if asked is None else class_choices.current.answer(found, asked, outcome)


def _instance_question(what: Any) -> Question | None:
    classes = classes_in(what)
    return None if classes is None else instance_of(classes)


def asked_isinstance(value: Any, what: Any, /) -> Any:
    """`isinstance(value, what)`."""
    try:
        outcome = isinstance(value, what)
        found = class_choices.current.of(value)
        question = None if found is None else _instance_question(what)
        if found is None or question is None:
            return outcome
        return class_choices.current.answer(found, question, outcome)
    except BaseException as error:
        trim_traceback(error)
        del value, what
        raise


def asked_issubclass(cls: Any, what: Any, /) -> Any:
    """`issubclass(cls, what)`, where the class was asked of a value by `type`."""
    try:
        return class_choices.current.subclass(cls, lambda: _instance_question(what), issubclass(cls, what))
    except BaseException as error:
        trim_traceback(error)
        del cls, what
        raise


def asked_hasattr(value: Any, name: Any, /) -> Any:
    """`hasattr(value, name)`."""
    try:
        outcome = hasattr(value, name)
        return _answered(value, lambda: having(name) if type(name) is str else None, outcome)
    except BaseException as error:
        trim_traceback(error)
        del value, name
        raise


def asked_callable(value: Any, /) -> Any:
    """`callable(value)`."""
    return _answered(value, lambda: IS_CALLABLE, callable(value))


def asked_type(*args: Any, **kwargs: Any) -> Any:
    """`type(value)`; what is asked of the class is asked of the value. Other arguments make a new class."""
    try:
        cls = traced_type(*args, **kwargs)
    except BaseException as error:
        trim_traceback(error)
        del args, kwargs
        raise
    found = class_choices.current.of(args[0]) if len(args) == 1 else None
    if found is not None:
        class_choices.current.note_class(cls, found)
    return cls


def _identical(left: Any, right: Any, native: Callable[[Any, Any], Any]) -> Any:
    """Return `left is right`, as a condition where it asks for None or for the class of a value."""
    if right is None or left is None:
        if left is right:
            class_choices.current.note_none()
            return True
        return class_choices.current.is_none(left if right is None else right)
    if issubclass(type(left), type) and issubclass(type(right), type):
        return class_choices.current.same_class(native, left, right)
    return native(left, right)


def asked_is(left: Any, right: Any) -> Any:
    """`left is right`."""
    return _identical(left, right, conditions.is_)


def asked_is_not(left: Any, right: Any) -> Any:
    """`left is not right`."""
    same = _identical(left, right, conditions.is_)
    return invert_truth(same) if type(same) is SBool else not same


def asked_is_const(left: Any, right: Any) -> Any:
    """`left is right` with a literal."""
    return _identical(left, right, operator.is_)


def asked_is_not_const(left: Any, right: Any) -> Any:
    """`left is not right` with a literal."""
    same = _identical(left, right, operator.is_)
    return invert_truth(same) if type(same) is SBool else not same


def asked_subject(value: Any) -> Any:
    """Return the subject of a `match`, whose patterns may ask for its class or for that of a part of it."""
    try:
        frame = trace.target_frame()
        if frame is not None:
            record_patterns(value, frame)
        return subject(value)
    except BaseException as error:
        trim_traceback(error)
        del value
        raise


_CALLED: Final[dict[Any, Callable[..., Any]]] = {
    isinstance: asked_isinstance,
    issubclass: asked_issubclass,
    hasattr: asked_hasattr,
    callable: asked_callable,
    type: asked_type,
    operator.is_: asked_is,
    operator.is_not: asked_is_not,
}
_OPERATORS: Final[dict[str, Callable[..., Any]]] = {
    "is_": asked_is,
    "is_not": asked_is_not,
    "is_const": asked_is_const,
    "is_not_const": asked_is_not_const,
    "subject": asked_subject,
}
_INTERFACE: Final = vars(twin)
_PLAIN: Final = {name: _INTERFACE[name] for name in _OPERATORS}
"""The operators of the interface that these replace."""


def _arm() -> None:
    """Have twins call these from now on."""
    global _is_armed  # noqa: PLW0603 - as above
    _is_armed = True
    _INTERFACE.update(_OPERATORS)
    stand_in(_CALLED)


def _disarm() -> None:
    global _is_armed  # noqa: PLW0603 - as above
    if _is_armed:
        _is_armed = False
        _INTERFACE.update(_PLAIN)
        stand_in({})


hide_module_frames(sys.modules[__name__])


keep_builtins(globals())

_MISSING: Final = object()
_statements: dict[str, dict[int, ast.Match]] = {}


def record_patterns(subject: Any, frame: FrameType) -> None:
    """Record which class patterns the subject of the `match` that a frame is at will pass.

    Raises:
        Whatever the metaclass of a pattern's class raises.
    """
    statement = _statements_of(frame.f_code.co_filename).get(frame.f_lineno)
    for case in () if statement is None else statement.cases:
        if _Matching(frame).passes(subject, case.pattern) and case.guard is None:
            return


def _statements_of(file: str) -> dict[int, ast.Match]:
    """Return the `match` statements of a source file by line."""
    found = _statements.get(file)
    if found is None:
        try:
            tree = ast.parse("".join(linecache.getlines(file)))
        except (SyntaxError, ValueError):
            tree = ast.Module([], [])
        matches = (node for node in ast.walk(tree) if isinstance(node, ast.Match))
        found = _statements[file] = {node.lineno: node for node in matches}
    return found


@dataclass(frozen=True)
class _Matching:
    """Evaluates patterns: True, False, or None where only Python knows."""

    frame: FrameType

    def passes(self, value: Any, pattern: ast.pattern) -> bool | None:
        match pattern:
            case ast.MatchAs(pattern=None):
                return True
            case ast.MatchAs(pattern=inner) if inner is not None:
                return self.passes(value, inner)
            case ast.MatchOr(patterns=patterns):
                return self._one_of(value, patterns)
            case ast.MatchSingleton(value=None):
                return self._ask(value, IS_NONE, value is None, pattern)
            case ast.MatchClass():
                return self._class(value, pattern)
            case ast.MatchSequence(patterns=patterns):
                return self._sequence(value, patterns)
            case _:
                return None

    def _one_of(self, value: Any, patterns: list[ast.pattern]) -> bool | None:
        answers = []
        for pattern in patterns:
            answers.append(self.passes(value, pattern))
            if answers[-1]:
                return True
        return None if None in answers else False

    def _sequence(self, value: Any, patterns: list[ast.pattern]) -> bool | None:
        if type(value) not in (tuple, list) or any(isinstance(part, ast.MatchStar) for part in patterns):
            return None
        return len(value) == len(patterns) and self._all(zip(value, patterns, strict=True))

    def _class(self, value: Any, pattern: ast.MatchClass) -> bool | None:
        what = self._object(pattern.cls)
        classes = classes_in(what) if isinstance(what, type) else None
        if classes is None:
            return None
        if not self._ask(value, instance_of(classes), isinstance(value, classes), pattern):
            return False
        return self._all(_parts(value, what, pattern))

    def _all(self, parts: Iterator[tuple[Any, ast.pattern]]) -> bool | None:
        """Return whether all parts pass, as Python looks at them one by one."""
        result: bool | None = True
        for value, pattern in parts:
            answer = None if value is _MISSING else self.passes(value, pattern)
            if answer is False:
                return False
            result = result and answer
        return result

    def _ask(self, value: Any, question: Question, outcome: bool, pattern: ast.pattern) -> bool:
        found = class_choices.current.of(value)
        if found is not None:
            answer = class_choices.current.answer(found, question, outcome)
            if type(answer) is SBool:
                trace.current.record(answer.e, outcome, self._site(pattern))
        return outcome

    def _site(self, pattern: ast.pattern) -> int:
        module = str(self.frame.f_globals.get("__name__", ""))
        site = -1 - zlib.crc32(f"{module}:{pattern.lineno}:{pattern.col_offset}:pattern".encode())
        trace.current.places[site] = (module, pattern.lineno)
        return site

    def _object(self, expression: ast.expr) -> Any:
        """Return the object that a dotted name in a pattern means there."""
        if isinstance(expression, ast.Attribute):
            return getattr(self._object(expression.value), expression.attr, None)
        name = expression.id if isinstance(expression, ast.Name) else ""
        frame, code = self.frame, self.frame.f_code
        if name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
            return frame.f_locals.get(name)
        return frame.f_globals.get(name, getattr(builtins, name, None))


def _parts(value: Any, cls: type, pattern: ast.MatchClass) -> Iterator[tuple[Any, ast.pattern]]:
    """Return the attributes that a class pattern goes on to look at, without running code of the program."""
    if pattern.patterns and cls in _SELF:
        yield value, pattern.patterns[0]
        return
    names = getattr(cls, "__match_args__", ())
    names = names[: len(pattern.patterns)] if type(names) is tuple else ()
    held = getattr(value, "__dict__", {})
    inner = (*pattern.patterns, *pattern.kwd_patterns)
    for name, part in zip((*names, *pattern.kwd_attrs), inner, strict=False):
        yield held.get(name, _MISSING), part


_SELF: Final = frozenset((bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple))
"""Classes whose one positional pattern is for the value itself."""
