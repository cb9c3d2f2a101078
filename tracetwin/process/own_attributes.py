"""The attributes that an object keeps itself, read past what its class may have put before them."""

from __future__ import annotations

from typing import Any, Final

try:
    import ctypes

    _dictionary: Any = ctypes.pythonapi.PyObject_GenericGetDict
    _dictionary.restype, _dictionary.argtypes = ctypes.py_object, (ctypes.py_object, ctypes.c_void_p)
except (ImportError, AttributeError):
    _dictionary = None

_read: Final = object.__getattribute__


def own_attributes(thing: object) -> dict[Any, Any] | None:
    """Return the dictionary of an object's attributes, None where it has none or its class hides it.

    A class that a decorator made once more of a copy of its names, to give it a metaclass, say, holds the
    descriptor of the first one, which refuses: then the interpreter is asked.
    """
    try:
        found = _read(thing, "__dict__")
    except AttributeError:
        return None
    except TypeError:
        found = _asked(thing)
    except BaseException:  # noqa: BLE001 - a class may define even that
        return None
    return found if type(found) is dict else None


def _asked(thing: object) -> object:
    if _dictionary is None:
        return None
    try:
        return _dictionary(thing, None)
    except BaseException:  # noqa: BLE001 - it has none, and its class says so in its own way
        return None
