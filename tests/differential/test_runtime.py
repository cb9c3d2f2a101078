"""What a program does to traced values gives CPython's value, type, exception and arguments."""

from __future__ import annotations

import pytest

from tests.differential.agree import Operation
from tests.differential.gaps import RUNTIME
from tests.differential.operations import operations
from tests.differential.run import failures
from tests.differential.values import EXAMPLES, SEED, TRIED

_USUAL = TRIED == EXAMPLES >= 500 and not SEED


@pytest.mark.parametrize("operation", operations(), ids=lambda each: each.name)
def test_the_runtime_does_what_python_does(operation: Operation) -> None:
    found = failures(operation, TRIED // 5 if operation.alias else TRIED)
    gaps = {kind for name, kind in RUNTIME if name == operation.name}
    shown = [f"{operation.name}: {failure}" for kind, failure in found.items() if kind not in gaps]
    assert not shown, "\n".join(shown)
    closed = gaps - set(found) if _USUAL else set()
    assert not closed, f"{operation.name} agrees now: take {closed} out of gaps.py"
