"""A test that pins what looks like a fault."""

from __future__ import annotations

from typing import NamedTuple


class Suspect(NamedTuple):
    """A test to look at before it is believed.

    Attributes:
        test: class and name.
        why: the reason.
        call: the source of what it calls, "" where that takes more than an expression or two.
    """

    test: str
    why: str
    call: str = ""

    @property
    def told(self) -> str:
        """The reason and the call."""
        return self.why if self.call in self.why else f"{self.why}: {self.call}"
