"""What a message promises costs no memory that is not there."""

from __future__ import annotations

import marshal
import struct
import sys

import pytest

from tracetwin.process import bounded

resource = pytest.importorskip("resource")


def promise(count: int) -> bytes:
    """The start of a tuple of so many items."""
    return b"(" + struct.pack("<i", count)


def test_a_message_is_what_it_was() -> None:
    message = ("reply", {"a": [1.5, None, b"x" * 100_000]})
    assert bounded.loads(marshal.dumps(message)) == message


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the memory's size is not known")
@pytest.mark.parametrize("body", [promise(2**29), promise(2**26) * 20], ids=["much", "nested"])
def test_what_promises_too_much_is_not_unpacked(body: bytes) -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(MemoryError):
        bounded.loads(body)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_a_lower_limit_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (1 << 20, 1 << 40))
    monkeypatch.setattr(resource, "setrlimit", lambda _kind, pair: limits.append(pair))
    monkeypatch.setattr(bounded, "address_space", lambda: 1 << 30)
    assert bounded.loads(marshal.dumps(1)) == 1
    assert limits == [(1 << 20, 1 << 40)] * 2
