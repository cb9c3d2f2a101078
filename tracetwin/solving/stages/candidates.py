"""Guess: a bounded number of simple values for each variable of the goal, the others kept as they are.

Most branches compare one input with something, directly or through a linear expression; trying the few
values that matter costs less than asking z3.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from runtime.expr import Sort
from runtime.library_model import OPERATORS
from tracetwin.solving.answers import Answer, Sat, Unknown
from tracetwin.solving.constants import FLOATING, SIMPLE, UNUSUAL_FLOATS, UNUSUAL_INTS, ConstantPool
from tracetwin.solving.program import same
from tracetwin.solving.shrink import readable, shrink
from tracetwin.solving.stages.linear import roots_of_goal
from tracetwin.solving.task import Stage, Task

# Some are digits to `isdigit` and `isnumeric`, but no numbers to `int`.
_DIGITS: Final = ("\u00b2", "\u00bd", "\u0663")
_LETTERS: Final = ("\u00df", "\u0130", "\u01c5", "\u00aa", "\u00e9", "\u00c9")
_WIDE: Final = ("\u00e9", "\u20ac", "\U0001f600", "\ud800")
_COMPOSED: Final = ("e\u0301", "\u00e9", "\ufb01", "\u212b", "\u00b2")
_BROKEN: Final = ("\u00ff", "a\u00ff", "\u00c3\u00a9", "\u00e2\u0082\u00ac", "\u00c3")
_UNPRINTABLE: Final = ("\n", "\x7f", "\u00a0", "\u2028")

_OF: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("str.casefold", "str.upper", "str.lower", "str.title", "str.capitalize"), _LETTERS),
    **dict.fromkeys(("str.swapcase", "str.isupper", "str.islower", "str.istitle"), _LETTERS),
    **dict.fromkeys(("str.encode", "str.encode_ok", "ascii", "str.isidentifier"), _WIDE),
    **dict.fromkeys(("repr", "str.splitlines"), _UNPRINTABLE),
    **dict.fromkeys(("unicodedata.normalize", "unicodedata.is_normalized"), _COMPOSED),
    **dict.fromkeys(("unicodedata.combining", "unicodedata.decomposition"), _COMPOSED),
    **dict.fromkeys(("unicodedata.numeric", "unicodedata.digit", "unicodedata.decimal"), _DIGITS),
}
_BYTES_OF: Final[dict[str, tuple[bytes, ...]]] = {
    op: tuple(text.encode("latin-1") for text in _BROKEN) for op in ("bytes.decode", "bytes.decode_ok")
}
_SORTED: Final = ("category", "bidirectional", "east_asian_width", "mirrored", "name")
_FIRST_CHARACTERS: Final = 0x2200


def unusual_texts(operators: Iterable[str]) -> tuple[str, ...]:
    """Return texts to try where these operators work on a text."""
    found: dict[str, None] = {}
    for op in sorted(operators):
        model = OPERATORS.get(op)
        known = model.unusual if model is not None else ()
        found.update(dict.fromkeys(text for text in (*_OF.get(op, ()), *known) if isinstance(text, str)))
        room, _, name = op.partition(".")
        if room == "unicodedata" and name in _SORTED:
            found.update(dict.fromkeys(_one_of_each()))
    return tuple(found)


def unusual_bytes(operators: Iterable[str]) -> tuple[bytes, ...]:
    """The same for bytes."""
    return tuple(dict.fromkeys(text for op in sorted(operators) for text in _BYTES_OF.get(op, ())))


@lru_cache(maxsize=1)
def _one_of_each() -> tuple[str, ...]:
    """The first character of each category."""
    found: dict[str, str] = {}
    for code in range(_FIRST_CHARACTERS):
        found.setdefault(unicodedata.category(chr(code)), chr(code))
    return tuple(found.values())


_SHRINKING: Final = 24
_FLOAT_PAIRS: Final = 3
_EXTREME: Final = (2.0, 1e300, 1e-300, -1e300)


class Candidates(Stage):
    """The stage that tries simple values."""

    name = "candidates"

    def __init__(self, per_variable: int = 40, total: int = 160) -> None:
        self._per_variable = per_variable
        self._total = total

    def attempt(self, task: Task) -> Answer:
        """Try values for one goal variable at a time, then equal pairs of them."""
        left = self._total
        program = task.program
        values = dict(task.current)
        pool = ConstantPool(task.goal_nodes)
        wide: ConstantPool | None = None
        for name in task.goal_names:
            if left <= 0:
                break
            sort = task.sorts[name]
            kept = values[name]
            for value in itertools.islice(_proposals(task, name, sort, pool), min(self._per_variable, left)):
                left -= 1
                values[name] = value
                if program.holds(values):
                    return self._found(task, values, name)
            if sort in (Sort.STR, Sort.BYTES):
                wide = wide or ConstantPool(task.nodes)
                for value in itertools.islice(wide.values(sort), min(self._per_variable, max(left, 0))):
                    left -= 1
                    values[name] = value
                    if program.holds(values):
                        return self._found(task, values, name)
            values[name] = kept
        return self._equal_pairs(task, values, left)

    def _found(self, task: Task, values: dict[str, object], name: str) -> Sat:
        """A constant of the conditions may be larger than what it takes."""
        if not readable(values[name]):
            values = shrink(task, values, _SHRINKING)
        return Sat(values, self.name)

    def _equal_pairs(self, task: Task, values: dict[str, object], left: int) -> Answer:
        """Give one variable the value of another: ``a == b``, ``s in t``."""
        for first, second in itertools.islice(itertools.permutations(task.goal_names, 2), max(left, 0)):
            if task.sorts[first] is task.sorts[second] and not same(values[first], values[second]):
                changed = {**values, first: values[second]}
                if task.program.holds(changed):
                    return Sat(changed, self.name)
        return self._unusual_floats(task, values)

    def _unusual_floats(self, task: Task, values: dict[str, object]) -> Answer:
        """Pairs of floats whose sum or product is one of them, infinite, or nothing."""
        names = [name for name in task.names if task.sorts[name] is Sort.FLOAT]
        for pair in itertools.islice(itertools.combinations(names, 2), _FLOAT_PAIRS):
            for chosen in itertools.product(_EXTREME, repeat=2):
                changed = {**values, **dict(zip(pair, chosen, strict=True))}
                if task.program.holds(changed):
                    return Sat(changed, self.name)
        return Unknown("no simple value fits")


def _proposals(task: Task, name: str, sort: Sort, pool: ConstantPool) -> Iterator[object]:
    """Distinct values for one variable, simplest first."""
    seen = {_key(task.current[name])}
    sources: list[Iterator[object]] = [iter(SIMPLE.get(sort, ()))]
    if sort in (Sort.INT, Sort.FLOAT):
        sources.append(roots_of_goal(task, name))
    sources.append(pool.values(sort))
    if sort is Sort.FLOAT:
        sources.append(iter(UNUSUAL_FLOATS))
    if sort is Sort.INT and task.operators & FLOATING:
        sources.append(iter(UNUSUAL_INTS))
    if sort is Sort.STR:
        sources.append(iter(unusual_texts(task.operators)))
    if sort is Sort.BYTES:
        sources.append(iter(unusual_bytes(task.operators)))
    for value in itertools.chain.from_iterable(sources):
        key = _key(value)
        if key not in seen:
            seen.add(key)
            yield value


def _key(value: object) -> tuple[type, str]:
    return (type(value), repr(value))
