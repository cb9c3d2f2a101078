"""Reports in a real browser: what can be clicked does what it says, and who can't see or point gets along."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.command import run
from tests.report.chromium import IN_A_BROWSER
from tests.report.hostile import result
from tracetwin.report.live_server import LiveServer
from tracetwin.report.pages import pages_of, write_report
from tracetwin.report.result import result_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = IN_A_BROWSER

SHOP = '''
import hashlib


def price(amount: int, member: bool) -> int:
    """Say what it costs."""
    if amount < 0:
        raise ValueError("negative amount")
    if member and amount > 100:
        return amount * 9 // 10
    return amount


def luck(code: str) -> str:
    if hashlib.sha256(code.encode()).hexdigest().startswith("000000"):
        return "lucky"
    return "none"


def door(level: int) -> str:
    if level > 10 and level < 5:
        return "never"
    return "open"
'''


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the report of a real run: one module that is covered as far as can be."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.py").write_text(SHOP, encoding="utf-8")
    (folder / "plain.py").write_text("def twice(n: int) -> int:\n    return 2 * n\n", encoding="utf-8")
    options = ("-o", "t", "--time-limit", "8", "--report", "report.html", "--json", "r.json")
    done = run("generate", "shop.py", "plain.py", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "report.html"


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Page]:
    with opened(browser, report) as page:
        yield page


class opened:  # noqa: N801 - it reads as a function
    """A page, which may not say anything in the console nor ask for anything."""

    def __init__(self, browser: Browser, file: Path, **options: Any) -> None:
        self._page = browser.new_page(**options)
        self._said: list[str] = []
        self._asked: list[str] = []
        self._page.on("console", lambda message: self._said.append(message.text))
        self._page.on("pageerror", lambda error: self._said.append(str(error)))
        self._page.on("request", lambda request: self._asked.append(request.url))
        self._page.goto(file.as_uri())

    def __enter__(self) -> Page:
        return self._page

    def __exit__(self, kind: object, *_: object) -> None:
        self._page.close()
        if kind is None:
            assert self._said == []
            assert all(url.startswith("file:") for url in self._asked)


def grave(page: Page) -> list[tuple[str, str]]:
    """Return what axe finds serious or worse."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    serious = (one for one in found if one["impact"] in ("serious", "critical"))
    return [(one["id"], one["nodes"][0]["html"][:300]) for one in serious]


def test_a_line_is_found_by_its_number(page: Page) -> None:
    part = page.locator("section.module").first
    part.get_by_label("Go to line").fill("8")
    part.get_by_label("Go to line").press("Enter")
    assert page.locator(".line:target details[open]").is_visible()
    part.get_by_label("Go to line").fill("9999")
    part.get_by_label("Go to line").press("Enter")
    assert page.url.endswith("-L8"), "there is no such line"


def test_the_biggest_gap_comes_first_with_what_helps_and_the_nearest_input(page: Page) -> None:
    first = page.locator("#biggest + ol > li", has_text="luck").first
    assert "shop.py:luck" in first.locator(".helps").inner_text(), "which function to call"
    assert "Nearest input: luck(" in first.inner_text()
    first.get_by_role("link").last.click()
    assert page.locator("details.test:target[open]").is_visible()
    beyond = page.locator("#proved ~ p", has_text="infeasible").first
    assert beyond.locator("a", has_text="line 22").is_visible()


def test_a_module_is_found_by_its_name(page: Page) -> None:
    rows = page.locator("#module-rows tr")
    assert rows.count() == 2
    page.get_by_label("Show modules with").fill("sho")
    assert [row.is_visible() for row in rows.all()].count(True) == 1
    page.get_by_label("Show modules with").fill("")
    assert all(row.is_visible() for row in rows.all())


def test_tables_are_sorted_by_a_column(page: Page) -> None:
    head = page.locator("#module-rows").locator("xpath=..").get_by_role("columnheader", name="tests")
    head.get_by_role("button").click()
    first = page.locator("#module-rows tr").first.inner_text()
    head.get_by_role("button").click()
    assert page.locator("#module-rows tr").first.inner_text() != first
    assert head.get_attribute("aria-sort") == "descending"


def test_a_reason_filters_the_list(page: Page) -> None:
    rows = page.locator("#gap-rows tr")
    everything = rows.count()
    button = page.locator("button.reason").first
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    shown = [row for row in rows.all() if row.is_visible()]
    assert 0 < len(shown) <= everything
    assert {row.get_attribute("data-kind") for row in shown} == {button.get_attribute("data-kind")}
    button.click()
    assert all(row.is_visible() for row in rows.all())


