"""Pages of a report of a large module: seconds to write them, and milliseconds until a browser shows them.

    python benchmarks/pages.py [--lines 5000] [--tests 2000] [--nodes 10000]

The browser is Chromium, by Playwright; without them only the writing is measured.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from tracetwin.report.pages import write_report
from tracetwin.report.result import result_of

FIGURES = dict.fromkeys(
    ("lines", "covered_lines", "branches", "covered_branches", "tests", "runs", "queries", "divergences"), 1
)


SIDES = ((2, 3), (2, 6), (4, 5), (4, 6))
"""Sides of the conditions of a function, by lines after its first."""

FUNCTION = """
def compute_{0}(value: int, other: int) -> int:
    total = value + {0}
    if value > {0}:
        total += other
        if other * other == {0} * value + 7:
            total = value
    return total

"""
"""Ten lines, with two conditions, one in the other."""

LENGTH = FUNCTION.count("\n")


def result(folder: Path, lines: int, tests: int, nodes: int) -> dict[str, Any]:
    """Return the plain result of a run over a module of that size.

    In four of five functions tests take all sides but one; nothing calls the others.
    """
    source, suite = folder / "large.py", folder / "test_large.py"
    functions = lines // LENGTH
    called = functions * 4 // 5
    starts = [number * LENGTH + 2 for number in range(functions)]
    source.write_text("".join(map(FUNCTION.format, range(functions))), "utf-8")
    calls = [(n, n % called) for n in range(tests)]
    bodies = (
        f"    def test_{n}(self):\n        self.assertEqual({n}, compute_{k}({n}, 1))\n" for n, k in calls
    )
    suite.write_text("import unittest\n\n\nclass TestAll(unittest.TestCase):\n" + "\n".join(bodies), "utf-8")
    figures = {**FIGURES, "seconds": 1.0}
    tree = [
        {
            "parent": (n - 1) // 2 if n else -1, "text": f"value > {n}", "line": n % lines + 1, "order": n,
            "state": "inner" if 2 * n + 2 < nodes else "tested", "values": {"value": str(n)}, "ending": "",
        }
        for n in range(nodes)
    ]  # fmt: skip
    cases = [
        {
            "class": "TestAll", "name": f"test_{n}", "function": f"compute_{k}", "mutants": [],
            "lines": [starts[k] + at for at in ((1, 2, 3, 4, 6) if n < called else (1, 2, 6))],
            "branches": [[starts[k] + 2, starts[k] + (3 if n < called else 6)]],
            "call": f"compute_{k}({n}, 1)",
        }
        for n, k in calls
    ]  # fmt: skip
    sides = [(k, starts[k] + at, starts[k] + to) for k in range(functions) for at, to in SIDES]
    goals = [
        {
            "criterion": "branch", "name": f"branch {at} -> {to}", "function": f"compute_{k}", "line": at,
            "fate": "covered" if k < called and to != starts[k] + 5 else "open",
            "reason": "" if k < called and to != starts[k] + 5 else "budget spent",
        }
        for k, at, to in sides
    ]  # fmt: skip
    missed = [
        {"line": start + at, "reason": "budget spent"}
        for k, start in enumerate(starts)
        for at in ((5,) if k < called else range(1, 7))
    ]
    module = {
        "name": "large", "file": str(source), "test_file": str(suite), "error": None, **figures,
        "uncovered": missed, "goals": goals, "cases": cases,
        "functions": [
            {"name": f"compute_{k}", "first_line": start, **figures, "uncovered": []}
            for k, start in enumerate(starts)
        ],
        "trees": {"compute_0": {"nodes": tree, "cut": 0}},
    }  # fmt: skip
    return {"schema": 1, "modules": [module], "total": figures}


def first_paint(page_file: Path) -> tuple[float, float]:
    """Return the milliseconds until a browser shows the page, and until its script has run."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(page_file.as_uri())
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        ready = page.evaluate("performance.getEntriesByType('navigation')[0].domComplete")
        browser.close()
    return paint, ready


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, default in (("lines", 5_000), ("tests", 2_000), ("nodes", 10_000)):
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plain = result(Path(folder), chosen.lines, chosen.tests, chosen.nodes)
        began, worked = time.perf_counter(), time.process_time()
        place = write_report(result_of(plain), Path(folder) / "report.html")
        took, work = time.perf_counter() - began, time.process_time() - worked
        print(f"written in {took:.1f} s ({work:.1f} s of work), {place.stat().st_size / 1e6:.1f} MB")
        try:
            paint, ready = first_paint(place)
        except (ImportError, StopIteration):
            print("no browser: install Chromium and Playwright")
        else:
            print(f"first paint after {paint:.0f} ms, all of it after {ready:.0f} ms")


if __name__ == "__main__":
    main()
