"""Patches of a test, one class per kind, to be applied in order."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import field
from typing import Final, TypeAlias

from tracetwin.model.recipe import Recipe
from tracetwin.support.data import dataclass


class Way(str, enum.Enum):
    """The ways in which one call of a patched function ends."""

    RETURN = "return"
    RAISE = "raise"
    FILE = "file"
    """Opens a file of these contents."""
    SINK = "sink"
    """Opens a file to write."""
    PICK = "pick"
    """Returns what is at this place in the sequence that it gets."""
    NOTHING = "nothing"
    """Returns what nobody asks for."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class PatchedCall:
    """One call of a patched function."""

    way: Way
    recipe: Recipe


@dataclass(frozen=True, slots=True)
class FunctionPatch:
    """A function that answers its calls in order.

    Attributes:
        place: dotted name.
        tells: calls are effects, to be asserted.
    """

    place: str
    calls: tuple[PatchedCall, ...]
    tells: bool = False


@dataclass(frozen=True, slots=True)
class EnvironPatch:
    """Variables of the environment, and whether there are no others."""

    values: Mapping[str, str] = field(default_factory=dict)
    alone: bool = False
    place: str = "os.environ"


@dataclass(frozen=True, slots=True)
class StdinPatch:
    """A text that comes from standard input."""

    text: Recipe
    place: str = "sys.stdin"


@dataclass(frozen=True, slots=True)
class ArgumentsPatch:
    """The program's name and its arguments."""

    words: tuple[str, ...]
    place: str = "sys.argv"


@dataclass(frozen=True, slots=True)
class ClassPatch:
    """A subclass in the place of a class written in C, so that its methods can be patched.

    Attributes:
        place: dotted name.
        uses: what else the subclass has to do.
    """

    place: str
    module: str
    qualname: str
    uses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AwakePatch:
    """A function that would sleep, in a case that is only an attempt: it fails instead."""

    place: str
    module: str
    """The target's, which may hold it under names of its own."""


Patch: TypeAlias = FunctionPatch | EnvironPatch | StdinPatch | ArgumentsPatch | ClassPatch | AwakePatch


_BY_NEED: Final = {
    "subprocess": (
        "subprocess.Popen", "os.popen", "asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell",
    ),
    "net": (
        "socket.socket", "socket.create_connection", "socket.create_server", "socket.gethostbyname",
        "socket.gethostbyname_ex", "socket.gethostbyaddr", "socket.getaddrinfo", "socket.getnameinfo",
        "socket.SocketIO", "select.select", "asyncio.open_connection", "asyncio.start_server",
        "urllib.request.urlopen", "urllib.request.urlretrieve", "urllib.request.build_opener",
        "urllib.request.OpenerDirector",
        "http.client.HTTPConnection", "http.client.HTTPSConnection", "http.client.HTTPResponse",
        "smtplib.SMTP", "smtplib.SMTP_SSL", "ftplib.FTP", "imaplib.IMAP4_SSL", "poplib.POP3_SSL",
        "xmlrpc.client.ServerProxy",
        "requests.get", "requests.post", "requests.put", "requests.patch", "requests.delete", "requests.head",
        "requests.request", "requests.Session",
        "httpx.get", "httpx.post", "httpx.put", "httpx.delete", "httpx.request", "httpx.Client",
        "urllib3.PoolManager", "httpx.AsyncClient", "aiohttp.ClientSession", "websockets.connect",
        "paramiko.SSHClient", "boto3.client", "boto3.resource", "redis.Redis", "pymongo.MongoClient",
        "psycopg.connect", "psycopg2.connect", "pymysql.connect", "telnetlib.Telnet",
    ),
}  # fmt: skip

NEEDS: Final = {title: needs for needs, titles in _BY_NEED.items() for title in titles}
"""The functions and classes with which programs begin what the walls refuse, each with what it needs.

No test could be written of code that calls them, but with what stands in for them. Those that have a reader
of their own, such as `subprocess.run`, are not among them.
"""
