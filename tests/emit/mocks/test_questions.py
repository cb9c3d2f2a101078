"""What mocks were asked, as assertions of tests."""

from __future__ import annotations

from tracetwin.emit.exhibit import exhibited
from tracetwin.emit.mocks.calls import MOST_TOLD, asking_all, only_asserted
from tracetwin.model.observation import MockCall, Observation
from tracetwin.model.recipe import Scalar
from tracetwin.model.status import Outcome


def sent(member: str, line: int | None = 4) -> MockCall:
    return MockCall(0, member, (Scalar("user@bC"),), (), line)


def test_a_test_asserts_all_that_the_target_asked_up_to_a_number_of_members() -> None:
    calls = (sent("post"), sent("helped", None), sent("before", -3), *map(sent, ("put", "get", "head")))
    seen = asking_all(exhibited(Observation(Outcome.RETURNED, calls=calls)))
    assert ((0, "post"), (0, "put"), (0, "get")) == seen.asked
    assert len(seen.asked) == MOST_TOLD
    assert {"post", "put", "get"} == {call.member for call in only_asserted(seen).calls}
    assert seen == asking_all(seen)
