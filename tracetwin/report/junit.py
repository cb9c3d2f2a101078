"""The runs that tests were verified by, as JUnit's XML, which CI servers read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

from tracetwin.report.result import Module, ReportedTest, Result
from tracetwin.report.visible import visible


def junit(result: Result, hide: Callable[[str], str] = str) -> str:
    """Return what became of each test as JUnit's XML: tests that hold, and those of before that do not."""
    root = ET.Element("testsuites", {"name": "tracetwin"})
    for module in result.modules:
        _suite(root, module, hide)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, 0)) for suite in root)))
    root.set("time", f"{sum(float(suite.get('time', 0)) for suite in root):.6f}")
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(root: ET.Element, module: Module, hide: Callable[[str], str]) -> None:
    seconds = sum(case.seconds for case in module.cases)
    lost = dict(module.regressions)
    suite = ET.SubElement(
        root, "testsuite",
        {
            "name": visible(module.name),
            "tests": str(len({case.title for case in module.cases} | lost.keys()) + bool(module.error)),
            "failures": str(len(lost)), "errors": str(int(bool(module.error))), "skipped": "0",
            "time": f"{seconds:.6f}",
        },
    )  # fmt: skip
    why = dict(module.suspicious)
    for case in module.cases:
        if case.title not in lost:
            test = _test(suite, module, case.class_name, case.name, case)
            if case.title in why:
                properties = ET.SubElement(test, "properties")
                told = visible(hide(why[case.title]))
                ET.SubElement(properties, "property", {"name": "suspicious", "value": told})
    for title, reason in lost.items():
        owner, _, name = title.rpartition(".")
        message = visible(hide(reason))
        ET.SubElement(_test(suite, module, owner, name), "failure", {"message": message})
    if module.error:
        message = visible(hide(module.error))
        ET.SubElement(_test(suite, module, "", "generating tests"), "error", {"message": message})


def _test(
    suite: ET.Element, module: Module, owner: str, name: str, case: ReportedTest | None = None
) -> ET.Element:
    place = Path(module.test_file).stem or module.name
    words = {"classname": visible(f"{place}.{owner}" if owner else place), "name": visible(name)}
    return ET.SubElement(suite, "testcase", {**words, "time": f"{case.seconds if case else 0:.6f}"})
