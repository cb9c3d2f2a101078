"""Places in texts of code points: items, slices, affixes, and where something stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.chars.vectors import Code, Logic, Text, Truth, fixed
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_MOST_SLICES: Final = 160


def logic_of(tr: Translator) -> Logic:
    """The logic of the theory at hand."""
    return tr.text.logic  # type: ignore[attr-defined, no-any-return]


def _item(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    index = constant(node.args[1])
    where = tr.ints(node, args)[1] if index is None else index

    def at(codes: tuple[Code, ...]) -> Code | None:
        if isinstance(where, int):
            return codes[where] if -len(codes) <= where < len(codes) else None
        found: Code | None = None
        for place in reversed(range(len(codes))):
            here = logic.any((logic.same(where, place), logic.same(where, place - len(codes))))
            found = codes[place] if found is None else logic.choose(here, codes[place], found)
        return found

    code = logic.number(args[0], at)
    return fixed([code]) if node.args[0].sort is Sort.STR else logic.term(code)


def _slice(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    bounds = [
        bound.data if bound.op == "const" else term for bound, term in zip(node.args, args, strict=True)
    ]
    return logic.mapped(args[0], lambda codes: _cut(logic, codes, *bounds[1:]))


def _cut(logic: Logic, codes: tuple[Code, ...], start: Any, stop: Any, step: Any) -> Text:
    """A slice, its bounds being known or not."""
    known = (int, type(None))
    if not isinstance(step, known) or step == 0:
        raise Unsupported("a variable step")
    if isinstance(start, known) and isinstance(stop, known):
        return fixed(codes[start:stop:step])
    if (step or 1) < 0:
        raise Unsupported("variable bounds from the end")
    begins = _clipped(logic, start, len(codes), 0)
    ends = _clipped(logic, stop, len(codes), len(codes))
    if len(begins) * len(ends) > _MOST_SLICES:
        raise Unsupported("that many slices")
    return logic.merged(
        (logic.all((here, there)), codes[low:high:step]) for low, here in begins for high, there in ends
    )


def _clipped(logic: Logic, bound: Any, size: int, default: int) -> list[tuple[int, Truth]]:
    """The places that a bound of a slice may stand for."""
    if bound is None or isinstance(bound, int):
        place = default if bound is None else max(bound + size, 0) if bound < 0 else min(bound, size)
        return [(place, True)]
    found = []
    for place in range(size + 1):
        ways = [logic.same(bound, place)] if place < size else [logic.at_most(size, bound)]
        if place < size:
            ways.append(logic.same(bound, place - size) if place else logic.at_most(bound, -size))
        found.append((place, logic.any(ways)))
    return found


def window(tr: Translator, node: Node, args: list[Any], first: int) -> Callable[[int], tuple[Code, Code]]:
    """For a length, the places between which `find` and its like look: the arguments from `first` on."""
    logic = logic_of(tr)
    given = [
        bound.data if bound.op == "const" else term
        for bound, term in zip(node.args[first:], args[first:], strict=True)
    ]
    start, stop = [*given, None, None][:2]

    def bounds(size: int) -> tuple[Code, Code]:
        return _place(logic, start, size, 0), _place(logic, stop, size, size)

    return bounds


def _place(logic: Logic, bound: Any, size: int, default: int) -> Code:
    """A bound as a place; one beyond the end stays there, as nothing is found from it on."""
    if bound is None:
        return default
    if isinstance(bound, int):
        return max(bound + size, 0) if bound < 0 else bound
    back = logic.plus(bound, size)
    back = logic.choose(logic.below(back, 0), 0, back)
    return logic.choose(logic.below(bound, 0), back, bound)


def _part(tr: Translator, node: Node, args: list[Any], at: int = 1) -> Text:
    """Return the text that is looked for: bytes may be looked for by their value."""
    by_value = node.args[at].sort in (Sort.INT, Sort.BOOL)
    return fixed([tr.ints(node, args)[at]]) if by_value else args[at]


def matches(logic: Logic, codes: Sequence[Code], part: Sequence[Code]) -> list[Truth]:
    """For each place whether `part` stands there."""
    size = len(part)
    return [logic.equal(codes[place : place + size], part) for place in range(len(codes) - size + 1)]


def _contains(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    found = (
        logic.all((guard, logic.any(matches(logic, codes, part))))
        for guard, codes, part in logic.pairs(args[0], _part(tr, node, args))
    )
    return logic.truth(logic.any(found))


def _inside(logic: Logic, place: int, size: int, bounds: tuple[Code, Code]) -> Truth:
    return logic.all((logic.at_most(bounds[0], place), logic.at_most(place + size, bounds[1])))


def _affix(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    if node.args[1].sort is not node.args[0].sort:
        raise Unsupported("several affixes")
    bounds = window(tr, node, args, 2)
    ends = node.op.endswith("endswith")
    answers = []
    for guard, codes, part in logic.pairs(args[0], args[1]):
        low, high = bounds(len(codes))
        if not isinstance(high, int):
            raise Unsupported("an affix within variable bounds")
        high = min(high, len(codes))
        here = []
        for place, found in enumerate(matches(logic, codes, part)):
            start = logic.same(low, place) if not ends else place == high - len(part)
            here.append(logic.all((found, start, _inside(logic, place, len(part), (low, high)))))
        answers.append(logic.all((guard, logic.any(here))))
    return logic.truth(logic.any(answers))


def _find(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    bounds = window(tr, node, args, 2)
    backwards = ".r" in node.op
    result: Code = -1
    for guard, codes, part in logic.pairs(args[0], _part(tr, node, args)):
        limits = bounds(len(codes))
        found: Code = -1
        places = list(enumerate(matches(logic, codes, part)))
        for place, here in places if backwards else reversed(places):
            inside = _inside(logic, place, len(part), limits)
            found = logic.choose(logic.all((here, inside)), place, found)
        result = logic.choose(guard, found, result)
    return logic.term(result)


def taken(
    logic: Logic, found: Sequence[Truth], size: int, most: int = -1, *, backwards: bool = False
) -> list[Truth]:
    """Which matches `count`, `replace` or `split` takes: they don't overlap, and are not too many."""
    order = list(reversed(range(len(found)))) if backwards else list(range(len(found)))
    result: list[Truth] = [False] * len(found)
    counts: dict[int, Truth] = {0: True}
    for place in order:
        near = range(place + 1, place + size) if backwards else range(place - size + 1, place)
        free = logic.no(logic.any(result[other] for other in near if 0 <= other < len(found)))
        here = logic.all((found[place], free))
        if most >= 0:
            here = logic.all((here, logic.any(guard for count, guard in counts.items() if count < most)))
            after: dict[int, list[Truth]] = {}
            for count, guard in counts.items():
                after.setdefault(count + 1, []).append(logic.all((guard, here)))
                after.setdefault(count, []).append(logic.all((guard, logic.no(here))))
            counts = {count: logic.any(guards) for count, guards in after.items() if count <= most}
        result[place] = here
    return result


def _count(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    bounds = window(tr, node, args, 2)
    result: Code = 0
    for guard, codes, part in logic.pairs(args[0], _part(tr, node, args)):
        if not part:
            raise Unsupported("counting nothing")
        limits = bounds(len(codes))
        found = [
            logic.all((here, _inside(logic, place, len(part), limits)))
            for place, here in enumerate(matches(logic, codes, part))
        ]
        total: Code = 0
        for here in taken(logic, found, len(part)):
            total = logic.plus(total, logic.choose(here, 1, 0))
        result = logic.choose(guard, total, result)
    return logic.term(result)


_METHODS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("startswith", "endswith"), _affix),
    **dict.fromkeys(("find", "rfind", "index", "rindex"), _find),
    "count": _count,
}

HANDLERS: Final[dict[str, Handler]] = {
    **{f"{kind}.{name}": handler for kind in ("str", "bytes") for name, handler in _METHODS.items()},
    "item": _item,
    "slice": _slice,
    "contains": _contains,
}
