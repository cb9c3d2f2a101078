"""Bytes: headers, encodings, escapes."""


def png_header(data: bytes) -> str:
    """A picture's signature, then the length of its first chunk."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return "no picture"
    if len(data) >= 12 and int.from_bytes(data[8:12], "big") == 13:
        return "picture"  # reach
    return "damaged"


def utf8_umlaut(data: bytes) -> str:
    """A text that is one character shorter than its bytes."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "not utf-8"
    if len(data) == len(text) + 1 and text.endswith("!"):
        return "one umlaut"  # reach
    return text


def ascii_only(text: str) -> str:
    """What can't be sent as ASCII."""
    try:
        raw = text.encode("ascii")
    except UnicodeEncodeError:
        return "not ascii"  # reach
    return "sent" if raw else "empty"


def latin_name(data: bytes) -> bool:
    """A name in latin-1 with an accent."""
    name = data.decode("latin-1")
    if name == "Jos\xe9":
        return True  # reach
    return False


def escape_sequence(data: bytes) -> int:
    """A terminal's control sequence: ESC [ digits m."""
    if not (data.startswith(b"\x1b[") and data.endswith(b"m")):
        return -1
    code = data[2:-1]
    if code.isdigit() and int(code) == 31:
        return 1  # reach
    return 0


def xor_of_bytes(packet: bytes) -> bool:
    """A packet whose last byte is the exclusive or of the others."""
    if len(packet) != 5 or packet[0] != 0x7E:
        return False
    check = 0
    for byte in packet[:-1]:
        check ^= byte
    if check == packet[-1] and check == 0x42:
        return True  # reach
    return False


def split_frames(stream: bytes) -> int:
    """Frames between zero bytes."""
    frames = stream.split(b"\x00")
    if len(frames) == 3 and frames[1] == b"ACK" and frames[0] == frames[2]:
        return len(stream)  # reach
    return 0


def hex_key(key: bytes) -> str:
    """A key shown as digits."""
    shown = key.hex()
    if shown.startswith("dead") and shown.endswith("00") and len(key) == 4:
        return "test key"  # reach
    return shown


def from_hex(text: str) -> bytes:
    """A key from its digits."""
    raw = bytes.fromhex(text)
    if raw == b"\x01\xab\xff":
        return b""  # reach
    return raw


def field_of_record(record: bytearray) -> int:
    """Overwrite one field of a record and look at the whole."""
    if len(record) != 4:
        return 0
    record[1] = 0
    if sum(record) == 700:
        return 1  # reach
    return 2
