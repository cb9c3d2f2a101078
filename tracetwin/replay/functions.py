"""The functions, methods and classes of a file, with what of them can be covered."""

from __future__ import annotations

import ast
import re
from itertools import combinations
from typing import Final

from tracetwin.analysis.effects.idle_parameters import IdleParameters
from tracetwin.analysis.self_contained import changeable_defaults, is_self_contained, only_looks_up
from tracetwin.support.data import dataclass

Arc = tuple[int, int]

_EXCEPTION: Final = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Iteration|Warning)\b")


@dataclass(frozen=True)
class SourceFunction:
    """A function or method of the file; nested ones belong to the one around them.

    Attributes:
        qualname: as `__qualname__` says it.
        first_line: where it begins, decorators included.
        last_line: where it ends.
        parameters: names in the order of the signature, with `self` or `cls` left out.
        compared: pairs of parameters that some comparison of the body speaks of.
        lines: executable lines of the body.
        arcs: branch arcs that start in the body.
        returns: the annotation of its result, "" where there is none.
        annotations: those of its parameters, with their names.
        docstring: its documentation, "" for none.
        is_lazy: whether a call gives a generator.
        looks_up: whether it does nothing but to look up what its caller names.
        is_self_contained: whether it calls only what Python itself is made of.
        changeable: parameters whose default a call could change.
        idle: parameters of its class's constructor that it never gets to see.
    """

    qualname: str
    first_line: int
    last_line: int
    parameters: tuple[str, ...]
    compared: frozenset[frozenset[str]]
    lines: frozenset[int]
    arcs: frozenset[Arc]
    returns: str = ""
    annotations: tuple[tuple[str, str], ...] = ()
    docstring: str = ""
    is_lazy: bool = False
    looks_up: bool = False
    changeable: tuple[str, ...] = ()
    is_self_contained: bool = False
    idle: frozenset[str] = frozenset()

    @property
    def documented(self) -> frozenset[str]:
        """The exceptions that its docstring names."""
        return frozenset(_EXCEPTION.findall(self.docstring))

    @property
    def place(self) -> str:
        """Name and line: several functions can have one name."""
        return f"{self.qualname}:{self.first_line}"


class FunctionFinder(ast.NodeVisitor):
    """Collects functions, methods and the constructor parameters of classes."""

    def __init__(self, lines: set[int], arcs: frozenset[Arc]) -> None:
        self.lines = lines
        self.arcs = arcs
        self.functions: list[SourceFunction] = []
        self.classes: dict[str, tuple[str, ...]] = {}
        self.inside: list[str] = []
        self.idle: IdleParameters | None = None

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Go on with its methods; without an `__init__` annotated names are taken for fields."""
        self.inside.append(node.name)
        name = ".".join(self.inside)
        self.classes[name] = tuple(
            part.target.id
            for part in node.body
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
        )
        if not self.classes[name]:
            bases = (base.id for base in node.bases if isinstance(base, ast.Name))
            self.classes[name] = next((self.classes[base] for base in bases if base in self.classes), ())
        outer, self.idle = self.idle, IdleParameters(node)
        for part in node.body:
            self.visit(part)
        self.idle = outer
        self.inside.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Record it, and do not look inside."""
        self._record(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """Record it, and do not look inside."""
        self._record(node)

    def _record(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        spec = node.args
        names = [argument.arg for argument in [*spec.posonlyargs, *spec.args]]
        static = any(isinstance(part, ast.Name) and part.id == "staticmethod" for part in node.decorator_list)
        if self.inside and not static:
            names = names[1:]
        names += [spec.vararg.arg] if spec.vararg else []
        last = node.end_lineno or node.lineno
        first = min([node.lineno, *(part.lineno for part in node.decorator_list)])
        body = range(node.body[0].lineno, last + 1)
        if node.body[0].lineno == node.lineno:
            body = range(0)  # on the line of its `def`: executed by the import
        for part in node.body[:1]:
            if (
                isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
                and part.decorator_list
            ):
                body = range(min(d.lineno for d in part.decorator_list), last + 1)
        qualname = ".".join([*self.inside, node.name])
        if node.name in ("__init__", "__new__") and self.inside:
            self.classes[".".join(self.inside)] = tuple(names)
        lines = frozenset(line for line in body if line in self.lines)
        arcs = frozenset(arc for arc in self.arcs if arc[0] in body)
        given = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
        self.functions.append(
            SourceFunction(
                qualname,
                first,
                last,
                tuple(names),
                _compared(node, names),
                lines,
                arcs,
                _text(node.returns),
                tuple((one.arg, _text(one.annotation)) for one in given if one.annotation is not None),
                ast.get_docstring(node) or "",
                any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in ast.walk(node)),
                only_looks_up(node),
                changeable_defaults(node),
                is_self_contained(node),
                frozenset() if self.idle is None else self.idle.of(node.name),
            )
        )


def _text(annotation: ast.expr | None) -> str:
    return "" if annotation is None else ast.unparse(annotation)


_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def _compared(function: ast.AST, parameters: list[str]) -> frozenset[frozenset[str]]:
    pairs = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and all(isinstance(way, _ORDERS) for way in node.ops):
            sides = [node.left, *node.comparators]
            names = [side.id for side in sides if isinstance(side, ast.Name) and side.id in parameters]
            pairs |= {frozenset(pair) for pair in combinations(names, 2)}
    return frozenset(pairs)
