"""`template % values` with traced values in it, field by field.

Each field becomes the plainest expression that says the same: ``"%s" % n`` is ``str(n)``, ``"%05d" % n``
is ``format(n, "05d")``. What is not that plain is the operator ``percent`` of the one field.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final, NamedTuple

from runtime.containers.texts import as_str, shown
from runtime.expr import Sort, apply, const, sort_of
from runtime.ops import MEANINGS
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import binary, compare
from runtime.scalars.text import as_text, call, formatted, give, length, sliced
from runtime.values import (
    SCALARS,
    TRACED,
    SBytes,
    SFloat,
    SStr,
    check,
    kind_of,
    lose_all,
    node_of,
    number_node,
    plain,
    wrap,
)

keep_builtins(globals())

_FIELD: Final = re.compile(
    r"%(?:(?P<key>\([^()]*\))?(?P<flags>[#0\- +]*)(?P<width>\d*)(?P<precision>\.\d*)?[hlL]?"
    r"(?P<code>[a-zA-Z])|%)",
    re.DOTALL,
)
_INTEGER: Final = frozenset("diu")
_BASES: Final = frozenset("xXo")
_REALS: Final = frozenset("eEfFgG")
_TEXTS: Final[dict[str, Any]] = {"s": as_str, "r": shown, "a": partial(shown, op="ascii")}
_OPERATIONS: Final = {"s": "str", "r": "repr", "a": "ascii"}


class _Field(NamedTuple):
    key: str | None
    flags: str
    width: str
    precision: str
    code: str

    @property
    def spec(self) -> str:
        """Return the field as a template for one value."""
        return f"%{self.flags}{self.width}{self.precision}{self.code}"


def percent(template: Any, values: Any) -> Any:
    """Return `template % values` where something in it is traced.

    Raises:
        What Python raises for the same operation.
    """
    if kind_of(template) in (str, bytes):
        octets = type(template) is bytes
        parsed = _parsed(template.decode("latin-1") if octets else template)
        given = None if parsed is None else _given(parsed, values)
        if parsed is not None and given is not None:
            return _by_fields(parsed, given, octets)
    return _whole(template, values)


def _parsed(template: str) -> list[str | _Field] | None:
    """Return literal pieces and fields; None for what only Python itself may take apart."""
    parts: list[str | _Field] = []
    at = 0
    for found in _FIELD.finditer(template):
        literal = template[at : found.start()]
        if "%" in literal:
            return None
        parts.append(literal)
        if found["code"] is None:
            parts.append("%")
        else:
            key = found["key"]
            precision = found["precision"] or ""
            name = None if key is None else key[1:-1]
            parts.append(_Field(name, found["flags"], found["width"], precision, found["code"]))
        at = found.end()
    if "%" in template[at:]:
        return None
    return [*parts, template[at:]]


def _given(parts: list[str | _Field], values: Any) -> list[Any] | None:
    """Return one value for each field, or None where they don't fit one to one."""
    fields = [part for part in parts if type(part) is _Field]
    if any(field.key is not None for field in fields):
        if not all(field.key is not None and kind_of(values) is dict for field in fields):
            return None
        if not all(field.key in values for field in fields):
            return None
        return [values[field.key] for field in fields]
    given = list(values) if type(values) is tuple else [values]
    if type(values) is dict or len(given) != len(fields):
        return None
    return given


def _by_fields(parts: list[str | _Field], given: list[Any], octets: bool) -> Any:
    result: Any = b"" if octets else ""
    values = iter(given)
    for part in parts:
        if type(part) is _Field:
            piece = _octet_field(part, next(values)) if octets else _field(part, next(values))
        else:
            piece = part.encode("latin-1") if octets else part  # type: ignore[union-attr]
        added = binary("add", result, piece)
        result = result + piece if added is NotImplemented else added
    return result


def _octet_field(field: _Field, value: Any) -> Any:
    if kind_of(value) in TRACED:
        return _operation(field.spec.encode("latin-1"), value)
    return field.spec.encode("latin-1") % (value,)


