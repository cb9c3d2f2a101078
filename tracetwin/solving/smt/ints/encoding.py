"""Ints and bools as z3's unbounded integers and its booleans."""

from __future__ import annotations

from typing import Any

from runtime.expr import Sort
from tracetwin.solving.smt.encoding import Encoding
from tracetwin.solving.smt.ints.functions import HANDLERS
from tracetwin.solving.smt.terms import Term


class Integers(Encoding):
    """The encoding."""

    kind = "int"
    name = "ints"
    flat_sums = True
    handlers = HANDLERS

    def constant(self, value: Any) -> Term:
        return self.terms.bool(value) if isinstance(value, bool) else self.terms.int(value)

    def variable(self, name: str, sort: Sort) -> Term:
        """An int or bool variable."""
        return self.terms.variable(name, self._sort(sort))

    def fresh(self, hint: str, sort: Sort) -> Term:
        """A new int or bool variable."""
        return self.terms.fresh(self._sort(sort), hint)

    def value(self, model: Any, term: Term, sort: Sort) -> object:
        """The Python value in a model."""
        found = model.eval(term, model_completion=True)
        return str(found) == "True" if sort is Sort.BOOL else self.terms.int_value(found)

    def within(self, term: Term, most: int) -> Term | None:
        """Between ``-most`` and ``most``."""
        t = self.terms
        limit = t.int(most)
        return t.and_(t.le(t.neg(limit), term), t.le(term, limit))

    def _sort(self, sort: Sort) -> Any:
        return self.terms.bool_sort if sort is Sort.BOOL else self.terms.int_sort
