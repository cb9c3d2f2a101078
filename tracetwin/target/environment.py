"""An environment of Python: its interpreter, and what depends on it."""

from __future__ import annotations

import os
import sys
from typing import Final

from tracetwin.support.data import dataclass

FIRST: Final = (3, 9)
LAST: Final = (3, 14)
_OWN_FIRST: Final = (3, 10)


@dataclass(frozen=True)
class PythonEnvironment:
    """An environment of Python.

    Attributes:
        version: major and minor.
        places: its folders of packages, in the order of its path.
        library: the folder of its standard library's sources.
        magic: what its bytecode files begin with.
        implementation: such as "cpython".
    """

    python: str
    version: tuple[int, int]
    prefix: str
    places: tuple[str, ...]
    library: str
    magic: bytes
    implementation: str

    @property
    def fits(self) -> bool:
        """Return whether our own side can run there."""
        return self.implementation == "cpython" and FIRST <= self.version <= LAST

    @property
    def is_older(self) -> bool:
        """Return whether our sources are lowered for it."""
        return self.version < _OWN_FIRST

    @property
    def is_of_our_version(self) -> bool:
        """Return whether what is installed there can be imported by tracetwin's own interpreter."""
        return self.version == sys.version_info[:2]

    @property
    def is_ours(self) -> bool:
        """Return whether tracetwin itself runs in it."""
        return os.path.realpath(self.prefix) == os.path.realpath(sys.prefix)