def test_a_line_that_is_not_covered_says_why_and_what_helps(page: Page) -> None:
    link = page.locator("#gap-rows a").last
    link.click()
    line = page.locator(".line:target")
    assert line.locator("details").get_attribute("open") is not None
    assert "Not covered:" in line.inner_text()


def test_a_side_leads_to_the_test_that_takes_it(page: Page) -> None:
    line = page.locator(".line", has_text="if amount < 0:").first
    line.locator("summary").click()
    assert "to line 8" in line.inner_text()
    line.locator(".side.covered a").first.click()
    test = page.locator("details.test:target")
    assert test.get_attribute("open") is not None
    assert "price(" in test.inner_text()


def test_an_infeasible_side_is_told_as_such(page: Page) -> None:
    line = page.locator(".line", has_text="if level > 10 and level < 5:").first
    line.locator("summary").click()
    assert "infeasible" in line.inner_text()
    assert line.locator(".side.infeasible").count() == 1


def test_a_test_can_be_copied(page: Page) -> None:
    test = page.locator("details.test").first
    test.locator("summary").click()
    button = test.get_by_role("button")
    button.click()
    page.wait_for_timeout(100)
    assert button.inner_text() in ("copied", "select and copy")


def test_a_tree_grows_and_is_zoomed(page: Page) -> None:
    part = page.locator(".tree-part", has_text="Constraint tree of price")
    part.locator("summary").click()
    picture = part.locator("svg.tree")
    before = float(picture.get_attribute("width") or 0)
    part.get_by_role("button", name="larger").click()
    assert float(picture.get_attribute("width") or 0) > before
    slider = part.locator("input[type=range]")
    slider.fill("1")
    assert part.locator("g.later").count() > 0
    assert part.locator("output").inner_text() == "the first 1 events; the last: an input was run"
    slider.fill(slider.get_attribute("max") or "0")
    assert part.locator("g.later").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 420])
def test_axe_finds_nothing_serious(browser: Browser, report: Path, scheme: str, width: int) -> None:
    size = {"width": width, "height": 900}
    with opened(browser, report, color_scheme=scheme, viewport=size, bypass_csp=True) as page:
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert grave(page) == []


def test_a_hostile_target_runs_nothing(browser: Browser, tmp_path: Path) -> None:
    place = write_report(result_of(result(tmp_path)), tmp_path / "report.html")
    with opened(browser, place) as page:
        assert page.locator("img").count() == 0
        assert page.locator("details.test").count() == 1


