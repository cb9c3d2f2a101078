"""Reaches for the network by system calls of a C extension."""
# needs: extension
# alone: no raw bpf

import canary
import direct

_INET, _LOCAL, _STREAM, _PACKET = 2, 1, 1, 2


def _address(port):
    return (2).to_bytes(2, "little") + port.to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)


def connects(number: int) -> int:
    return direct.call(42, direct.call(41, _INET, _STREAM, 0), _address(canary.TCP_PORT), 16)


def sends(number: int) -> int:
    return direct.call(44, direct.call(41, _INET, _PACKET, 0), b"here", 4, 0, _address(canary.UDP_PORT), 16)


def sends_at_once(number: int) -> int:
    one = direct.call(41, _INET, _STREAM, 0)
    return direct.call(44, one, b"here", 4, 0x20000000, _address(canary.TCP_PORT), 16)


def sends_connected(number: int) -> int:
    one = direct.call(41, _INET, _PACKET, 0)
    direct.call(42, one, _address(canary.UDP_PORT), 16)
    return direct.call(1, one, b"here", 4)


def sends_message(number: int) -> int:
    one = direct.call(41, _INET, _PACKET, 0)
    address, text = _address(canary.UDP_PORT), b"here"
    part = direct.address(text).to_bytes(8, "little") + (4).to_bytes(8, "little")
    message = b"".join(
        value.to_bytes(8, "little")
        for value in (direct.address(address), 16, direct.address(part), 1, 0, 0, 0)
    )
    return direct.call(46, one, message, 0)


def local(number: int) -> int:
    one = direct.call(41, _LOCAL, _STREAM, 0)
    address = _LOCAL.to_bytes(2, "little") + canary.SOCKET.encode() + b"\0"
    return direct.call(42, one, address, len(address))


def nameless(number: int) -> int:
    one = direct.call(41, _LOCAL, _STREAM, 0)
    address = _LOCAL.to_bytes(2, "little") + canary.ABSTRACT.encode()
    return direct.call(42, one, address, len(address))


def listens(number: int) -> str:
    one = direct.call(41, _INET, _STREAM, 0)
    direct.call(49, one, _address(0), 16)
    return canary.escaped("it listens") if direct.call(50, one, 1) == 0 else "no"


def raw(number: int) -> str:
    return canary.escaped("a raw socket") if direct.call(41, 17, 3, 0x0300) >= 0 else "no"


def rings(number: int) -> str:
    """A ring for system calls that no filter sees."""
    return canary.escaped("a ring was made") if direct.call(425, 4, bytearray(120)) >= 0 else "no"


def bpf(number: int) -> str:
    return canary.escaped("a map of bpf") if direct.call(321, 0, bytearray(72), 72) >= 0 else "no"


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
