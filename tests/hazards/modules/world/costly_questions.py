"""Asks on its way what is dear to answer, for whoever solves and evaluates its path: the trusted process."""
# alone: no

import re

_PATTERN = re.compile(r"(a+)+b")


def shifted(number: int, places: int) -> int:
    if places > 3 and 1 << places > 10**6 + number:
        return 1
    if places > 10**9 and number << places == 0:
        return 2
    return 3


def raised(number: int, power: int) -> int:
    if power > 10**6 and number**power > 7:
        return 1
    return 2


def repeated(text: str, times: int) -> int:
    if times > 10**8 and len(text * times) > 10**9:
        return 1
    if times > 10**10 and text * times == "":
        return 2
    return 3


def padded(text: str, width: int) -> int:
    if width > 10**9 and text.rjust(width).startswith(" "):
        return 1
    if width > 10**9 and text.zfill(width) == "0":
        return 2
    return 3


def formatted(number: int, width: int) -> int:
    if width > 10**9 and f"{number:{width}}" == "":
        return 1
    return 2


def matched(text: str) -> int:
    if len(text) > 40 and _PATTERN.fullmatch(text + "c"):
        return 1
    if len(text) > 30 and text.startswith("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") and _PATTERN.match(text):
        return 2
    return 3


def listed(count: int) -> int:
    if count > 10**8 and len([0] * count) > 7:
        return 1
    if count > 10**9 and len(list(range(count))) > 7:
        return 2
    return 3


def replaced(text: str) -> int:
    for _ in range(40):
        text = text.replace("a", "aa")
    if len(text) > 10**9:
        return 1
    return 2


def digits(text: str) -> int:
    if len(text) > 4000 and int(text) > 7:
        return 1
    return 2


def products(first: int, second: int, third: int) -> int:
    if first**3 + second**3 + third**3 == 42 and first > 10**10:
        return 1
    for _ in range(200):
        first = first * first + second
    if first == third:
        return 2
    return 3


def remainders(number: int) -> int:
    if pow(number, 65537, 2**521 - 1) == 7:
        return 1
    if number > 2 and all(number % other for other in range(2, 300)) and number % 7919 == 3:
        return 2
    return 3


def bytes_of(count: int) -> int:
    if count > 10**9 and len(bytes(count)) == count:
        return 1
    return 2


def joined(text: str, count: int) -> int:
    if count > 10**7 and len(text.join("x" * count)) > 10**8:
        return 1
    return 2


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
