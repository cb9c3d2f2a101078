"""Classes on pages: states as a graph, paths of methods, pairs with their tests."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from tests.report.hostile import result
from tracetwin.report.class_result import DepthFigures, ReportedMove, State, States
from tracetwin.report.pages import write_report
from tracetwin.report.pictures.state_graph import arrows, picture, places
from tracetwin.report.result import result_of

STATES = States(
    (
        State(0, 0, (), {"n": "0"}, "True"),
        State(1, 1, ("up",), {"n": "k"}, "k > 0"),
        State(2, 1, ("down",), {"n": "-k"}, "k > 0"),
        State(3, 2, ("up", "stop"), {"n": "k", "stopped": "True"}, "k > 0"),
    ),
    (
        ReportedMove(-1, 0, "", True), ReportedMove(0, 1, "up", True), ReportedMove(0, 2, "down", True),
        ReportedMove(1, 1, "up", False),
        ReportedMove(1, 1, "twice", False), ReportedMove(2, 3, "stop", True),
        ReportedMove(3, 0, "clear", False),
    ),
    (DepthFigures(0, 1, 1, 0, 1, 0, 0, 0.1, 1, True),),
    "",
)  # fmt: skip


def test_calls_between_the_same_states_are_one_arrow() -> None:
    found = {(one.before, one.after, one.new): one.calls for one in arrows(STATES)}
    assert found[1, 1, False] == ("up", "twice")
    assert len(found) == 5


def test_states_stand_in_the_column_of_their_depth_beside_those_that_lead_to_them() -> None:
    where = places(STATES.states, arrows(STATES))
    assert {number: column for number, (column, _) in where.items()} == {0: 0, 1: 1, 2: 1, 3: 2}
    assert len(set(where.values())) == len(where)


def test_the_picture_has_a_box_for_each_state_and_says_which_calls_lead_on() -> None:
    root = ET.fromstring(picture(STATES, "states of <C>"))
    assert root.get("aria-label") == "states of <C>"
    kinds = [part.get("class") for part in root.findall("g")]
    assert (kinds.count("state"), kinds.count("new"), kinds.count("subsumed")) == (4, 3, 2)
    told = [title.text or "" for title in root.iter("title")]
    assert "up, twice: state 1 to state 1, which subsumes it" in told
    assert any(text.startswith("state 3: n = k, stopped = True") for text in told)


def test_pairs_name_their_tests(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    found = result_of(plain)
    assert found.modules[0].classes[0].pairs[0].tests == (0,)
    text = write_report(found, tmp_path / "r.html").read_text("utf-8")
    rows = text[text.index("Definitions and uses") :]
    assert "TestF.test_f_returns_1" in rows[: rows.index("</table>")]


def test_calls_to_states_that_were_not_kept_are_left_out(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="x")
    plain["modules"][0]["classes"][0]["states"]["moves"].append(
        {"before": 0, "after": 7, "call": "m", "new": True}
    )
    states = result_of(plain).modules[0].classes[0].states
    assert states is not None
    assert [move.after for move in states.moves] == [0]
