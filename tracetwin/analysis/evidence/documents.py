"""Facts about the results of parsers: what texts that are parsed stand for."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import field
from typing import Any, Final, TypeAlias

from tracetwin.analysis.evidence.callees import passed
from tracetwin.analysis.evidence.expressions import FollowedExpressions, Names, dotted
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.observe import Observer
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.scopes import text_of
from tracetwin.analysis.sources import FunctionNode, Source, walk
from tracetwin.support.data import dataclass

OnParse: TypeAlias = Callable[[str, ast.Call, FollowedExpressions], None]

_MOST_DEPTH: Final = 3
_MOST_KEYS: Final = 12
MOST_LENGTH: Final = 6
_PARSERS: Final = {
    "json.loads": "json",
    "json.load": "json",
    **dict.fromkeys(("tomllib.loads", "tomli.loads", "toml.loads"), "toml"),
    "urllib.parse.parse_qs": "query",
    "urllib.parse.parse_qsl": "query",
    "urllib.parse.urlsplit": "url",
    "urllib.parse.urlparse": "url",
    "shlex.split": "words",
    "csv.reader": "rows",
    "csv.DictReader": "records",
}
_TABLES: Final = (dict, set, frozenset, tuple, list)
_KINDS: Final = {"int": int, "str": str, "float": float, "bool": bool, "list": list, "dict": dict}


def functions_calling(source: Source, interesting: Container[str]) -> frozenset[str]:
    """Return the functions of a module that may come to a call of some imported functions.

    Names stand for all functions of that name.
    """
    imported = _imported(source.tree)
    called: dict[str, set[str]] = {}
    found: set[str] = set()
    for qualname, nodes in source.definitions.items():
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                continue
            for part in walk(node):
                if isinstance(part, ast.Call):
                    name = dotted(part.func)
                    full = _full_name(imported, name)
                    if full in _PARSERS or full in interesting:
                        found.add(qualname)
                    called.setdefault(name.rpartition(".")[2], set()).add(qualname)
    waiting = list(found)
    while waiting:
        qualname = waiting.pop()
        owner, _, last = qualname.rpartition(".")
        for name in (last, owner.rpartition(".")[2]) if last == "__init__" else (last,):
            new = called.get(name, set()) - found
            found |= new
            waiting += new
    return frozenset(found)


def _full_name(imported: Mapping[str, str], name: str) -> str:
    """The name of what is called where that is imported, with the module it comes from; else ""."""
    first, _, rest = name.partition(".")
    base = imported.get(first, "")
    return f"{base}.{rest}" if base and rest else base


@dataclass
class Documents:
    """Follows parsed texts through one invokable and the functions of the module that it calls.

    Attributes:
        source: the text of the module.
        on_parse: told of every call of a function that is imported, by its full name.
        calling: the functions that may come to a call of interest; None where that is not known.
        found: the facts of each parsed document, with what it is written in.
    """

    source: Source
    names: Mapping[str, Any]
    on_parse: OnParse
    calling: frozenset[str] | None = None
    found: list[tuple[str, ValueFacts]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Learn what the names of imported functions stand for."""
        self._imported = _imported(self.source.tree)
        self._by_call: dict[int, ValueFacts] = {}
        self._by_text: dict[tuple[int, str, str], ValueFacts] = {}
        self._returned: dict[str, ValueFacts | None] = {}

    def look_at(self, qualname: str, first_line: int, owner: str | None) -> None:
        """Follow what a function parses; for a method also what the constructor keeps in the receiver."""
        if self.calling is not None and not {qualname, f"{owner}.__init__"} & self.calling:
            return
        kept: Names = {}
        if owner is not None and qualname != f"{owner}.__init__":
            node = self.source.function(f"{owner}.__init__")
            kept = {} if node is None else self._walk(node, {}, owner, 1).kept()
        node = self.source.function(qualname, first_line)
        if node is not None:
            self._walk(node, kept, owner, 0)

    def _walk(self, node: FunctionNode, names: Names, owner: str | None, depth: int) -> _Reader:
        reader = _Reader(self, dict(names), owner, node, depth)
        reader.run(node)
        return reader

    def full_name(self, node: ast.expr) -> str:
        """The name of what is called where that is imported, with the module it comes from; else ""."""
        return _full_name(self._imported, dotted(node))

    def parsed(self, node: ast.Call, reader: _Reader) -> ValueFacts | None:
        """The facts of the document that a call reads, None for other calls."""
        known = self._by_call.get(id(node))
        kind = _PARSERS.get(self.full_name(node.func)) if known is None else None
        if kind is not None:
            known = self._by_call[id(node)] = self._new(kind, node, reader)
        if known is None and reader.depth < _MOST_DEPTH:
            return self._result(node, reader.depth)
        return known

    def _new(self, kind: str, node: ast.Call, reader: _Reader) -> ValueFacts:
        """The facts of a document first met; a text that a function reads twice is one document."""
        what = (id(reader.node), kind, ast.dump(node.args[0]) if node.args else "")
        known = self._by_text.get(what)
        if known is None:
            known = self._by_text[what] = ValueFacts()
            part = reader.facts(node.args[0]) if node.args else None
            if part is None or not any(_is_part(part, whole) for _, whole in self.found):
                self.found.append((kind, known))  # what an object of the caller gives is a text of its own
            else:
                part.written = (kind, known)
        return known

    def _result(self, node: ast.Call, depth: int) -> ValueFacts | None:
        """The document that a function of the module reads and returns."""
        name = dotted(node.func)
        callee = self.source.function(name)
        if callee is None:
            return None
        if name not in self._returned:
            self._returned[name] = None
            self._returned[name] = self._walk(callee, {}, name.rpartition(".")[0] or None, depth + 1).returned
        return self._returned[name]

    def follow(self, name: str, node: ast.Call, reader: _Reader) -> None:
        """Look into a function of the module that is called."""
        owner = reader.owner
        qualname = name
        kept: Names = {}
        if owner is not None and reader.this and name.startswith(f"{reader.this}."):
            qualname = f"{owner}.{name.partition('.')[2]}"
            kept = reader.kept()
        elif self.source.class_(name) is not None:
            owner, qualname = name, f"{name}.__init__"
        callee = self.source.function(qualname)
        if callee is None or callee is reader.node or reader.depth >= _MOST_DEPTH:
            return
        method = "." in qualname
        mine = passed(callee, node, reader, method)
        if mine or reader.depth < _MOST_DEPTH - 1:
            self._walk(callee, {**kept, **mine}, owner if method else None, reader.depth + 1)


