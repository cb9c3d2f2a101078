"""Frozen classes: instances of dataclasses, attrs and pydantic whose attributes can't be stored."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.classes import bases_of
from tracetwin.analysis.scopes import namespace_of


def is_frozen(cls: type) -> bool:
    """True if a class was declared frozen."""
    for base in bases_of(cls):
        own = namespace_of(base)
        if getattr(own.get("__dataclass_params__"), "frozen", False):
            return True
        if getattr(own.get("__setattr__"), "__name__", "") == "_frozen_setattrs":  # of attrs
            return True
        config = own.get("model_config") or own.get("__pydantic_config__")
        if isinstance(config, Mapping) and config.get("frozen"):
            return True
    return False