def _field(field: _Field, value: Any) -> Any:
    """Return the text of one field."""
    if field.code in _TEXTS:
        return _text(field, value)
    if kind_of(value) not in TRACED:
        return field.spec % (value,)
    exact = plain(value)
    spec = _spec(field)
    if isinstance(exact, int) and field.code in _INTEGER | _BASES and spec is not None:
        number = wrap(int(exact), number_node(value))
        return as_text("str", number) if not spec else formatted(number, spec)
    if type(exact) is float and field.code in _INTEGER and spec is not None and exact - exact == 0:
        check(wrap(True, apply("math.isfinite", Sort.BOOL, value.e)))
        whole = wrap(int(exact), apply("to_int", Sort.INT, value.e))
        return as_text("str", whole) if not spec else formatted(whole, spec)
    if type(value) is SFloat and field.code in _REALS and spec is not None:
        return formatted(value, spec)
    return _operation(field.spec, value)


def _spec(field: _Field) -> str | None:
    """Return a field's format spec: "" for plain digits, None where none means the same."""
    if set(field.flags) - {"0", "+"} or (field.code not in _REALS and field.precision):
        return None
    if field.precision == ".":
        return None
    sign = "+" if "+" in field.flags else ""
    zero = "0" if "0" in field.flags and field.width else ""
    code = "d" if field.code in _INTEGER else field.code
    spec = f"{sign}{zero}{field.width}{field.precision}{code}"
    return "" if spec == "d" else spec


def _text(field: _Field, value: Any) -> Any:
    """Return the text of ``%s``, ``%r`` or ``%a``, cut and padded."""
    text = _TEXTS[field.code](value)
    if kind_of(text) not in TRACED:
        return ("%" + field.flags + field.width + field.precision + "s") % (text,)
    if field.precision:
        text = sliced(text, slice(None, int(field.precision[1:] or "0"), None))
    if not field.width or kind_of(text) not in TRACED:
        return ("%" + field.flags + field.width + "s") % (text,) if kind_of(text) is str else text
    return call("ljust" if "-" in field.flags else "rjust", text, (int(field.width),), {})


def _operation(spec: Any, value: Any) -> Any:
    """Return ``percent`` of one value; that it doesn't fail is a check."""
    exact = plain(value)
    nodes = (const(spec), apply("tuple", Sort.OBJ, node_of(value)))
    if spec[-1:] in ("c", b"c") and isinstance(exact, (str, bytes)):
        check(compare("eq", length(value), 1))
    elif isinstance(exact, (int, float)) and spec[-1:] not in ("s", b"s", "r", b"r", "a", b"a"):
        check(wrap(MEANINGS["percent_ok"](spec, (exact,)), apply("percent_ok", Sort.BOOL, *nodes)))
    native = spec % (exact,)
    return wrap(native, apply("percent", sort_of(native), *nodes))


def _whole(template: Any, values: Any) -> Any:
    """Return the operation as one expression if all are scalars; otherwise pin them."""
    parts = values if type(values) is tuple else (values,)
    if not all(kind_of(part) in SCALARS for part in parts):
        inner = values.values() if kind_of(values) is dict else parts
        lose_all(f"{type(plain(template)).__name__}.__mod__", template, *inner)
        return plain(template) % values
    given = tuple(map(plain, parts)) if type(values) is tuple else plain(values)
    argument = node_of(values)
    if type(values) is tuple:
        argument = apply("tuple", Sort.OBJ, *[node_of(part) for part in parts])
    nodes = (node_of(template), argument)
    fits = MEANINGS["percent_ok"](plain(template), given)
    check(wrap(fits, apply("percent_ok", Sort.BOOL, *nodes)))
    if not fits:  # which exception it is depends on all of them
        lose_all(f"{type(plain(template)).__name__}.__mod__", template, *parts)
    native = plain(template) % given
    return wrap(native, apply("percent", sort_of(native), *nodes))


for _cls in (SStr, SBytes):
    give(_cls, {"__mod__": percent})
