"""Coverage as Cobertura's XML, which CI servers read."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree as ET

from tracetwin.report.result import Figures, Module, Result
from tracetwin.report.sides import SourceLine, SourceLines
from tracetwin.report.visible import visible


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
