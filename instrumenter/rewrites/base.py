"""Walks a module's tree for all rewrites, and keeps marks on nodes, sites and scopes.

Walks the parts of a node in the order of the source, and copies only nodes that change.

libcst's own visit of a node goes through every comma and space, and builds and checks each node anew. Here
only what changes is copied, which halves the time of a rewrite.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Final

import libcst as cst

from instrumenter.interface import DECIDED
from instrumenter.rewrites.emit import NO_GAP, Emitted, Gap, call
from instrumenter.rewrites.facts import Facts, facts_of
from instrumenter.twin import HERE, SITES_PER_MODULE, SiteKind, site_base

# CPython's tokenizer refuses 200 nested parentheses. A rewrite nests at most three deeper, so
# rewriting stops at this depth, and long chains such as `a + b + ...` keep their innermost part.
MAX_DEPTH: Final = 40

_FAMILIES: Final = (
    cst.BaseParenthesizableWhitespace,
    cst.BaseBinaryOp,
    cst.BaseCompOp,
    cst.BaseUnaryOp,
    cst.BaseAugOp,
    cst.BaseBooleanOp,
    cst.MatchPattern,
    cst.BaseNumber,
)

# Nodes that hold nothing to rewrite: neither they nor what is in them is walked.
OPAQUE: Final = frozenset(
    {
        node
        for node in vars(cst).values()
        if isinstance(node, type) and issubclass(node, _FAMILIES)
    }
    | {
        cst.Annotation, cst.AssignEqual, cst.Asynchronous, cst.Break, cst.Colon, cst.Comma, cst.Comment,
        cst.Continue, cst.Dot, cst.Ellipsis, cst.EmptyLine, cst.FormattedStringText, cst.Global,
        cst.Import, cst.ImportFrom, cst.LeftCurlyBrace, cst.LeftParen, cst.LeftSquareBracket, cst.Name,
        cst.Newline, cst.Nonlocal, cst.ParamSlash, cst.Pass, cst.RightCurlyBrace, cst.RightParen,
        cst.RightSquareBracket, cst.Semicolon, cst.SimpleString, cst.TrailingWhitespace, cst.TypeAlias,
        cst.TypeParameters,
    }
    | {vars(cst)[name] for name in ("TemplatedString",) if name in vars(cst)}
)  # fmt: skip

# Inside these an assignment expression is refused or binds elsewhere, so no helper is bound there.
CLOSED: Final = frozenset({cst.Lambda, cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp})


@dataclass
class BodyScope:
    """A function, class or module body while it is walked."""

    qualname: str
    node: cst.FunctionDef | cst.ClassDef | None
    helpers: int = 0

    @property
    def inner(self) -> str:
        """Return the prefix of the `__qualname__` of a definition in this scope."""
        if isinstance(self.node, cst.FunctionDef):
            return f"{self.qualname}.<locals>."
        return f"{self.qualname}." if self.node is not None else ""


@dataclass(frozen=True)
class PendingSite:
    """A site whose position is still to be found."""

    node: cst.CSTNode
    kind: SiteKind
    scope: str


@dataclass(frozen=True)
class Wrap:
    """A call to put around a node once it is rewritten."""

    function: str
    site: int | None


class Rewrite:
    """The walk. Rewrites are subclasses with `visit_` and `leave_` methods; `Rewriter` has them all.

    Invariants: original nodes stay alive for the whole walk, so their `id` names them; a `leave_`
    method edits only the updated node; each original line keeps what was on it.
    """

    def __init__(self, module: cst.Module, name: str, prelude: str, version: tuple[int, int] = HERE) -> None:
        self.module = module
        self.prelude = prelude
        self.version = version
        self.base = site_base(name)
        self.pending: list[PendingSite] = []
        self.wraps: dict[int, Wrap] = {}
        self.frozen: set[int] = set()  # nodes left as they are, with all that is in them
        self.stores: set[int] = set()  # subscripts that are assigned to or deleted
        self.plain_calls: set[int] = set()  # calls whose callee is not handed to the runtime
        self.parts: set[int] = set()  # strings that belong to an implicit concatenation
        self.scopes: list[BodyScope] = [BodyScope("", None)]
        self.sealed: set[int] = set()  # more nodes that count as closed
        self.closed = 0  # lambdas, comprehensions and the like we are in: no helpers there
        self.depth = 0
        self.walruses = 0
        self._functions: dict[str, cst.Attribute] = {}
        self._bodies: dict[int, BodyScope] = {}
        self._facts: dict[int, Facts] = {}
        self._visitors: dict[type, Callable[[Any], bool | None]] = {}
        self._leavers: dict[type, Callable[[Any, Any], Any]] = {}
        for attribute in dir(type(self)):
            kind, _, node = attribute.partition("_")
            if kind == "visit" and hasattr(cst, node):
                self._visitors[getattr(cst, node)] = getattr(self, attribute)
            elif kind == "leave" and hasattr(cst, node):
                self._leavers[getattr(cst, node)] = getattr(self, attribute)
        self._expressions = frozenset(node for node in self._leavers if issubclass(node, cst.BaseExpression))

    # -- the walk ------------------------------------------------------------------------------

    def walk(self, node: Any) -> Any:
        """Return the node that is to stand in place of another one."""
        if type(node) in OPAQUE and id(node) not in self.wraps:
            return node
        return self.on_leave(node, with_parts(node, self.walk) if self.on_visit(node) else node)

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Descend unless there is nothing to rewrite; tables spare a name lookup per node."""
        cls = type(node)
        if cls in OPAQUE:
            return False
        if id(node) in self.frozen:
            return False
        if id(node) in self._bodies:
            self.scopes.append(self._bodies[id(node)])
        if cls in self._expressions:
            self.depth += 1
        if cls in CLOSED or id(node) in self.sealed:
            self.closed += 1
        visitor = self._visitors.get(cls)
        return visitor is None or visitor(node) is not False

    def on_leave(self, original: cst.CSTNodeT, updated: cst.CSTNodeT) -> Any:
        """Rewrite the node, then put around it what its parent asked for."""
        cls = type(original)
        result: Any = updated
        if cls not in OPAQUE and id(original) not in self.frozen:
            if id(original) in self._bodies:
                self.scopes.pop()
            if cls in CLOSED or id(original) in self.sealed:
                self.closed -= 1
            leaver = self._leavers.get(cls)
            if leaver is not None:
                if cls in self._expressions:
                    self.depth -= 1
                if self.depth < MAX_DEPTH or cls not in self._expressions:
                    result = leaver(original, updated)
                elif isinstance(original, cst.Comparison):
                    self.leave_chain(original)
        wrap = self.wraps.get(id(original))
        if wrap is None:
            return result
        arguments = [result] if wrap.site is None else [result, cst.Integer(str(self.base + wrap.site))]
        return self.emit(wrap.function, *arguments)

    # -- marks -----------------------------------------------------------------------------------

    def site(self, node: cst.CSTNode, kind: SiteKind) -> int | None:
        """Return the index of a new site at an original node, None when a module's numbers are used up."""
        if len(self.pending) >= SITES_PER_MODULE:
            return None
        self.pending.append(PendingSite(node, kind, self.scopes[-1].qualname))
        return len(self.pending) - 1

    def wrap(self, node: cst.CSTNode, function: str, kind: SiteKind) -> None:
        """Ask for `function(node, site)` in place of an original node."""
        site = self.site(node, kind)
        if site is not None:
            self.wraps[id(node)] = Wrap(function, site)

    def leave_chain(self, node: cst.Comparison) -> None:
        """Withdraw the wrap of a chain that stays native.

        CPython asks the link that fails for its truth once; around the chain it would be asked again.
        """
        if len(node.comparisons) > 1:
            self.wraps.pop(id(node), None)

    def store(self, target: cst.CSTNode) -> None:
        """Note the subscripts an assignment target stores into."""
        if isinstance(target, cst.Subscript):
            self.stores.add(id(target))
        elif isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                self.store(element.value)

    # -- building --------------------------------------------------------------------------------

    def emit(
        self,
        function: str,
        *values: cst.BaseExpression,
        commas: tuple[cst.Comma, ...] = (),
        like: cst.BaseExpression | None = None,
        before: Gap = NO_GAP,
        after: Gap = NO_GAP,
    ) -> Emitted:
        """Return a call of an interface function; see `emit.call`."""
        target = self._functions.get(function)
        if target is None:
            target = cst.Attribute(cst.Name(self.prelude), cst.Name(function))
            self._functions[function] = target
        return call(target, *values, commas=commas, like=like, before=before, after=after)

    def calls(self, node: cst.BaseExpression, function: str) -> bool:
        """Return whether a node calls this interface function."""
        return isinstance(node, Emitted) and node.func is self._functions.get(function)

    def is_decided(self, node: cst.BaseExpression) -> bool:
        """Return whether a node's value is a real bool, because it was decided."""
        return self.calls(node, "truth") or any(self.calls(node, name) for name in DECIDED.values())

    # -- scopes ----------------------------------------------------------------------------------

    def enter_later(self, body: cst.CSTNode, scope: BodyScope) -> None:
        """Make `scope` current while `body` is walked."""
        self._bodies[id(body)] = scope

    def facts(self) -> Facts | None:
        """Return the facts of the function we are directly in, None elsewhere."""
        node = self.scopes[-1].node
        if self.closed or not isinstance(node, cst.FunctionDef):
            return None
        known = self._facts.get(id(node))
        if known is None:
            known = self._facts[id(node)] = facts_of(node)
        return known

    def in_class_body(self) -> bool:
        """Return whether names are looked up in a class's namespace, any mapping, which may count it."""
        return not self.closed and isinstance(self.scopes[-1].node, cst.ClassDef)

    def helper(self) -> str | None:
        """Return a new helper variable of the current function, None where one could be noticed."""
        facts = self.facts()
        if facts is None or facts.reads_frame:
            return None
        scope = self.scopes[-1]
        scope.helpers += 1
        return f"{self.prelude}{scope.helpers}"

    def spans_lines(self, *nodes: cst.CSTNode) -> bool:
        """Return whether any of the nodes' text has a newline."""
        return any(not {"\n", "\r"}.isdisjoint(self.module.code_for_node(node)) for node in nodes)


