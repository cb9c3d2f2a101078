"""How values of some sorts are written as z3 terms: the contract of all encodings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from runtime.expr import Node, Sort
from runtime.library_model import OPERATORS
from tracetwin.solving.smt.terms import Term, Terms

if TYPE_CHECKING:
    from tracetwin.solving.smt.translate import Translator

Handler: TypeAlias = Callable[["Translator", Node, list[Term]], Term]
"""Makes the term of an operation from those of its operands.

It raises `Unsupported` for operands that it was not written for; any other exception is a mistake of ours.
"""


class Encoding(ABC):
    """One way to write values of some sorts.

    Attributes:
        kind: "int" (bools too), "float" or "text".
        name: unique; by it library models say for which encoding a handler is.
        sound: whether unsatisfiability of formulas with its variables can be believed.
        flat_sums: whether sums of ints are better written as one flat sum.
        real: whether its floats are real numbers, with which decimal digits can be calculated.
        handlers: the operations that it has terms for.
        facts: what holds for the variables made so far, whatever the problem.
        guesses: what to assume first: the problem may have a solution that is easier to find, or to read.
    """

    kind: ClassVar[str]
    name: ClassVar[str]
    sound: ClassVar[bool] = True
    flat_sums: ClassVar[bool] = False
    real: ClassVar[bool] = False
    handlers: Mapping[str, Handler]

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.facts: list[Term] = []
        self.guesses: list[Term] = []

    @abstractmethod
    def constant(self, value: Any) -> Term:
        """The literal of a Python value; `Unsupported` when there is none."""

    @abstractmethod
    def variable(self, name: str, sort: Sort) -> Term:
        """An input variable."""

    @abstractmethod
    def fresh(self, hint: str, sort: Sort) -> Term:
        """A variable of unknown value."""

    @abstractmethod
    def value(self, model: Any, term: Term, sort: Sort) -> object:
        """The Python value of a term in a z3 model."""

    def equal(self, left: Term, right: Term) -> Term:
        """That two terms are the same value."""
        return self.terms.eq(left, right)

    def choice(self, condition: Term, then: Term, otherwise: Term) -> Term:
        return self.terms.ite(condition, then, otherwise)

    def handler(self, op: str) -> Handler | None:
        """Return the handler of an operator: of its own, or of a library model."""
        own = self.handlers.get(op)
        if own is not None:
            return own
        model = OPERATORS.get(op)
        return None if model is None else model.solve.get(self.name) or model.solve.get(self.kind)

    def late_guesses(self, variables: Iterable[Term]) -> list[Term]:
        """Return what to assume where no other model survived the check."""
        return []

    def within(self, term: Term, most: int) -> Term | None:
        """That a value is no further from nothing than that (a number's size, a text's length), to read well.

        None where it can't be said, or is said already.
        """
        return None


class TextEncoding(Encoding):
    """The contract of encodings of str and bytes."""

    kind = "text"

    @abstractmethod
    def prefix(self, prefix: Term, text: Term) -> Term:
        """Return whether `text` starts with `prefix`."""

    @abstractmethod
    def suffix(self, suffix: Term, text: Term) -> Term:
        """Return whether `text` ends with `suffix`."""

    @abstractmethod
    def made_of(
        self,
        translator: Translator,
        text: Term,
        ranges: Sequence[tuple[int, int]],
        *,
        complete: bool,
        empty: bool,
    ) -> Term:
        """That each character of a text is in one of some ranges of code points.

        Where they are not complete they are those of ASCII, and other characters may be either.
        """
