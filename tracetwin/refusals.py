"""What the walls refused to a module: who tried what, and which `--allow` opens it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from tracetwin.explore.run import PREPARING
from tracetwin.worker.acts import DELETE, FORK, NET, READ, RUN, WRITE, act_of
from tracetwin.worker.audited import ATTRIBUTES

if TYPE_CHECKING:
    from tracetwin.explore.budget import Refused
    from tracetwin.explore.invokable import Invokable

OPENED_BY: Final = {
    DELETE: "write:PATH", WRITE: "write:PATH", READ: "read:PATH", NET: "net", RUN: "subprocess",
    FORK: "subprocess",
}  # fmt: skip
"""The word after `--allow` that opens an act; nothing opens the others."""


@dataclass(frozen=True)
class Refusal:
    """One act that was refused.

    Attributes:
        function: whose call it was, "" for the import.
        event: the audit event, or the function.
        detail: its first argument, as far as it can be told.
        runs: in how many runs.
        making: whether it was not the call itself, but making its object or arguments, or a call before it.
    """

    function: str
    event: str
    detail: str
    runs: int = 1
    making: bool = False

    @property
    def act(self) -> str:
        """What was tried, such as ``delete files``."""
        return act_of(self.event)

    @property
    def opened_by(self) -> str:
        """What `--allow` takes to let it be done, "" where nothing does."""
        return "" if self.event in ATTRIBUTES else OPENED_BY.get(self.act, "")

    def to_plain(self) -> dict[str, Any]:
        """As plain data."""
        return {"act": self.act, **asdict(self), "opened_by": self.opened_by}


def of_import(refusals: Iterable[tuple[str, str]]) -> list[Refusal]:
    """What the import of a module was refused, each once."""
    return [Refusal("", event, detail) for event, detail in dict.fromkeys(map(_pair, refusals))]


def of_functions(explored: Iterable[tuple[Invokable, Refused]]) -> list[Refusal]:
    """What the functions of a module were refused, in their order.

    What was refused while something was prepared is blamed on the function whose own call it is, where that
    was explored; else it is told of the one that needs it.
    """
    runs = Counter[tuple[str, str, str, bool]]()
    for invokable, refused in explored:
        for (event, detail, word), times in sorted(refused.items()):
            runs[_culprit(invokable, word), event, detail, word == PREPARING] += times
    own = {event for _, event, _, making in runs if not making}
    return [
        Refusal(name, event, detail, times, making)
        for (name, event, detail, making), times in runs.items()
        if not making or event not in own
    ]


def _culprit(invokable: Invokable, word: str) -> str:
    """Whose call it was: a word of a prefix names a method, an attribute or, after a colon, a function."""
    if word in ("", PREPARING):
        return invokable.qualname
    return word[1:] if word.startswith(":") else f"{invokable.owner}.{word.removesuffix('=')}"


def _pair(refusal: Iterable[str]) -> tuple[str, str]:
    event, detail = refusal
    return str(event), str(detail)
