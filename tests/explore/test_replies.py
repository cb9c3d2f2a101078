"""What is no reply of ours ends the runner that sent it, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from tracetwin.explore.loop.replies import OutlinedWorker, outlined
from tracetwin.process.messages import Failed, Ready
from tracetwin.support.worker_errors import RunnerDied

REPLY = {"epoch": (1, 0), "status": "returned", "detail": "", "said": "", "is_stated": False, "line": 0}
INVOKABLE = {
    "qualname": "f", "kind": "function", "owner": "", "first_line": 1, "last_line": 2, "typed": True,
    "problem": "",
}  # fmt: skip
INFO = {"invokables": [INVOKABLE], "walls": {"missing": []}, "notes": ["x"], "refusals": [("open", "x")]}


class Speaker:
    """Answers with what it is given."""

    def __init__(self, reply: object) -> None:
        self.reply = reply
        self.replaced = 0

    def request(self, message: object) -> Any:
        return self.reply

    def replace_runner(self) -> None:
        self.replaced += 1


def test_a_reply_goes_through() -> None:
    speaker = Speaker(REPLY)
    assert OutlinedWorker(speaker).request("x") is REPLY
    assert 0 == speaker.replaced


@pytest.mark.parametrize(
    "reply",
    [
        *(None, 7, [], {}, "reply"),
        {**REPLY, "epoch": 7},
        {**REPLY, "epoch": ("past", 1, 2)},
        {**REPLY, "status": None},
        {**REPLY, "line": True},
    ],
)
def test_anything_else_costs_the_runner(reply: object) -> None:
    speaker = Speaker(reply)
    with pytest.raises(RunnerDied, match="spoke in our place"):
        OutlinedWorker(speaker).request("x")
    assert 1 == speaker.replaced


def test_a_start_goes_through() -> None:
    ready = Ready(INFO, 0.1)
    assert outlined(ready) is ready
    failed = Failed("hung", "x")
    assert outlined(failed) is failed


@pytest.mark.parametrize(
    "info",
    [
        *(None, {}, {**INFO, "invokables": None}, {**INFO, "walls": 7}, {**INFO, "refusals": [7]}),
        {**INFO, "invokables": [{**INVOKABLE, "name": "f"}]},
        {**INFO, "invokables": [{**INVOKABLE, "qualname": 7}]},
        {**INFO, "invokables": [{}]},
        {**INFO, "notes": [7]},
        {**INFO, "private_lines": [7]},
    ],
)
def test_a_start_that_tells_something_else_has_failed(info: Any) -> None:
    started = outlined(Ready(info, 0.1))
    assert isinstance(started, Failed)
    assert "spoke in our place" in started.message
