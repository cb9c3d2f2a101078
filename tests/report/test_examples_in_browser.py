"""Reports of all examples in a real browser: every part can be opened, and nothing is said in the console."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.command import run
from tests.report.test_browser import CHROMIUM, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="install Chromium (apt install chromium) for these tests"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.parametrize("source", sorted(EXAMPLES.glob("*.py")), ids=lambda file: file.stem)
def test_an_example_is_shown(browser: Browser, tmp_path: Path, source: Path) -> None:
    limits = ("--max-runs", "30", "--criterion", "branch", "--classes", "1", "--no-journal", "--no-config")
    done = run("generate", str(source), "-o", "t", "-q", "--report", "r.html", *limits, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with opened(browser, tmp_path / "r.html") as page:
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.wait_for_timeout(50)
        assert page.locator(".line").count() > 1
        assert page.locator("details.test pre").count() > 0
        assert page.locator("svg.timeline").count() > 0
        for tree in page.locator("svg.tree").all():
            assert tree.locator("g").count() > 0
        for part in page.locator("section.class").all():
            assert part.locator("svg.states g.state, p").count() > 0
