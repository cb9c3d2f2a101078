"""Readers of what no call hands to a function: the command line."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

_PARSING: Final = ("parse_args", "parse_known_args", "parse_intermixed_args", "parse_known_intermixed_args")
"""Methods of parsers that read the command line where nothing else is given to them."""


def reads_command_line(parts: Iterable[ast.AST]) -> bool:
    """Return whether one of some parts of a program, by itself, reads what the program was called with."""
    return any(_is_argv(part) or (isinstance(part, ast.Call) and _parses(part)) for part in parts)


def _is_argv(part: ast.AST) -> bool:
    return isinstance(part, ast.Attribute) and ast.unparse(part) == "sys.argv"


def _parses(call: ast.Call) -> bool:
    name = ast.unparse(call.func).rpartition(".")[2]
    if name == "docopt":
        return len(call.args) < 2 and not any(one.arg == "argv" for one in call.keywords)
    given = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "args")]
    return name in _PARSING and all(isinstance(one, ast.Constant) and one.value is None for one in given)
