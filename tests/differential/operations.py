"""Everything a program does that the runtime has a word in: by the registry and by the twin's interface."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

from instrumenter.interface import PLACED
from runtime import twin
from runtime.models.registry import CALLEES, METHODS, TAKES
from runtime.ops import text_takes
from tests.differential.agree import Operation
from tests.differential.more import MADE, MORE, MORE_METHODS

SITE = 3


def call(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A call as a twin makes it: each shape of call has a function of its own."""
    if kwargs or len(args) > 2:
        return twin.callee(function)(*args, **kwargs)
    if getattr(function, "__name__", "") in PLACED:
        return twin.callee(function)(*args)
    return (twin.callee0, twin.callee1, twin.callee2)[len(args)](function)(*args)


def method(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """A call of a method, natively and in a twin."""

    def native(receiver: Any, /, *args: Any, **kwargs: Any) -> Any:
        return getattr(receiver, name)(*args, **kwargs)

    def shadow(receiver: Any, /, *args: Any, **kwargs: Any) -> Any:
        return call(getattr(receiver, name), *args, **kwargs)

    return native, shadow


TRACED_METHODS: dict[type, dict[str, str]] = {
    int: {
        "bit_length": "()",
        "bit_count": "()",
        "conjugate": "()",
        "as_integer_ratio": "()",
        "is_integer": "()",
        "to_bytes": "0|1|2|8 'big'|'little' signed=True?; small",
        "from_bytes": "bytes 'big'|'little'",
    },
    bool: {
        **dict.fromkeys(("bit_length", "bit_count", "as_integer_ratio", "conjugate"), "()"),
        "to_bytes": "1|2 'big'",
        "from_bytes": "bytes 'little'",
    },
    float: {
        "is_integer": "()",
        "hex": "()",
        "as_integer_ratio": "()",
        "conjugate": "()",
        "fromhex": "digits",
    },
    str: {
        "format": "scalar? scalar?",
        "format_map": "dict[str,int]",
        "maketrans": "'ab' 'cd'; dict[char,str]; 'ab' 'cd' 'e'",
        "isidentifier": "()",
    },
    bytes: {"fromhex": "digits", "maketrans": "b'ab' b'cd'"},
    list: {
        "append": "int",
        "clear": "()",
        "copy": "()",
        "count": "int",
        "extend": "list[int]; tuple[int]; str; int",
        "index": "int small? small?",
        "insert": "small int",
        "pop": "small?",
        "remove": "int",
        "reverse": "()",
        "sort": "reverse=bool?; key=@builtins.abs",
    },
    tuple: {"count": "int", "index": "int small? small?"},
    dict: {
        "clear": "()",
        "copy": "()",
        "fromkeys": "list[str] int?",
        "get": "str int?|None?",
        "items": "()",
        "keys": "()",
        "pop": "str int?",
        "popitem": "()",
        "setdefault": "str int?",
        "update": "dict[str,int]?; b=int",
        "values": "()",
    },
    set: {
        "add": "int",
        "clear": "()",
        "copy": "()",
        "discard": "int",
        "pop": "()",
        "remove": "int",
        **dict.fromkeys(("difference", "difference_update", "intersection"), "set[int]; list[int]"),
        **dict.fromkeys(("intersection_update", "symmetric_difference"), "set[int]; list[int]"),
        **dict.fromkeys(("symmetric_difference_update", "union", "update"), "set[int]; list[int]"),
        **dict.fromkeys(("isdisjoint", "issubset", "issuperset"), "set[int]; list[int]"),
    },
}
"""What follows the receiver in methods of traced types, where the registry and the operators don't say."""

RECEIVERS = {
    int: ("int",), bool: ("bool",), float: ("float",), str: ("str",), bytes: ("bytes",),
    list: ("list[int]", "list[str]"), tuple: ("tuple[int]",), dict: ("dict[str,int]",), set: ("set[int]",),
}  # fmt: skip


def public(kind: type) -> list[str]:
    """The methods of a type that have a name without underscores."""
    return [name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))]


