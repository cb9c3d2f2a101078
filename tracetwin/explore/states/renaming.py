"""Conditions in terms of leaves, for what is compared as it stands or by a solver.

Leaf 3 is the variable ``#3`` (``#3.str`` where it is a text); the arguments that are no leaf of their own
become ``?0``, ``?1``, ... in the order in which they are met, so that states which came about in the same way
read the same. What leaves any value to some argument says nothing and is left out before: where an argument
occurs once, in a sum, the sum is any number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from runtime.expr import Node, Sort, make, var
from tracetwin.solving.arithmetic.ordering import Reader
from tracetwin.solving.program import topological


class Component(NamedTuple):
    """A group of connected leaves and conditions.

    Attributes:
        leaves: the leaves, numbered from 1.
        conditions: the conditions, in path order, each once.
    """

    leaves: tuple[int, ...]
    conditions: tuple[Node, ...]


def components(conditions: Sequence[Node], leaves: Sequence[Node], reader: Reader) -> list[Component]:
    """The groups with a leaf of the heap in which something is not about order, by their first leaves."""
    groups = Groups()
    for node in (*conditions, *leaves):
        groups.unite(node.names)
    hard = {groups.of(c.names) for c in conditions if reader.order(c) is None}
    hard |= {groups.of(leaf.names) for leaf in leaves if reader.anchor(leaf) is None}
    members: dict[str, list[int]] = {}
    for place, leaf in enumerate(leaves, 1):
        members.setdefault(groups.of(leaf.names), []).append(place)
    said: dict[str, dict[Node, None]] = {}
    for condition in conditions:
        said.setdefault(groups.of(condition.names), {})[condition] = None
    return [
        Component(tuple(places), tuple(said.get(group, ())))
        for group, places in members.items()
        if group in hard
    ]


class Groups:
    """Disjoint sets of names."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def unite(self, names: Iterable[str]) -> None:
        """Put names into one set."""
        first, *others = sorted(names) or [""]
        for other in others:
            self._above[self._find(other)] = self._find(first)

    def of(self, names: Iterable[str]) -> str:
        """Return the representative of the component that holds some names."""
        return self._find(min(names, default=""))

    def _find(self, name: str) -> str:
        root = name
        while (above := self._above.get(root, root)) != root:
            root = above
        while (above := self._above.get(name, name)) != root:
            self._above[name], name = root, above
        return root


_ANY_INT: Final = frozenset(("add", "sub", "neg"))
_ANY_BOOL: Final = frozenset(("lt", "le", "gt", "ge", "eq", "ne"))


def leaf_variable(place: int, sort: Sort) -> Node:
    """The variable that stands for a leaf; its name tells the sort, as provers know variables by name."""
    return _variable("#", place, sort)


def _variable(kind: str, number: int, sort: Sort) -> Node:
    return var(f"{kind}{number}" if sort is Sort.INT else f"{kind}{number}.{sort.name.lower()}", sort)


def is_hidden(name: str) -> bool:
    """Return whether a variable stands for an argument that is no leaf."""
    return name.startswith("?")


def renamed(component: Component, leaves: Sequence[Node]) -> tuple[Node, ...]:
    """The conditions of a component, and what its leaves are, in terms of leaves."""
    names: dict[Node, Node] = {}
    definitions: list[tuple[Node, Node]] = []
    for place in component.leaves:
        leaf = leaves[place - 1]
        name = leaf_variable(place, leaf.sort)
        if leaf.op == "var" and leaf not in names:
            names[leaf] = name
        else:
            definitions.append((name, leaf))
    definitions, conditions = _constrained(definitions, component.conditions, names)
    roots = [leaf for _, leaf in definitions] + conditions
    hidden = [node for node in topological(roots, set()) if node.op == "var" and node not in names]
    names.update((node, _variable("?", number, node.sort)) for number, node in enumerate(hidden))
    changed = replaced(roots, names)
    facts = [make("eq", Sort.BOOL, (name, changed[leaf])) for name, leaf in definitions]
    return (*facts, *dict.fromkeys(changed[condition] for condition in conditions))


def replaced(roots: Iterable[Node], names: Mapping[Node, Node]) -> dict[Node, Node]:
    """All nodes below some, with others in the place of those named."""
    done: dict[Node, Node] = dict(names)
    for node in topological(list(roots), set(done)):
        args = tuple(done[arg] for arg in node.args)
        done[node] = node if args == node.args else make(node.op, node.sort, args)
    return done


def _constrained(
    definitions: list[tuple[Node, Node]], conditions: Sequence[Node], visible: Mapping[Node, Node]
) -> tuple[list[tuple[Node, Node]], list[Node]]:
    """Definitions and conditions without those that some hidden argument can always meet."""
    said = list(conditions)
    fresh = 0
    while True:
        roots = [leaf for _, leaf in definitions] + said
        free = _free_node(roots, lambda node: node.op == "var" and node not in visible)
        if free is None:
            return definitions, said
        if free.op == "var":
            definitions = [pair for pair in definitions if pair[1] is not free]
            said = [condition for condition in said if condition is not free]
            continue
        fresh += 1
        changed = replaced(roots, {free: var(f"~{fresh}", free.sort)})
        definitions = [(name, changed[leaf]) for name, leaf in definitions]
        said = [changed[condition] for condition in said]


def _free_node(roots: Sequence[Node], is_hidden_var: Callable[[Node], bool]) -> Node | None:
    """The first node that can have any value, because of an argument that occurs there alone."""
    nodes = topological(list(roots), set())
    users: Counter[Node] = Counter()
    user: dict[Node, Node] = {}
    for node in nodes:
        for arg in node.args:
            users[arg] += 1
            user[arg] = node
    at_root = Counter(roots)
    for node in nodes:
        if not is_hidden_var(node):
            continue
        if at_root[node] == 1 and not users[node]:
            return node
        if not at_root[node] and users[node] == 1 and _takes_any(user[node]):
            return user[node]
    return None


def _takes_any(node: Node) -> bool:
    """Return whether a node has any value of its sort as one operand goes through all ints."""
    if any(arg.sort is not Sort.INT for arg in node.args):
        return False
    return node.op in (_ANY_INT if node.sort is Sort.INT else _ANY_BOOL)
