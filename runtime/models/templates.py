"""`str.format` with traced arguments, field by field."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any, Final

from runtime.names import keep_builtins
from runtime.text import as_text, formatted
from runtime.values import TRACED, kind_of

keep_builtins(globals())

_CONVERSIONS: Final[dict[str, Callable[[Any], str]]] = {"r": repr, "s": str, "a": ascii}


def format_fields(template: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`template.format(*args, **kwargs)`, traced where a field is.

    Raises:
        What `str.format` raises for the same call.
    """
    native = template.format(*args, **kwargs)
    formatter = string.Formatter()
    result: Any = ""
    automatic = 0
    for literal, name, spec, conversion in formatter.parse(template):
        result = result + literal
        if name is None:
            continue
        if "{" in (spec or ""):
            return native
        field = name
        if name == "" or name[0] in ".[":
            field, automatic = f"{automatic}{name}", automatic + 1
        value, _ = formatter.get_field(field, args, kwargs)
        result = result + _field(value, conversion, spec or "")
    return result


def _field(value: Any, conversion: str | None, spec: str) -> Any:
    if kind_of(value) not in TRACED:
        convert = _CONVERSIONS.get(conversion or "")
        return format(value if convert is None else convert(value), spec)
    if conversion:
        value = as_text({"r": "repr", "s": "str", "a": "ascii"}[conversion], value)
    return formatted(value, spec)
