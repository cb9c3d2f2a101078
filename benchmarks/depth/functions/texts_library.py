"""Library functions on texts and bytes: addresses, identifiers, encodings, records."""

import base64
import binascii
import csv
import io
import ipaddress
import shlex
import string
import struct
import textwrap
import unicodedata
import uuid
from urllib.parse import parse_qs, quote, unquote, urlsplit


def secure_host(url: str) -> str:
    """The host of an address, when it is a secure one with a port of its own."""
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname == "example.org" and parts.port == 8443:
        return "own port"  # reach
    return parts.netloc


def query_value(query: str) -> int:
    """A page number in a query."""
    values = parse_qs(query)
    if values.get("page") == ["7"] and "sort" in values:
        return 7  # reach
    return 0


def percent(text: str) -> bool:
    """A text that needs quoting."""
    if quote(text, safe="") == "a%20b%2Fc":
        return True  # reach
    return False


def unquoted(text: str) -> bool:
    """What a quoted text stands for."""
    if unquote(text) == "100%" and text != "100%":
        return True  # reach
    return False


def local_network(text: str) -> str:
    """An address in a network."""
    try:
        address = ipaddress.IPv4Address(text)
    except ValueError:
        return "invalid"
    if address in ipaddress.IPv4Network("10.20.0.0/16"):
        return "inside"  # reach
    return "outside"


def address_number(number: int) -> str:
    """An address from its number."""
    address = ipaddress.IPv4Address(number)
    if str(address) == "192.168.1.77":
        return "printer"  # reach
    return str(address)


def uuid_version(text: str) -> int:
    """The version of an identifier."""
    try:
        identifier = uuid.UUID(text)
    except ValueError:
        return -1
    if identifier.version == 4:
        return 4  # reach
    return 0


def uuid_number(number: int) -> str:
    """An identifier from a number."""
    identifier = uuid.UUID(int=number)
    if identifier.hex.endswith("00c0ffee"):
        return "coffee"  # reach
    return str(identifier)


def decoded(text: str) -> bytes:
    """A secret that was sent in base 64."""
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error:
        return b"?"
    if raw == b"key!":
        return b"open"  # reach
    return raw


def encoded(data: bytes) -> bool:
    """What a secret becomes in base 64."""
    if base64.b64encode(data) == b"c2VzYW0=":
        return True  # reach
    return False


def record(data: bytes) -> str:
    """A record: a short, an int and a byte, in network order."""
    if len(data) != 7:
        return "length"
    kind, size, flag = struct.unpack(">HIB", data)
    if kind == 0x0806 and size == 100_000 and flag & 1:
        return "arp"  # reach
    return "other"


def packed(width: int, height: int) -> bool:
    """Two numbers in a header."""
    if not (0 <= width < 65536 and 0 <= height < 65536):
        return False
    if struct.pack("<HH", width, height) == b"\x80\x02\xe0\x01":
        return True  # reach
    return False


def command_line(line: str) -> str:
    """A command with a quoted argument."""
    try:
        words = shlex.split(line)
    except ValueError:
        return "unfinished"
    if words == ["rm", "my file"]:
        return "careful"  # reach
    return "run"


def csv_row(text: str) -> bool:
    """A row with a comma inside quotes."""
    rows = list(csv.reader(io.StringIO(text)))
    if len(rows) == 1 and rows[0] == ["Doe, J.", "42"]:
        return True  # reach
    return False


def template(name: str) -> bool:
    """A greeting from a template."""
    greeting = string.Template("Dear $name,").substitute(name=name)
    if greeting == "Dear Dr. No,":
        return True  # reach
    return False


def wrapped(text: str) -> int:
    """A text in lines of ten characters."""
    lines = textwrap.wrap(text, 10)
    if len(lines) == 3 and lines[1] == "and":
        return 1  # reach
    return len(lines)


def dedented(text: str) -> bool:
    """A text whose margin was taken off."""
    if textwrap.dedent(text) == "a\n  b\n" and text.startswith("    a"):
        return True  # reach
    return False


def capital_words(text: str) -> bool:
    """Every word with a capital letter."""
    if string.capwords(text) == "Ab Cd" and text.islower():
        return True  # reach
    return False


def composed(text: str) -> bool:
    """A text that is shorter when its accents are composed."""
    if len(unicodedata.normalize("NFC", text)) == len(text) - 1:
        return True  # reach
    return False


def checksum_hex(data: bytes) -> str:
    """A cyclic checksum that ends in zeros."""
    check = binascii.crc32(data)
    if check & 0xFFF == 0x123:
        return "short match"  # reach
    return f"{check:08x}"
