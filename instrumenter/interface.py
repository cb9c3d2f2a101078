"""The names rewritten code may call, and the operators each of them stands for.

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

STRUCTURE: Final[frozenset[str]] = frozenset(
    {
        "getitem",
        "setitem",
        "delitem",
        "slice_",
        "callee",
        "truth",
        "iterate",
        "subject",
        "fstring",
        "field",
    }
)

INTERFACE: Final[frozenset[str]] = (
    frozenset(BINARY.values())
    | frozenset(AUGMENTED.values())
    | frozenset(UNARY.values())
    | frozenset(COMPARE.values())
    | STRUCTURE
)
"""Every function a twin can call; a runtime must define all of them."""

UNTOUCHED_CALLS: Final[frozenset[str]] = frozenset(
    {"super", "locals", "globals", "vars", "dir", "eval", "exec", "__import__", "breakpoint"}
)
"""Builtins that look at the frame or scope they are called from: calls to them stay native."""

FRAME_READERS: Final[frozenset[str]] = frozenset(
    {"locals", "vars", "dir", "eval", "exec", "_getframe", "currentframe"}
)
"""Names whose presence in a function forbids helper variables there: they would be seen."""
