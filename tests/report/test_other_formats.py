"""JUnit's XML, and data of coverage.py with a context for each test."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import coverage
import pytest

from tests.report.hostile import BAD, result
from tracetwin.report.formats import write
from tracetwin.report.result import result_of


def test_junit_tells_of_tests_that_hold_and_of_those_of_before_that_do_not(tmp_path: Path) -> None:
    plain = result(tmp_path)
    plain["modules"][0]["cases"][0]["seconds"] = 0.25
    plain["modules"][0]["regressions"] = [{"test": "TestF.test_old", "why": f"{tmp_path}/shop.py {BAD}"}]
    place = write(result_of(plain), tmp_path / "out" / "junit.xml")
    root = ET.parse(place).getroot()
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "0")
    passed, lost = root.iter("testcase")
    assert (passed.get("classname"), passed.get("name")) == ("test_shop.TestF", "test_f_returns_1")
    assert passed.get("time") == "0.250000"
    assert passed.find("failure") is None
    assert passed.find("properties/property[@name='suspicious']") is not None
    failure = lost.find("failure")
    assert failure is not None
    assert (failure.get("message") or "").startswith("shop.py ")


def test_junit_tells_of_a_module_without_tests_as_an_error(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    plain["modules"][0].update(error="importing it raised", cases=[], test_file=None)
    root = ET.parse(write(result_of(plain), tmp_path / "a.junit.xml")).getroot()
    assert (root.get("tests"), root.get("errors")) == ("1", "1")
    assert root.find("testsuite/testcase/error") is not None


def test_a_name_chooses_the_format(tmp_path: Path) -> None:
    found = result_of(result(tmp_path, bad="x"))
    assert ET.parse(write(found, tmp_path / "coverage.xml")).getroot().tag == "coverage"
    assert write(found, tmp_path / "r.html").read_text("utf-8").startswith("<!doctype html>")
    assert write(found, tmp_path / "pages") == tmp_path / "pages" / "index.html"


def test_coverage_py_names_the_tests_of_each_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / ".coverage"
    place.write_text("of another run", encoding="utf-8")
    write(result_of(result(tmp_path, bad="x")), place)
    monkeypatch.chdir(tmp_path)
    measured = coverage.Coverage(data_file=str(place))
    measured.load()
    data = measured.get_data()
    file = str(tmp_path / "shop.py")
    contexts = data.contexts_by_lineno(file)
    assert contexts[4] == ["test_shop.TestF.test_f_returns_1"]
    assert contexts[1] == ["importing"]
    assert 5 not in contexts
    assert measured.analysis(file)[2] == [5]


def test_a_place_that_can_not_be_written_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / ".coverage").mkdir()
    with pytest.raises(OSError, match=r"\.coverage"):
        write(result_of(result(tmp_path, bad="x")), tmp_path / ".coverage")
