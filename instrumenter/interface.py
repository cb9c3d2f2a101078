"""Names the functions that rewritten code may call, and the operator each of them stands for.

Operators are keyed by the name of their libcst node, so that this file needs no libcst.
"""

from __future__ import annotations

from typing import Final

BINARY: Final[dict[str, str]] = {
    "Add": "add",
    "Subtract": "sub",
    "Multiply": "mul",
    "Divide": "truediv",
    "FloorDivide": "floordiv",
    "Modulo": "mod",
    "Power": "pow",
    "MatrixMultiply": "matmul",
    "LeftShift": "lshift",
    "RightShift": "rshift",
    "BitAnd": "and_",
    "BitOr": "or_",
    "BitXor": "xor",
}

AUGMENTED: Final[dict[str, str]] = {f"{node}Assign": f"i{name.rstrip('_')}" for node, name in BINARY.items()}

UNARY: Final[dict[str, str]] = {"Minus": "neg", "Plus": "pos", "BitInvert": "invert", "Not": "not_"}

COMPARE: Final[dict[str, str]] = {
    "LessThan": "lt",
    "LessThanEqual": "le",
    "Equal": "eq",
    "NotEqual": "ne",
    "GreaterThan": "gt",
    "GreaterThanEqual": "ge",
    "Is": "is_",
    "IsNot": "is_not",
    "In": "in_",
    "NotIn": "not_in",
}

CONSTANT: Final[dict[str, str]] = {
    name: f"{name.rstrip('_')}_const"
    for name in (*BINARY.values(), *AUGMENTED.values(), *COMPARE.values())
    if name not in ("matmul", "imatmul", "in_", "not_in")
} | {"getitem": "getitem_const"}
"""Functions for operators with a literal operand, where Python itself asks the traced one."""

DECIDED: Final[dict[str, str]] = {
    name: f"if_{name.rstrip('_')}" for name in (*COMPARE.values(), UNARY["Not"]) if not name.startswith("is_")
}
"""Functions for operators whose outcome is a condition: operator and `truth` in one call."""

CALLEES: Final[frozenset[str]] = frozenset({"callee", "callee0", "callee1", "callee2"})
"""Functions that choose what to call: in general, for only literals, for one argument, for two."""

STRUCTURE: Final[frozenset[str]] = CALLEES | frozenset(
    {
        "getitem",
        "setitem",
        "delitem",
        "slice_",
        "truth",
        "iterate",
        "subject",
        "returned",
        "fstring",
        "field",
    }
)

INTERFACE: Final[frozenset[str]] = (
    frozenset(BINARY.values())
    | frozenset(AUGMENTED.values())
    | frozenset(UNARY.values())
    | frozenset(COMPARE.values())
    | frozenset(CONSTANT.values())
    | frozenset(DECIDED.values())
    | STRUCTURE
)
"""Every function a twin can call; a runtime must define all of them."""

PLAIN_RESULTS: Final[frozenset[str]] = frozenset(
    {
        "__bool__", "__len__", "__length_hint__", "__index__", "__int__", "__float__", "__hash__",
        "__contains__",
    }
)  # fmt: skip
"""Methods that C code calls for a plain number or bool."""

FILLED_LATER: Final[frozenset[str]] = frozenset({"bytearray", "StringIO", "BytesIO"})
"""Containers of C that hold traced values only as ours, made of whatever: they may be filled later."""

UNTOUCHED_CALLS: Final[frozenset[str]] = frozenset(
    {"super", "locals", "globals", "vars", "dir", "eval", "exec", "__import__", "breakpoint"}
)
"""Builtins that look at the frame or scope they are called from: calls to them stay native."""

PLACED: Final[frozenset[str]] = frozenset(("pop",))
"""Methods that take an element from a list by its place, the one argument."""

LOOKUPS: Final[frozenset[str]] = frozenset({"get", "setdefault", "pop", "add", "discard", "remove"})
"""Methods of dict and set for which a constant may be one of several traced keys."""

FRAME_READERS: Final[frozenset[str]] = frozenset(
    {"locals", "vars", "dir", "eval", "exec", "_getframe", "currentframe"}
)
"""Names whose presence in a function forbids helper variables there: they would be seen."""
