"""An assertion that goes through an iterator is told from one of a view: it alone runs the code of that."""

from __future__ import annotations

import pytest

from tracetwin.emit.source.checks import Checker
from tracetwin.emit.source.layout import Atom
from tracetwin.emit.source.literals import Writer
from tracetwin.model.recipe import Scalar
from tracetwin.model.snapshot import Attributes, Iterated, Snapshot

CHECKER = Checker(Writer(lambda _, name: name, str, lambda *_: "function"))
OBJECT = Attributes("m", "Thing", (("size", Scalar(1)),))


@pytest.mark.parametrize(
    ("kind", "item", "said", "uses_up"),
    [
        ("builtins:generator", Scalar(1), "list(it)", True),
        ("builtins:map", OBJECT, "len(list(it))", True),
        ("dict_values", Scalar(1), "list(it)", False),
        ("dict_values", OBJECT, "len(it)", False),
    ],
)
def test_what_is_used_up_is_told(kind: str, item: Snapshot, said: str, *, uses_up: bool) -> None:
    (check,) = CHECKER.checks(Atom("it"), Iterated(kind, (item,), exhausted=True))
    assert (check.actual.flat(), check.uses_up) == (said, uses_up)