# Fields that stand in another order than in the source, or hold nothing to rewrite.
_PARTS: Final[dict[type, tuple[str, ...]]] = {
    cst.Arg: ("value",),
    cst.Attribute: ("value",),
    cst.ClassDef: ("decorators", "bases", "keywords", "body"),
    cst.ExceptHandler: ("type", "name", "body"),
    cst.ExceptStarHandler: ("type", "name", "body"),
    cst.FunctionDef: ("decorators", "params", "body"),
    cst.IfExp: ("body", "test", "orelse"),
    cst.MatchCase: ("pattern", "guard", "body"),
    cst.Parameters: ("posonly_params", "params", "star_arg", "kwonly_params", "star_kwarg"),
}
_TRIVIA: Final = re.compile(
    "whitespace|[lr]par$|comma|semicolon|_lines|header|footer|lines_|newline|equal|colon|operator|bracket"
    "|brace|indent|asynchronous|type_param|encoding|has_|_tok$|conversion|^start$|^end$"
)
_NO_NODES: Final = frozenset({type(None), str, bool, int, cst.MaybeSentinel})
_FIELDS: Final[dict[type, tuple[str, ...]]] = {}


def parts_of(cls: type) -> tuple[str, ...]:
    """Return the names of the fields to look into."""
    known = _PARTS.get(cls)
    if known is None:
        known = _PARTS[cls] = tuple(name for name in _fields_of(cls) if not _TRIVIA.search(name))
    return known


