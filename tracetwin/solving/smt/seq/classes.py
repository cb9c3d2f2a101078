"""The characters that one element of a pattern matches, as Python itself says."""

from __future__ import annotations

import enum
import importlib
import sys
from functools import lru_cache
from typing import Any, Final

from runtime.meanings.patterns import parser
from tracetwin.solving.inversion.examples import constants

# As the parser: not public, but stable in what is used here.
_HOME: Final = "re._compiler" if sys.version_info >= (3, 11) else "sre_compile"
_compiler: Final[Any] = importlib.import_module(_HOME)

_TOP: Final = 0x2FFFF
_LAST_ASCII: Final = 127
_FEW: Final = 3
Range = tuple[int, int]


@lru_cache(maxsize=1)
def _all_characters() -> str:
    return "".join(map(chr, range(_TOP + 1)))


def ranges_of(operator: Any, value: Any, flags: int, *, octets: bool) -> tuple[Range, ...]:
    """Ranges of the code points that a literal or a set matches under `flags`."""
    return _ranges(operator, tuple(value) if isinstance(value, list) else value, flags, octets)


class Reading(enum.Enum):
    """How a pattern is taken where what it matches depends on Unicode's tables.

    z3 has no end where a set has many ranges. For a model ASCII is enough; for a proof it is enough to know
    texts that surely are not matched, or surely are.
    """

    ASCII = "only ASCII: neither of the two"
    MORE = "at least what the pattern matches"
    LESS = "at most what the pattern matches"

    @property
    def opposite(self) -> Reading:
        """The reading of what is left out."""
        return {Reading.MORE: Reading.LESS, Reading.LESS: Reading.MORE}.get(self, self)


def approximated(ranges: tuple[Range, ...], reading: Reading) -> list[Range]:
    """The same in ASCII, and beyond it all characters or none, unless few ranges say it exactly."""
    ascii_part = [(low, min(high, _LAST_ASCII)) for low, high in ranges if low <= _LAST_ASCII]
    beyond = [(max(low, _LAST_ASCII + 1), high) for low, high in ranges if high > _LAST_ASCII]
    if len(beyond) > _FEW:
        beyond = [(_LAST_ASCII + 1, _TOP)] if reading is Reading.MORE else []
    return ascii_part + beyond


@lru_cache(maxsize=256)
def _ranges(operator: Any, value: Any, flags: int, octets: bool) -> tuple[Range, ...]:
    state = parser.State()
    state.flags = flags
    element = (operator, list(value) if isinstance(value, tuple) else value)
    many = (constants.MAX_REPEAT, (1, constants.MAXREPEAT, parser.SubPattern(state, [element])))
    pattern = _compiler.compile(parser.SubPattern(state, [many]), flags)
    text: Any = bytes(range(256)) if octets else _all_characters()
    return tuple((run.start(), run.end() - 1) for run in pattern.finditer(text))
