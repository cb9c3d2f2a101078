"""Mixed: what projects check of their inputs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass
class Item:
    """A line of an order."""

    code: str
    count: int
    price: float


@dataclass
class Order:
    """An order of a customer."""

    customer: str
    items: list[Item] = field(default_factory=list)
    voucher: str | None = None


def parse_version_range(text: str) -> str:
    """`>=1.2,<2.0` with a lower bound that is above the upper one."""
    low, comma, high = text.partition(",")
    if not comma or not low.startswith(">=") or not high.startswith("<"):
        raise ValueError("range")
    lower = tuple(int(part) for part in low[2:].split("."))
    upper = tuple(int(part) for part in high[1:].split("."))
    if len(lower) == len(upper) == 2 and lower > upper:
        return "empty range"  # reach
    return "range"


def free_shipping(order: Order) -> str:
    """An order that is shipped for nothing."""
    total = sum(item.count * item.price for item in order.items)
    if order.voucher == "FREESHIP" and 49.0 < total < 50.0 and len(order.items) == 2:
        return "just this once"  # reach
    return "as usual"


def email_domain(address: str) -> str:
    """The domain of an address that belongs to us."""
    local, at, domain = address.strip().lower().rpartition("@")
    if not at or not local or ".." in local:
        raise ValueError(address)
    labels = domain.split(".")
    if len(labels) == 3 and labels[0] == "mail" and labels[-1] in ("org", "net") and labels[1].isalnum():
        return "ours"  # reach
    return "theirs"


def cron_minute(field_text: str) -> set[int]:
    """The minutes that a field of a crontab stands for."""
    minutes: set[int] = set()
    for part in field_text.split(","):
        span, _, step = part.partition("/")
        start, dash, end = span.partition("-")
        if span == "*":
            chosen = range(60)
        elif dash:
            chosen = range(int(start), int(end) + 1)
        else:
            chosen = range(int(start), int(start) + 1)
        minutes.update(chosen[:: int(step or 1)])
    if minutes == {10, 14, 18, 45}:
        return set()  # reach
    return minutes


def money_text(text: str) -> int:
    """An amount such as `1.234,56 EUR` in cents."""
    found = re.fullmatch(r"(\d{1,3}(?:\.\d{3})*),(\d{2}) (EUR|CHF)", text)
    if found is None:
        return -1
    cents = int(found.group(1).replace(".", "")) * 100 + int(found.group(2))
    if cents > 100_000_000 and found.group(3) == "CHF":
        return 0  # reach
    return cents


def retry_delay(headers: dict[str, str], attempt: int) -> float:
    """How long to wait, by a header or by doubling."""
    if "Retry-After" in headers:
        wait = float(headers["Retry-After"])
        if wait > 3600:
            raise TimeoutError(wait)  # reach
        return wait
    return min(60.0, 2.0**attempt)


def log_line(line: str) -> str:
    """A line such as `2031-05-06 ERROR [db] message`."""
    parts = line.split(" ", 3)
    if len(parts) < 4:
        return "short"
    day, level, source, message = parts
    if level == "ERROR" and source == "[db]" and "deadlock" in message and day[4] == day[7] == "-":
        return "page"  # reach
    return "keep"


def chess_move(move: str) -> str:
    """A knight's move such as `Ng1-f3`."""
    if len(move) != 6 or move[0] != "N" or move[3] != "-":
        return "no knight"
    files, ranks = "abcdefgh", "12345678"
    if move[1] not in files or move[4] not in files or move[2] not in ranks or move[5] not in ranks:
        return "off the board"
    across = abs(files.index(move[1]) - files.index(move[4]))
    up = abs(int(move[2]) - int(move[5]))
    if across * up == 2 and move[4:] == "h8":
        return "into the corner"  # reach
    return "move"


def discount(kind, years, total):
    """A discount by kind of customer, without annotations."""
    if kind == "gold" and years >= 10:
        rate = 20
    elif kind == "silver" and years > 2:
        rate = 10
    else:
        rate = 0
    if rate == 20 and total * rate // 100 == 77:
        return "lucky"  # reach
    return total - total * rate // 100


def triangle_kind(a: float, b: float, c: float) -> str:
    """A triangle by its sides."""
    if min(a, b, c) <= 0 or a + b <= c or a + c <= b or b + c <= a:
        return "none"
    if a == b == c:
        return "equilateral"
    if a * a + b * b == c * c and a == b:
        return "right and isosceles"
    if a * a + b * b == c * c and a > 10:
        return "right"  # reach
    return "scalene"


def seats(requested: list[int], blocked: set[int]) -> str:
    """Neighbouring seats, of which none is taken."""
    if len(requested) != 3 or len(blocked) < 2:
        return "no"
    first = min(requested)
    if sorted(requested) != [first, first + 1, first + 2]:
        return "apart"
    if blocked & set(requested):
        return "taken"
    if first - 1 in blocked and first + 3 in blocked:
        return "squeezed in"  # reach
    return "booked"


def card_type(number: str, year: int, month: int) -> str:
    """What a card is, and whether it is still good."""
    if not number.isdigit() or not 1 <= month <= 12:
        return "invalid"
    if number.startswith(("34", "37")) and len(number) == 15:
        kind = "amex"
    elif number[:2] in {"51", "52", "53", "54", "55"} and len(number) == 16:
        kind = "master"
    else:
        return "unknown"
    if kind == "master" and (year, month) < (2027, 4) and year > 2026:
        return "expires soon"  # reach
    return kind


def path_is_inside(path: str) -> bool:
    """A relative path that goes up and comes back to the same folder."""
    depth = 0
    parts = path.split("/")
    for part in parts:
        if part == "..":
            depth -= 1
        elif part not in ("", "."):
            depth += 1
        if depth < 0:
            return False
    if depth == 0 and len(parts) == 4 and "." not in parts and "" not in parts:
        return True  # reach
    return False


def ranking(scores: dict[str, int]) -> str:
    """The winner by points, then by name."""
    if len(scores) != 3:
        return "three players"
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    if ranked[0][1] == ranked[1][1] == 50 and ranked[0][0] == "zoe":
        return "tie"  # reach
    return ranked[0][0]
