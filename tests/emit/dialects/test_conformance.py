"""What every dialect must do: each kind of check holds where it should, and fails elsewhere.

The tests in `tests/emit/render` and `tests/emit/mocks` run through all dialects, too: with whole files.
"""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest

from tracetwin.emit.dialects.base import Dialect, dialect_of
from tracetwin.emit.source.checks import Check, CheckKind
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import WIDTH, Atom, call
from tracetwin.emit.source.scribe import STEP
from tracetwin.model.options import STYLES

LONG = "'" + "long " * 12 + "text'"

# For each kind: an expected side, an actual side that passes, and one that does not.
SIDES: list[tuple[CheckKind, str | None, str, str]] = [
    (CheckKind.EQUAL, "[1, 2]", "[1, 2]", "[2, 1]"),
    (CheckKind.EQUAL, f"[{LONG}] * 2", f"2 * [{LONG}]", f"[{LONG}]"),
    (CheckKind.SAME, "True", "bool(1)", "int(1)"),
    (CheckKind.DISTINCT, "None", "[]", "None"),
    (CheckKind.NONE, None, "print()", "int()"),
    (CheckKind.NAN, None, "float('nan')", "1.0"),
    (CheckKind.INSTANCE, "int", "1", "1.0"),
    (CheckKind.MEMBERS, "[1, 2]", "{2, 1}", "{2, 3}"),
    (CheckKind.SAID, None, "print()", "[].pop()"),
]


@pytest.fixture(scope="module", params=STYLES.names())
def dialect(request: pytest.FixtureRequest) -> type[Dialect]:
    return dialect_of(str(request.param))


def page(dialect: type[Dialect]) -> tuple[Namespace, Dialect]:
    names = Namespace("shop", reserved=dialect.reserved)
    return names, dialect(names)


def file_of(dialect: Dialect, lines: list[str]) -> list[str]:
    """A file with one test."""
    head = [dialect.class_line("TestShop")] if dialect.in_classes else []
    return [*head, dialect.test_line("test_it"), *lines, *dialect.ending()]


def run(dialect: type[Dialect], names: Namespace, runner: str | None, lines: list[str]) -> None:
    """Run the only test of a file, with the stand-ins that the dialect brings."""
    text = "\n".join([*names.block(runner), "", *lines])
    module: dict[str, Any] = {"__name__": "test_file"}
    with pytest.MonkeyPatch.context() as patch:
        for name, source in dialect.stand_ins.items():
            substitute = types.ModuleType(name)
            exec(source, vars(substitute))
            patch.setitem(sys.modules, name, substitute)
        exec(compile(text, "test_file.py", "exec", dont_inherit=True), module)
    if not dialect.in_classes:
        module["test_it"]()
        return
    kind = module["TestShop"]
    (kind("test_it") if hasattr(kind, "run") else kind()).test_it()


def of_check(dialect: type[Dialect], check: Check) -> None:
    names, written = page(dialect)
    used: set[str] = set()

    def new(wanted: str) -> str:
        name = names.local(wanted, used)
        used.add(name)
        return name

    lines = written.check(check, written.indent + STEP, new)
    assert all(len(line) <= WIDTH for line in lines)
    run(dialect, names, written.runner, file_of(written, lines))


IDS = [f"{kind.name}{number}" for number, (kind, *_) in enumerate(SIDES)]


@pytest.mark.parametrize("sides", SIDES, ids=IDS)
def test_a_check_tells_right_from_wrong(
    dialect: type[Dialect], sides: tuple[CheckKind, str | None, str, str]
) -> None:
    kind, expected, right, wrong = sides
    other = None if expected is None else Atom(expected)
    of_check(dialect, Check(kind, Atom(right), other))
    with pytest.raises((AssertionError, IndexError)):
        of_check(dialect, Check(kind, Atom(wrong), other))


def test_all_kinds_of_checks_are_tried() -> None:
    assert set(CheckKind) == {kind for kind, *_ in SIDES}


@pytest.mark.parametrize("orderable", [True, False])
def test_members_need_not_be_sortable(dialect: type[Dialect], orderable: bool) -> None:
    items = "[2, 1]" if orderable else "[None, 1]"
    of_check(dialect, Check(CheckKind.MEMBERS, Atom(f"{items}[::-1]"), Atom(items), orderable))


@pytest.mark.parametrize("raised", ["ValueError('no')", "TypeError('no')", ""])
def test_an_exception_is_expected_and_can_be_looked_at(dialect: type[Dialect], raised: str) -> None:
    names, written = page(dialect)
    indent = " " * (written.indent + STEP)
    message = Check(CheckKind.EQUAL, call("str", [Atom(written.caught)]), Atom("'no'"))
    lines = [
        f"{indent}with {written.raises('ValueError').flat()} as caught:",
        f"{indent}    {f'raise {raised}' if raised else 'pass'}",
        *written.check(message, len(indent), lambda name: name),
    ]
    if "Value" in raised:
        run(dialect, names, written.runner, file_of(written, lines))
        return
    with pytest.raises(TypeError if raised else AssertionError):
        run(dialect, names, written.runner, file_of(written, lines))


def test_it_says_how_to_run_a_file(dialect: type[Dialect]) -> None:
    assert dialect.command.startswith("python ")
    assert "this_file" in dialect.command
