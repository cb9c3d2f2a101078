"""Makes an input smaller at which something was found, as long as the same is found."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from inputs import Input

SECONDS: Final = 90.0
"""For one finding."""

MOST_BYTES: Final = 3000
"""A larger file is made smaller by lines only."""

Test = Callable[[Input], bool]


def shrunk(given: Input, still: Test, seconds: float = SECONDS) -> Input:
    """The smallest input that was found in some time.

    Args:
        given: the input of the finding.
        still: whether the same is found at a smaller one.
        seconds: how long this may take, about.
    """
    until = time.monotonic() + seconds
    for candidates in (_fewer_options, _fewer_files, _fewer_entries):
        given = _first_that_stays(given, candidates, still, until)
    for name in sorted(given.files, key=lambda name: -len(given.files[name])):
        given = _less_of(given, name, still, until)
    return given


def _first_that_stays(
    given: Input, candidates: Callable[[Input], Iterator[Input]], still: Test, until: float
) -> Input:
    """Take the first candidate at which the same is found, until there is none."""
    progress = True
    while progress and time.monotonic() < until:
        progress = False
        for candidate in candidates(given):
            if time.monotonic() > until:
                break
            if still(candidate):
                given, progress = candidate, True
                break
    return given


def _fewer_options(given: Input) -> Iterator[Input]:
    argv = given.argv
    for place in range(len(argv) - 1, 1, -1):
        for size in (2, 1):
            yield replace(given, argv=argv[:place] + argv[place + size :])
    if given.encoding != "utf-8":
        yield replace(given, encoding="utf-8")


def _fewer_files(given: Input) -> Iterator[Input]:
    if len(given.files) + len(given.links) + len(given.pipes) < 2:
        return
    for name in given.files:
        yield replace(given, files={other: data for other, data in given.files.items() if other != name})
    for name in given.links:
        yield replace(given, links={other: to for other, to in given.links.items() if other != name})
    if given.pipes:
        yield replace(given, pipes=())


def _fewer_entries(given: Input) -> Iterator[Input]:
    """Wheels without one of their files, where they can be opened at all."""
    for name, data in given.files.items():
        if not data.startswith(b"PK"):
            continue
        try:
            yield from (replace(given, files={**given.files, name: less}) for less in _without_each(data))
        except (OSError, RuntimeError, ValueError, EOFError, zipfile.BadZipFile):
            continue


def _without_each(data: bytes) -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = archive.infolist()
        for left_out in infos[:200]:
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w") as smaller:
                for info in infos:
                    if info is not left_out:
                        smaller.writestr(info, archive.read(info))
            yield buffer.getvalue()


def _less_of(given: Input, name: str, still: Test, until: float) -> Input:
    """A file with fewer lines, then with fewer bytes."""

    def with_pieces(pieces: Sequence[bytes]) -> Input:
        return replace(given, files={**given.files, name: b"".join(pieces)})

    def stays(pieces: Sequence[bytes]) -> bool:
        return still(with_pieces(pieces))

    lines = _fewest(given.files[name].splitlines(keepends=True), stays, until)
    whole = b"".join(lines)
    if len(whole) > MOST_BYTES:
        return with_pieces(lines)
    return with_pieces(_fewest([bytes([byte]) for byte in whole], stays, until))


def _fewest(pieces: list[bytes], stays: Callable[[Sequence[bytes]], bool], until: float) -> list[bytes]:
    """Leave out ever smaller runs of pieces (delta debugging, complements only)."""
    size = max(1, len(pieces) // 2)
    while pieces:
        place, progress = 0, False
        while place < len(pieces):
            if time.monotonic() > until:
                return pieces
            less = pieces[:place] + pieces[place + size :]
            if stays(less):
                pieces, progress = less, True
            else:
                place += size
        if size == 1 and not progress:
            break
        size = max(1, size // 2)
    return pieces
