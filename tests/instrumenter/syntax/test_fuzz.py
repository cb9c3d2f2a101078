"""Random programs run alike as original and as twin.

A few fixed seeds each time; more with `python -m tests.instrumenter.syntax.test_fuzz FIRST LAST`.
"""

from __future__ import annotations

import sys
import warnings

import pytest

from tests.instrumenter.alike import assert_alike
from tests.instrumenter.syntax.random_programs import program

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(6))
def test_random_programs(seed):
    assert_alike(program(seed))


def search(first: int, last: int) -> list[int]:
    """The seeds whose programs do not run alike, each told when it is found."""
    found = []
    for seed in range(first, last):
        try:
            assert_alike(program(seed))
        except Exception as error:  # noqa: BLE001 - whatever differs or fails is what is looked for
            found.append(seed)
            sys.stdout.write(f"seed {seed}: {type(error).__name__}: {error!s:.600}\n")
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    raise SystemExit(bool(search(int(sys.argv[1]), int(sys.argv[2]))))
