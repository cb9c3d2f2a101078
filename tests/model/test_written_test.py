"""What only one test of a suite meets is why that test is there."""

from __future__ import annotations

from tracetwin.model.written_test import MetAlone, WrittenTest, met_alone


def test_what_two_tests_meet_is_met_alone_by_neither() -> None:
    first = WrittenTest("TestA", "test_a", "a", (1, 2), ((1, 2),), (0, 4))
    second = WrittenTest("TestA", "test_b", "a", (1, 3), ((1, 3),), (4,))
    assert met_alone([first, second]) == [
        MetAlone((2,), ((1, 2),), (0,)),
        MetAlone((3,), ((1, 3),)),
    ]


def test_a_test_that_is_the_only_one_meets_all_of_it_alone() -> None:
    only = WrittenTest("", "test_a", "a", (1,), ((1, -1),), (2,))
    assert met_alone([only]) == [MetAlone((1,), ((1, -1),), (2,))]
    assert met_alone([]) == []
