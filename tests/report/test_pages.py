"""Pages show what a run has found, whatever the target is called and says."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.report.hostile import BAD, LONG, goal, result
from tracetwin.report.pages import INDEX, write_report
from tracetwin.report.result import result_of


class Page(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def single(tmp_path: Path) -> str:
    place = tmp_path / "report.html"
    assert write_report(result_of(result(tmp_path)), place) == place
    return place.read_text(encoding="utf-8")


def test_one_file_holds_all(single: str) -> None:
    page = Page(single)
    for words in ("Modules", "What no test runs", "Source", "Functions", "Tests", "Mutants", "The run"):
        assert words in page.text
    assert "test_f_returns_1" in page.text
    assert "constraint tree of f" in single


def test_a_folder_has_a_page_for_each_module(tmp_path: Path) -> None:
    first = write_report(result_of(result(tmp_path)), tmp_path / "pages")
    assert first == tmp_path / "pages" / INDEX
    names = sorted(file.name for file in first.parent.iterdir())
    assert len(names) == 2
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+", name) for name in names)
    links = [attrs["href"] for tag, attrs in Page(first.read_text("utf-8")).elements if tag == "a"]
    assert any(link and link.startswith(names[0] if names[0] != INDEX else names[1]) for link in links)


def test_links_within_a_page_lead_somewhere(single: str) -> None:
    page = Page(single)
    ids = {attrs["id"] for _, attrs in page.elements if "id" in attrs}
    for tag, attrs in page.elements:
        if tag == "a" and (link := attrs.get("href")) and link != "#":
            assert link.startswith("#"), link
            assert link[1:] in ids


def test_no_text_of_the_target_becomes_an_element(single: str) -> None:
    page = Page(single)
    assert not [tag for tag, _ in page.elements if tag in ("img", "iframe", "object", "link")]
    assert sum(tag == "script" for tag, _ in page.elements) == 1
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]
    assert not [attrs for _, attrs in page.elements if "style" in attrs]


def test_what_hides_or_turns_text_is_shown_as_a_sign(single: str) -> None:
    assert not set(single) & set("\u202e\x1b\0")
    assert "⟨U+202E⟩" in single
    assert "␛[31m" in single


def test_the_page_allows_its_own_script_and_style_only(single: str) -> None:
    policy = next(
        attrs["content"] for _, attrs in Page(single).elements
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )  # fmt: skip
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert policy.count("'sha256-") == 2


def test_folders_of_the_machine_are_not_shown_unless_asked_for(tmp_path: Path, single: str) -> None:
    assert str(tmp_path) not in single
    assert "see shop.py" in single
    place = tmp_path / "absolute.html"
    write_report(result_of(result(tmp_path)), place, absolute_paths=True)
    assert str(tmp_path) in place.read_text(encoding="utf-8")


def test_folders_around_tests_are_not_shown_either(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    plain["modules"][0]["test_file"] = "/nowhere/else/tests/test_shop.py"
    page = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    assert "tests/test_shop.py" in page
    assert "-o tests --time-limit" in page
    assert "/nowhere" not in page


def test_goals_are_listed_by_criterion_with_their_tests(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    module = plain["modules"][0]
    module["cases"][0]["raises"] = "ValueError out of f in line 4"
    module["goals"] += [
        goal("exception", "ValueError out of f in line 4", 4, "covered"),
        goal("exception", "KeyError out of f in line 3", 3, "open", "no test of it was written"),
    ]
    page = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    listed = page[page.index("Goals of the criterion exception") :]
    rows = listed[: listed.index("</table>")].split("<tr ")[1:]
    assert "KeyError out of f" in rows[0], "what is open comes first"
    assert "no test of it was written" in rows[0]
    assert '<a href="#m0-t0">TestF.test_f_returns_1</a>' in rows[1]


def test_tests_to_look_at_are_marked_wherever_they_are_named(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    suspect = {"test": "TestF.test_f_returns_1", "why": "IndexError in line 3", "call": "f(1)"}
    plain["modules"][0].update(suspicious=[suspect], suspicious_file="t/test_shop_suspicious.py")
    page = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    assert '<summary>TestF.test_f_returns_1 <span class="key partial">suspicious</span></summary>' in page
    assert "It stands in t/test_shop_suspicious.py." in page
    assert 'Checked by <a href="#m0-t0">TestF.test_f_returns_1</a> (suspicious).' in page


def test_what_was_asked_for_and_how_each_search_ended_is_told(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    module = plain["modules"][0]
    module["options"] = {"criterion": "branch,mutation", "time_limit": 20.0, "max_runs": 300, "jobs": 2}
    module["functions"][0]["ended"] = "nothing was left to try"
    page = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    told = "at most 300 runs of it (--max-runs) and 20 s of time (--time-limit) for each module, in which"
    assert page.count(f"Asked for: branch, mutation; {told}") == 2
    assert "<td>nothing was left to try</td>" in page


def test_an_operand_that_is_not_shown_says_what_was_seen_and_what_is_wanted(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    operand = plain["modules"][0]["operands"][0]
    plain["modules"][0]["operands"] = [{**operand, "operand": 2, "fate": "open", "pair": []}]
    page = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    seen = '<code>10</code> <a href="#m0-t0">TestF.test_f_returns_1</a>'
    assert f"wanted is <code>11</code> with the other outcome; seen: {seen}" in page


def test_lines_outside_of_functions_are_accounted_for(tmp_path: Path) -> None:
    plain = result(tmp_path)
    module = plain["modules"][0]
    inside = sum(function["lines"] for function in module["functions"])
    module["lines"], module["covered_lines"] = inside + 7, inside
    (found,) = result_of(plain).modules[:1]
    assert (7, 7 - max(0, inside - sum(one["covered_lines"] for one in module["functions"]))) == (
        found.elsewhere.lines, found.elsewhere.missed_lines,
    )  # fmt: skip
    assert "outside of these" in write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")


def test_where_objects_lie_in_memory_is_not_told(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="<shop.Till object at 0x7f3a11c2d050>")
    plain["modules"][0]["slowest"] = []  # questions are shown to be copied
    page = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    assert "&lt;shop.Till object&gt;" in page
    assert "0x7f3a11c2d050" not in page


@pytest.mark.parametrize(("empty", "kind"), [(True, "note"), (False, "problem")])
def test_a_module_without_anything_to_call_is_no_problem(tmp_path: Path, empty: bool, kind: str) -> None:
    plain = result(tmp_path, bad="x")
    plain["modules"][0].update(error="shopx: it defines nothing", empty=empty)
    page = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    assert f'<br><span class="{kind}">it defines nothing</span>' in page
    assert f'<p class="{kind}">shopx: it defines nothing</p>' in page


def test_what_is_beyond_reach_is_named_with_its_module_among_several(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    why = "runs only while the module is imported otherwise"
    plain["modules"][0]["uncovered"] = [{"line": 5, "reason": why}]
    one = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    assert f">line 5</a> in f ({why})" in one
    plain["modules"].append(plain["modules"][0])
    several = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    assert f">line 5</a> in f of shopx ({why})" in several


def test_a_text_without_end_is_cut(tmp_path: Path) -> None:
    place = tmp_path / "report.html"
    write_report(result_of(result(tmp_path, bad=LONG)), place)
    assert place.stat().st_size < 1_000_000
    assert "(1,000,000 characters)" in place.read_text(encoding="utf-8")


def test_a_change_of_the_files_is_told(tmp_path: Path) -> None:
    plain = result(tmp_path)
    (tmp_path / "shop.py").write_text("x = 1\n", encoding="utf-8")
    write_report(result_of(plain), tmp_path / "report.html")
    assert "have changed since the run" in (tmp_path / "report.html").read_text("utf-8")


def test_a_reason_comes_with_what_would_help(single: str) -> None:
    assert "--time-limit" in single


def test_what_only_one_test_covers_is_said_of_it(single: str) -> None:
    assert "Only this test runs line 3; runs line 4; goes from line 3 to line 4; notices in line 3" in single


@pytest.mark.slow
def test_a_large_module_is_written(tmp_path: Path) -> None:
    """5,000 lines and 2,000 tests; benchmarks tell how long it takes."""
    plain: dict[str, Any] = result(tmp_path)
    module = plain["modules"][0]
    lines = 5_000
    (tmp_path / "shop.py").write_text("\n".join(f"x{n} = {n}" for n in range(lines)), encoding="utf-8")
    case = module["cases"][0]
    module["cases"] = [
        {**case, "name": f"test_{n}", "lines": list(range(n, n + 40)), "branches": []} for n in range(2_000)
    ]
    began = time.monotonic()
    write_report(result_of(plain), tmp_path / "report.html")
    assert time.monotonic() - began < 120  # a net only
    assert (tmp_path / "report.html").read_text("utf-8").count('class="line') == lines


def test_hostile_text_is_what_these_tests_think_it_is() -> None:
    assert {"\u202e", "\x1b", "\0", "<"} <= set(BAD)


def test_operands_name_the_tests_that_show_them(tmp_path: Path) -> None:
    page = write_report(result_of(result(tmp_path, bad="x > 1")), tmp_path / "r.html").read_text("utf-8")
    assert "1: <code>x &gt; 1</code></th><td><strong>covered</strong></td>" in page
    assert '<td class="wide"><code>10</code> <a href="#m0-t0">' in page
    assert "no two evaluations that were seen show it" in page


def test_a_refusal_is_a_sentence(tmp_path: Path) -> None:
    (module,) = result_of(result(tmp_path, bad="x")).modules
    assert module.refusals == ("x (x: x) by x, in 2 runs; --allow x lets it",)


@pytest.mark.parametrize(
    ("place", "link"), [("pages", "../t/test_shop.py"), ("r.html", "t/test_shop.py"), ("../r.html", "")]
)
def test_files_of_tests_are_linked_below_the_working_folder_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, link: str
) -> None:
    (tmp_path / "work" / "t").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work")
    plain = result(tmp_path / "work", bad="x")
    plain["modules"][0]["test_file"] = "t/test_shop.py"
    write_report(result_of(plain), Path(place))
    page = next(file for file in (Path(place), *Path(place).glob("0-*.html")) if file.is_file()).read_text(
        "utf-8"
    )
    assert (f'<a href="{link}">t/test_shop.py</a>' in page) == bool(link)
    assert "t/test_shop.py" in page


def test_a_mutant_that_survived_leads_to_the_closest_test(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    mutants = plain["modules"][0]["mutants"]
    mutants[0]["closest"] = "TestF.test_f_returns_1"
    mutants.append({**mutants[0], "fate": "not tried", "change": "was never tried"})
    page = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    assert "Besides: 1 not tried." in page
    assert "was never tried" not in page
    link = '<a href="#m0-t0">TestF.test_f_returns_1</a>'
    assert f"Nearest input: <code>f(1)</code> of {link}, which runs it." in page
    assert "A test that notices it has to run line 3" in page


def test_where_nothing_is_proved_the_page_leads_on_to_what_is_missed(tmp_path: Path) -> None:
    plain = result(tmp_path)
    plain["modules"][0]["goals"] = [goal("branch", "branch 4 -> 5", 4, "open", "budget spent")]
    plain["modules"][0]["uncovered"] = [{"line": 9, "reason": "budget spent", "function": "g"}]
    place = write_report(result_of(plain), tmp_path / "other.html")
    page = Page(place.read_text(encoding="utf-8"))
    assert "Nothing was proved unreachable" in page.text
    assert "Nothing:" not in page.text
    assert ("a", {"href": "#reasons"}) in page.elements
    assert "adds to the tests in the folder" in page.text


def test_neighbouring_lines_of_which_the_same_is_told_do_not_repeat_it(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="")
    (found,) = plain["modules"]
    why = "every run was given up: no end after 2 s"
    found["uncovered"] = [{"line": line, "reason": why} for line in (3, 4, 5)]
    found["cases"] = found["functions"] = []
    page = write_report(result_of(plain), tmp_path / "r.html").read_text("utf-8")
    assert page.count("Runs died, hung") == 3, "of the kind, the gap, its first line"
    assert page.count('<strong>Not covered,</strong> as <a href="#m0-L3">line 3</a>') == 2
