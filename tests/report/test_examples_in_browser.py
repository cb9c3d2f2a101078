"""Reports of real code in a real browser: what the result has is seen and clicked, the console is empty."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click
import iniconfig
import jinja2
import markupsafe
import mdurl
import pygments
import pytest

from tests.e2e.command import run
from tests.report.chromium import IN_A_BROWSER
from tests.report.test_browser import grave, opened
from tests.target.layout import make_wheel

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PACMAN = sorted((ROOT / "benchmarks" / "classes" / "pacman").glob("[a-z]*.py"))
RELEASED = [
    Path(package.__file__ or "").with_name(name)
    for package, name in ((click, "formatting.py"), (jinja2, "utils.py"), (pygments, "util.py"))
]
WHEELS = (iniconfig, markupsafe, mdurl)
"""Packages that are there wherever the tests run; each is made into a wheel again."""

TARGETS = [
    *((file,) for file in EXAMPLES),
    (ROOT / "examples" / "own_runtime",),
    PACMAN,
    *((file,) for file in RELEASED),
]

NEAREST = re.compile("Nearest input: |No test comes near|No call leads here|, as the line[.]")

pytestmark = IN_A_BROWSER


@pytest.mark.parametrize("sources", TARGETS, ids=lambda files: files[0].parent.name + "-" + files[0].stem)
def test_all_of_a_result_is_seen_and_clicked(browser: Browser, tmp_path: Path, sources: list[Path]) -> None:
    seen_and_clicked(browser, tmp_path, sources)


@pytest.mark.parametrize("package", WHEELS, ids=lambda package: package.__name__)
def test_all_of_a_result_of_a_wheel_is_seen_and_clicked(
    browser: Browser, tmp_path: Path, package: ModuleType
) -> None:
    name, folder = package.__name__, Path(package.__file__ or "").parent
    files = {f"{name}/{file.name}": file.read_bytes() for file in folder.glob("*.py")}
    wheel = make_wheel(tmp_path / f"{name}-1.0-py3-none-any.whl", files)
    seen_and_clicked(browser, tmp_path, [wheel])


def seen_and_clicked(browser: Browser, tmp_path: Path, sources: list[Path]) -> None:
    limits = ("--max-runs", "30", "--criterion", "branch,exception,mcdc", "--classes", "1", "--no-journal")
    places = ("--report", "r.html", "--json", "r.json", "--no-config")
    done = run("generate", *map(str, sources), "-o", "t", "-q", *places, *limits, cwd=tmp_path, timeout=300)
    assert done.returncode in (0, 7), done.stderr  # 7: there are modules in which nothing can be called
    result = json.loads((tmp_path / "r.json").read_text("utf-8"))
    with opened(browser, tmp_path / "r.html") as page:
        overview(page, result)
        for number, module in enumerate(result["modules"]):
            part = page.locator(f"#m{number}")
            source(page, part, module)
            trees(part, module)
            classes(part, module)
            suite(page, part, module)
            the_run(part, module)
    with opened(browser, tmp_path / "r.html", bypass_csp=True) as page:
        page.evaluate("document.querySelectorAll('.line details').forEach(one => { one.open = true; })")
        assert grave(page) == []


def overview(page: Page, result: dict[str, Any]) -> None:
    rows = page.locator("#module-rows tr")
    assert rows.count() == len(result["modules"])
    page.get_by_label("Show modules with").fill("no module has this name")
    assert not rows.first.is_visible()
    page.get_by_label("Show modules with").fill("")
    assert rows.first.is_visible()
    missed = sum(len(module["uncovered"]) for module in result["modules"])
    sizes = page.locator("#gap-rows tr td:nth-child(2)").all_inner_texts()
    assert sum(int(size) for size in sizes if size != "side") == missed
    if sizes:
        button = page.locator("button.reason[data-rows=gap-rows]").first
        button.click()
        kinds = page.locator("#gap-rows tr:not([hidden])").evaluate_all(
            "rows => rows.map(row => row.dataset.kind)"
        )
        assert set(kinds) == {button.get_attribute("data-kind")}
        button.click()
        page.locator("#gap-rows a").first.click()
        page.locator(".line:target details[open]").wait_for()
    reachable = page.locator("#gap-rows tr:not([data-kind='infeasible'])").count()
    assert page.locator("#biggest + ol > li").count() <= min(reachable, 3)
    assert page.locator("#log-rows tr").count() == len(result["log"])
    page.get_by_text("what the words mean").click()
    assert page.get_by_text("divergence", exact=True).is_visible()


def source(page: Page, part: Locator, module: dict[str, Any]) -> None:
    """Every branch that is counted has its side; a side that is taken leads to a test."""
    assert part.locator(".line").count() > 1, "the source is there"
    part.evaluate("part => part.querySelectorAll('.line details').forEach(one => { one.open = true; })")
    untaken_kinds = ".missed, .given-up, .unwritten, .pending, .outside"
    sides = part.locator(f".detail .side:is(.covered, .infeasible, {untaken_kinds})")
    assert sides.count() == sum(goal["criterion"] == "branch" for goal in module["goals"])
    untaken = part.locator(f".detail .side:is({untaken_kinds})")
    assert untaken.filter(has_text=NEAREST).count() == untaken.count()
    for miss in module["uncovered"][:20]:
        line = part.locator(f".line[id$='-L{miss['line']}']")
        line.scroll_into_view_if_needed()  # what is out of sight is not laid out
        line.locator(".detail").wait_for()
        told = re.search(r"Not covered(?:, as line (\d+))?:", line.text_content() or "")
        assert told is not None
        if told[1] is not None:  # that one says all of it
            assert "Not covered:" in (part.locator(f".line[id$='-L{told[1]}']").text_content() or "")
    for miss in module["uncovered"][:1]:
        part.get_by_label("Go to line").fill(str(miss["line"]))
        part.get_by_label("Go to line").press("Enter")
        page.locator(".line:target .detail").wait_for()
        assert page.url.endswith(f"-L{miss['line']}")
    link = part.locator(".detail .side.covered a[href*='-t']").first
    if link.count():
        link.click()
        page.locator("details.test:target pre").wait_for()


def trees(part: Locator, module: dict[str, Any]) -> None:
    drawn = part.locator(".tree-part")
    assert drawn.count() == len([tree for tree in module["trees"].values() if tree["nodes"]])
    for tree in drawn.all():
        tree.locator("summary").click()
        tree.locator("svg.tree g rect").first.wait_for()
        tree.get_by_role("button", name="unfold all").click()
        tree.get_by_role("button", name="larger").click()
        tree.locator("input[type=range]").fill("0")
        assert tree.locator("g.later").count() > 0 or "the first 0" not in (
            tree.locator("output").text_content() or ""
        )


def classes(part: Locator, module: dict[str, Any]) -> None:
    shown = part.locator("section.class")
    assert shown.count() == len(module["classes"])
    for section, plain in zip(shown.all(), module["classes"], strict=True):
        if (plain["states"] or {}).get("states"):
            assert section.locator("svg.states g.state").count() == len(plain["states"]["states"])
            section.get_by_text("the states as a table").click()
            assert section.get_by_role("region", name="states of").first.is_visible()
        assert section.locator("tr.side").count() == len(plain["pairs"])


def suite(page: Page, part: Locator, module: dict[str, Any]) -> None:
    shown = part.locator("details.test")
    assert shown.count() == len(module["cases"])
    for test in shown.all()[:3]:
        if test.get_attribute("open") is None:
            test.locator("summary").click()
        assert "def test_" in (test.locator("pre").text_content() or "")
        test.get_by_role("button").click()
        page.wait_for_timeout(50)
        assert test.get_by_role("button").inner_text() != "copy"
    stand_ins = {tuple(one.items()) for case in module["cases"] for one in case["stand_ins"]}
    assert part.locator("tbody[id$=mock-rows] tr").count() == len(stand_ins)
    rows = part.locator("[id$='operands'] ~ .scroll").first.locator("tbody tr")
    assert not module.get("operands") or rows.count() == len(module["operands"])


def the_run(part: Locator, module: dict[str, Any]) -> None:
    if not module["spans"]:
        assert module["error"], "nothing was done"
        return
    assert part.locator("svg.timeline:not(.gains)").is_visible()
    assert part.locator("svg.gains").count() == any(point["covered"] for point in module["curve"])
    part.get_by_text("the bars as a table").click()
    assert part.get_by_role("region", name="bars of the time line").is_visible()
    assert part.locator("details.question").count() == len(module["slowest"])
