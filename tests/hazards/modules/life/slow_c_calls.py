"""Calls of C code that take for ever and do not listen to signals."""

# options: --max-runs 70
# report: no answer after 3 s in line 
# within: 180
# alone: hangs hashes counts exhausts compares

import hashlib
import itertools
import json
import zlib


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def hashes(x: int) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9 if x > 3 else 1)


def multiplies(x: int) -> int:
    return 7 ** (10**8) % 10 if x > 3 else x


def converts(x: int) -> int:
    return len("9" * 10**6) if x <= 3 else len(str(3 ** (10**7)))


def counts(x: int) -> int:
    return max(itertools.count(1)) if x > 3 else x


def exhausts(x: int) -> bool:
    return -1 in itertools.cycle([x])


def sorts(x: int) -> list:
    return sorted(range(3 * 10**7), key=lambda n: -n) if x > 3 else [x]


def compares(x: int) -> bool:
    first: list = [0]
    second: list = [0]
    for _ in range(60):
        first, second = [first, first], [second, second]
    return first == second if x > 3 else False


def deflates(x: int) -> int:
    return len(zlib.compress(bytes(10**9), 9)) if x > 3 else x


def parses(x: int) -> object:
    return json.loads("[" * 100_000 + "]" * 100_000) if x > 3 else x
