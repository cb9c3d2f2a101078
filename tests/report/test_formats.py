"""Formats for other programs: the schema of the JSON, Cobertura, SVG, DOT, Mermaid; the text of one line."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from tests.report.hostile import result
from tracetwin.report.formats import cobertura
from tracetwin.report.gaps import told_of_line
from tracetwin.report.pictures.tree_pictures import COLOURS, dot, laid_out, mermaid, svg
from tracetwin.report.result import Module, ReportedTree, ResultError, read_result, result_of


@pytest.fixture
def module(tmp_path: Path) -> Module:
    return result_of(result(tmp_path)).modules[0]


@pytest.fixture
def tree(module: Module) -> ReportedTree:
    found = module.functions[0].tree
    assert found is not None
    return found


def test_the_schema_is_one_and_holds_of_a_result(tmp_path: Path) -> None:
    text = (resources.files("tracetwin.report") / "result.schema.json").read_text(encoding="utf-8")
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(result(tmp_path), schema)
    broken = result(tmp_path)
    del broken["modules"][0]["goals"][0]["fate"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_cobertura_counts_lines_and_sides(tmp_path: Path) -> None:
    root = ET.fromstring(cobertura(result_of(result(tmp_path)), now=1.0))
    assert root.get("line-rate") == "0.7500"
    assert root.get("timestamp") == "1"
    lines = {line.get("number"): line for line in root.iter("line")}
    assert lines["3"].get("condition-coverage") == "50% (1/2)"
    assert lines["4"].get("hits") == "1"
    assert lines["5"].get("hits") == "0"


RATES = {"line-rate", "branch-rate", "complexity"}
COVERED = {"lines-covered", "lines-valid", "branches-covered", "branches-valid"}
DTD = {
    "coverage": (["sources", "packages"], RATES | COVERED | {"version", "timestamp"}, set()),
    "sources": (["source*"], set(), set()),
    "source": ([], set(), set()),
    "packages": (["package*"], set(), set()),
    "package": (["classes"], RATES | {"name"}, set()),
    "classes": (["class*"], set(), set()),
    "class": (["methods", "lines"], RATES | {"name", "filename"}, set()),
    "methods": ([], set(), set()),
    "lines": (["line*"], set(), set()),
    "line": ([], {"number", "hits"}, {"branch", "condition-coverage"}),
}
"""Of coverage-04.dtd what is used: children, attributes that have to be there, and those that may."""


def test_cobertura_keeps_to_its_dtd(tmp_path: Path) -> None:
    for element in ET.fromstring(cobertura(result_of(result(tmp_path)))).iter():
        children, required, optional = DTD[element.tag]
        assert required <= set(element.keys()) <= required | optional
        tags = [child.tag for child in element]
        several = [f"{tag}*" for tag in dict.fromkeys(tags)]
        assert children in (tags, several) or (not tags and children[0].endswith("*"))
        assert element.get("branch", "true") in ("true", "false")


def test_cobertura_names_files_below_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src").mkdir()
    found = result_of(result(tmp_path / "src", bad="x"))
    monkeypatch.chdir(tmp_path)
    root = ET.fromstring(cobertura(found))
    assert [one.text for one in root.iter("source")] == ["."]
    assert [one.get("filename") for one in root.iter("class")] == ["src/shop.py"]
    assert str(tmp_path) not in cobertura(found)
    assert f"<source>{tmp_path / 'src'}</source>" in cobertura(found, absolute_paths=True)


def test_a_picture_of_a_tree_is_well_formed_and_tells_of_each_box(tree: ReportedTree) -> None:
    root = ET.fromstring(svg(tree, "constraint tree of f"))
    boxes = [one for one in root.iter() if one.tag.endswith("}g")]
    assert len(boxes) == len(laid_out(tree)) == 2
    assert {one.get("class") for one in boxes} == {"tested", "pending"}


def test_conditions_without_another_way_are_one_box(tree: ReportedTree) -> None:
    assert [[node.state for node in box.nodes] for box in laid_out(tree)] == [
        ["tested"], ["inner", "inner", "pending"]
    ]  # fmt: skip


def test_a_tree_in_the_languages_of_other_programs(tree: ReportedTree) -> None:
    assert dot(tree, 'a "quoted" name').count("->") == 2
    assert 'digraph "a \\"quoted\\" name" {' in dot(tree, 'a "quoted" name')
    drawn = mermaid(tree)
    assert drawn.startswith("flowchart LR\n")
    assert "<" not in drawn
    assert drawn.count("-->") == 2
    kinds = set(re.findall(r"\]:::(\w+)", drawn))
    assert kinds == {"tested", "inner", "pending"}
    assert dict(re.findall(r"classDef (\w+) stroke:(\S+)", drawn)) == {
        name: COLOURS[name] for name in kinds
    }


def test_one_line_is_told_with_its_sides(module: Module) -> None:
    told = "\n".join(told_of_line(module, 3))
    assert "covered and checked by 1 test:" in told
    assert "to line 4, when x == '</script>': taken by 1 test, TestF.test_f_returns_1 for one" in told
    assert "to line 5, when x != '</script>': not taken: budget spent" in told
    assert "nearest input: f(1) of TestF.test_f_returns_1, which comes to line 3 and goes to line 4" in told
    assert "--time-limit 240`" in told
    assert "no test notices" in told


def test_one_line_that_is_missed_and_one_without_code(module: Module) -> None:
    assert "not covered: budget spent" in "\n".join(told_of_line(module, 5))
    assert "there is no code in it" in "\n".join(told_of_line(module, 2))
    assert "there is no code in it" in "\n".join(told_of_line(module, 999))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no JSON"),
        ("[]", "is not the result of a run"),
        ('{"schema": 2, "modules": []}', "has schema 2, but 1 is what can be read"),
        ('{"schema": 1, "modules": [{}]}', "is damaged or from another version"),
        ('{"schema": 1, "modules": [7]}', "is damaged or from another version"),
    ],
)
def test_what_is_no_result_is_refused_in_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    place = tmp_path / "r.json"
    place.write_text(text, encoding="utf-8")
    with pytest.raises(ResultError, match=words):
        read_result(place)


def test_a_tree_whose_nodes_come_before_their_parents_is_damaged(tmp_path: Path) -> None:
    plain = result(tmp_path)
    plain["modules"][0]["trees"]["f"]["nodes"][0]["parent"] = 3
    with pytest.raises(ResultError, match="damaged"):
        result_of(plain)
