"""A function whose answers are new each time is patched only where a test speaks of an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracetwin.emit.suite import build_suite
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.patch import FunctionPatch, Patch, PatchedCall, Way
from tracetwin.model.recipe import Call, Recipe, Scalar
from tracetwin.target.selection import resolve

SOURCE = """\
import random
import uuid


def labelled(text):
    label = uuid.uuid4()
    return f"{label}: {text}"


def length(text):
    label = f"{uuid.uuid4()}: {text}"
    return len(label)


def lucky(text):
    return text if random.random() < 0.999 else ""
"""

SOME_UUID = Call("uuid", "UUID", (Scalar("12345678-1234-4678-9234-000000000001"),))


def patched(place: str, answer: Recipe) -> Patch:
    return FunctionPatch(place, (PatchedCall(Way.RETURN, answer),))


@pytest.mark.parametrize(
    ("name", "patch", "needed"),
    [
        ("labelled", patched("patched_sample.uuid.uuid4", SOME_UUID), True),
        ("length", patched("patched_sample.uuid.uuid4", SOME_UUID), False),
        ("lucky", patched("patched_sample.random.random", Scalar(0.5)), True),
    ],
)
def test_a_patch_stays_where_it_matters(name: str, patch: Patch, needed: bool, tmp_path: Path) -> None:
    (tmp_path / "patched_sample.py").write_text(SOURCE)
    step = Step(Act.CALL, "patched_sample", name, (Scalar("ab"),))
    module = resolve(str(tmp_path / "patched_sample.py"))[0]
    suite = build_suite(module, [Case("patched_sample", name, "function", (step,), (patch,))])
    assert f"{name}(" in suite.text
    assert ("patch(" in suite.text) is needed
