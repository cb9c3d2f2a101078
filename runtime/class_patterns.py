"""Class patterns of a `match` whose subject is of a class that the input decides.

Patterns are left to Python, which tells nobody what it compared. So where such a subject may come in, the
patterns are read in the source, and what each class test will find is recorded before Python does it.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

from runtime import class_choices, trace
from runtime.class_choices import IS_NONE, Question, instance_of
from runtime.classes import classes_in
from runtime.private_builtins import keep_builtins
from runtime.values import SBool

keep_builtins(globals())

_MISSING: Final = object()
_statements: dict[str, dict[int, ast.Match]] = {}


def record_patterns(subject: Any, frame: FrameType) -> None:
    """Record which class patterns the subject of the `match` that a frame is at will pass.

    Raises:
        Whatever the metaclass of a pattern's class raises.
    """
    statement = _statements_of(frame.f_code.co_filename).get(frame.f_lineno)
    for case in () if statement is None else statement.cases:
        if _Matching(frame).passes(subject, case.pattern) and case.guard is None:
            return


def _statements_of(file: str) -> dict[int, ast.Match]:
    """Return the `match` statements of a source file by line."""
    found = _statements.get(file)
    if found is None:
        try:
            tree = ast.parse("".join(linecache.getlines(file)))
        except (SyntaxError, ValueError):
            tree = ast.Module([], [])
        matches = (node for node in ast.walk(tree) if isinstance(node, ast.Match))
        found = _statements[file] = {node.lineno: node for node in matches}
    return found


@dataclass(frozen=True)
class _Matching:
    """Evaluates patterns: True, False, or None where only Python knows."""

    frame: FrameType

    def passes(self, value: Any, pattern: ast.pattern) -> bool | None:
        match pattern:
            case ast.MatchAs(pattern=None):
                return True
            case ast.MatchAs(pattern=inner) if inner is not None:
                return self.passes(value, inner)
            case ast.MatchOr(patterns=patterns):
                return self._one_of(value, patterns)
            case ast.MatchSingleton(value=None):
                return self._ask(value, IS_NONE, value is None, pattern)
            case ast.MatchClass():
                return self._class(value, pattern)
            case ast.MatchSequence(patterns=patterns):
                return self._sequence(value, patterns)
            case _:
                return None

    def _one_of(self, value: Any, patterns: list[ast.pattern]) -> bool | None:
        answers = []
        for pattern in patterns:
            answers.append(self.passes(value, pattern))
            if answers[-1]:
                return True
        return None if None in answers else False

    def _sequence(self, value: Any, patterns: list[ast.pattern]) -> bool | None:
        if type(value) not in (tuple, list) or any(isinstance(part, ast.MatchStar) for part in patterns):
            return None
        return len(value) == len(patterns) and self._all(zip(value, patterns, strict=True))

    def _class(self, value: Any, pattern: ast.MatchClass) -> bool | None:
        what = self._object(pattern.cls)
        classes = classes_in(what) if isinstance(what, type) else None
        if classes is None:
            return None
        if not self._ask(value, instance_of(classes), isinstance(value, classes), pattern):
            return False
        return self._all(_parts(value, what, pattern))

    def _all(self, parts: Iterator[tuple[Any, ast.pattern]]) -> bool | None:
        """Return whether all parts pass, as Python looks at them one by one."""
        result: bool | None = True
        for value, pattern in parts:
            answer = None if value is _MISSING else self.passes(value, pattern)
            if answer is False:
                return False
            result = result and answer
        return result

    def _ask(self, value: Any, question: Question, outcome: bool, pattern: ast.pattern) -> bool:
        found = class_choices.current.of(value)
        if found is not None:
            answer = class_choices.current.answer(found, question, outcome)
            if type(answer) is SBool:
                trace.current.record(answer.e, outcome, self._site(pattern))
        return outcome

    def _site(self, pattern: ast.pattern) -> int:
        module = str(self.frame.f_globals.get("__name__", ""))
        site = -1 - zlib.crc32(f"{module}:{pattern.lineno}:{pattern.col_offset}:pattern".encode())
        trace.current.places[site] = (module, pattern.lineno)
        return site

    def _object(self, expression: ast.expr) -> Any:
        """Return the object that a dotted name in a pattern means there."""
        if isinstance(expression, ast.Attribute):
            return getattr(self._object(expression.value), expression.attr, None)
        name = expression.id if isinstance(expression, ast.Name) else ""
        frame, code = self.frame, self.frame.f_code
        if name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
            return frame.f_locals.get(name)
        return frame.f_globals.get(name, getattr(builtins, name, None))


def _parts(value: Any, cls: type, pattern: ast.MatchClass) -> Iterator[tuple[Any, ast.pattern]]:
    """Return the attributes that a class pattern goes on to look at, without running code of the program."""
    if pattern.patterns and cls in _SELF:
        yield value, pattern.patterns[0]
        return
    names = getattr(cls, "__match_args__", ())
    names = names[: len(pattern.patterns)] if type(names) is tuple else ()
    held = getattr(value, "__dict__", {})
    inner = (*pattern.patterns, *pattern.kwd_patterns)
    for name, part in zip((*names, *pattern.kwd_attrs), inner, strict=False):
        yield held.get(name, _MISSING), part


_SELF: Final = frozenset((bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple))
"""Classes whose one positional pattern is for the value itself."""
