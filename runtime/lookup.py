"""Reads containers at an index or key that depends on the input, as one expression or by decisions.

Few elements of one scalar sort are read by *reasoning* (one ``ite`` chain the solver sees through);
everything else by *simulation*: the place is decided by a branch (JTestCraft 3.2, 5.4.5).
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from runtime import trace
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import choose, compare, equality, member
from runtime.scalars.text import check_bounds
from runtime.values import SCALARS, TRACED, TRACED_IDS, SBool, SInt, kind_of, node_of, plain, settle, wrap

keep_builtins(globals())

_PLAIN: Final = frozenset((str, int, bytes, float))

REASONING_LIMIT: Final = 32
"""Elements up to which an access is one expression."""

SCAN_LIMIT: Final = 300
"""Keys up to which a missing key is described to the solver."""

_SCAN: Final = 64

_FEW: Final = range(2, 13)
"""Members of a table that are each worth a run."""


def has_traced(values: Any) -> bool:
    """Return whether one of the elements of a list or tuple is a traced scalar."""
    for value in values:  # a loop is quicker than all that asks for no hash of a type
        kind = type(value)
        if kind is not str and kind is not int and kind is not float and id(kind) in TRACED_IDS:
            return True
    return False


def has_traced_key(container: Any) -> bool:
    """Return whether a dict or set has a traced key, or a tuple with a traced part; looks at a few only."""
    if len(container) > _SCAN:
        return False
    for key in [*container]:  # a copy, as another thread may change it
        if type(key) is not str:
            kind = type(key)
            if kind is not int and (id(kind) in TRACED_IDS or (kind is tuple and has_traced(key))):
                return True
    return False


def is_traced_key(key: Any) -> bool:
    """Return whether a key is a traced scalar, or a tuple with one in it."""
    return kind_of(key) in TRACED or (type(key) is tuple and has_traced(key))


def is_comparable(key: Any) -> bool:
    """Return whether equality with the key is an expression: it is a scalar, or a tuple of scalars."""
    return kind_of(key) in SCALARS or (type(key) is tuple and all(kind_of(part) in SCALARS for part in key))


def _uniform(values: list[Any]) -> bool:
    sorts = {kind_of(plain(v)) for v in values}
    return len(sorts) == 1 and all(kind_of(v) in SCALARS for v in values)


_INDEXED: Final[tuple[Any, ...]] = (list, tuple, deque)


def at_index(elements: Any, index: Any, size: Any) -> Any:
    """Return `elements[index]` of a native list or tuple for a traced int index."""
    count = len(elements) if type(size) is not SInt else size.v
    check_bounds(index, size, count)
    place = plain(index)
    native = next(kind.__getitem__ for kind in _INDEXED if isinstance(elements, kind))
    result = native(elements, place)
    values = [native(elements, i) for i in range(count)] if count <= REASONING_LIMIT else []
    if values and _uniform(values):
        offset = 0 if place >= 0 else -count
        cases = [(i + offset, value) for i, value in enumerate(values)]
        return wrap(plain(result), choose(index, cases))
    settle(index)
    return result


def decided_slice(key: slice, size: int) -> slice:
    """Return a slice with its traced bounds decided as far as they matter for `size` elements, and plain.

    Raises:
        ValueError: the step is 0, which was decided.
    """
    if not has_traced((key.start, key.stop, key.step)):
        return key
    step = settle(key.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    return slice(_decided_bound(key.start, size), _decided_bound(key.stop, size), step)


def decided_bounds(bounds: tuple[Any, ...], size: int) -> list[Any]:
    """Return the bounds that `index` takes, a start or start and stop, decided as those of a slice."""
    return [_decided_bound(bound, size) for bound in bounds]


def _decided_bound(bound: Any, size: int) -> Any:
    if type(bound) is not SInt:
        return settle(bound)
    # Not `-size` itself: going down from there still gives the first element.
    if not decide(compare("ge", bound, size)) and not decide(compare("lt", bound, -size)):
        settle(bound)
    return plain(bound)


def decide(condition: Any) -> bool:
    """Record a branch on a traced bool and return its outcome."""
    if type(condition) is SBool:
        trace.current.record(condition.e, condition.v)
        return condition.v
    return condition is True


def find_key(keys: list[Any], key: Any) -> int:
    """Return the position of `key` among distinct `keys` of a dict or set, or -1, recorded on the path."""
    position = next((i for i, k in enumerate(keys) if k is key or _same(k, key)), -1)
    _note_members(key, keys)
    comparable = [k for k in keys if is_comparable(k)]
    if is_comparable(key) and len(comparable) <= SCAN_LIMIT:
        trace.current.record(member(key, comparable), position >= 0, kind=trace.Kind.CHECK)
    return position


def _same(left: Any, right: Any) -> bool:
    """Return whether two keys are equal by value, without recording."""
    if is_comparable(left) and is_comparable(right):
        return bool(_exact(left) == _exact(right))
    return bool(left == right)


def _exact(key: Any) -> Any:
    return tuple(map(plain, key)) if type(key) is tuple else plain(key)


def value_of_key(keys: list[Any], values: list[Any], key: Any, position: int) -> Any:
    """Return the value stored under the key at `position`: one expression, or decided by a branch."""
    comparable = all(map(is_comparable, keys)) and is_comparable(key)
    if len(keys) <= REASONING_LIMIT and comparable and _uniform(values):
        return wrap(plain(values[position]), choose(key, list(zip(keys, values, strict=True))))
    settle_key(keys, key, position)
    return values[position]


def settle_key(keys: list[Any], key: Any, position: int) -> None:
    """Decide which of the keys it is: not the ones before, but this one (so that each gets its turn)."""
    if not is_comparable(key):
        return
    before = keys[:position] if position <= REASONING_LIMIT else []
    for other in before:
        decide(wrap(False, equality(key, other)))
    decide(wrap(True, equality(key, keys[position])))


def in_order(elements: list[Any]) -> list[Any]:
    """Return the elements of a set in an order that does not depend on them, so that runs ask alike."""
    if any(map(is_traced_key, elements)):
        elements.sort(key=_order)
    return elements


def _order(key: Any) -> tuple[Any, ...]:
    """Return a sort key: constants first, by value; then what is computed, by its expression, then its age.

    Ages alone differ from process to process: they tell which runs came before.
    """
    parts = key if type(key) is tuple else (key,)
    nodes = [node_of(part) for part in parts if kind_of(part) in TRACED]
    if not nodes:
        return (0, type(key).__name__, repr(key) if is_comparable(key) else "")
    return (1, [(len(name), name) for node in nodes for name in sorted(node.names)], nodes[0].ident)


def membership(value: Any, candidates: Any) -> Any:
    """Return `value in candidates` for a list or tuple, without deciding more than the answer.

    NotImplemented where an element is no scalar (Python's own search then goes on).
    """
    elements = list(candidates)
    if issubclass(type(candidates), (set, frozenset)):
        elements = in_order(elements)
    if not is_comparable(value) or not all(is_comparable(c) or c is None for c in elements):
        return NotImplemented
    _note_members(value, elements)
    answer = any(_same(c, value) for c in elements)
    return wrap(answer, member(value, elements))


def _note_members(value: Any, members: list[Any]) -> None:
    """Note which of a few constants a traced scalar is."""
    if len(members) in _FEW and kind_of(value) in TRACED and all(type(one) in _PLAIN for one in members):
        known = plain(value)
        trace.current.note_members(lambda: ((one, equality(value, one), known == one) for one in members))


def compares_traced(container: Any, key: Any) -> bool:
    """Return whether looking up `key` in a container compares traced values."""
    return is_traced_key(key) or (trace.traced_keys and has_traced_key(container))
