"""The modules to be measured: the paper's listings, clients of message queues, clients of all kinds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Listing 1 has two goals and listing 4 five; listings 2 and 3 are to be covered entirely.
LISTINGS = 2 + 3 + 2 + 5

# Table 2 of the paper, in its order.
MESSAGES = {
    "bytes_message": 5,
    "connection_meta_data": 5,
    "map_message": 4,
    "message": 6,
    "message_producer": 4,
    "stream_message": 4,
}


@dataclass(frozen=True)
class Target:
    """A module that gets a suite.

    Attributes:
        kind: `listings`, `messages` or `clients`.
        file: its source; it is imported from the folder that it lies in.
        goals: how many lines are to be reached, 0 where branches count.
    """

    kind: str
    file: Path
    goals: int = 0

    @property
    def key(self) -> str:
        """`kind.name`."""
        return f"{self.kind}.{self.file.stem}"


def targets() -> list[Target]:
    """All modules, in the order of the table."""
    listings = [Target("listings", HERE / "listings.py", LISTINGS)]
    folder = HERE / "messages"
    messages = [Target("messages", folder / f"{name}.py", goals) for name, goals in MESSAGES.items()]
    clients = [Target("clients", file) for file in sorted((HERE / "clients").glob("*.py"))]
    return [*listings, *messages, *clients]
