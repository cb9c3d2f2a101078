"""Random numbers of a process that are the same in each of its runs, and differ from another's.

Whoever draws random numbers without a seed gets, at first, all the lowest or all the highest ones, if that is
wanted: `random() < 0.01` must not look like a constant. Generators that were given a seed are left alone.
"""

from __future__ import annotations

import os
import random
from typing import Any, Final

from tracetwin.replay.conditions.conditions import HIGH, LOW

# What the Mersenne Twister has to hold to put out 0xFFF eight times, or 32 bits that begin with 111, 110, ..,
# 000: nearly 0, as 0 itself is what nobody ever draws, and of any small range the last number.
_EXTREMES: Final[dict[str, tuple[int, ...]]] = {
    LOW: (0x2CA4037,) * 8,
    HIGH: (
        0x12DD9BB3,
        0x36DD13A2,
        0x5EDC0B81,
        0x7ADC8390,
        0x92CDB9B7,
        0xB6CD31A6,
        0xDECC2985,
        0xFACCA194,
    ),
    "": (),
}
_FIRST_BYTES: Final = {LOW: b"\x00\x00\x10\x00\x00\x00\x00" * 2, HIGH: bytes(range(255, 239, -1)), "": b""}
_VERSION: Final = 3
_real_seed: Any = random.Random.seed


class _Source:
    """Bytes in the place of those of the operating system."""

    def __init__(self, seed: int, end: str) -> None:
        self.seed, self.end = seed, end
        self._bytes = random.Random(seed)  # noqa: S311 - nothing is kept secret by it
        self._first = _FIRST_BYTES[end]

    def start(self, other: int = 0) -> None:
        """Begin anew, with what another seed gives where that is not 0."""
        _real_seed(self._bytes, self.seed + other)
        self._first = _FIRST_BYTES[self.end]

    def take(self, size: int) -> bytes:
        first, self._first = self._first[:size], self._first[size:]
        return first + self._bytes.randbytes(size - len(first))

    def scatter(self, generator: random.Random) -> None:
        _real_seed(generator, self._bytes.getrandbits(64))
        extremes = _EXTREMES[self.end]
        words = generator.getstate()[1]
        generator.setstate((_VERSION, (*extremes, *words[len(extremes) : -1], 0), None))


_sources: list[_Source] = []


def install(seed: int, end: str) -> None:
    """From now on whatever is drawn without a seed comes from here."""
    source = _Source(seed, end)
    _sources[:] = [source]
    real_urandom = os.urandom

    def urandom(size: int, /) -> bytes:
        real_urandom(size)  # for what it says of a wrong size
        return source.take(size)

    def getrandom(size: int, flags: int = 0) -> bytes:  # noqa: ARG001 - as the real one
        return source.take(size)

    def reseed(self: random.Random, a: Any = None, version: int = 2) -> None:
        if a is None and type(self).getstate is random.Random.getstate:
            source.scatter(self)
        else:
            _real_seed(self, a, version)

    urandom.__module__ = "posix"
    reseed.__name__, reseed.__qualname__, reseed.__module__ = "seed", "Random.seed", "random"
    os.urandom = urandom
    if hasattr(os, "getrandom"):
        os.getrandom = getrandom
    setattr(random, "_urandom", urandom)  # noqa: B010 - no public name
    setattr(random.Random, "seed", reseed)  # noqa: B010 - a method is not assigned to
    random.seed = random._inst.seed  # noqa: SLF001 - it is bound to the old one
    start()


def start(other: int = 0) -> None:
    """Begin anew, for a case that is to draw the same as any other, or what another seed gives."""
    for source in _sources:
        source.start(other)
        random.seed()
