"""`str.format` with traced arguments, field by field."""

from __future__ import annotations

import string
from typing import Any

from runtime.text import as_text, formatted
from runtime.values import TRACED


def format_fields(template: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`template.format(*args, **kwargs)`, traced where a field is.

    Raises:
        What `str.format` raises for the same call.
    """
    if not any(type(v) in TRACED for v in (*args, *kwargs.values())):
        return template.format(*args, **kwargs)
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
        if name == "" or name[0] in ".[":
            name, automatic = f"{automatic}{name}", automatic + 1
        value, _ = formatter.get_field(name, args, kwargs)
        result = result + _field(value, conversion, spec or "")
    return result


def _field(value: Any, conversion: str | None, spec: str) -> Any:
    if type(value) not in TRACED:
        converted = {"r": repr, "s": str, "a": ascii}.get(conversion or "", lambda v: v)(value)
        return format(converted, spec)
    if conversion:
        value = as_text({"r": "repr", "s": "str", "a": "ascii"}[conversion], value)
    return formatted(value, spec)
