"""Uses of the fields of a module's classes in its functions: evidence for what constructors get."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from tracetwin.analysis.evidence.expressions import Names
from tracetwin.analysis.evidence.facts import ValueFacts

_MOST_DEPTH = 4


def spread(
    everything: Iterable[ValueFacts],
    classes: Mapping[type, frozenset[str]],
    shared: Callable[[str], Names],
) -> None:
    """Add what is done with `order.voucher` to what is known of the field `voucher` of the class `Order`.

    A value is an instance of a class where that is said, or where no other class has all that is used.
    """
    for facts in everything:
        for value in _inside(facts, 0):
            cls = _class_of(value, classes)
            if cls is None:
                continue
            fields = shared(cls.__qualname__)
            for name, part in value.attributes.items():
                fields.setdefault(f"self.{name}", ValueFacts()).adopt(part)


def _inside(facts: ValueFacts, depth: int) -> Iterator[ValueFacts]:
    """A value and what is taken from it."""
    yield facts
    if depth == _MOST_DEPTH:
        return
    parts = [*facts.attributes.values(), *facts.keys.values(), *facts.arity, facts.element, facts.key]
    for part in parts:
        if part is not None:
            yield from _inside(part, depth + 1)


def _class_of(facts: ValueFacts, classes: Mapping[type, frozenset[str]]) -> type | None:
    named = {item if isinstance(item, str) else getattr(item, "__qualname__", "") for item, _ in facts.named}
    said = [cls for cls in classes if cls.__qualname__ in named]
    used = {*facts.attributes, *facts.methods}
    fitting = said or [cls for cls, known in classes.items() if used and used <= known]
    return fitting[0] if len(fitting) == 1 else None
