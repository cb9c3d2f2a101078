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


def result(folder: Path, lines: int, tests: int, nodes: int) -> dict[str, Any]:
    """Return the plain result of a run over a module of that size."""
    source, suite = folder / "large.py", folder / "test_large.py"
    source.write_text("\n".join(f"value_{n} = compute(value_{n - 1}, {n})" for n in range(lines)), "utf-8")
    bodies = (f"    def test_{n}(self):\n        self.assertEqual({n}, compute({n}))\n" for n in range(tests))
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
            "class": "TestAll", "name": f"test_{n}", "function": "compute", "mutants": [],
            "lines": list(range(n + 1, min(lines, n + 60))), "branches": [[n + 1, n + 2]],
        }
        for n in range(tests)
    ]  # fmt: skip
    goals = [
        {
            "criterion": "branch", "name": f"branch {n} -> {n + 1}", "function": "compute", "line": n,
            "fate": "covered" if n <= tests else "open", "reason": "" if n <= tests else "budget spent",
        }
        for n in range(1, lines, 2)
    ]  # fmt: skip
    module = {
        "name": "large", "file": str(source), "test_file": str(suite), "error": None, **figures,
        "uncovered": [{"line": n, "reason": "budget spent"} for n in range(tests + 60, lines)],
        "functions": [{"name": "compute", "first_line": 1, **figures, "uncovered": []}],
        "goals": goals, "cases": cases, "trees": {"compute": {"nodes": tree, "cut": 0}},
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
        began = time.perf_counter()
        place = write_report(result_of(plain), Path(folder) / "report.html")
        print(f"written in {time.perf_counter() - began:.1f} s, {place.stat().st_size / 1e6:.1f} MB")
        try:
            paint, ready = first_paint(place)
        except (ImportError, StopIteration):
            print("no browser: install Chromium and Playwright")
        else:
            print(f"first paint after {paint:.0f} ms, all of it after {ready:.0f} ms")


if __name__ == "__main__":
    main()
