"""Permissions of the user: acts on the world besides changes to the scratch folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final

from tracetwin.support.data import dataclass

WORDS: Final = "write:PATH, read:PATH, net or subprocess"


@dataclass(frozen=True)
class Permissions:
    """Openings in the walls around a target; by default none.

    Attributes:
        write: absolute paths of files and folders that may be changed, with all beneath them.
        read: absolute paths of files and folders that may be read, with all beneath them.
        net: whether it may use the network.
        subprocess: whether it may start programs.
    """

    write: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    net: bool = False
    subprocess: bool = False

    @classmethod
    def parse(cls, words: Iterable[str], folder: str = "") -> Permissions:
        """From words such as ``write:build`` and ``net``.

        Raises:
            ValueError: a word is none of these; the message is a sentence that names it.
        """
        paths: dict[str, list[str]] = {"write": [], "read": []}
        switches = set[str]()
        for word in words:
            kind, colon, path = word.partition(":")
            if not colon and kind in ("net", "subprocess"):
                switches.add(kind)
            elif kind in paths and path:
                paths[kind].append(os.path.realpath(os.path.join(folder, os.path.expanduser(path))))
            else:
                raise ValueError(f"{word!r} can't be allowed; write {WORDS}")
        return cls(
            tuple(paths["write"]), tuple(paths["read"]), "net" in switches, "subprocess" in switches
        )

    @property
    def words(self) -> tuple[str, ...]:
        """As `parse` reads them, with absolute paths."""
        paths = [*(f"write:{path}" for path in self.write), *(f"read:{path}" for path in self.read)]
        return (*paths, *(["net"] if self.net else ()), *(["subprocess"] if self.subprocess else ()))

    def to_plain(self) -> dict[str, Any]:
        return {
            "write": list(self.write), "read": list(self.read), "net": self.net, "subprocess": self.subprocess
        }  # fmt: skip

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any] | None) -> Permissions:
        """From plain data; None for the walls without a door."""
        if not plain:
            return cls()
        return cls(
            tuple(plain.get("write", ())),
            tuple(plain.get("read", ())),
            bool(plain.get("net", False)),
            bool(plain.get("subprocess", False)),
        )