class _Reader(Observer, ast.NodeVisitor):
    """Collects the facts of what one function parses."""

    def __init__(
        self, documents: Documents, names: Names, owner: str | None, node: FunctionNode, depth: int
    ) -> None:
        first = next((item.arg for item in [*node.args.posonlyargs, *node.args.args]), None)
        super().__init__(names, documents.names, None, first if owner is not None else None)
        self.node = node
        self.owner = owner
        self.depth = depth
        self.returned: ValueFacts | None = None
        self._documents = documents

    def kept(self) -> Names:
        """The facts of the receiver's attributes."""
        return {name: found for name, found in self.names.items() if name.startswith("self.")}

    def visit_Call(self, node: ast.Call) -> None:
        name = self._documents.full_name(node.func)
        if name:
            self._documents.parsed(node, self)
            self._documents.on_parse(name, node, self)
        else:
            self._documents.follow(dotted(node.func), node, self)
        super().visit_Call(node)

    def visit_Return(self, node: ast.Return) -> None:
        self.generic_visit(node)
        self.returned = self.returned or self.facts(node.value)

    def _facts_of_call(self, node: ast.Call) -> ValueFacts | None:
        if dotted(node.func) in ("dict", "list") and len(node.args) == 1:
            return self.facts(node.args[0])
        return self._documents.parsed(node, self) or super()._facts_of_call(node)

    def _facts_of_item(self, value: ast.expr, index: ast.expr) -> ValueFacts | None:
        place = _literal(index) if not isinstance(index, ast.Slice) else None
        if type(place) is int and 0 <= place < MOST_LENGTH and (inner := self.facts(value)) is not None:
            return inner.places.setdefault(place, ValueFacts())
        return super()._facts_of_item(value, index)

    def _compared(self, facts: ValueFacts, operator: ast.cmpop, other: ast.expr) -> None:
        if isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            if type(bound := _literal(other)) in (int, float):
                facts.bounds.append(bound)
        else:
            self._meets(facts, other)
        super()._compared(facts, operator, other)

    def _displayed(self, facts: ValueFacts, node: ast.expr) -> None:
        """Keeps displays that a value is compared with as they are."""

    def _member(self, inner: ValueFacts, container: ast.expr) -> None:
        if isinstance(container, (ast.Tuple, ast.List, ast.Set)):
            for element in container.elts:
                self._meets(inner, element)
        else:
            self._is_one_of(inner, container)
        super()._member(inner, container)

    def _is_one_of(self, facts: ValueFacts, container: ast.expr) -> None:
        """A value that is looked for in a table of the module is one of its keys."""
        table = self.constant(container)
        for key in itertools.islice(table, MOST_LENGTH) if type(table) in _TABLES else ():
            if type(key) is str:
                facts.meets(key)

    @staticmethod
    def _has_keys_of(facts: ValueFacts, table: Any) -> None:
        """A dict whose keys are those of a table of the module: such values are in it, too."""
        if type(table) is not dict:
            return
        for key, value in itertools.islice(table.items(), _MOST_KEYS):
            if type(key) is str and type(value) in _KINDS.values():
                emptied = [key] if value == [] else {} if value == {} else key
                facts.at(key).meets(value or (emptied if type(value) in (str, list, dict) else value))

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """``set(found) - set(KNOWN)`` asks for what is not known."""
        match node:
            case ast.BinOp(
                ast.Call(ast.Name("set"), [found]), ast.Sub(), ast.Call(ast.Name("set"), [known])
            ) if (facts := self.facts(found)) is not None:
                facts.must_be("dict > list set", Strength.USED)
                self._has_keys_of(facts, self.constant(known))
            case ast.BinOp(ast.BinOp() as first, ast.Sub()):
                self.visit_BinOp(first)
            case _:
                pass
        super().visit_BinOp(node)

    def _method(self, receiver: ValueFacts, method: str, node: ast.Call) -> None:
        if method == "get" and len(node.args) == 2 and (found := self.facts(node)) is not None:
            self._meets(found, node.args[1])  # what is taken where there is none is likely there as well
        if method in ("startswith", "endswith", "removeprefix", "removesuffix") and node.args:
            self._meets(receiver, node.args[0])
        super()._method(receiver, method, node)

    def _container(self, outer: ValueFacts, item: ast.expr, inner: ValueFacts | None) -> None:
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            outer.at(item.value)  # a key, more likely than an element
        super()._container(outer, item, inner)

    def _meets(self, facts: ValueFacts, other: ast.expr) -> None:
        value = _literal(other)
        value = self.constant(other) if value is None else value
        if type(value) in (*_KINDS.values(), tuple):
            facts.meets(value)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            if isinstance(left, ast.Call) and dotted(left.func) == "len" and left.args:
                self._measured(self.facts(left.args[0]), operator, _literal(right))
        super().visit_Compare(node)

    @staticmethod
    def _measured(facts: ValueFacts | None, operator: ast.cmpop, length: Any) -> None:
        """`len(x) > 3`: lengths for both sides of the condition."""
        if facts is None or type(length) is not int:
            return
        step = -1 if isinstance(operator, (ast.Lt, ast.GtE)) else 1
        lengths = [length, length + step]
        found = lengths[::-1] if isinstance(operator, (ast.Gt, ast.Lt, ast.NotEq)) else lengths
        facts.lengths += [each for each in found if 0 <= each <= MOST_LENGTH and each not in facts.lengths]

    def _unpacked(self, node: ast.Call) -> None:
        for keyword in node.keywords:
            if keyword.arg is None and (facts := self.facts(keyword.value)) is not None:
                _note_parameters(facts, self.classes.get(dotted(node.func)))
        super()._unpacked(node)


