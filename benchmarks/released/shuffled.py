"""Runs the tests of a folder in random orders: python shuffled.py FOLDER SEED...

The exit status counts the tests that do not pass.
"""

from __future__ import annotations

import io
import random
import sys
import unittest
from collections.abc import Iterator


def _tests(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from _tests(one)
        elif isinstance(one, unittest.TestCase):
            yield one


def failures(folder: str, seed: int) -> int:
    """Return how many tests do not pass in the order of this seed."""
    tests = list(_tests(unittest.defaultTestLoader.discover(folder)))
    random.Random(seed).shuffle(tests)  # noqa: S311 - an order, not a secret
    result = unittest.TextTestRunner(stream=io.StringIO()).run(unittest.TestSuite(tests))
    return len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)


if __name__ == "__main__":
    sys.exit(min(100, sum(failures(sys.argv[1], int(seed)) for seed in sys.argv[2:])))
