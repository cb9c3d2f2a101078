"""Methods of `dict` on instances of the program's subclasses: keys are decided, and values stay traced."""

from __future__ import annotations

import collections
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from runtime import trace
from runtime.containers import SDict, SList
from runtime.containers.decisions import decide_merged, decide_place, raw_keys
from runtime.containers.dicts import pairs_of
from runtime.frames import trim_traceback
from runtime.lookup import is_traced_key
from runtime.private_builtins import keep_builtins
from runtime.values import without_pinning

keep_builtins(globals())

_KEYED: Final = frozenset(
    "get pop setdefault move_to_end __getitem__ __setitem__ __delitem__ __contains__".split()
)
_FILLING: Final = frozenset(("__init__", "update"))
NAMES: Final = _KEYED | _FILLING
"""Methods of `dict` and of what the library derives from it that compare keys and store or find values."""

_LISTED: Final = frozenset((SDict, SList, dict, list, tuple, collections.OrderedDict))
"""Types that can be gone through twice, and run no code of the program meanwhile."""


def heir_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call such a method, bound to an instance of a subclass."""
    try:
        call = _called_with_key if function.__name__ in _KEYED else _filled
        return call(function, function.__self__, args, kwargs)
    except BaseException as error:
        trim_traceback(error)
        del function, args, kwargs
        raise


def _called_with_key(
    function: Callable[..., Any], receiver: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    if not args or not (is_traced_key(args[0]) or trace.traced_keys):
        return function(*args, **kwargs)
    keys = raw_keys(receiver)
    if is_traced_key(args[0]) or any(map(is_traced_key, keys)):
        decide_place(keys, args[0])
    return without_pinning(partial(function, *args, **kwargs))


def _filled(
    function: Callable[..., Any], receiver: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Fill an instance from a mapping, or from pairs of which each key is decided after those before it."""
    plain = len(args) != 1 or type(args[0]) not in _LISTED or isinstance(receiver, collections.defaultdict)
    if plain:
        return function(*args, **kwargs)
    pairs = list(pairs_of(args, kwargs))
    keys = [key for key, _ in pairs]
    if trace.traced_keys or any(map(is_traced_key, keys)):
        decide_merged(raw_keys(receiver), keys)
    return without_pinning(function, pairs)
