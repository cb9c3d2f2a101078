"""What each part of a report shows and does, in a real browser: sources, trees, classes, mocks, the run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.report.chromium import IN_A_BROWSER
from tests.report.hostile import TESTS, node, result
from tests.report.test_browser import grave, opened
from tracetwin.report.pages import write_report
from tracetwin.report.result import result_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = IN_A_BROWSER


LEAVES = [
    node(-1, "x > 0", "tested", values={"x": "7"}, ending="returned 1"),
    node(-1, "x <= 0", "inner", order=2),
    node(1, "x > 5", "infeasible", order=2),
    node(1, "x <= 5", "inner", order=2),
    node(3, "hash(x) == 1", "unknown", order=3),
    node(3, "x < -3", "pending", order=3),
    node(3, "y == 2", "run", order=5, values={"y": "2"}, function="helper"),
]


def shop(folder: Path) -> dict[str, Any]:
    """Return the plain result of a run over three modules, two of them in a package."""
    plain = result(folder, bad="x")
    (first,) = plain["modules"]
    first["trees"]["f"] = {"nodes": LEAVES, "cut": 2, "events": "rsdDr"}
    (one,) = first["classes"]
    one["problem"] = ""
    one["pairs"].append(
        {"number": 2, "attribute": "seen", "define": {"method": "x", "line": 1},
         "use": {"method": "x", "line": 3}, "status": "infeasible", "why": "x always comes between",
         "sequence": ""}
    )  # fmt: skip
    one["states"]["states"].append(
        {"number": 1, "depth": 1, "calls": ["x", "up"], "holds": {"n": "k"}, "when": "k > 0"}
    )
    one["states"]["moves"] += [
        {"before": 0, "after": 1, "call": "up", "new": True},
        {"before": 1, "after": 1, "call": "down", "new": False},
    ]
    first["slowest"][0]["smtlib"] = "(assert (> x 0))"
    first["cases"][0]["stand_ins"].append(
        {"kind": "patch", "name": "time.time", "asked": "", "answer": "12.5"}
    )
    others = [
        {**first, "name": f"till.{name}", "divergences": count, "classes": []}
        for name, count in (("a", 3), ("b", 1))
    ]
    others[0]["refusals"] = []
    plain["modules"] = [first, *others]
    return plain


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    with opened(browser, write_report(result_of(shop(tmp_path)), tmp_path / "r.html")) as page:
        yield page


def shown(rows: Locator) -> list[str]:
    return [row.locator("th").first.inner_text() for row in rows.all() if row.is_visible()]


def test_a_package_filters_the_modules_and_each_column_sorts_them(page: Page) -> None:
    rows = page.locator("#module-rows tr")
    package = page.get_by_role("list", name="packages").get_by_role("button", name="till (2 modules)")
    assert package.locator("xpath=..").get_by_role("img", name="lines: 75 percent").is_visible()
    package.click()
    assert shown(rows) == ["till.a", "till.b"]
    package.click()
    heads = page.locator("#module-rows").locator("xpath=..").get_by_role("columnheader")
    heads.get_by_role("button", name="divergences").click()
    assert shown(rows) == ["shopx", "till.b", "till.a"]
    heads.get_by_role("button", name="refusals").click()
    assert shown(rows)[0] == "till.a"
    for head in heads.get_by_role("button").all():
        head.click()
        assert head.locator("xpath=..").get_attribute("aria-sort") == "ascending"


def test_sources_and_tests_are_highlighted(page: Page) -> None:
    line = page.locator("#m0-L4 .text")
    line.scroll_into_view_if_needed()  # what is out of sight is not laid out
    colours = [
        part.evaluate("part => getComputedStyle(part).color") for part in (line, line.locator("span").first)
    ]
    assert line.inner_text().strip() == "return 1"
    assert colours[0] != colours[1]
    page.locator("#m0-t0 summary").click()
    assert page.locator("#m0-t0 pre span").count() > 3


def test_a_line_shows_the_unsolved_condition_and_which_change_nobody_notices(page: Page) -> None:
    line = page.locator("#m0-L3")
    line.locator("summary").click()
    side = line.locator(".side.pending")
    assert "Condition on the input: hash(x) == 1" in side.inner_text()
    assert "Nearest input:" in side.inner_text()
    assert "No test notices that" in line.locator("p.survivor").inner_text()


def test_a_test_is_copied_as_it_stands_in_its_file_which_a_link_opens(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plain = shop(tmp_path)
    plain["modules"][0]["test_file"] = "test_shop.py"
    with opened(browser, write_report(result_of(plain), tmp_path / "r.html")) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        test = page.locator("#m0-t0")
        test.locator("summary").click()
        test.get_by_role("button", name="copy").click()
        test.get_by_role("button", name="copied").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert indent(copied.strip(), "    ") in TESTS
        assert copied.startswith("def test_f_returns_1(self):")
        link = test.get_by_role("link", name="test_shop.py")
        place = urlsplit(link.evaluate("link => link.href"))
        assert Path(unquote(place.path)).read_text("utf-8") == TESTS
        link.click()
        assert page.url.endswith("test_shop.py")


def test_every_kind_of_end_has_its_own_mark_colour_and_words(page: Page) -> None:
    part = page.locator("#m0 .tree-part")
    assert "2 paths cut" in part.locator("summary").inner_text()
    part.locator("summary").click()
    part.get_by_role("button", name="unfold all").click()
    colours = set()
    for state, mark in zip(("tested", "infeasible", "unknown", "pending", "run"), "✓⊘?…·", strict=True):
        box = part.locator(f"svg.tree g.{state}")
        assert (box.locator("text").text_content() or "").removeprefix("▾ ").startswith(mark), state
        colours.add(box.locator("rect").evaluate("rect => getComputedStyle(rect).stroke"))
        assert part.locator(f".legend .key.{state}").is_visible()
    assert len(colours) == 4, "what is tested and what was run differ by their marks"
    assert "✂" in part.locator(".legend").inner_text()


def test_a_node_tells_its_line_and_the_input_that_went_there(page: Page) -> None:
    part = page.locator("#m0 .tree-part")
    part.locator("summary").click()
    box = part.locator("svg.tree g.tested")
    box.hover()
    told = box.locator("title").text_content() or ""
    assert [words for words in ("x > 0", "line 3", "x = 7", "returned 1") if words not in told] == []


def test_a_callee_is_unfolded_by_the_mouse_and_all_is_folded_again(page: Page) -> None:
    part = page.locator("#m0 .tree-part")
    part.locator("summary").click()
    reference = part.get_by_role("button", name="▸ helper()")
    reference.click()
    assert part.locator("svg.tree g.run text").text_content() == "▾ · y == 2"
    everything = part.locator("svg.tree g").count()
    part.get_by_role("button", name="fold all", exact=True).click()
    assert part.locator("svg.tree g").count() < everything
    assert part.get_by_role("button", name="▸ helper()").count() == 0, "it is behind what is folded"


def test_the_slider_tells_each_event(page: Page) -> None:
    part = page.locator("#m0 .tree-part")
    part.locator("summary").click()
    told = []
    for step in range(1, 5):
        part.locator("input[type=range]").fill(str(step))
        told.append(part.locator("output").inner_text().partition("the last: ")[2])
    assert told[0] == "an input was run"
    assert told[2] in told[3]
    assert told[3].endswith(", tried once more")
    assert part.locator("g.later").count() == 1, "the call that came last"


def test_the_states_of_a_class_their_depths_and_where_each_pair_is_tested(page: Page) -> None:
    part = page.locator("#m0 section.class")
    assert part.locator("svg.states g.state").count() == 2
    assert part.locator("svg.states g.new").count() == 1
    subsumed = part.locator("svg.states g.subsumed")
    assert "state 1 to state 1, which subsumes it" in (subsumed.last.locator("title").text_content() or "")
    depths = part.get_by_role("region", name="depths of x").get_by_role("row")
    assert depths.nth(1).get_by_role("cell").all_inner_texts()[:3] == ["1", "1", "0"]
    paths = part.get_by_role("region", name="Paths of its methods")
    assert "x" in paths.get_by_role("row").nth(1).inner_text()
    pairs = part.get_by_role("region", name="Definitions and uses").locator("tbody tr")
    assert "x always comes between" in pairs.filter(has_text="infeasible").inner_text()
    pairs.filter(has_text="covered").get_by_role("link", name="TestF.test_f_returns_1").click()
    assert page.locator("details.test:target[open]").is_visible()


def test_mocks_are_filtered_by_kind_and_by_text(page: Page) -> None:
    rows = page.locator("#m0-mock-rows tr")
    page.locator("button[data-rows=m0-mock-rows][data-kind=patch]").click()
    assert shown(rows) == ["time.time"]
    assert "12.5" in rows.filter(has_text="time.time").inner_text()
    page.locator("button[data-rows=m0-mock-rows][data-kind=patch]").click()
    page.locator("input[data-filters=m0-mock-rows]").fill("12.5")
    assert shown(rows) == ["time.time"]


def test_the_time_of_the_run_by_work_by_stage_and_by_question(page: Page) -> None:
    part = page.locator("#m0")
    work = part.get_by_role("region", name="time by work")
    work.get_by_role("columnheader", name="seconds").get_by_role("button").click()
    assert work.locator("tbody tr").count() > 1
    assert "3" in part.get_by_role("region", name="stages of the solver").locator("tbody tr").inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    question = part.locator("details.question")
    assert "1.00 s, sat, x" in question.locator("summary").inner_text()
    question.locator("summary").click()
    question.get_by_role("button", name="copy").click()
    question.get_by_role("button", name="copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "(assert (> x 0))"


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (420, "dark")])
def test_one_walks_through_a_folder_of_pages(
    browser: Browser, tmp_path: Path, width: int, scheme: Any
) -> None:
    """From the overview to a line, from there to a test, and back."""
    first = write_report(result_of(shop(tmp_path)), tmp_path / "report")
    size = {"width": width, "height": 900}
    with opened(browser, first, viewport=size, color_scheme=scheme, bypass_csp=True) as page:
        assert grave(page) == []
        page.locator("#biggest + ol a").first.click()
        assert page.url.partition("#")[0].endswith("0-shopx.html")
        assert page.locator(".line:target details[open]").is_visible()
        page.locator("#m0-L3 summary").click()
        page.locator("#m0-L3 .side.covered a").first.click()
        assert page.locator("details.test:target[open]").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        page.get_by_role("link", name="All modules").click()
        page.locator("#module-rows").get_by_role("link", name="till.b").click()
        assert page.url.endswith("2-till.b.html")
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.wait_for_timeout(200)
        assert grave(page) == []


STUBBED = """import unittest


