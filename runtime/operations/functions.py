"""Models of the functions of `operator`, which are these operations."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from runtime.models.calls.callee import enter
from runtime.models.registry import SHALLOW, models
from runtime.operations import conditions, membership, operators, subscripts
from runtime.private_builtins import keep_builtins
from runtime.values import settle

keep_builtins(globals())

_OPERATIONS: Final = vars(operators) | vars(conditions) | vars(subscripts)
_TWO: Final = (
    "add", "and_", "eq", "floordiv", "ge", "getitem", "gt", "iadd", "iand", "ifloordiv", "ilshift", "imatmul",
    "imod", "imul", "ior", "ipow", "irshift", "is_", "is_not", "isub", "itruediv", "ixor", "le", "lshift",
    "lt", "matmul", "mod", "mul", "ne", "or_", "pow", "rshift", "sub", "truediv", "xor", "delitem",
)  # fmt: skip
_ONE: Final = ("invert", "neg", "not_", "pos")


def _model_of(operation: Callable[..., Any]) -> Callable[..., Any]:
    def model(*args: Any) -> Any:  # its entry in a traceback tells a failure from a wrong number of arguments
        return operation(*args)

    return model


for _name in (*_TWO, *_ONE):
    models(getattr(operator, _name))(_model_of(_OPERATIONS[_name]))


@models(operator.contains)
def contains(container: Any, item: Any, /) -> Any:
    """`operator.contains(a, b)`."""
    return bool(membership.in_(item, container))


@models(operator.setitem)
def set_item(container: Any, key: Any, value: Any, /) -> None:
    """`operator.setitem(a, b, c)`."""
    subscripts.setitem(value, container, key)


@models(operator.itemgetter)
def item_getter(*keys: Any) -> Any:
    """`operator.itemgetter(...)`: C code gets the items."""
    return operator.itemgetter(*map(settle, keys))


SHALLOW.add(operator.itemgetter)
enter((*(getattr(operator, name) for name in (*_TWO, *_ONE)), operator.contains, operator.setitem))
