"""Rewrites `x += v` to `x = iadd(x, v)`, `a[i] = v` to `setitem(v, a, i)`; each part is evaluated once.

Augmented assignment to an attribute or item evaluates the object and key once: either they are names
nothing else can rebind, or a helper variable of the function holds them until the statement is done, or
the statement stays native.
"""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import AUGMENTED, CONSTANT
from instrumenter.rewrites.emit import SPACE, comma_like, is_constant, parenthesized
from instrumenter.rewrites.subscript import Subscript
from instrumenter.twin import HERE


class Assign(Subscript):
    """Statements that store."""

    def __init__(self, module: cst.Module, name: str, prelude: str, version: tuple[int, int] = HERE) -> None:
        super().__init__(module, name, prelude, version)
        self._walruses_before: list[int] = []
        self._helpers: list[str] = []  # of the augmented assignment that is being rewritten

    def visit_NamedExpr(self, node: cst.NamedExpr) -> None:
        self.walruses += 1

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        self.store(node.target)

    def visit_Assign(self, node: cst.Assign) -> None:
        target = node.targets[0].target
        if isinstance(target, cst.Name) and target.value == "__slots__":
            self.frozen.add(id(node.value))

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        self.store(node.target)

    def visit_AsName(self, node: cst.AsName) -> None:
        self.store(node.name)

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.BaseSmallStatement:
        target = updated_node.targets[0].target
        if len(updated_node.targets) > 1 or not isinstance(target, cst.Subscript):
            return updated_node
        # The value comes first in the call: on several lines it would push object and key down.
        if self.spans_lines(original_node):
            return updated_node
        stored = self.emit("setitem", updated_node.value, target.value, self.key(target))
        return cst.Expr(stored, semicolon=updated_node.semicolon)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        self.store(node.target)
        self._walruses_before.append(self.walruses)

    def leave_AugAssign(
        self, original_node: cst.AugAssign, updated_node: cst.AugAssign
    ) -> cst.BaseSmallStatement | cst.FlattenSentinel[cst.BaseSmallStatement]:
        rebinds = self._walruses_before.pop() != self.walruses
        self._helpers.clear()
        statement = self._assigned(original_node, updated_node, rebinds)
        if not self._helpers:
            return statement
        # What the helpers hold must live no longer than it does in the original.
        names = [cst.Name(helper) for helper in self._helpers]
        target = cst.Tuple([cst.Element(name) for name in names]) if len(names) > 1 else names[0]
        cleared = cst.Del(target, semicolon=statement.semicolon)
        semicolon = cst.Semicolon(whitespace_after=SPACE)
        return cst.FlattenSentinel([statement.with_changes(semicolon=semicolon), cleared])

    def _assigned(
        self, original_node: cst.AugAssign, updated_node: cst.AugAssign, rebinds: bool
    ) -> cst.BaseSmallStatement:
        function = AUGMENTED.get(type(updated_node.operator).__name__)
        if function is None:
            return updated_node
        target = updated_node.target
        if isinstance(target, cst.Name):
            return self._augmented(updated_node, target, target)
        if isinstance(target, cst.Attribute):
            pair = self._once(target.value, rebinds)
            if pair is None:
                return updated_node
            first, again = pair
            return self._augmented(
                updated_node, target.with_changes(value=again), target.with_changes(value=first)
            )
        if isinstance(target, cst.Subscript):
            return self._augmented_item(original_node, updated_node, target, rebinds)
        return updated_node

    def _augmented(
        self, node: cst.AugAssign, target: cst.BaseAssignTargetExpression, load: cst.BaseExpression
    ) -> cst.BaseSmallStatement:
        """Return `target = iadd(load, value)`."""
        return cst.Assign(
            targets=[cst.AssignTarget(target, whitespace_before_equal=SPACE, whitespace_after_equal=SPACE)],
            value=self._combined(node, load),
            semicolon=node.semicolon,
        )

    def _combined(self, node: cst.AugAssign, load: cst.BaseExpression) -> cst.BaseExpression:
        operator = node.operator
        function = AUGMENTED[type(operator).__name__]
        if is_constant(node.value):
            function = CONSTANT.get(function, function)
        return self.emit(function, load, node.value, commas=(comma_like(operator),))

    def _augmented_item(
        self, original: cst.AugAssign, updated: cst.AugAssign, target: cst.Subscript, rebinds: bool
    ) -> cst.BaseSmallStatement:
        if self.spans_lines(original.target):
            return updated
        item = self._once(target.value, rebinds)
        key = self._once(self.key(target), rebinds) if item is not None else None
        if item is None or key is None:
            return updated
        load = self.emit(self.reading(target), item[0], key[0], like=target)
        if self.spans_lines(original):
            # The store is evaluated last but stays on its own line.
            store = cst.Subscript(item[1], [cst.SubscriptElement(cst.Index(key[1]))])
            return self._augmented(updated, store, load)
        return cst.Expr(
            self.emit("setitem", self._combined(updated, load), item[1], key[1]), semicolon=updated.semicolon
        )

    def _once(
        self, node: cst.BaseExpression, rebinds: bool
    ) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
        """Return an operand to write first and again, None where it can't be evaluated once."""
        if is_constant(node) and not isinstance(node, cst.Tuple):
            return node, node
        facts = self.facts()
        if facts is not None and isinstance(node, cst.Name) and node.value in facts.stable and not rebinds:
            return node, node
        helper = self.helper()
        if helper is None:
            return None
        self._helpers.append(helper)
        return parenthesized(cst.NamedExpr(cst.Name(helper), _bare(node))), cst.Name(helper)


def _bare(node: cst.BaseExpression) -> cst.BaseExpression:
    return parenthesized(node) if isinstance(node, (cst.Tuple, cst.NamedExpr, cst.Yield)) else node
