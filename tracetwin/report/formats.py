"""The formats of a report: pages, Cobertura's and JUnit's XML, and data files of coverage.py."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from coverage import CoverageData
from coverage.exceptions import CoverageException

from tracetwin.report.pages import write_report
from tracetwin.report.result import Figures, Module, ReportedTest, Result
from tracetwin.report.sides import SourceLine, SourceLines
from tracetwin.report.visible import Hidden, hidden_folders, visible

IMPORTING: Final = "importing"
"""The context of what runs while a module is imported."""


def write_contexts(result: Result, place: Path) -> None:
    """Write a data file by which `coverage html --show-contexts` names the tests of each line.

    Raises:
        OSError: it can't be written.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    data = CoverageData(basename=str(place))
    try:
        for module in result.modules:
            for context, lines in _contexts(module):
                data.set_context(context)
                data.add_lines({module.file: sorted(lines)})
    except CoverageException as error:
        raise OSError(errno.EIO, str(error), str(place)) from None
    finally:
        data.close()


def _contexts(module: Module) -> list[tuple[str, frozenset[int]]]:
    """The lines by their context; lines without code are among those of the import, and do not count."""
    tests = Path(module.test_file).stem
    found = [(f"{tests}.{case.title}", case.lines) for case in module.cases]
    missed = {miss.line for miss in module.misses}
    others = missed.union(*(case.lines for case in module.cases))
    lines = range(1, len(module.source.split("\n")) + 1)
    return [*found, (IMPORTING, frozenset(lines) - others)]


def cobertura(result: Result, *, now: float | None = None, absolute_paths: bool = False) -> str:
    """Return a result as Cobertura's XML (coverage-04.dtd)."""
    stamp = str(int(time.time() if now is None else now))
    root = ET.Element("coverage", {**_rates(result.total), "version": "tracetwin", "timestamp": stamp})
    sources = ET.SubElement(root, "sources")
    places = [_place(module.file, absolute=absolute_paths) for module in result.modules]
    for folder in sorted({folder for folder, _ in places}):
        ET.SubElement(sources, "source").text = visible(folder)
    packages = ET.SubElement(root, "packages")
    for module, (_, name) in zip(result.modules, places, strict=True):
        rates = _rates(module.figures)
        package = ET.SubElement(packages, "package", {"name": visible(module.name), **_rate(rates)})
        classes = ET.SubElement(package, "classes")
        one = {"name": visible(module.name), "filename": visible(name), **_rate(rates)}
        found = ET.SubElement(classes, "class", one)
        ET.SubElement(found, "methods")
        listed = ET.SubElement(found, "lines")
        for line in _lines(module):
            ET.SubElement(listed, "line", _line(line))
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _place(file: str, *, absolute: bool) -> tuple[str, str]:
    """A folder and the name of a file in it; without folders of the machine, what lies elsewhere has none."""
    path, here = Path(file), Path.cwd()
    if absolute:
        return str(path.parent), path.name
    return ".", path.relative_to(here).as_posix() if path.is_relative_to(here) else path.name


def _lines(module: Module) -> Iterable[SourceLine]:
    lines = SourceLines(module)
    numbers = {miss.line for miss in module.misses}.union(*(case.lines for case in module.cases))
    numbers |= {goal.line for goal in module.goals if goal.criterion == "branch"}
    return (lines.at(number) for number in sorted(numbers))


def _line(line: SourceLine) -> dict[str, str]:
    hits = line.count or int(not line.reason)  # what importing runs is run
    found = {"number": str(line.number), "hits": str(hits)}
    if line.sides:
        taken = sum(side.state == "covered" for side in line.sides)
        share = f"{100 * taken // len(line.sides)}% ({taken}/{len(line.sides)})"
        found |= {"branch": "true", "condition-coverage": share}
    return found


def _rates(figures: Figures) -> dict[str, str]:
    return {
        "line-rate": _part(figures.covered_lines, figures.lines),
        "branch-rate": _part(figures.covered_branches, figures.branches),
        "lines-covered": str(figures.covered_lines),
        "lines-valid": str(figures.lines),
        "branches-covered": str(figures.covered_branches),
        "branches-valid": str(figures.branches),
        "complexity": "0",
    }


def _rate(rates: dict[str, str]) -> dict[str, str]:
    return {name: rates[name] for name in ("line-rate", "branch-rate", "complexity")}


def _part(some: int, whole: int) -> str:
    return f"{some / whole:.4f}" if whole else "1"


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


def write(result: Result, place: Path, *, absolute_paths: bool = False) -> Path:
    """Write a report in the format that its name asks for.

    Args:
        result: what is reported.
        place: a name that ends in ``.xml`` gets Cobertura's XML, or JUnit's where ``junit`` is in it too; one
            that begins with ``.coverage`` a data file of coverage.py; one that ends in ``.html`` all pages in
            one; any other is a folder of pages.
        absolute_paths: whether names of files are shown as they are on this machine.

    Returns:
        The file to open first.

    Raises:
        OSError: it can't be written.
    """
    if place.suffix == ".xml":
        hide = str if absolute_paths else Hidden(hidden_folders(result.modules))
        is_junit = "junit" in place.name.lower()
        text = junit(result, hide) if is_junit else cobertura(result, absolute_paths=absolute_paths)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        return place
    if place.name.startswith(".coverage"):
        write_contexts(result, place)
        return place
    return write_report(result, place, absolute_paths=absolute_paths)