def test_all_can_be_reached_by_the_keyboard(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    summary = page.locator("details.test summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("details.test").first.get_attribute("open") is not None


def test_the_result_of_a_real_run_keeps_to_the_schema(report: Path) -> None:
    import importlib.resources

    import jsonschema

    schema = importlib.resources.files("tracetwin.report") / "result.schema.json"
    plain = json.loads((report.parent / "r.json").read_text("utf-8"))
    jsonschema.validate(plain, json.loads(schema.read_text("utf-8")))
    trees = [tree for module in plain["modules"] for tree in module["trees"].values()]
    assert {"r", "s"} <= set("".join(tree["events"] for tree in trees))
    for tree in trees:
        assert max(node["order"] for node in tree["nodes"]) <= len(tree["events"])


def test_a_page_that_is_watched_refreshes_itself(browser: Browser, tmp_path: Path) -> None:
    first, second = result(tmp_path, bad="x"), result(tmp_path, bad="x")
    second["modules"][0]["name"] = "renamed"
    said: list[str] = []
    with LiveServer() as server:
        server.show(pages_of(result_of(first), live=1), 1)
        page = browser.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.goto(server.url)
        server.working(busy=True)
        page.get_by_text("Tests are being generated.").wait_for()
        server.show(pages_of(result_of(second), live=2), 2)
        page.get_by_role("link", name="renamed").wait_for()
        assert page.locator("body").get_attribute("data-live") == "2"
        assert said == []
    page.get_by_text("tracetwin watch has ended").wait_for()
    page.close()


def test_the_time_line_and_the_slowest_questions(page: Page) -> None:
    line = page.locator("svg.timeline").first
    assert line.is_visible()
    assert line.locator("g.exploring").count() > 0
    assert "exploring" in (line.locator("g.exploring title").first.text_content() or "")
    page.locator("details.part", has_text="the bars as a table").first.locator("summary").click()
    assert page.get_by_role("region", name="bars of the time line").first.is_visible()


def test_the_log_is_filtered_by_kind_and_by_text(page: Page) -> None:
    rows = page.locator("#log-rows tr")
    everything = rows.count()
    page.locator('button[data-rows="log-rows"][data-kind="function"]').click()
    shown = [row for row in rows.all() if row.is_visible()]
    assert 0 < len(shown) < everything
    page.get_by_label("Show entries with").fill("price")
    assert all("price" in row.inner_text() for row in rows.all() if row.is_visible())


def nodes(count: int, **others: object) -> list[dict[str, object]]:
    """Return a tree of two ways on everywhere."""
    return [
        {
            "parent": (n - 1) // 2 if n else -1, "text": f"value > {n}", "line": 3, "order": n, "values": {},
            "state": "inner" if 2 * n + 2 < count else "tested", "ending": "", "function": "f", **others,
        }
        for n in range(count)
    ]  # fmt: skip


def test_a_tree_of_ten_thousand_nodes_is_usable(browser: Browser, tmp_path: Path) -> None:
    """Only what is in sight is drawn, so folding, zooming and scrolling take a moment, not seconds."""
    plain = result(tmp_path, bad="x")
    plain["modules"][0]["trees"]["f"] = {"nodes": nodes(10_000), "cut": 0}
    place = write_report(result_of(plain), tmp_path / "r.html")
    with opened(browser, place) as page:
        part = page.locator(".tree-part")
        part.locator("summary").click()
        drawn = part.locator("svg.tree g")
        drawn.first.wait_for()
        assert 0 < drawn.count() < 500
        assert drawn.locator("rect").first.is_visible()
        took = page.evaluate(
            "() => { const t = performance.now();"
            " document.querySelector('button[data-folds=all]').click();"
            " document.querySelector('button[data-folds=none]').click(); return performance.now() - t; }"
        )
        assert took < 2_000
        part.get_by_role("button", name="unfold all").click()
        part.locator(".picture").evaluate("view => { view.scrollTop = view.scrollHeight / 2; }")
        page.wait_for_timeout(200)
        assert 0 < drawn.count() < 500
        for _ in range(6):
            part.get_by_role("button", name="smaller").click()
        assert part.locator("svg.tree text").count() == 0


def test_nodes_are_folded_by_keyboard_and_calls_are_references(browser: Browser, tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    called = nodes(3, function="helper")
    own = [{**one, "parent": 2, "text": f"own {n}"} for n, one in enumerate(nodes(2))]
    plain["modules"][0]["trees"]["f"] = {"nodes": [*called, *own], "cut": 0}
    plain["modules"][0]["trees"]["f"]["nodes"][2]["state"] = "inner"
    place = write_report(result_of(plain), tmp_path / "r.html")
    with opened(browser, place) as page:
        part = page.locator(".tree-part")
        part.locator("summary").click()
        boxes = part.locator("svg.tree g")
        assert boxes.locator("text").first.text_content() == "▸ helper()"
        assert boxes.count() == 3  # the reference, and what comes after the call
        reference = part.get_by_role("button", name="helper")
        reference.focus()
        page.keyboard.press("Enter")
        assert boxes.count() == 5
        first = boxes.first
        assert first.get_attribute("aria-expanded") == "true"
        assert page.evaluate("document.activeElement.getAttribute('data-box')") == "0"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_classes_mocks_and_the_run_are_shown_to_everybody(
    browser: Browser, tmp_path: Path, scheme: str
) -> None:
    place = write_report(result_of(result(tmp_path, bad="x")), tmp_path / "r.html")
    with opened(browser, place, color_scheme=scheme, bypass_csp=True) as page:
        assert page.get_by_role("img", name="states of x").is_visible()
        page.get_by_text("the states as a table").click()
        assert page.get_by_role("region", name="states of x").is_visible()
        assert page.get_by_role("link", name="TestF.test_f_returns_1").count() > 2
        page.get_by_label("show those with").fill("nothing of that kind")
        assert not page.locator("#m0-mock-rows tr").first.is_visible()
        question = page.locator("details.question")
        question.locator("summary").click()
        question.get_by_role("button").click()
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.wait_for_timeout(200)
        assert grave(page) == []


def test_a_line_that_is_gone_to_stands_in_sight_with_what_is_before_it(
    browser: Browser, tmp_path: Path
) -> None:
    plain = result(tmp_path, bad="x")
    (tmp_path / "shop.py").write_text("x = 1\n" * 600, encoding="utf-8")
    plain["modules"][0]["file"] = str(tmp_path / "shop.py")
    plain["modules"][0]["uncovered"].append({"line": 400, "reason": "budget spent"})
    place = write_report(result_of(plain), tmp_path / "r.html")
    with opened(browser, place) as page:
        page.get_by_label("Go to line").fill("400")
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        top = page.locator("[id$='-L400']").bounding_box()
        size = page.viewport_size
        assert top is not None
        assert size is not None
        assert 0.15 * size["height"] < top["y"] < 0.6 * size["height"]
