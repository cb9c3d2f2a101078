"""The one rule by which evidence is combined."""

from __future__ import annotations

import pytest

from tracetwin.analysis.evidence.facts import ValueFacts, kinds_with
from tracetwin.analysis.evidence.strength import EXCLUDED, Evidence, Strength, combined, shares


def test_a_set_says_what_is_likelier() -> None:
    assert shares("list > str tuple > dict >> bytes") == {
        "list": 1.0,
        "str": 0.6,
        "tuple": 0.6,
        "dict": 0.4,
        "bytes": 0.1,
    }
    assert shares("") == {}
    assert shares("int > > > float >> int") == {"int": 1.0, "float": 0.25}


def test_sets_add_up_and_closed_ones_exclude() -> None:
    number = Evidence("int > float", Strength.USED, closed=True)
    text = Evidence("str", Strength.NEEDED, closed=True)
    assert combined([(number, 1.0)]) == {"int": 2.0, "float": 1.2}
    assert combined([(number, 1.0), (text, 1.0)]) == {
        "int": 2.0 - EXCLUDED,
        "float": 1.2 - EXCLUDED,
        "str": 3.0 - EXCLUDED,
    }
    assert combined([(number, 1.0), (Evidence("str", Strength.NEEDED), 0.5)]) == {
        "int": 2.0,
        "float": 1.2,
        "str": 1.5 - EXCLUDED,
    }


def test_the_same_said_twice_is_no_more_evidence() -> None:
    facts = ValueFacts()
    facts.must_be("int")
    facts.must_be("int")
    facts.may_be("int")
    assert len(facts.evidence) == 2
    assert facts.certainly() == "int"


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("append", {"list"}),
        ("split", {"str"}),
        ("days", {"timedelta"}),
        ("__len__", {"str", "list", "dict", "tuple", "set"}),
        ("no_such_method", set()),
    ],
)
def test_a_method_speaks_for_the_kinds_that_have_it(name: str, kinds: set[str]) -> None:
    assert {kind for kind, share in shares(kinds_with(name)).items() if share == 1.0} == kinds
