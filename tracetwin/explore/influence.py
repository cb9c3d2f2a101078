"""Which methods of a class can influence which: static define-use facts over ``self`` attributes.

Candidate sequences (JTestCraft ch. 4) are built backwards: in front of a method stands another that may
write an attribute which it may read. Facts are read from the source, through calls on ``self``.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

MUTATORS = frozenset(
    "append extend insert remove pop clear sort reverse add discard update setdefault popitem appendleft"
    " popleft extendleft rotate push put write".split()
)
"""Names of methods that usually change their receiver."""


@dataclass
class Facts:
    """What one method may do to its receiver."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)


def class_facts(tree: ast.Module, class_name: str) -> dict[str, Facts]:
    """Facts of every method of the class, callees and base classes of the same module included."""
    classes = dict(_classes(tree))
    methods = _methods_of(classes, class_name, set())
    facts = {name: _facts(node) for name, node in methods.items()}
    changed = True
    while changed:
        changed = False
        for own in facts.values():
            for callee in [c for c in own.calls if c in facts]:
                before = (len(own.reads), len(own.writes), len(own.calls))
                own.reads |= facts[callee].reads
                own.writes |= facts[callee].writes
                own.calls |= facts[callee].calls
                changed |= before != (len(own.reads), len(own.writes), len(own.calls))
    return facts


def _classes(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.ClassDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _classes(node, f"{prefix}{node.name}.")
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _classes(node, prefix)


def _methods_of(
    classes: Mapping[str, ast.ClassDef], name: str, seen: set[str]
) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    node = classes.get(name)
    if node is None or name in seen:
        return {}
    seen.add(name)
    found: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    for base in reversed(node.bases):
        if isinstance(base, ast.Name):
            found.update(_methods_of(classes, base.id, seen))
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[item.name] = item
    return found


def _facts(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Facts:
    facts = Facts()
    first = next(iter([*method.args.posonlyargs, *method.args.args]), None)
    if first is None:
        return facts
    receiver = first.arg
    for node in ast.walk(method):
        _note(node, receiver, facts)
    return facts


def _note(node: ast.AST, receiver: str, facts: Facts) -> None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if _is_self(node.func.value, receiver):
            facts.calls.add(node.func.attr)
        elif node.func.attr in MUTATORS:
            facts.writes |= _roots(node.func.value, receiver)
        for argument in node.args:  # an attribute handed to a callee may be changed by it
            if isinstance(argument, ast.Attribute):
                facts.writes |= _roots(argument, receiver)
    elif isinstance(node, ast.Attribute) and _is_self(node.value, receiver):
        (facts.reads if isinstance(node.ctx, ast.Load) else facts.writes).add(node.attr)
    elif isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
        facts.writes |= _roots(node.value, receiver)
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
        facts.reads |= _roots(node.target, receiver)


def _is_self(node: ast.AST, receiver: str) -> bool:
    return isinstance(node, ast.Name) and node.id == receiver


def _roots(node: ast.AST, receiver: str) -> set[str]:
    """The receiver's attribute that an access path starts from: ``self.items[0].left`` gives items."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(node, ast.Attribute) and _is_self(node.value, receiver):
            return {node.attr}
        node = node.func if isinstance(node, ast.Call) else node.value
    return set()


def any_prefixes(callable_names: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    """Sequences of one and two methods, where nothing is known of what they influence."""
    singles = [(name,) for name in callable_names]
    pairs = ((first, second) for first in callable_names for second in callable_names)
    return itertools.islice(itertools.chain(singles, pairs), most)


def candidate_prefixes(
    facts: Mapping[str, Facts], target: str, callable_names: Sequence[str], longest: int, most: int
) -> Iterator[tuple[str, ...]]:
    """Sequences of methods to call before `target`, shortest first, each influencing a later one."""
    if target not in facts:
        return
    level: list[tuple[str, ...]] = [()]
    given = 0
    for _ in range(longest):
        following: list[tuple[str, ...]] = []
        for sequence in level:
            needed = set().union(*(facts[name].reads for name in (*sequence, target)))
            following.extend(
                (name, *sequence)
                for name in callable_names
                if name in facts and facts[name].writes & needed
            )
        for sequence in following:
            yield sequence
            given += 1
            if given >= most:
                return
        level = following
