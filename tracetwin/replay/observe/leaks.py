"""Changes of a case to the state of its module: globals and class attributes, by rebinding or in place.

The next case starts from a fresh process, but tests of one file share theirs.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable, Iterator
from typing import Any

from tracetwin.model.codec.recipes import key
from tracetwin.model.observation import Leak
from tracetwin.model.snapshot import Snapshot
from tracetwin.replay.observe.snap import Camera, is_a

_PARTS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.ModuleType,
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
    property,
    classmethod,
    staticmethod,
)


class Leaks:
    """Remembers the state of a module.

    Args:
        module: the module, as it was imported.
        changed: whether anything may have changed since then; asked first, as it is cheaper.
    """

    def __init__(self, module: types.ModuleType, changed: Callable[[], bool] = lambda: True) -> None:
        self._module = module
        self._changed = changed
        self._before = {place: (value, self._look(value)) for place, value in _places(module)}

    def found(self) -> tuple[Leak, ...]:
        """The changes up to now."""
        if not self._changed():
            return ()
        now = dict(_places(self._module))
        changed: list[Leak] = []
        for place, (value, snap) in self._before.items():
            if place not in now:
                continue
            if now[place] is not value and key(self._look(now[place])) != key(snap):
                changed.append(Leak(place, is_dict=False, before=snap))
            elif now[place] is value and key(self._look(value)) != key(snap):
                changed.append(Leak(place, is_dict=type(value) is dict, before=snap))
        return tuple(changed)

    def _look(self, value: Any) -> Snapshot:
        return Camera(self._module, properties=False, private=True).take(value)


def _places(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Names and values of globals, and of attributes of the module's own classes."""
    for name, value in list(vars(module).items()):
        if name.startswith("__") or is_a(value, _PARTS):
            continue
        if not is_a(value, type):
            yield name, value
        elif value.__module__ == module.__name__:
            yield from _attributes(name, value)


def _attributes(path: str, owner: type) -> Iterator[tuple[str, Any]]:
    if is_a(owner, enum.EnumMeta):
        return
    for name, value in list(vars(owner).items()):
        hidden = (name.startswith("__") and name.endswith("__")) or name.startswith("_abc_")
        if hidden or is_a(value, _PARTS):
            continue
        if is_a(value, type):
            if value.__qualname__ == f"{owner.__qualname__}.{name}":
                yield from _attributes(f"{path}.{name}", value)
        else:
            yield f"{path}.{name}", value