class StubShop:
    pass


class TestF(unittest.TestCase):
    def test_f_returns_1(self):
        self.assertEqual(1, f(StubShop()))
"""


def walked(folder: Path) -> dict[str, Any]:
    """Return the plain result of a run with many tests, for one of which a class is made."""
    plain = result(folder, bad="x")
    (one,) = plain["modules"]
    (folder / "test_shop.py").write_text(STUBBED, encoding="utf-8")
    (case,) = one["cases"]
    one["cases"] = [case, *({**case, "name": f"test_{number}", "function": "f"} for number in range(11))]
    mutant = {**one["mutants"][0], "fate": "not tried"}
    one["mutants"] += [mutant] * 5
    one["goals"] += [{**one["goals"][-1], "reason": "the time was up before it was tried"}] * 5
    one["options"] = {"criterion": "branch,exception,mutation", "time_limit": 5.0, "jobs": 1}
    return plain


@pytest.fixture
def walk(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    with opened(browser, write_report(result_of(walked(tmp_path)), tmp_path / "r.html")) as page:
        yield page


def test_a_click_on_a_line_opens_it_and_another_closes_it(walk: Page) -> None:
    line = walk.locator("#m0-L3")
    for part in (".text", ".number", ".mark"):
        line.locator(part).click()
        assert line.locator("details").evaluate("part => part.open"), part
        line.locator(part).click()
        assert not line.locator("details").evaluate("part => part.open"), part


def test_go_to_a_line_without_code_leads_to_the_nearest_and_says_so(walk: Page) -> None:
    field, told = walk.get_by_label("Go to line"), walk.locator("p:has(input[data-goes]) output")
    field.fill("2")
    field.press("Enter")
    assert told.inner_text() == "line 2 has no code of its own: this is the nearest, line 3"
    assert walk.locator("#m0-L3 details").evaluate("part => part.open")
    field.fill("5")
    field.press("Enter")
    assert told.inner_text() == ""
    assert walk.locator("#m0-L5 details").evaluate("part => part.open")


def test_all_tests_of_a_line_unfold_those_first_that_call_its_function(walk: Page) -> None:
    walk.locator("#m0-L4 .text").click()
    detail = walk.locator("#m0-L4 .detail")
    assert detail.locator("a:visible").count() == 8
    assert detail.locator("a").first.inner_text() == "TestF.test_0"
    detail.get_by_role("button", name="and 4 more").click()
    assert detail.locator("a:visible").count() == 12
    assert detail.locator("a").last.inner_text() == "TestF.test_f_returns_1"


def test_a_test_shows_the_classes_that_are_made_for_it(walk: Page) -> None:
    test = walk.locator("#m0-t0")
    test.locator("summary").first.click()
    test.get_by_text("StubShop, which it uses").click()
    assert "class StubShop:" in test.locator(".stub pre").inner_text()
    assert walk.locator("#m0-t1 .stub").count() == 0


def test_a_score_says_how_many_nobody_tried(walk: Page) -> None:
    assert "mutation 0/6 (5 of them not tried)" in " ".join(walk.locator("#m0").inner_text().split())
    assert "There is no goal of: exception." in walk.locator("#m0 .bounds").inner_text()