def with_parts(node: Any, visit: Callable[[Any], Any]) -> Any:
    """Return the node with its parts as `visit` returns them; itself if they are all the same."""
    changes: dict[str, Any] = {}
    for name in parts_of(type(node)):
        before = getattr(node, name)
        kind = type(before)
        if kind in _NO_NODES:
            continue
        after = _sequence(before, visit) if kind is tuple or kind is list else visit(before)
        if after is not before:
            changes[name] = after
    return _copy(node, changes) if changes else node


def _sequence(before: Any, visit: Callable[[Any], Any]) -> Any:
    after: list[Any] = []
    changed = False
    for node in before:
        result = visit(node)
        if type(result) is cst.FlattenSentinel:
            after.extend(result)
            changed = True
        else:
            after.append(result)
            changed = changed or result is not node
    return after if changed else before


def _copy(node: Any, changes: dict[str, Any]) -> Any:
    copy = object.__new__(type(node))
    for name in _fields_of(type(node)):
        # libcst's nodes are frozen; what is in them was checked when it was made.
        object.__setattr__(copy, name, changes[name] if name in changes else getattr(node, name))
    return copy


def _fields_of(cls: Any) -> tuple[str, ...]:
    known = _FIELDS.get(cls)
    if known is None:
        known = _FIELDS[cls] = tuple(field.name for field in fields(cls))
    return known
