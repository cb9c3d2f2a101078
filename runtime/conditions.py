"""Comparisons and conditions of a twin, and both in one.

As for arithmetic, Python dispatches on traced operands by itself but where a float or bool is on the left
of a traced int or bool. A condition notes its site and outcome in the current trace, traced or not.
"""

# mypy: disable-error-code="union-attr"
# An error that was caught here has a traceback, whose first entry is ours.
# ruff: noqa: TRY300 - these run in place of one instruction

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from runtime import models, trace
from runtime.containers import CONTAINERS
from runtime.containers.decisions import KEYS, with_keys_decided
from runtime.names import keep_builtins
from runtime.numbers import compare, invert_truth
from runtime.values import TRACED, SBool, SBytes, SInt, SStr, is_true, plain, wrap

keep_builtins(globals())

__all__ = [
    "eq", "eq_const", "ge", "ge_const", "gt", "gt_const", "if_eq", "if_ge", "if_gt", "if_le", "if_lt",
    "if_ne", "if_not", "is_", "is_const", "is_not", "is_not_const", "le", "le_const", "lt", "lt_const",
    "ne", "ne_const", "not_", "truth",
]  # fmt: skip

_SHADOWED: Final = TRACED | CONTAINERS
_WATCHED: Final = _SHADOWED | {type(NotImplemented)}


def _shadowed(name: str, left: Any, right: Any, native: Callable[[Any, Any], Any]) -> Any:
    """The comparison of two operands that Python might take for plain ones."""
    result = compare(name, left, right)
    return native(left, right) if result is NotImplemented else result


def lt(left: Any, right: Any) -> Any:
    """`left < right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _shadowed("lt", left, right, operator.lt)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.lt, left, right)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return with_keys_decided(operator.lt, left, right)
        return left < right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def le(left: Any, right: Any) -> Any:
    """`left <= right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _shadowed("le", left, right, operator.le)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.le, left, right)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return with_keys_decided(operator.le, left, right)
        return left <= right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def eq(left: Any, right: Any) -> Any:
    """`left == right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _shadowed("eq", left, right, operator.eq)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.eq, left, right)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return with_keys_decided(operator.eq, left, right)
        return left == right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def ne(left: Any, right: Any) -> Any:
    """`left != right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _shadowed("ne", left, right, operator.ne)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.ne, left, right)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return with_keys_decided(operator.ne, left, right)
        return left != right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def gt(left: Any, right: Any) -> Any:
    """`left > right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _shadowed("gt", left, right, operator.gt)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.gt, left, right)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return with_keys_decided(operator.gt, left, right)
        return left > right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def ge(left: Any, right: Any) -> Any:
    """`left >= right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _shadowed("ge", left, right, operator.ge)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.ge, left, right)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return with_keys_decided(operator.ge, left, right)
        return left >= right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def if_lt(left: Any, right: Any, site: int) -> bool:
    """`left < right` as a condition."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _decided(_shadowed("lt", left, right, operator.lt), site)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return _decided(with_keys_decided(operator.lt, left, right), site)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return _decided(with_keys_decided(operator.lt, left, right), site)
        outcome = left < right
        if outcome is True:
            trace.note_true(site)
            return True
        if outcome is False:
            trace.note_false(site)
            return False
        return _decided(outcome, site)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def if_le(left: Any, right: Any, site: int) -> bool:
    """`left <= right` as a condition."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _decided(_shadowed("le", left, right, operator.le), site)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return _decided(with_keys_decided(operator.le, left, right), site)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return _decided(with_keys_decided(operator.le, left, right), site)
        outcome = left <= right
        if outcome is True:
            trace.note_true(site)
            return True
        if outcome is False:
            trace.note_false(site)
            return False
        return _decided(outcome, site)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def if_eq(left: Any, right: Any, site: int) -> bool:
    """`left == right` as a condition."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _decided(_shadowed("eq", left, right, operator.eq), site)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return _decided(with_keys_decided(operator.eq, left, right), site)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return _decided(with_keys_decided(operator.eq, left, right), site)
        outcome = left == right
        if outcome is True:
            trace.note_true(site)
            return True
        if outcome is False:
            trace.note_false(site)
            return False
        return _decided(outcome, site)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def if_ne(left: Any, right: Any, site: int) -> bool:
    """`left != right` as a condition."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _decided(_shadowed("ne", left, right, operator.ne), site)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return _decided(with_keys_decided(operator.ne, left, right), site)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return _decided(with_keys_decided(operator.ne, left, right), site)
        outcome = left != right
        if outcome is True:
            trace.note_true(site)
            return True
        if outcome is False:
            trace.note_false(site)
            return False
        return _decided(outcome, site)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def if_gt(left: Any, right: Any, site: int) -> bool:
    """`left > right` as a condition."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _decided(_shadowed("gt", left, right, operator.gt), site)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return _decided(with_keys_decided(operator.gt, left, right), site)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return _decided(with_keys_decided(operator.gt, left, right), site)
        outcome = left > right
        if outcome is True:
            trace.note_true(site)
            return True
        if outcome is False:
            trace.note_false(site)
            return False
        return _decided(outcome, site)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def if_ge(left: Any, right: Any, site: int) -> bool:
    """`left >= right` as a condition."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _decided(_shadowed("ge", left, right, operator.ge), site)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return _decided(with_keys_decided(operator.ge, left, right), site)
        elif (
            kind is not int
            and kind is not str
            and kind is not float
            and trace.traced_keys
            and id(kind) in KEYS
        ):
            return _decided(with_keys_decided(operator.ge, left, right), site)
        outcome = left >= right
        if outcome is True:
            trace.note_true(site)
            return True
        if outcome is False:
            trace.note_false(site)
            return False
        return _decided(outcome, site)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def is_(left: Any, right: Any) -> Any:
    """`left is right`; a traced bool is identical to the bool it equals."""
    if type(left) is SBool or type(right) is SBool:
        if type(plain(left)) is bool and type(plain(right)) is bool:
            return compare("eq", left, right)
        return False
    return left is right