def method_takes(kind: type, name: str) -> str | None:
    """What a method of a type takes behind its receiver; None where nobody says."""
    given = TRACED_METHODS.get(kind, {}).get(name)
    if given is None and kind in (str, bytes):
        given = text_takes(kind.__name__, name)
    if given is None:
        given = TAKES.get((kind, name)) or MORE_METHODS.get((kind, name))
    if given is None and issubclass(kind, dict):
        given = TRACED_METHODS[dict].get(name)
    return given


def behind(receivers: tuple[str, ...], takes: str) -> str:
    """The signature of a method with its receiver in front."""
    forms = [form.strip() for form in takes.split(";")] if "';" not in takes else [takes]
    return "; ".join(f"{receiver} {'' if form == '()' else form}" for receiver in receivers for form in forms)


def _methods() -> Iterator[Operation]:
    for kind, receivers in RECEIVERS.items():
        for name in public(kind):
            takes = method_takes(kind, name)
            if takes is not None:
                yield Operation(f"{kind.__name__}.{name}", *method(name), behind(receivers, takes))
    for kind, (make, receiver) in MADE.items():
        for name in sorted(name for owner, name in METHODS if owner is kind):
            takes = method_takes(kind, name)
            if takes is not None:
                yield Operation(f"{kind.__name__}.{name}", *_made(make, name), behind((receiver,), takes))


