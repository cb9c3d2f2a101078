"""The meta-program of a module: one program that holds all of its mutants, one of which can be switched on.

Mutant schemata spare the compiling and importing of every mutant (Untch, Offutt and Harrold, "Mutation
Analysis Using Mutant Schemata", 1993). ``a < b`` becomes
``(a <= b if which(0) else a >= b) if at(7) else a < b``, a statement an ``if`` with the change in it. Code
that runs when the module is imported, annotations and decorators stay as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from types import CodeType
from typing import Any, Final, TypeVar

from tracetwin.model.mutant import Mutant
from tracetwin.mutation.defaults import FunctionNode, are_defaults_read, begun_with, with_marks
from tracetwin.mutation.necessity import (
    accumulation_of,
    has_breaks,
    is_quiet,
    loud_attributes,
    operands_of,
    operation_of,
    receiver_of,
)
from tracetwin.mutation.omissions import first_item, first_round, omissions, unguarded
from tracetwin.mutation.operators import (
    Change,
    changes_of_expression,
    changes_of_statement,
    kept,
    negated,
    returned,
    taken_for,
)
from tracetwin.mutation.slips import checked_later, handled, next_checks, slips, truth_for_none
from tracetwin.mutation.surroundings import NamesOfModule
from tracetwin.mutation.switch import AT, SEE, WHICH
from tracetwin.mutation.watches import Junction, Kept, Key, Left, Lookout, WatchedOperand
from tracetwin.support.data import dataclass
from tracetwin.support.room import deep

_Node = TypeVar("_Node", bound=ast.AST)

_LEFT_ALONE: Final = {
    ast.FunctionDef: ("decorator_list", "args", "returns", "type_params"),
    ast.AsyncFunctionDef: ("decorator_list", "args", "returns", "type_params"),
    ast.Lambda: ("args",),
    ast.ClassDef: ("decorator_list", "type_params"),
    ast.AnnAssign: ("annotation", "target"),
    ast.match_case: ("pattern",),
    ast.FormattedValue: ("format_spec",),
}
"""Parts of nodes that are run when a function is made, or not at all."""


@dataclass(frozen=True)
class MetaProgram:
    """A program that holds all mutants of a module.

    Attributes:
        mutants: what can be switched on, in the order of the text.
        places: what looks at values while none of them is on, by number.
    """

    code: CodeType
    mutants: list[Mutant]
    places: list[Lookout]


def meta_program(source: bytes, file: str) -> MetaProgram:
    """Return the meta-program of a source.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: the source, or what is made of it, can't be
            compiled.
    """
    with deep():
        tree = ast.parse(source, file)
        maker = MetaProgramMaker()
        made = maker.module(tree)
        return MetaProgram(compile(made, file, "exec", dont_inherit=True), maker.mutants, maker.places)


def mutants_of(source: bytes) -> list[Mutant]:
    """Return the mutants of a source.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `meta_program`.
    """
    return meta_program(source, "<source>").mutants


class MetaProgramMaker:
    """Makes new nodes and leaves the old ones as they are: changes share them."""

    def __init__(self) -> None:
        self.mutants: list[Mutant] = []
        self.places: list[Lookout] = []
        self._constants: dict[ast.AST, list[tuple[Key, Any]]] = {}
        self._sites = 0
        self._names: list[str] = []
        self._inside = False  # of a function
        self._annotations: dict[str, ast.expr | None] = {}

    def module(self, tree: ast.Module) -> ast.Module:
        self._surroundings = NamesOfModule(tree)
        self._loud = loud_attributes(tree)
        self._next_checks = next_checks(tree)
        self._are_defaults_read = are_defaults_read(tree)
        return ast.Module(self._statements(tree.body), [])

    # -- statements

    def _statements(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [self._statement(node) for node in body]

    def _statement(self, node: ast.stmt) -> ast.stmt:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return self._definition(node)
        if _is_left_alone(node):
            return node
        if not self._inside:
            return self._rebuilt(node)
        changes = list(changes_of_statement(node))
        if isinstance(node, ast.Return) and node.value is not None:
            value = self._expression(node.value)
            others = [taken_for(node.value, list(self._annotations)), returned(node.value)]
            if found := [change for change in others if change is not None]:
                value = self._choice(node, value, found)
            return ast.copy_location(ast.Return(value), node)
        new = self._rebuilt(node)
        if isinstance(node, ast.If):
            self._else_may_go(node, new)
        self._may_end(node, new)
        return self._alternative(node, changes, new) if changes else new

    def _alternative(self, node: ast.stmt, changes: Sequence[Change], new: ast.stmt) -> ast.stmt:
        """The statement, or where that is switched on one of its changes."""
        if isinstance(node, ast.AugAssign) and isinstance(new, ast.AugAssign):
            watch = accumulation_of(node, changes, self._sites)
            if watch is not None and isinstance(node.target, ast.Name):
                new.value = self._seen(watch, new.value, ast.Name(node.target.id, ast.Load()))
        site = self._site(node, changes)
        test = _ask(AT, site, node)
        return ast.copy_location(ast.If(test, [_one_of(changes, node)], [new]), node)

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> ast.stmt:
        self._names.append(node.name)
        outer, self._inside = self._inside, not isinstance(node, ast.ClassDef)
        before, self._annotations = self._annotations, _annotations_of(node)
        try:
            return self._rebuilt(node) if isinstance(node, ast.ClassDef) else self._function(node)
        finally:
            self._inside, self._annotations = outer, before
            self._names.pop()

    def _function(self, node: FunctionNode) -> FunctionNode:
        """A function that is told which of its parameters are left out."""
        if self._are_defaults_read:
            return self._rebuilt(node)
        spec, beginning = with_marks(node, lambda one, changes: self._choice(one, one, changes))
        new = self._rebuilt(node)
        new.args = located(spec, node)
        new.body = begun_with(new.body, [located(one, node) for one in beginning])
        return new

    def _else_may_go(self, node: ast.If, new: Any) -> None:
        """Let the `else` of a condition be left out, where it is no further condition."""
        if not node.orelse or isinstance(node.orelse[0], ast.If):
            return
        gone = Change("statement", "the `else` is left out", ast.Pass())
        new.orelse = self._branch(node.orelse[0], gone, new.orelse)

    def _branch(self, first: ast.stmt, gone: Change, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements of an `else`, or where that is switched on nothing."""
        site = self._site(first, [gone])
        nothing = ast.copy_location(ast.Pass(), first)
        return [ast.copy_location(ast.If(_ask(AT, site, first), [nothing], body), first)]

    def _may_end(self, node: ast.stmt, new: Any) -> None:
        """Let a loop end after its first round."""
        change = first_round(node)
        if change is not None:
            last = self._alternative(node, [change], ast.copy_location(ast.Pass(), node))
            new.body = new.body if isinstance(last, ast.Pass) else [*new.body, last]

    # -- expressions

    def _expression(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.JoinedStr):
            parts = [part if isinstance(part, ast.Constant) else self._rebuilt(part) for part in node.values]
            new_text = ast.copy_location(ast.JoinedStr(parts), node)
            formats = list(changes_of_expression(node)) if self._inside else []
            return self._choice(node, new_text, formats) if formats else new_text
        if isinstance(node, ast.Lambda):
            outer, self._inside = self._inside, True
            try:
                made = self._rebuilt(node)
            finally:
                self._inside = outer
            keys = [*omissions(node), *slips(node)] if outer else []
            return self._choice(node, made, keys) if keys else made
        new: ast.expr = self._rebuilt(node)
        if not self._inside or not _is_loaded(node):
            return new
        changes = [*changes_of_expression(node), *omissions(node), *slips(node)]
        changes += [*truth_for_none(node, self._annotations), *self._surroundings.changes(node)]
        return self._choice(node, new, changes) if changes else new

    def _choice(self, node: ast.AST, new: ast.expr, changes: Sequence[Change]) -> ast.expr:
        """The expression, or where that is switched on one of its changes."""
        self._look_at(node, new, changes)
        site = self._site(node, changes)
        *others, last = [located(change.node, node) for change in changes]
        changed: Any = last
        for place in range(len(others) - 1, -1, -1):
            changed = ast.copy_location(ast.IfExp(_ask(WHICH, place, node), others[place], changed), node)
        return ast.copy_location(ast.IfExp(_ask(AT, site, node), changed, new), node)

    # -- what is looked at while no mutant is on

    def _look_at(self, node: ast.AST, new: Any, changes: Sequence[Change]) -> None:
        """Let the values be seen from which it can be told that a change changes nothing."""
        site = self._sites
        known = self._constants.setdefault(node, [])
        nodes = [change.node for change in changes]
        known += [((site, at), one.value) for at, one in enumerate(nodes) if isinstance(one, ast.Constant)]
        if isinstance(node, ast.BoolOp):
            quiet = [is_quiet(one, self._loud) for one in node.values]
            junction = Junction(site, quiet, is_and=isinstance(node.op, ast.And))
            if junction.keys and isinstance(new, ast.BoolOp):
                pairs = enumerate(new.values)
                new.values = [self._seen(WatchedOperand(junction, at), one) for at, one in pairs]
        elif (receiver := receiver_of(node, changes, site)) is not None:
            new.func.value = self._seen(receiver, new.func.value)
        elif (operands := operands_of(node)) is not None and not has_breaks(node):
            self._look_at_operands(node, operands, new, changes)

    def _look_at_operands(
        self, node: ast.AST, operands: tuple[ast.expr, ast.expr], new: Any, changes: Sequence[Change]
    ) -> None:
        constants = [self._constants.get(one, []) for one in operands]
        watch = operation_of(node, changes, self._sites, constants)
        both = operands_of(new)
        if watch is None or both is None:
            return
        left, right = both
        plain = isinstance(operands[0], (ast.Constant, ast.Name))
        if plain and is_quiet(operands[1]):
            right = self._seen(watch, right, operands[0])
        else:
            left, right = self._seen(Left(watch), left), self._seen(watch, right)
        if isinstance(new, ast.Compare):
            new.left, new.comparators = left, [right]
        elif isinstance(new, ast.BinOp):
            new.left, new.right = left, right
        else:
            new.args = [left, right]

    def _seen(self, place: Lookout, value: ast.expr, *before: ast.expr) -> ast.expr:
        """An expression whose value is looked at."""
        self.places.append(place)
        number = ast.Constant(len(self.places) - 1)
        return located(ast.Call(ast.Name(SEE, ast.Load()), [number, value, *before], []), value)

    def _site(self, node: Any, changes: Iterable[Change]) -> int:
        site, self._sites = self._sites, self._sites + 1
        for choice, change in enumerate(changes):
            mutant = Mutant(
                len(self.mutants),
                site,
                choice,
                ".".join(self._names),
                node.lineno,
                node.col_offset,
                change.operator,
                change.text,
                change.difficulty,
            )
            self.mutants.append(mutant)
        return site

    # -- both

    def _rebuilt(self, node: _Node) -> _Node:
        """A new node with new parts."""
        alone = next((names for kind, names in _LEFT_ALONE.items() if type(node) is kind), ())
        fields = {}
        for name, value in ast.iter_fields(node):
            fields[name] = value if name in alone else self._part(name, value)
        if isinstance(node, (ast.If, ast.While)) and self._inside:
            self._negate(node, fields)
        if isinstance(node, ast.ExceptHandler) and node.type is not None and self._inside:
            fields["type"] = self._choice(node.type, fields["type"], list(handled(node)))
        if isinstance(node, ast.comprehension) and self._inside:
            pairs = zip(node.ifs, fields["ifs"], strict=True)
            fields["ifs"] = [self._kept(test, new) for test, new in pairs]
            if (change := first_item(node)) is not None:
                fields["iter"] = self._choice(node.iter, fields["iter"], [change])
        return ast.copy_location(type(node)(**fields), node)

    def _kept(self, test: ast.expr, new: ast.expr) -> ast.expr:
        """The condition of a comprehension, or where that is switched on what always holds."""
        if is_quiet(test, self._loud):
            new = self._seen(Kept([(self._sites, 0)]), new)
        return self._choice(test, new, [kept(test)])

    def _negate(self, node: ast.If | ast.While, fields: dict[str, Any]) -> None:
        """Let the condition be the contrary, or be asked after the next one."""
        if isinstance(node, ast.If):
            found = negated(node.test), checked_later(node.test, self._next_checks.get(node))
            if changes := [*(change for change in found if change is not None), *unguarded(node)]:
                fields["test"] = self._choice(node.test, fields["test"], changes)

    def _part(self, name: str, value: Any) -> Any:
        if isinstance(value, list):
            if value and isinstance(value[0], ast.stmt):
                return self._statements(value)
            return [self._part(name, one) for one in value]
        if isinstance(value, ast.expr):
            return self._expression(value)
        if isinstance(value, (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)):
            return value
        return self._rebuilt(value) if isinstance(value, ast.AST) else value