def is_not(left: Any, right: Any) -> Any:
    """`left is not right`."""
    if type(left) is SBool or type(right) is SBool:
        same = is_(left, right)
        return invert_truth(same) if type(same) is SBool else not same
    return left is not right


def not_(value: Any) -> Any:
    """`not value`, undecided while the value is a traced scalar."""
    try:
        kind = type(value)
        if type(kind) is type and kind in TRACED:
            node = is_true(value)
            if node is not None:
                return invert_truth(wrap(bool(value.v), node)) if node.op != "const" else not value.v
        return not value
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del value
        raise


def truth(value: Any, site: int) -> Any:
    """The outcome of a condition of the program: where branches are recorded and sites counted."""
    try:
        if value is True:
            trace.note_true(site)
            return True
        if value is False or value is None:
            trace.note_false(site)
            return False
        kind = type(value)
        if type(kind) is type and kind in _WATCHED:
            return _watched_truth(value, site)
        if value:
            trace.note_true(site)
            return True
        trace.note_false(site)
        return False
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del value
        raise


def if_not(value: Any, operand: int, site: int) -> bool:
    """`not value` as a condition, whose operand has a site of its own."""
    try:
        if _decided(value, operand):
            trace.note_false(site)
            return False
        trace.note_true(site)
        return True
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del value
        raise


def _decided(value: Any, site: int) -> bool:
    """The truth of a value, noted in the trace."""
    try:
        kind = type(value)
        if type(kind) is type and kind in _SHADOWED:
            outcome = _shadowed_truth(value, site)
        else:
            outcome = True if value else False  # noqa: SIM210 - the truth test of the program, once
        if outcome:
            trace.note_true(site)
        else:
            trace.note_false(site)
        return outcome
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del value
        raise


def _watched_truth(value: Any, site: int) -> Any:
    if value is not NotImplemented:
        return _decided(value, site)
    trace.note_true(site)
    return value  # Python warns of its truth: at the line that goes on to test it


def _shadowed_truth(value: Any, site: int) -> bool:
    if type(value) in CONTAINERS:
        return models.container_truth(value, site)
    outcome = bool(value.v)
    node = is_true(value)
    if node is not None:
        trace.current.record(node, outcome, site)
    return outcome


lt_const = operator.lt
le_const = operator.le
eq_const = operator.eq
ne_const = operator.ne
gt_const = operator.gt
ge_const = operator.ge
is_const = operator.is_
is_not_const = operator.is_not
