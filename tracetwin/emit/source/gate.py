"""Reads what was written again: a test that says anything but what tests say is not kept.

The names and values of a target are made harmless where they are written. This is the second wall, for what
the first one let through: it knows the few kinds of statements that we write, the names that a file asked
for, and what no test has any business with.
"""

from __future__ import annotations

import ast
import builtins
import functools
import unicodedata
import warnings
from collections.abc import Collection, Sequence
from typing import Final

from tracetwin.emit.source.identifiers import Unwritable
from tracetwin.emit.source.standard import makes_values

_EVERYWHERE: Final = (
    ast.AnnAssign, ast.Assert, ast.Assign, ast.AsyncFor, ast.AsyncFunctionDef, ast.AugAssign, ast.Delete,
    ast.Expr, ast.For, ast.FunctionDef, ast.If, ast.Pass, ast.Raise, ast.Return, ast.With,
)  # fmt: skip
_ABOVE: Final = (*_EVERYWHERE, ast.ClassDef)
"""Statements of tests, and those of the classes and functions above them."""

_UNHEARD_OF: Final = frozenset(
    ("__import__", "breakpoint", "compile", "eval", "exec", "exit", "globals", "help", "input", "locals",
     "open", "quit", "vars")
)  # fmt: skip
"""Functions that no test calls by itself."""

_FAR_REACHING: Final = frozenset(
    ("_ctypes", "_posixsubprocess", "builtins", "code", "codeop", "ctypes", "ftplib", "gc", "imaplib",
     "importlib", "marshal", "mmap", "multiprocessing", "nt", "os", "pickle", "poplib", "posix", "pty",
     "runpy",
     "shelve", "shutil", "signal", "smtplib", "socket", "socketserver", "subprocess", "sys", "tarfile",
     "telnetlib", "tempfile", "webbrowser", "xmlrpc", "zipfile")
)  # fmt: skip
"""Standard modules of which a test makes values, such as exceptions, and calls nothing else."""

_INSIDE: Final = frozenset(
    ("__base__", "__bases__", "__builtins__", "__closure__", "__code__", "__dict__", "__func__",
     "__globals__", "__loader__", "__mro__", "__self__", "__spec__", "__subclasses__", "f_back", "f_globals",
     "gi_frame", "tb_frame")
)  # fmt: skip
"""Attributes that lead from any object to everything else."""

_BUILTINS: Final = frozenset(dir(builtins))

MOST_PARSED: Final = 1024
"""Tests whose syntax trees are kept: a file is written several times."""


def check_test(lines: Sequence[str], known: Collection[str]) -> None:
    """See that a test is valid Python, and nothing but one test.

    Raises:
        Unwritable: it is not.
    """
    tree = _parsed([*(["class T:"] if lines[0].startswith(" ") else []), *lines, ""])
    only = tree.body[0] if len(tree.body) == 1 else None
    inner = only.body if isinstance(only, ast.ClassDef) else tree.body
    if len(inner) != 1 or not isinstance(inner[0], ast.FunctionDef):
        raise Unwritable("the written test is more than one function")
    _check(inner[0], _EVERYWHERE, known)


def check_definition(lines: Sequence[str], known: Collection[str]) -> None:
    """See that what stands above the tests is classes and functions, and does nothing by itself.

    Raises:
        Unwritable: it is not.
    """
    tree = _parsed(lines)
    if not all(isinstance(node, (ast.ClassDef, ast.FunctionDef)) for node in tree.body):
        raise Unwritable("what is written above the tests is more than a class or a function")
    _check(tree, _ABOVE, known)


def _parsed(lines: Sequence[str]) -> ast.Module:
    return _tree("\n".join(lines))


@functools.lru_cache(MOST_PARSED)
def _tree(text: str) -> ast.Module:
    """Return the syntax tree of a text that is written: most are written several times."""
    odd = next((letter for letter in text if not _is_seen(letter)), "")
    if odd:
        raise Unwritable(f"the written test holds the character U+{ord(odd):04X}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Some mistakes are found by the compiler only.
            compile(text, "a test", "exec", dont_inherit=True)
            return ast.parse(text)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        said = error.msg if isinstance(error, SyntaxError) else f"{type(error).__name__}: {error}"
        raise Unwritable(f"the written test is no valid Python: {said}") from error


def _is_seen(letter: str) -> bool:
    """Return whether a character shows as what it is; our own line ends do."""
    if letter.isascii():
        return letter == "\n" or letter.isprintable()
    return unicodedata.category(letter)[0] not in "CZ"


def _check(tree: ast.AST, statements: tuple[type[ast.stmt], ...], known: Collection[str]) -> None:
    nodes = list(ast.walk(tree))
    bound = {name for node in nodes for name in _bound(node)}
    for node in nodes:
        if isinstance(node, ast.stmt) and not isinstance(node, statements):
            raise Unwritable(f"the written test holds a statement that no test has: {type(node).__name__}")
        if isinstance(node, ast.Name) and not (node.id in bound or node.id in known or node.id in _BUILTINS):
            raise Unwritable(f"the written test speaks of {node.id}, which is not in the file")
        if isinstance(node, ast.Attribute) and node.attr in _INSIDE:
            raise Unwritable(f"the written test looks at {node.attr}")
        if isinstance(node, ast.Call) and _is_unheard_of(node.func, bound):
            raise Unwritable(f"the written test calls {ast.unparse(node.func)}")


def _is_unheard_of(function: ast.expr, bound: Collection[str]) -> bool:
    """Return whether no test of ours calls that."""
    if isinstance(function, ast.Name):
        return function.id in _UNHEARD_OF and function.id not in bound
    module, _, name = ast.unparse(function).rpartition(".")
    top = module.partition(".")[0]
    return top in _FAR_REACHING and top not in bound and not makes_values(module, name)


def _bound(node: ast.AST) -> list[str]:
    """The names that a node gives something to."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    return [node.name] if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) else []
