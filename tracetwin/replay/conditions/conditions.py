"""Under which conditions a program runs: all that a stable result may not depend on, as one value."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from typing import Any, Final

from tracetwin.support.data import dataclass

LOW: Final = "low"
HIGH: Final = "high"


@dataclass(frozen=True)
class Conditions:
    """The surroundings of one process. Every part is fixed, so that a run tomorrow sees what this one sees.

    Attributes:
        hash_seed: `PYTHONHASHSEED`.
        moment: what the clock shows at the start of each case, in seconds since 1970.
        uptime: seconds since the machine was started, likewise.
        zone: `TZ`, in the form that needs no database.
        locale: `LC_ALL`; with ``"C"`` texts are ASCII where nobody says otherwise.
        chance: where random numbers start, and (`LOW`, `HIGH`) at which end their first ones lie.
        ballast: how much was allocated before (modulo 64), for other addresses.
        fixed: whether the system places programs and memory where it did the last time.
        elsewhere: whether variables, the working folder, the umask, arguments and the machine's name differ.
        held: whether the clock advances by its being looked at only.
    """

    hash_seed: int
    moment: int
    uptime: int
    zone: str
    locale: str
    chance: tuple[int, str]
    ballast: int
    fixed: bool
    elsewhere: bool
    held: bool = False

    def to_plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Conditions:
        parts = {field.name: plain[field.name] for field in fields(cls)}
        return cls(**{**parts, "chance": tuple(plain["chance"])})


# A Wednesday in January, 9 o'clock in the time zone of the process (21 o'clock UTC), and a Saturday in
# October of an odd year, 23 o'clock (9 o'clock UTC): in no part of a date do the two agree.
HERE: Final = Conditions(
    1, 1_767_819_846, 40_000_000, "<-12>12", "C.UTF-8", (11, LOW), 0, fixed=True, elsewhere=False
)
ELSEWHERE: Final = Conditions(
    20_011, 2_013_586_651, 17, "<+14>-14", "C", (12, HIGH), 37, fixed=False, elsewhere=True
)
"""The two in which every case is replayed."""

SECOND_HERE: Final = replace(
    HERE, hash_seed=7, moment=1_804_575_000, uptime=86_400, chance=(13, ""), ballast=6
)
SECOND_ELSEWHERE: Final = replace(
    ELSEWHERE,
    hash_seed=4_099,
    moment=1_907_654_339,
    uptime=9_000,
    zone="EST5EDT,M3.2.0,M11.1.0",
    chance=(14, ""),
    ballast=51,
)
"""Those in which a written file is run: what two conditions have in common by chance, others may not."""

FURTHER: Final = (
    # New Year's Eve, a moment before midnight; a leap day, a moment after it; a Friday morning; a Sunday.
    replace(HERE, hash_seed=31, moment=1_893_499_198, chance=(15, HIGH), ballast=11),
    replace(HERE, hash_seed=32, moment=1_835_395_201, zone="UTC0", chance=(16, LOW), ballast=25),
    replace(ELSEWHERE, hash_seed=33, moment=1_788_481_800, zone="<+0545>-5:45", chance=(17, "")),
    replace(ELSEWHERE, hash_seed=34, moment=1_949_585_400, zone="UTC0", chance=(18, ""), ballast=4),
)
"""More of them, for programs in which the first four may agree by chance."""

ADDRESSES: Final = "addresses"
_ASPECTS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (ADDRESSES, ("ballast", "fixed")),
    ("time", ("moment", "uptime")),
    ("the time zone", ("zone",)),
    ("the hash seed", ("hash_seed",)),
    ("randomness", ("chance",)),
    ("the locale", ("locale",)),
    ("the environment", ("elsewhere",)),
    ("time", ("moment", "uptime", "zone")),  # the local date
)


def other_addresses(start: Conditions) -> list[Conditions]:
    """Conditions with other addresses and all else the same; two of them, as one may agree by chance."""
    return [replace(start, ballast=start.ballast + more, fixed=False) for more in (1, 18)]


def one_by_one(start: Conditions, other: Conditions) -> list[tuple[str, Conditions]]:
    """The things to depend on, each with conditions that differ in nothing else from the first.

    Addresses come first, as the rest changes them, too.
    """
    made = [(ADDRESSES, conditions) for conditions in other_addresses(start)]
    for name, parts in _ASPECTS:
        made.append((name, replace(start, **{part: getattr(other, part) for part in parts})))
    return [(name, conditions) for name, conditions in made if conditions != start]


def flaky(cause: str, seen: str) -> str:
    """The reason for leaving out what is not the same each time."""
    return f"flaky: depends on {cause} ({seen})"