def _annotations_of(node: ast.AST) -> dict[str, ast.expr | None]:
    """The annotations of the parameters of a function, but for its receiver."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return {}
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return {one.arg: one.annotation for one in given if one.arg not in ("self", "cls")}


def _is_left_alone(node: ast.stmt) -> bool:
    """Return whether nothing in a statement is changed: docstrings, imports and the like."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    kinds = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Pass)
    return isinstance(node, kinds) or type(node).__name__ == "TypeAlias"


def _is_loaded(node: ast.expr) -> bool:
    """Return whether an expression gives a value; a slice or a starred one only does so in its place."""
    if isinstance(node, (ast.Slice, ast.Starred)):
        return False
    return isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load)


def _ask(name: str, number: int, node: ast.AST) -> ast.expr:
    return located(ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number)], []), node)


def _one_of(changes: Sequence[Change], node: ast.AST) -> ast.stmt:
    """The statement that stands for one of several changes of a statement."""
    *others, last = [located(change.node, node) for change in changes]
    changed: Any = last
    for place in range(len(others) - 1, -1, -1):
        test = _ask(WHICH, place, node)
        changed = ast.copy_location(ast.If(test, [others[place]], [changed]), node)
    return changed  # type: ignore[no-any-return]


def located(new: _Node, node: Any) -> _Node:
    """A new node, and the new ones beneath it, at the place of an old one; old ones keep theirs."""
    if not hasattr(new, "lineno") and "lineno" in type(new)._attributes:  # noqa: SLF001 - as `ast` does
        ast.copy_location(new, node)
    for child in ast.iter_child_nodes(new):
        if not hasattr(child, "lineno"):
            located(child, node)
    return new
