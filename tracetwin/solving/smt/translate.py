"""From expressions to z3 terms: a traversal with a table of handlers per encoding, remembered per node.

What a translation may and may not do
-------------------------------------
- *exact*: the term has the value of the expression.
- *abstracted*: an operation that the theory lacks becomes a new variable (`Translator.abstract`). The
  formula then has more models than the expression, so "unsatisfiable" still holds; models are checked.
- *inexact* (`Translator.inexact`): reals for floats, ASCII for all of Unicode and the like. Neither
  answer can be trusted; such a node is not `sound`, and neither is whatever contains it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from runtime.expr import Node, Sort, sort_of
from tracetwin.solving.arithmetic.forms import Forms, is_linear
from tracetwin.solving.program import topological
from tracetwin.solving.smt import objects
from tracetwin.solving.smt.encoding import Encoding, Handler, TextEncoding
from tracetwin.solving.smt.terms import Term, Unsupported
from tracetwin.support.data import dataclass

_TEXT_SORTS: Final = (Sort.STR, Sort.BYTES)

@dataclass(frozen=True)
class Translated:
    """A node in z3.

    Attributes:
        term: the z3 term (for `Sort.OBJ`: a Python description of its parts).
        sound: whether unsatisfiability of formulas with this term can be believed.
        special: whether this node, or one below it, has side conditions or is abstracted.
    """

    term: Term
    sound: bool
    special: bool
    node: Node


class Translator:
    """Translates nodes with one encoding for each kind of value; keeps every result until `forget`."""

    def __init__(self, ints: Encoding, floats: Encoding, text: TextEncoding) -> None:
        """Take an encoding for each kind of value; they must write their terms with the same `Terms`."""
        self.terms = ints.terms
        self.ints_as = ints
        self.floats = floats
        self.text = text
        self._encodings: Mapping[Sort, Encoding] = {
            Sort.INT: ints,
            Sort.BOOL: ints,
            Sort.FLOAT: floats,
            Sort.STR: text,
            Sort.BYTES: text,
        }
        self.done: dict[Node, Translated] = {}
        self.sides: dict[Node, list[Term]] = {}
        self.abstracted: dict[Node, Term] = {}
        self.variables: dict[str, Term] = {}
        self.auxiliaries: set[Node] = set()
        self.forms = Forms()
        self._node: Node | None = None
        self._sound = True

    def forget(self) -> None:
        """Drop all results (their nodes are about to be forgotten)."""
        for table in (self.done, self.sides, self.abstracted, self.variables):
            table.clear()
        self.auxiliaries.clear()
        self.forms.forget()

    def translate(self, node: Node) -> Translated:
        """The translation of a node and all below it."""
        for each in topological([node], _View(self.done)):
            self.done[each] = self._one(each)
        return self.done[node]

    def _one(self, node: Node) -> Translated:
        below = [self.done[arg] for arg in node.args]
        self._node, self._sound = node, all(b.sound for b in below)
        if node.op == "var":
            term = self.variable(node)
        else:
            try:
                term = self._made(node, [b.term for b in below])
            except Unsupported:
                term = self.abstracted.get(node)
                term = self.abstract(node) if term is None else term
        guards = self.terms.drain()
        if guards:
            self.sides.setdefault(node, []).extend(guards)
        special = node in self.abstracted or node in self.sides or any(b.special for b in below)
        return Translated(term, self._sound, special, node)

    def special_below(self, node: Node, seen: set[Node]) -> list[Node]:
        """The special nodes below a translated one (or itself), operands first.

        Nodes in `seen` are passed over, and it takes in what was looked at: the next condition of a loop has
        all of the last one's nodes below it.
        """
        if node in seen or not self.done[node].special:
            return []
        found: list[Node] = []
        seen.add(node)
        waiting = [node]
        for each in waiting:
            if each in self.abstracted or each in self.sides:
                found.append(each)
            for arg in each.args:
                if arg not in seen and self.done[arg].special:
                    seen.add(arg)
                    waiting.append(arg)
        return sorted(found, key=lambda special: special.ident)

    def variable(self, node: Node) -> Term:
        """The z3 variable of an input."""
        name = str(node.data)
        if name not in self.variables:
            self.variables[name] = self.encoding(node.sort).variable(f"v.{name}", node.sort)
        self._sound = self._sound and self.encoding(node.sort).sound
        return self.variables[name]

    def encoding(self, sort: Sort) -> Encoding:
        """How values of a sort are written."""
        found = self._encodings.get(sort)
        if found is None:
            raise Unsupported("a value without an encoding")
        return found

    def _made(self, node: Node, args: list[Term]) -> Term:
        if node.op == "const":
            return self.constant(node)
        if any(term is None for term in args):
            raise Unsupported("an operand without a translation")
        if node.op == "ite":
            return self._ite(node, args)
        if self.ints_as.flat_sums and is_linear(node):
            return self._sum(node)
        handler = self._handler(node)
        if handler is None:
            raise Unsupported(node.op)
        return handler(self, node, args)

    def _handler(self, node: Node) -> Handler | None:
        """That of the most demanding sort among the operands."""
        sorts = {arg.sort for arg in node.args}
        if Sort.OBJ in sorts:
            return objects.HANDLERS.get(node.op)
        if Sort.STR in sorts or Sort.BYTES in sorts:
            return self.text.handler(node.op)
        written = self.text.handler(node.op) if node.sort in _TEXT_SORTS else None
        if written is not None:
            return written
        floats = Sort.FLOAT in sorts or node.sort is Sort.FLOAT
        return (self.floats if floats else self.ints_as).handler(node.op)

    def _sum(self, node: Node) -> Term:
        """A sum of ints as one flat sum; a long one is given a name: what is added to it stays short."""
        t = self.terms
        form = self.forms.of(node)
        named = form.weights == ((node, 1),)
        if named:
            form = self.forms.expanded(node)
        parts = [
            self.done[atom].term if factor == 1 else t.mul(t.int(factor), self.done[atom].term)
            for atom, factor in form.weights
        ]
        if form.constant or not parts:
            parts.append(t.int(form.constant))
        total = t.add(*parts) if len(parts) > 1 else parts[0]
        if not named:
            return total
        name = self.auxiliary(t.int_sort)
        self.side(t.eq(name, total))
        return name

    def _ite(self, node: Node, args: list[Term]) -> Term:
        condition, then, otherwise = node.args
        if condition.sort is not Sort.BOOL or then.sort is not otherwise.sort or node.sort is Sort.OBJ:
            raise Unsupported("a choice between different sorts")
        return self.encoding(node.sort).choice(*args)

    def constant(self, node: Node) -> Term:
        """The literal of a constant node (for `Sort.OBJ`: the value itself, wrapped)."""
        if node.sort is Sort.OBJ:
            return objects.Constant(node.data)
        return self.encoding(node.sort).constant(node.data)

    # for handlers

    def ints(self, node: Node, args: list[Term]) -> list[Term]:
        """The operands as integers: booleans become 0 or 1."""
        t = self.terms
        return [
            t.ite(term, t.int(1), t.int(0)) if arg.sort is Sort.BOOL else term
            for arg, term in zip(node.args, args, strict=True)
        ]

    def inexact(self) -> None:
        """The node at hand is only approximated: no proof may rest on it."""
        self._sound = False

    def side(self, condition: Term) -> None:
        """Something that is true whenever the node at hand has a value."""
        assert self._node is not None
        self.sides.setdefault(self._node, []).append(condition)

    def auxiliary(self, sort: Term) -> Term:
        """A new variable that side conditions will define."""
        return self.terms.fresh(sort, "aux")

    def abstract(self, node: Node) -> Term:
        """A new variable in the place of the node's value; None where there is no z3 sort for it."""
        try:
            term = self.fresh(node.sort)
        except Unsupported:
            return None
        self.abstracted[node] = term
        return term

    def chosen(self, node: Node, index: Term, values: Sequence[int]) -> Term:
        """The value of that number; any int for a number that is none of theirs."""
        t = self.terms
        result = self.abstract(node)
        for place in range(len(values) - 1, -1, -1):
            result = t.ite(t.eq(index, t.int(place)), t.int(values[place]), result)
        return result

    def fresh(self, sort: Sort) -> Term:
        """A new variable of a sort."""
        encoding = self.encoding(sort)
        made = encoding.fresh("any", sort)
        self._sound = self._sound and encoding.sound
        return made

    def equals(self, node: Node, value: object) -> Term:
        """That a translated node has a Python value (of the node's sort)."""
        term = self.done[node].term
        if sort_of(value) is not node.sort or term is None:
            raise Unsupported("a value of another sort")
        encoding = self.encoding(node.sort)
        return encoding.equal(term, encoding.constant(value))

    def value(self, model: Any, name: str, sort: Sort) -> object:
        """The Python value of an input variable in a z3 model."""
        return self.encoding(sort).value(model, self.variables[name], sort)

    def encodings(self) -> tuple[Encoding, ...]:
        """Those in use, each once."""
        return self.ints_as, self.floats, self.text


class _View(set[Node]):
    """A set that starts as a view of the finished nodes, without copying them."""

    def __init__(self, done: dict[Node, Translated]) -> None:
        super().__init__()
        self._done = done

    def __contains__(self, node: object) -> bool:
        return node in self._done or super().__contains__(node)


def special_nodes(translator: Translator, parts: Iterable[Translated]) -> list[Node]:
    """The special nodes of some translations, each once."""
    seen: set[Node] = set()
    return [node for part in parts for node in translator.special_below(part.node, seen)]


def side_conditions(translator: Translator, parts: Iterable[Translated]) -> list[Term]:
    """All side conditions of some translations, each once, in order of creation."""
    return [
        side for node in special_nodes(translator, parts) for side in translator.sides.get(node, ())
    ]
