"""Special methods: which of them tests call by their names."""

from __future__ import annotations

from typing import Final

CONSTRUCTORS: Final = ("__init__", "__new__", "__post_init__")

_CALLED_BY_PYTHON: Final = frozenset(
    f"__{name}__" for name in "init_subclass subclasshook prepare set_name del annotate".split()
)
"""What the interpreter calls at moments of its own, about no object that a test has."""

OF_DESCRIPTORS: Final = frozenset(("__get__", "__set__", "__delete__"))
"""What is called through the attribute where a class has one."""


def is_callable_dunder(name: str) -> bool:
    """Return whether a name is a special one that a test may call, Python's own or a protocol's."""
    special = len(name) > 4 and name.startswith("__") and name.endswith("__")
    return special and name not in CONSTRUCTORS and name not in _CALLED_BY_PYTHON
