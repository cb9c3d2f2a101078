"""Answers `isinstance`, `hasattr`, `is` and the like as conditions, where the input decides a value's class.

These functions stand in for `isinstance`, `issubclass`, `hasattr`, `callable`, `type` and the operators that
compare identity only during a run that drew such a value. In any other run, what is called is Python's own.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any, Final

from runtime import class_choices, trace, twin
from runtime.class_choices import IS_CALLABLE, ClassChoices, Question, having, instance_of
from runtime.class_patterns import record_patterns
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
