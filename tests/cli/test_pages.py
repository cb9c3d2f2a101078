"""The commands `report`, `show` and `tree`, and `generate --report`."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner, Result

from tracetwin.cli.main import main

SOURCE = """\
def sign(n: int) -> str:
    if n < 0:
        return "negative"
    return "zero" if n == 0 else "positive"


def plain() -> int:
    return 1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "sign_sample.py").write_text(SOURCE)
    done = run(
        "generate", str(folder / "sign_sample.py"), "-o", str(folder / "t"), "--max-runs", "100", "-q",
        "--report", str(folder / "pages"), "--json", str(folder / "r.json"),
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_generate_writes_a_report_beside_the_tests(folder: Path) -> None:
    names = sorted(file.name for file in (folder / "pages").iterdir())
    assert names == ["0-sign_sample.html", "index.html"]


def test_the_json_has_what_pages_are_made_of(folder: Path) -> None:
    (module,) = json.loads((folder / "r.json").read_text())["modules"]
    assert {case["function"] for case in module["cases"]} == {"sign", "plain"}
    assert set(module["trees"]) == {"sign"}, "what meets no condition has no tree"
    assert set(module["digests"]) == {"source", "tests"}
    lines = {line for case in module["cases"] for line in case["lines"]}
    assert {2, 3, 4, 8} <= lines


@pytest.mark.slow
def test_the_json_keeps_to_its_schema_whatever_is_asked_for(folder: Path) -> None:
    place = folder / "all.json"
    done = run(
        "generate", str(folder / "sign_sample.py"), "-o", str(folder / "u"), "--max-runs", "60", "-q",
        "--criterion", "branch,condition,mcdc,mcdc-unique,boundary,def-use,path,exception,mutation",
        "--json", str(place),
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    schema = resources.files("tracetwin.report") / "result.schema.json"
    jsonschema.validate(json.loads(place.read_text()), json.loads(schema.read_text("utf-8")))


def test_a_report_of_an_earlier_run(folder: Path) -> None:
    done = run("report", str(folder / "r.json"), "-o", str(folder / "later.html"))
    assert done.exit_code == 0, done.output
    assert "negative" in (folder / "later.html").read_text("utf-8")


def test_cobertura_for_a_ci_server(folder: Path) -> None:
    done = run("report", str(folder / "r.json"), "-o", str(folder / "coverage.xml"))
    assert done.exit_code == 0, done.output
    assert ET.parse(folder / "coverage.xml").getroot().get("line-rate") == "1.0000"


def test_one_line_in_the_terminal(folder: Path) -> None:
    done = run("show", str(folder / "r.json"), "2")
    assert done.exit_code == 0, done.output
    assert "sign_sample, line 2: if n < 0:" in done.output
    assert "to line 3, when n < 0: taken by" in done.output


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("two", "'two' is no line; say 42, or shop.cart:42"), ("other:2", "other is not in this result; say"),
        ("999", "lines, and none is 999"),
    ],
)
def test_a_line_that_is_none(folder: Path, line: str, words: str) -> None:
    done = run("show", str(folder / "r.json"), line)
    assert done.exit_code == 2
    assert words in " ".join(done.output.split())


def test_a_file_that_is_no_result(folder: Path) -> None:
    done = run("report", str(folder / "sign_sample.py"), "-o", str(folder / "x"))
    assert done.exit_code == 2
    assert "is no JSON; give the file that --json wrote" in done.output


def test_a_tree_as_text(folder: Path) -> None:
    done = run("tree", f"{folder / 'sign_sample.py'}:sign", "--time-limit", "5")
    assert done.exit_code == 0, done.output
    shown = done.output.splitlines()
    assert "n < 0  (line 2) ✓" in shown
    assert "  n == 0  (line 4) ✓" in shown


@pytest.mark.parametrize("ending", [".svg", ".dot", ".mmd", ".json"])
def test_a_tree_in_a_file(folder: Path, ending: str) -> None:
    place = folder / f"tree{ending}"
    done = run("tree", f"{folder / 'sign_sample.py'}:sign", "--time-limit", "5", "-o", str(place))
    assert done.exit_code == 0, done.output
    assert place.read_text("utf-8")


def test_a_function_without_conditions_has_no_tree(folder: Path) -> None:
    done = run("tree", f"{folder / 'sign_sample.py'}:plain", "--time-limit", "5")
    assert done.exit_code == 1
    assert "no run of plain met a condition on its arguments" in done.output


def test_a_tree_is_of_a_function(folder: Path) -> None:
    done = run("tree", str(folder / "sign_sample.py"))
    assert done.exit_code == 2
    assert "name a function of it, as in" in done.output


@pytest.mark.slow
def test_a_report_in_a_place_that_is_none(folder: Path) -> None:
    target, place = f"{folder / 'sign_sample.py'}:sign", folder / "r.json" / "x.html"
    done = run("generate", target, "-o", str(folder / "no"), "--max-runs", "5", "--report", str(place))
    assert done.exit_code == 4
    assert "internal" not in done.output


@pytest.mark.parametrize("command", ["report", "generate"])
def test_a_report_of_an_unknown_kind_is_none_and_makes_nothing(folder: Path, command: str) -> None:
    first = str(folder / ("r.json" if command == "report" else "sign_sample.py"))
    tests = () if command == "report" else ("-o", str(folder / "none"), "--report")
    done = run(command, first, *(tests or ("-o",)), str(folder / "x.zzz"))
    assert done.exit_code == 2
    assert "no report ends in .zzz; say a file in .html or .xml, .coverage, or a folder" in done.output
    assert not (folder / "x.zzz").exists()
    assert not (folder / "none").exists()


def test_folders_may_have_dots_in_their_names(folder: Path) -> None:
    (folder / "there.zzz").mkdir()
    for name in ("there.zzz", "pages-1.2"):
        done = run("report", str(folder / "r.json"), "-o", str(folder / name))
        assert done.exit_code == 0, done.output
        assert (folder / name / "index.html").is_file()


def test_a_picture_of_an_unknown_kind(folder: Path) -> None:
    done = run("tree", f"{folder / 'sign_sample.py'}:sign", "-o", "tree.gif")
    assert done.exit_code == 2
    assert "must end in .svg" in done.output
