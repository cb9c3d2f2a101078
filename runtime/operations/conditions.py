"""Conditions of a twin: truth, negation and identity.

A condition notes its site and outcome in the current trace, traced or not.
"""

# mypy: disable-error-code="union-attr"
# An error that was caught here has a traceback, whose first entry is ours.
# ruff: noqa: TRY300 - these run in place of one instruction

from __future__ import annotations

import operator
from typing import Any, Final

from runtime import models, trace
from runtime.containers import CONTAINERS
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import compare, invert_truth
from runtime.values import TRACED, SBool, SInt, is_true, plain, wrap

keep_builtins(globals())

__all__ = ["if_not", "is_", "is_const", "is_not", "is_not_const", "not_", "truth"]

_SHADOWED: Final = TRACED | CONTAINERS
_WATCHED: Final = _SHADOWED | {type(NotImplemented)}

_SMALL: Final = range(-5, 257)
"""The ints that exist once in every supported CPython."""


def is_(left: Any, right: Any) -> Any:
    """`left is right`; a traced bool or small int is identical to the one it equals."""
    if _may_be_one(type(left)) or _may_be_one(type(right)):
        return _is_traced(left, right)
    return left is right


def _may_be_one(kind: type) -> bool:
    """Return whether equal values of a traced class may be one object where nothing is traced."""
    return kind is SInt or kind is SBool


def _is_traced(left: Any, right: Any) -> Any:
    """Return whether two operands, one of them traced, would be one object if nothing was traced."""
    one, other = plain(left), plain(right)
    if type(one) is not type(other):
        return False
    if type(one) is bool or (type(one) is int and (one in _SMALL or other in _SMALL)):
        return compare("eq", left, right)
    return left is right


def is_not(left: Any, right: Any) -> Any:
    """`left is not right`."""
    if _may_be_one(type(left)) or _may_be_one(type(right)):
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
    """Return the outcome of a condition of the program: branches are recorded here, and sites counted."""
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
        if decided(value, operand):
            trace.note_false(site)
            return False
        trace.note_true(site)
        return True
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del value
        raise


def decided(value: Any, site: int) -> bool:
    """Return the truth of a value, noted in the trace."""
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
        return decided(value, site)
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


is_const, is_not_const = operator.is_, operator.is_not