def _made(make: Callable[..., Any], name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Make a receiver, call its method, and look at both."""

    def native(content: Any, /, *args: Any, **kwargs: Any) -> Any:
        receiver = make(content)
        return getattr(receiver, name)(*args, **kwargs), _changeable(receiver)

    def shadow(content: Any, /, *args: Any, **kwargs: Any) -> Any:
        receiver = call(make, content)
        return call(getattr(receiver, name), *args, **kwargs), _changeable(receiver)

    return native, shadow


def _changeable(receiver: Any) -> Any:
    """A receiver that the call may have changed; None in the place of another one."""
    return receiver if hasattr(receiver, "__iter__") else None


def name_of(function: Any) -> str:
    """Module and name of a callable."""
    owner = getattr(function, "__objclass__", None)
    module = getattr(function, "__module__", None) or (owner.__module__ if owner else "builtins")
    return f"{module.lstrip('_')}.{getattr(function, '__qualname__', repr(function))}"


def callee_takes(function: Any) -> str | None:
    """What a modelled callable takes; None where nobody says."""
    if function in TAKES:
        return TAKES[function]
    owner = getattr(function, "__objclass__", None)
    if owner in RECEIVERS:  # `str.upper`, called with its receiver
        takes = method_takes(owner, function.__name__)
        if takes is not None:
            return behind(RECEIVERS[owner], takes)
    name = name_of(function)
    return MORE.get(name) or _OPERATORS.get(name)


def _callees() -> Iterator[Operation]:
    for function in CALLEES:
        takes = callee_takes(function)
        if takes:
            alias = getattr(function, "__objclass__", None) in RECEIVERS or name_of(function) in _OPERATORS
            yield Operation(name_of(function), function, _called(function), takes, alias=alias)


def _called(function: Any) -> Callable[..., Any]:
    return lambda *args, **kwargs: call(function, *args, **kwargs)


_NUMBERS = "int int; small small; float float; number number"
_ARITHMETIC = {
    "add": f"{_NUMBERS}; str str; bytes bytes; list[int] list[int]; tuple[int] tuple[int]; scalar scalar",
    "sub": f"{_NUMBERS}; set[int] set[int]",
    "mul": f"{_NUMBERS}; str small; small str; bytes small; list[int] small; small list[int];"
    "tuple[int] bool; bool str",
    **dict.fromkeys(("truediv", "floordiv"), _NUMBERS),
    "mod": f"{_NUMBERS}; '%s'|'%d'|'%5.1f'|'%x'|'%c' scalar; '%s-%r' tuple[str,int]; '%(a)s' dict[str,int];"
    "b'%d' int; str str",
    "pow": "int small; small small; float float; float small; small float; bool bool",
    **dict.fromkeys(("lshift", "rshift"), "int small; small bool; bool small; float small"),
    **dict.fromkeys(
        ("and_", "or_", "xor"), "int int; small small; bool bool; bool int; set[int] set[int]; float int"
    ),
    "matmul": "int int",
}
_LITERAL = (
    "int 2|0|-3; 7|0|-1 small; float 2|0.5|-1.0; bool True|2; str 'a'|''; 'ab' str; bytes b'a'; bool 1.5"
)
_COMPARISONS = (
    f"{_NUMBERS}; str str; bytes bytes; list[int] list[int]; tuple[int] tuple[int]; scalar scalar;"
    "set[int] set[int]"
)
_NATIVE_IN: dict[str, Callable[[Any, Any], Any]] = {
    "in": lambda a, b: a in b,
    "not_in": lambda a, b: a not in b,
}
_IN = (
    "str str; bytes bytes; small bytes; int list[int]; str tuple[str]; int set[int]; str dict[str,int];"
    "float list[int]; int frozenset[int]; int str; str list[str]; small @tests.differential.operations.FEW"
)
_TRUTH = "number; str; bytes; list[int]; dict[str,int]; set[int]; tuple[int]; None"
_INDEXED = (
    "str small; bytes small; list[int] small; tuple[str] small; dict[str,int] str; dict[int,str] int;"
    "list[int] bool; list[str] int"
)
FEW = range(0, 20, 3)


def _interface() -> Iterator[Operation]:
    """The functions of a twin that stand for operators."""
    for name, takes in _ARITHMETIC.items():
        native = getattr(operator, name)
        yield Operation(f"twin.{name}", native, getattr(twin, name), takes)
        if name != "matmul":
            in_place = getattr(operator, f"i{name.rstrip('_')}")
            yield Operation(
                f"twin.i{name.rstrip('_')}", in_place, getattr(twin, f"i{name.rstrip('_')}"), takes
            )
            # where an operand is a literal, Python itself dispatches on the other one
            yield Operation(f"dispatched {name}", native, native, _LITERAL)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        native = getattr(operator, name)
        yield Operation(f"twin.{name}", native, getattr(twin, name), _COMPARISONS)
        yield Operation(f"dispatched {name}", native, native, _LITERAL)
        yield Operation(
            f"twin.if_{name}", _truth_of(native), _at_site(getattr(twin, f"if_{name}")), _COMPARISONS
        )
    for name, takes in (("neg", "number; str"), ("pos", "number"), ("invert", "int; small; float")):
        yield Operation(f"twin.{name}", getattr(operator, name), getattr(twin, name), takes)
    for name, native in (("is_", operator.is_), ("is_not", operator.is_not)):
        yield Operation(
            f"twin.{name}", native, getattr(twin, name), "bool bool; bool True|False; bool None; None bool"
        )
    yield Operation("twin.not_", operator.not_, twin.not_, _TRUTH)
    yield Operation("twin.truth", bool, lambda value: twin.truth(value, SITE), _TRUTH)
    yield Operation("twin.if_not", operator.not_, lambda value: twin.if_not(value, 5, SITE), _TRUTH)
    for name, native in _NATIVE_IN.items():
        own = getattr(twin, "in_" if name == "in" else name)
        yield Operation(f"twin.{own.__name__}", native, own, _IN)
        yield Operation(f"twin.if_{name}", native, _at_site(getattr(twin, f"if_{name}")), _IN)
    yield from _subscripts()
    yield from _texts()


_OPERATORS = {
    **{f"operator.{name}": takes for name, takes in _ARITHMETIC.items()},
    **{f"operator.i{name.rstrip('_')}": takes for name, takes in _ARITHMETIC.items()},
    **dict.fromkeys((f"operator.{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge")), _COMPARISONS),
    **dict.fromkeys(("operator.neg", "operator.pos", "operator.invert"), "int; small; float"),
    **dict.fromkeys(("operator.is_", "operator.is_not"), "bool True|False; bool bool"),
    **dict.fromkeys(("operator.not_", "operator.truth"), _TRUTH),
    "operator.contains": "str str; list[int] int; dict[str,int] str; set[int] int; bytes small",
    "operator.getitem": _INDEXED,
    "operator.setitem": "list[int] small int; dict[str,int] str int",
    "operator.delitem": "list[int] small; dict[str,int] str",
}


def _truth_of(native: Callable[..., Any]) -> Callable[..., Any]:
    return lambda left, right: bool(native(left, right))


def _at_site(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda left, right: function(left, right, SITE)


def _set_item(container: Any, key: Any, value: Any) -> None:
    container[key] = value


def _set_slice(container: Any, start: Any, stop: Any, step: Any, value: Any) -> None:
    container[start:stop:step] = value


def _twin_set_slice(container: Any, start: Any, stop: Any, step: Any, value: Any) -> None:
    twin.setitem(value, container, twin.slice_(start, stop, step))


def _subscripts() -> Iterator[Operation]:
    yield Operation("twin.getitem", operator.getitem, twin.getitem, _INDEXED)
    bounds = "small|None small|None small|None"
    sequences = ("str", "bytes", "list[int]", "tuple[int]")
    yield Operation(
        "twin.getitem of a slice",
        lambda container, start, stop, step: container[start:stop:step],
        lambda container, start, stop, step: twin.getitem(container, twin.slice_(start, stop, step)),
        "; ".join(f"{sequence} {bounds}; {sequence} small|None small|None None" for sequence in sequences),
    )
    stored = "list[int] small int; dict[str,int] str int; dict[int,str] int str; list[int] bool int"
    yield Operation("twin.setitem", _set_item, lambda c, k, v: twin.setitem(v, c, k), stored)
    yield Operation("twin.setitem of a slice", _set_slice, _twin_set_slice, f"list[int] {bounds} list[int]")
    removed = "list[int] small; dict[str,int] str; dict[int,str] int"
    yield Operation("twin.delitem", operator.delitem, twin.delitem, removed)


def _texts() -> Iterator[Operation]:
    for conversion in ("", "s", "r", "a"):
        template = f"{{!{conversion}:{{}}}}" if conversion else "{:{}}"
        yield Operation(
            f"twin.field {conversion}".strip(),
            template.format,
            _fielded(conversion),
            "scalar ''; scalar spec; list[int] ''",
            strict=True,
        )
    yield Operation(
        "twin.fstring",
        lambda *parts: "".join(parts),
        twin.fstring,
        "str; str str; 'a' str 'b' str?",
        strict=True,
    )
    iterated = "str; bytes; list[int]; tuple[str]; dict[str,int]; set[int]"
    yield Operation("twin.iterate", list, lambda value: [*twin.iterate(value, SITE)], iterated)
    yield Operation("twin.returned", lambda value: value, twin.returned, "scalar; list[int]")
    yield Operation("twin.subject", lambda value: value, twin.subject, "bool; int; str")


def _fielded(conversion: str) -> Callable[..., Any]:
    return lambda value, spec: twin.field(value, conversion, spec)


NOT_OPERATIONS = {"callee", "callee0", "callee1", "callee2", "slice_", "imatmul"}
"""Names of a twin's interface that the operations above use rather than test."""


def operations() -> list[Operation]:
    """All of them, each once, in an order that does not change."""
    found = {each.name: each for each in itertools.chain(_callees(), _methods(), _interface())}
    return [found[name] for name in sorted(found)]
