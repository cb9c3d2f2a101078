"""Finds code that may do something else each time: it looks at hashes, the clock or chance.

Everything that is neither of the standard library nor of the installation is looked at. It costs little, and
tells whether a file is worth more runs than others.
"""

from __future__ import annotations

import dis
import functools
import sys
import sysconfig
import types
from collections.abc import Iterator
from typing import Any, Final

_OPERATIONS: Final = frozenset({"BUILD_SET", "SET_ADD", "SET_UPDATE"})
_CODES: Final = frozenset(dis.opmap[name] for name in _OPERATIONS if name in dis.opmap)
_NAMES: Final = frozenset(
    {"set", "frozenset", "hash", "id", "keys", "intersection", "union", "difference", "symmetric_difference"}
    | {"time", "now", "today", "utcnow", "localtime", "gmtime", "monotonic", "perf_counter", "strftime"}
    | {"random", "choice", "choices", "randint", "randrange", "shuffle", "sample", "uniform", "getrandbits"}
    | {"urandom", "uuid1", "uuid4", "secrets", "gauss", "getpid", "threading", "Thread", "ThreadPoolExecutor"}
)


def is_shaky(test: types.ModuleType) -> bool:
    """Return whether a module, or what it has imported, has such code."""
    return any(_has_it(code) for module in (test, *_others()) for code in _codes(module))


def _others() -> Iterator[types.ModuleType]:
    places = tuple(map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")))
    for module in list(sys.modules.values()):
        if type(module) is types.ModuleType:
            file = vars(module).get("__file__")
            if type(file) is str and not file.startswith(places):
                yield module


def _codes(module: types.ModuleType) -> Iterator[types.CodeType]:
    """The code of all functions and methods, and those inside of them."""
    name = vars(module).get("__name__")
    waiting: list[Any] = list(vars(module).values())
    seen: set[int] = set()
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        kind = type(thing)
        if kind is types.CodeType:
            yield thing
            waiting.extend(thing.co_consts)
        elif kind is types.FunctionType:
            waiting.append(thing.__code__)
            waiting.append(getattr(thing, "__wrapped__", None))
        elif kind in (staticmethod, classmethod):
            waiting.append(thing.__func__)
        elif kind is property:
            waiting.extend((thing.fget, thing.fset, thing.fdel))
        elif kind is functools.cached_property:
            waiting.append(thing.func)
        elif issubclass(kind, type) and type.__getattribute__(thing, "__module__") == name:
            waiting.extend(type.__getattribute__(thing, "__dict__").values())


def _has_it(code: types.CodeType) -> bool:
    if not _NAMES.isdisjoint(code.co_names):
        return True
    return any(operation in _CODES for operation in code.co_code[::2])
