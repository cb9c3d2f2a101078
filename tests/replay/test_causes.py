"""What a case depends on that does not come out alike each time is found out, and told."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.emit.support import function, observe_twice, target
from tracetwin.replay.causes import explained, import_explained

pytestmark = pytest.mark.slow

DATA = Path(__file__).parent / "data"
WOBBLY = target("wobbly", DATA)
FUNCTIONS = [
    node
    for node in ast.parse((DATA / "wobbly.py").read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef)
]
EXPECTED = {node.name: ast.get_docstring(node) for node in FUNCTIONS}


@pytest.fixture(scope="module")
def reasons() -> dict[str, list[str]]:
    """Explained up to eight times: under the same conditions addresses are the same in most runs only."""
    found = explanations()
    for _ in range(7):
        unclear = [name for name in found if EXPECTED[name] == "addresses" and "to run" in str(found[name])]
        if unclear:
            again = explanations()
            found.update({name: again[name] for name in unclear})
    return found


def explanations() -> dict[str, list[str]]:
    cases = [function("wobbly", node.name, *["pear apple fig" for _ in node.args.args]) for node in FUNCTIONS]
    seen = observe_twice(WOBBLY, cases)
    assert seen.error is None
    every = [(case, why) for case, some in zip(cases, seen.reasons, strict=True) for why in some]
    found: dict[str, list[str]] = {name: [] for name in EXPECTED}
    for case, why in explained(WOBBLY, every):
        found[case.target].append(why)
    return found


@pytest.mark.parametrize("name", [name for name, cause in EXPECTED.items() if cause])
def test_the_reason_names_the_cause(reasons: dict[str, list[str]], name: str) -> None:
    assert reasons[name]
    assert f"flaky: depends on {EXPECTED[name]} (" in reasons[name][0]


@pytest.mark.parametrize("name", [name for name, cause in EXPECTED.items() if not cause])
def test_what_is_stable_needs_no_reason(reasons: dict[str, list[str]], name: str) -> None:
    assert reasons[name] == []


def test_other_reasons_stay_as_they_are() -> None:
    found = [(function("wobbly", "text"), "contains itself")]
    assert explained(WOBBLY, found) == found


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("locale.getpreferredencoding(False).lower() != 'utf-8'", "flaky: depends on the locale (importing "),
        ("datetime.date.today().year > 2030", "flaky: depends on time (importing "),
        ("True", "importing sample raised "),
    ],
)
def test_an_import_that_fails_at_times_says_what_it_depends_on(
    tmp_path: Path, condition: str, expected: str
) -> None:
    source = f"import datetime, locale\nif {condition}:\n    raise RuntimeError('not today')\n"
    (tmp_path / "sample.py").write_text(source, encoding="utf-8")
    module = target("sample", tmp_path)
    seen = observe_twice(module, [])
    assert seen.error is not None
    assert import_explained(module, seen.error).removeprefix("sample: ").startswith(expected)
