"""Messages arrive whole, or not at all."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tracetwin.process.channel import (
    MAX_BYTES,
    Channel,
    Closed,
    NotPlain,
    ProtocolError,
    TooSlow,
    encode,
    tick,
)

MESSAGES = [
    None,
    [True, 1, -(2**100), 1.5, float("inf"), 2j, "ä\ud800", b"\0", (), {"k": [{1: (2,)}]}],
    "x" * 1_000_000,
]


@pytest.fixture
def ends() -> Iterator[tuple[Channel, Channel, socket.socket]]:
    one, other = socket.socketpair()
    with one, other:
        tick(one)
        tick(other)
        yield Channel(one.fileno()), Channel(other.fileno()), other


@pytest.mark.parametrize("message", MESSAGES, ids=["none", "all kinds", "large"])
def test_what_is_sent_arrives(ends: tuple[Channel, Channel, socket.socket], message: object) -> None:
    sender = threading.Thread(target=ends[0].send, args=(message,))
    sender.start()
    assert ends[1].receive() == message
    sender.join()


def test_messages_that_arrive_together_are_told_apart(ends: tuple[Channel, Channel, socket.socket]) -> None:
    for number in range(100):
        ends[0].send(number)
    assert [ends[1].receive() for _ in range(100)] == list(range(100))


def test_a_message_that_was_read_with_the_one_before_is_known_of(
    ends: tuple[Channel, Channel, socket.socket],
) -> None:
    ends[0].send("first")
    ends[0].send("second")
    os.write(ends[0].fd, encode("third")[:-1])
    told = [(ends[1].receive(), ends[1].holds_more) for _ in range(2)]
    assert told == [("first", True), ("second", False)], "the third is not there as a whole"


def test_a_message_that_comes_byte_by_byte_is_put_together(
    ends: tuple[Channel, Channel, socket.socket],
) -> None:
    def dribble() -> None:
        for byte in encode(["slow", 1]):
            os.write(ends[0].fd, bytes([byte]))

    sender = threading.Thread(target=dribble)
    sender.start()
    assert ends[1].receive(time.monotonic() + 5) == ["slow", 1]
    sender.join()


def test_a_closed_end_is_noticed(ends: tuple[Channel, Channel, socket.socket]) -> None:
    os.write(ends[1].fd, encode("half a message")[:-3])
    ends[2].close()
    with pytest.raises(Closed):
        ends[0].receive()
    with pytest.raises(Closed):
        ends[0].send("x")


def test_a_deadline_is_kept(ends: tuple[Channel, Channel, socket.socket]) -> None:
    with pytest.raises(TooSlow):
        ends[0].receive(time.monotonic() + 0.1)
    with pytest.raises(TooSlow):
        ends[0].send("x" * 10_000_000, time.monotonic() + 0.1)


@pytest.mark.parametrize(
    "data", [b"no message at all", encode(1)[:4] + b"\xff" * 20, encode("abc")[:8] + b"\xff" * 10]
)
def test_garbage_is_no_message(ends: tuple[Channel, Channel, socket.socket], data: bytes) -> None:
    os.write(ends[0].fd, data)
    with pytest.raises(ProtocolError):
        ends[1].receive(time.monotonic() + 1)


@pytest.mark.parametrize("message", [object(), [len], type("Number", (int,), {})(3)])
def test_only_plain_data_is_sent(message: object) -> None:
    with pytest.raises(NotPlain):
        encode(message)


def test_a_message_has_a_largest_size() -> None:
    with pytest.raises(NotPlain, match="larger"):
        encode(b"x" * (MAX_BYTES + 1))
