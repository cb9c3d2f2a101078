"""The file into which one process writes what it has seen: a JSON value per line.

Each line is written at once, so that processes which are killed, or end by `os._exit`, lose nothing. What a
test may replace (`os.open`, say) was looked up before any test ran.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final

_open: Final = os.open
_write: Final = os.write
_close: Final = os.close
_process: Final = os.getpid
_dumps: Final = json.dumps
_FLAGS: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT


class Notes:
    """Writes into a private folder, one file per process; a forked child has its own."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def settings(self) -> dict[str, Any]:
        """Return the settings that the driver has written."""
        with open(f"{self._folder}/settings.json", encoding="utf-8") as file:  # noqa: PTH123 - starts faster
            found: dict[str, Any] = json.load(file)
        return found

    def add(self, note: dict[str, Any]) -> None:
        line = _dumps(note) + "\n"
        place = _open(f"{self._folder}/{_process()}.jsonl", _FLAGS, 0o600)
        try:
            _write(place, line.encode())
        finally:
            _close(place)
