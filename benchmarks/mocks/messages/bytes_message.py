"""Reads a message of bytes: the paper's example of a client (section 6.2)."""

from __future__ import annotations

from jms import BytesMessage

LENGTH = 10


def read(bm: BytesMessage) -> list[str]:
    """Read the parts of a message, and say which had the expected value."""
    found = []
    if bm.read_unsigned_byte() == LENGTH + 1:
        found.append("unsigned")  # goal 1
    if bm.read_byte() == LENGTH + 1:
        found.append("signed")  # goal 2
    if bm.read_short() == LENGTH + 1:
        found.append("short")  # goal 3
    block = bytearray(LENGTH + 1)
    if bm.read_bytes(block) == LENGTH + 1:
        found.append("block")  # goal 4
    if bm.read_bytes(block, len(block)) == LENGTH + 1:
        found.append("rest")  # goal 5
    return found
