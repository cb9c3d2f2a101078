"""`collections`, `itertools`, `functools`, dataclasses, enumerations."""

from __future__ import annotations

import enum
import functools
import itertools
import operator
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from typing import NamedTuple

Point = namedtuple("Point", "x y")


class Reading(NamedTuple):
    """A value of a sensor."""

    sensor: str
    value: int


class Level(enum.IntEnum):
    """How bad it is."""

    INFO = 10
    WARNING = 20
    ERROR = 40


class Rights(enum.Flag):
    """What one may do."""

    READ = enum.auto()
    WRITE = enum.auto()
    RUN = enum.auto()


@dataclass(frozen=True, order=True)
class Money:
    """An amount in a currency."""

    currency: str
    cents: int


def rotate_queue(items: list[int], steps: int) -> int:
    """Who comes first after some rotations."""
    queue = deque(items)
    if len(queue) != 4:
        return 0
    queue.rotate(steps)
    if queue[0] == 12 and queue[-1] == 13 and items[0] != 12:
        return 1  # reach
    return queue[0]


def last_three(samples: list[int]) -> bool:
    """The mean of a window over samples."""
    window: deque[int] = deque(maxlen=3)
    for sample in samples:
        window.append(sample)
        if len(window) == 3 and sum(window) == 1500 and window[0] > window[2]:
            return True  # reach
    return False


def anagram(word: str) -> bool:
    """Another order of the same letters."""
    if word != "listen" and Counter(word) == Counter("listen"):
        return True  # reach
    return False


def most_common_vote(votes: list[str]) -> str:
    """The winner of a vote."""
    ((winner, count),) = Counter(votes).most_common(1) or [("", 0)]
    if winner == "blue" and count == 3:
        return "landslide"  # reach
    return winner


def default_groups(pairs: list[tuple[str, int]]) -> int:
    """Numbers by name."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for name, number in pairs:
        groups[name].append(number)
    if sum(groups["total"]) == 500 and len(groups["total"]) == 2:
        return 1  # reach
    return len(groups)


def recently_used(keys: list[int]) -> int:
    """A cache that forgets what was not used for longest."""
    cache: OrderedDict[int, None] = OrderedDict()
    for key in keys:
        cache[key] = None
        cache.move_to_end(key)
        if len(cache) > 2:
            gone, _ = cache.popitem(last=False)
            if gone == 777:
                return 1  # reach
    return 0


def named_point(x: int, y: int) -> str:
    """A point that is moved."""
    point = Point(x, y)._replace(y=y * 2)
    if point == (15, 46):
        return "target"  # reach
    return "miss"


def sensor_alarm(reading: Reading) -> bool:
    """A reading of one sensor beyond its limit."""
    if reading.sensor == "T-800" and reading.value > 1984:
        return True  # reach
    return False


def level_of(code: int) -> str:
    """A level from its number."""
    try:
        level = Level(code)
    except ValueError:
        return "unknown"
    if level >= Level.ERROR:
        return "page somebody"  # reach
    return level.name


def allowed(rights: Rights) -> bool:
    """Reading and running, but not writing."""
    if Rights.READ in rights and Rights.RUN in rights and Rights.WRITE not in rights:
        return True  # reach
    return False


def exact_change(paid: Money, price: Money) -> str:
    """Compare two amounts as dataclasses do."""
    if paid == price:
        return "exact"
    if paid > price and paid.cents < price.cents and paid.currency == "USD":
        return "more by name"  # reach
    return "other"


def running_total(amounts: list[int]) -> int:
    """Where the account is overdrawn for the first time."""
    for place, total in enumerate(itertools.accumulate(amounts)):
        if total < -1000:
            if place >= 2:
                return place  # reach
            return -place
    return -10


def chained_parts(left: list[int], right: list[int]) -> bool:
    """Two lists one after the other."""
    both = list(itertools.chain(left, right))
    if len(left) == 2 and both == [3, 1, 4, 1, 5]:
        return True  # reach
    return False


def runs_of_letters(text: str) -> bool:
    """Run lengths of a text."""
    runs = [(letter, len(list(group))) for letter, group in itertools.groupby(text)]
    if runs == [("a", 3), ("b", 1), ("a", 2)]:
        return True  # reach
    return False


def taken_while(numbers: list[int]) -> int:
    """The beginning of a list that rises above a step."""
    head = list(itertools.takewhile(lambda n: n > 10, numbers))
    if len(head) == 3 and head[-1] == 11 and len(numbers) > 3:
        return 1  # reach
    return len(head)


def folded(digits: list[int]) -> int:
    """Digits folded to a number."""
    number = functools.reduce(lambda total, digit: total * 10 + digit, digits, 0)
    if number == 9041 and len(digits) == 4 and all(0 <= d <= 9 for d in digits):
        return 1  # reach
    return number


def triple_with_product(numbers: list[int]) -> bool:
    """Three of the numbers, in their order, with a given product."""
    if len(numbers) != 4:
        return False
    for triple in itertools.combinations(numbers, 3):
        if functools.reduce(operator.mul, triple) == 1001:
            return True  # reach
    return False


def partial_rate(amount: int) -> int:
    """A tax with a fixed rate."""
    taxed = functools.partial(_with_tax, rate=19)
    if taxed(amount) == 11_900:
        return 1  # reach
    return 0


def _with_tax(amount: int, rate: int) -> int:
    return amount + amount * rate // 100
