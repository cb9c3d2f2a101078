"""The time line as a picture and a table."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from tracetwin.model.timeline import Gain, Span
from tracetwin.report.pictures.timeline import Spent, curve, gained, picture, spent

SPANS = [
    Span(0, "importing", "shop", 0.0, 1.0),
    Span(1, "exploring", "f", 1.0, 4.0, (("z3", 1.5),)),
    Span(0, "writing", "shop", 4.0, 5.0, (("replaying", 0.25), ("verifying", 0.75))),
]


def test_time_is_told_by_what_it_was_spent_on() -> None:
    assert spent(SPANS) == [
        Spent("importing", "", 1.0, 20.0),
        Spent("exploring", "z3", 1.5, 30.0),
        Spent("exploring", "running inputs", 1.5, 30.0),
        Spent("writing", "verifying", 0.75, 15.0),
        Spent("writing", "replaying", 0.25, 5.0),
    ]


def test_each_process_is_a_lane_of_the_picture() -> None:
    root = ET.fromstring(picture(SPANS, "a <run>"))
    assert root.get("aria-label") == "a <run>"
    bars = root.findall("g")
    assert [bar.get("class") for bar in bars] == ["importing", "writing", "exploring"]
    assert len({bar[1].get("y") for bar in bars}) == 2
    lanes = [text.text for text in root.findall("text") if text.get("class") == "lane"]
    assert lanes == ["process 1", "process 2"]


def test_the_part_that_went_into_solving_is_below_a_bar() -> None:
    root = ET.fromstring(picture(SPANS, "run"))
    whole, part = root.findall("g")[2].findall("rect")
    assert part.get("class") == "solving"
    assert abs(float(part.get("width", "0")) * 2 - float(whole.get("width", "0"))) < 0.2


def test_a_name_can_break_nothing_and_nothing_is_no_picture() -> None:
    root = ET.fromstring(picture([Span(0, "exploring", "</svg>\0\u202e", 0.0, 0.0)], "\0<"))
    assert "\u202e" not in "".join(root.itertext())
    assert picture([], "run") == ""


GAINS = [Gain(0.5, 1, 0), Gain(1.0, 4, 2), Gain(3.0, 20, 8), Gain(4.0, 50, 8)]


def test_the_gain_curve_is_drawn_and_told() -> None:
    root = ET.fromstring(curve(GAINS, "gain <curve>"))
    assert root.get("aria-label") == "gain <curve>"
    dots = root.findall("circle")
    assert [dot[0].text for dot in dots][1] == "1.00 s: 2 sides, 4 runs"
    heights = [float(dot.get("cy", "0")) for dot in dots]
    assert heights == sorted(heights, reverse=True)
    assert gained(GAINS).startswith(
        "Half of the 8 sides of conditions were reached after 3.0 s (20 runs), the last"
    )
    assert gained(GAINS).endswith("after 3.0 s (20 of 50 runs).")


def test_nothing_gained_is_no_curve() -> None:
    assert curve([Gain(1.0, 3, 0)], "gain") == gained([]) == ""