def _is_part(part: ValueFacts, whole: ValueFacts) -> bool:
    """Return whether facts are those of something within a value."""
    seen: set[int] = set()
    waiting = [whole]
    while waiting:
        facts = waiting.pop()
        if facts is part:
            return True
        if id(facts) not in seen:
            seen.add(id(facts))
            waiting += [each for each in (facts.element, facts.key, facts.result) if each is not None]
            for named in (facts.keys, facts.attributes, facts.methods, facts.places):
                waiting += named.values()
            waiting += facts.arity
            waiting += [facts.written[1]] if facts.written else []
    return False


def _literal(node: ast.expr) -> Any:
    """The value of an expression that is written out, None for others."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _note_parameters(facts: ValueFacts, called: Any) -> None:
    """``Class(**data)``: its parameters are the keys."""
    try:
        parameters = inspect.signature(called).parameters.values() if callable(called) else ()
    except (ValueError, TypeError):
        return
    for item in parameters:
        if item.kind in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY):
            inner = facts.at(item.name)
            if (kind := _KINDS.get(text_of(item.annotation).partition("[")[0])) is not None:
                inner.name(kind, Strength.PASSED)


@functools.lru_cache(maxsize=4)  # asked for by every function of a module
def _imported(tree: ast.Module) -> Mapping[str, str]:
    """Local names and what they are imported as, wherever in the module."""
    return dict(_imports(tree))


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (first, first)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
