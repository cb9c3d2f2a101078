"""Misuse: errors that only say that an argument was of a type which nobody would pass."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from typing import Final

from tracetwin.analysis.sources import is_static
from tracetwin.support.data import dataclass
from tracetwin.support.syntax import LOCALS, Function, definitions

CLUMSY: Final = frozenset(("TypeError", "AttributeError"))
"""The exceptions that the interpreter raises where a value is of a wrong type."""

MISUSE: Final = "misuse: "
"""What the reason begins with for which nobody wants a test of such a call."""

_ANY: Final = frozenset(("BaseException", "Exception"))

_OF_MODULE: Final = re.compile(r"(partially initialized )?module '[\w.]+' has no attribute ")

_OWN_MAKING: Final = re.compile(
    "'(?:zip|map|filter|enumerate|reversed|dict_keys|dict_values|dict_items|generator)'"
)
"""Kinds of values that no test passes: the code itself makes them, of whatever it got (`zip(*rows)[0]`)."""

_NAMED: Final = re.compile(r"\b(?:TypeError|AttributeError)\b")

LOOSE: Final = frozenset(
    "Any object list dict tuple set frozenset List Dict Tuple Set FrozenSet Iterable Sequence Mapping"
    " Callable Iterator Generator Collection Container".split()
)
"""Annotations that leave open what may be passed, or what is to be in it."""


def is_of_module(kind: str, message: str | None) -> bool:
    """Return whether an error says that a module lacks a name: no argument is to blame for that."""
    return kind == "AttributeError" and _OF_MODULE.match(message or "") is not None


def is_of_own_making(message: str | None) -> bool:
    """Return whether an error is about a value that the code has made itself: no argument is one."""
    return _OWN_MAKING.search(message or "") is not None


@dataclass(frozen=True)
class Speaking:
    """The lines of a module at which it speaks of such an error itself.

    Attributes:
        raising: the exceptions of `raise` statements with their lines, "" where any class may be raised.
        caught: the names of exceptions with lines of `try` blocks whose handlers name them.
        documented: for functions, the names that their docstrings speak of.
        open: functions with annotations which leave open what some argument is.
        bare: functions with arguments and no annotation; a stub may say what they are.
    """

    raising: frozenset[tuple[str, int | None]] = frozenset()
    caught: frozenset[tuple[str, int]] = frozenset()
    documented: frozenset[tuple[str, str]] = frozenset()
    open: frozenset[str] = frozenset()
    bare: frozenset[str] = frozenset()

    def expects(self, kind: str, line: int | None, target: str) -> bool:
        """Return whether an error is one that the code raises, catches or documents.

        `line` is 0 or None where it was raised elsewhere.
        """
        names = (target, f"{target}.__init__", f"{target}.__new__")
        return (
            not self.raising.isdisjoint((("", line), (kind, line)))
            or (kind, line) in self.caught
            or any((name, kind) in self.documented for name in names)
        )


def speaking_of(tree: ast.Module) -> Speaking:
    """Return what a module says itself of errors of this kind."""
    functions = list(_functions(tree))
    arguments = {name: _annotations(node, bound=bound) for name, node, bound in functions}
    return Speaking(
        frozenset(
            (kind, line)
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise) and (kind := _raised(node.exc)) is not None
            for line in _lines(node)
        ),
        frozenset(_caught(tree)),
        frozenset(
            (name, kind)
            for name, node, _ in functions
            for kind in _documented(ast.get_docstring(node) or "")
        ),
        frozenset(name for name, given in arguments.items() if any(given) and any(map(_leaves_open, given))),
        frozenset(name for name, given in arguments.items() if given and not any(given)),
    )


def _raised(raised: ast.expr | None) -> str | None:
    """The builtin exception that a `raise` names, "" for one that is not known, None for a choice of them.

    What fails while the exception is made is not what is raised.
    """
    match raised:
        case ast.Call(ast.Name(name)) | ast.Name(name):
            known = getattr(builtins, name, None)
            return name if isinstance(known, type) and issubclass(known, BaseException) else ""
        case ast.Call(ast.BoolOp() | ast.IfExp()):
            return None
        case _:
            return ""


def _documented(docstring: str) -> Iterator[str]:
    """The errors that paragraphs of prose speak of which say that something is raised."""
    for paragraph in re.split(r"\n\s*\n", docstring):
        prose = [line for line in paragraph.splitlines() if not line.strip().startswith((">>>", "..."))]
        text = "\n".join(prose)
        if re.search(r"rais", text, re.IGNORECASE):
            yield from _NAMED.findall(text)


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _caught(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The lines of `try` blocks: what leaves one although a handler names it was let through by that."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Try):
            kinds = {kind for handler in node.handlers for kind in clumsy_of(handler)}
            lines = [line for statement in node.body for line in _lines(statement)]
            yield from ((kind, line) for kind in kinds for line in lines)


def clumsy_of(handler: ast.ExceptHandler) -> frozenset[str]:
    """Return the exceptions of this kind that a handler is for."""
    parts = [] if handler.type is None else ast.walk(handler.type)
    names = frozenset(one.id for one in parts if isinstance(one, ast.Name))
    return CLUMSY if handler.type is None or names & _ANY else names & CLUMSY


def _functions(tree: ast.Module) -> Iterator[tuple[str, Function, bool]]:
    """Functions and methods with their qualified names, and whether the first parameter is the object."""
    for name, node in definitions(tree):
        if not isinstance(node, ast.ClassDef) and LOCALS not in name:
            yield name, node, "." in name and not is_static(node)


def _annotations(node: Function, *, bound: bool) -> list[str]:
    """The annotation of each argument, "" where there is none."""
    spec = node.args
    named = [*spec.posonlyargs, *spec.args][int(bound) :]
    others = [one for one in (spec.vararg, spec.kwarg) if one is not None]
    return [
        "" if one.annotation is None else ast.unparse(one.annotation)
        for one in (*named, *spec.kwonlyargs, *others)
    ]


def _leaves_open(annotation: str) -> bool:
    return not annotation or annotation.strip("\"'").rpartition(".")[2] in LOOSE


def forgiven(node: ast.Try) -> Iterator[ast.expr]:
    """Yield the operands that raise what a handler catches where they are of another type."""
    kinds = frozenset(kind for handler in node.handlers for kind in clumsy_of(handler))
    for statement in node.body if kinds else ():
        for part in ast.walk(statement):
            if "AttributeError" in kinds and isinstance(part, ast.Attribute):
                yield part.value
            if "TypeError" in kinds:
                yield from _operands(part)


def _operands(part: ast.AST) -> Iterator[ast.expr]:
    """Yield what an expression or a loop takes for given to be of a type that can do it."""
    match part:
        case ast.Call(ast.Name(name), [argument, *_]) if hasattr(builtins, name):
            yield argument
        case ast.Call(ast.Name() as called):
            yield called
        case ast.For(iter=operand) | ast.comprehension(iter=operand) | ast.Subscript(value=operand):
            yield operand
        case ast.BinOp(left, _, right) | ast.Compare(left, [ast.Lt() | ast.Gt()], [right]):
            yield from (left, right)
        case _:
            return
