"""The formats of a report, chosen by the name of the place that it goes to."""

from __future__ import annotations

from pathlib import Path

from tracetwin.report.cobertura import cobertura
from tracetwin.report.contexts import write_contexts
from tracetwin.report.junit import junit
from tracetwin.report.pages import write_report
from tracetwin.report.result import Result
from tracetwin.report.visible import Hidden, hidden_folders


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
        hide = str if absolute_paths else Hidden(hidden_folders(module.file for module in result.modules))
        is_junit = "junit" in place.name.lower()
        text = junit(result, hide) if is_junit else cobertura(result, absolute_paths=absolute_paths)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        return place
    if place.name.startswith(".coverage"):
        write_contexts(result, place)
        return place
    return write_report(result, place, absolute_paths=absolute_paths)
