"""Feeds random files and wheels to the command: nothing that a user may hand over brings it down.

    python benchmarks/fuzz/run.py [--count 10000] [--first 0] [--seed 0] [--jobs 2] [--again]
                                  [--folder build/fuzz] [--kept DIR]

Each input is drawn from the seed and its number alone. What was fed already stands in the folder and is not
fed again but with `--again`. What is found is made smaller and kept in the folder's `found/`; `--kept` feeds
one of those once more. The exit status is 1 when there is something.
"""

from __future__ import annotations

import argparse
import compileall
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import Final

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
sys.path[:0] = [str(HERE), str(REPOSITORY)]

import keeping  # noqa: E402 - the folders above are where these are found
from inputs import Input, draw  # noqa: E402
from parents import Line, Parent, read  # noqa: E402
from shrinking import shrunk  # noqa: E402

HANG_SECONDS: Final = 240.0
"""After which an input hangs: its own limits are some seconds."""

MOST_DEATHS: Final = 20
"""In a row, after which it is not the inputs that parents die of."""


class Fuzz:
    """All inputs of a seed.

    Attributes:
        lines: what came of each input, by number.
    """

    def __init__(self, folder: Path, seed: int, jobs: int, scratch: Path) -> None:
        """Read what was done before.

        Args:
            folder: keeps the log and what is found.
            seed: of the inputs.
            jobs: parents at the same time.
            scratch: for what the parents write.
        """
        self._folder, self._seed, self._scratch = folder, seed, scratch
        self._log = folder / f"seed-{seed}.jsonl"
        self.lines: dict[int, Line] = {}
        if self._log.exists():
            for text in self._log.read_text(encoding="utf-8").splitlines():
                line = read(text)
                if line is not None:
                    self.lines[line["number"]] = line
        self._parents = [Parent(scratch / str(place), seed) for place in range(jobs)]
        self._selector = DefaultSelector()
        self._deaths = 0

    def run(self, numbers: Iterable[int]) -> None:
        """Feed all that were not fed yet."""
        waiting = iter([number for number in numbers if number not in self.lines])
        for parent in self._parents:
            self._next(parent, waiting)
        while any(parent.order is not None for parent in self._parents):
            for key, _ in self._selector.select(1.0):
                self._take(key.data)
                self._next(key.data, waiting)
            for parent in self._parents:
                if parent.order is not None and parent.seconds > HANG_SECONDS:
                    self._lost(parent, hangs=True)
                    self._next(parent, waiting)
        for parent in self._parents:
            if parent.process is not None:
                parent.end()

    def _next(self, parent: Parent, waiting: Iterator[int]) -> None:
        parent.order = None
        number = next(waiting, None)
        if number is None:
            return
        fresh = parent.process is None
        parent.give(number)
        if fresh:
            self._selector.register(parent.output, EVENT_READ, parent)

    def _take(self, parent: Parent) -> None:
        line = parent.answer()
        if line is None:
            self._lost(parent)
        else:
            self._deaths = 0
            self._note(line)

    def _lost(self, parent: Parent, *, hangs: bool = False) -> None:
        """A parent died or hangs: that is what we are looking for."""
        self._selector.unregister(parent.output)
        seconds, number = parent.seconds, parent.order
        assert isinstance(number, int)
        signature = _ending(parent.end(hangs=hangs), hangs=hangs)
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            sys.exit(f"no input gets through any more:\n{parent.said()}")
        given = draw(self._seed, number)
        self._note({
            "number": number, "kind": given.kind, "command": given.command, "status": None, "stage": "lost",
            "runs": 0, "seconds": round(seconds, 3), "findings": [[signature, parent.said()]],
        })  # fmt: skip

    def _note(self, line: Line) -> None:
        number = line["number"]
        self.lines[number] = line
        with self._log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        for signature, detail in line["findings"]:
            print(f"{number}: {signature}", flush=True)
            place = self._folder / "found" / keeping.folder_of(signature)
            if not place.exists():
                given = draw(self._seed, number)
                keeping.store(given, place, seed=self._seed, number=number, signature=signature)
                (place / "detail.txt").write_text(detail, encoding="utf-8", errors="backslashreplace")
        if len(self.lines) % 100 == 0:
            print(f"{len(self.lines)} inputs", flush=True)

    def shrink(self) -> None:
        """Make what was found smaller; what was tried already is left."""
        for place in sorted((self._folder / "found").glob("*")):
            if not keeping.known(place).get("shrunk"):
                self._shrink_one(place)

    def _shrink_one(self, place: Path) -> None:
        known = {name: keeping.known(place)[name] for name in ("seed", "number", "signature")}
        parent = Parent(self._scratch / "shrink", self._seed)

        def still(less: Input) -> bool:
            return known["signature"] in found_at(parent, less, self._scratch / "candidate")

        small = shrunk(keeping.load(place), still)
        keeping.store(small, place, **known, shrunk=True)
        if parent.process is not None:
            parent.end()
        print(f"{place}: {sum(map(len, small.files.values()))} bytes", flush=True)


def found_at(parent: Parent, given: Input, place: Path, seconds: float = 60.0) -> list[str]:
    """The signatures of all that is found at an input.

    Args:
        parent: to feed it.
        given: the input.
        place: a folder to lay it out in.
        seconds: after which it hangs.
    """
    keeping.store(given, place)
    parent.give(str(place))
    with DefaultSelector() as selector:
        selector.register(parent.output, EVENT_READ)
        hangs = not selector.select(seconds)
    line = None if hangs else parent.answer()
    if line is None:
        return [_ending(parent.end(hangs=hangs), hangs=hangs)]
    return [signature for signature, _ in line["findings"]]


def _ending(status: int, *, hangs: bool) -> str:
    return "the parent hangs" if hangs else f"the parent died with status {status}"


def table(lines: list[Line]) -> list[str]:
    """What was fed, and what came of it."""
    rows = ["", f"{len(lines)} inputs, {sum(line['seconds'] for line in lines):.0f} s of one parent"]
    generated = [line for line in lines if line["command"] == "generate"]
    for title, key, chosen in (
        ("kind", "kind", lines), ("command", "command", lines), ("exit status", "status", lines),
        ("generate came to", "stage", generated),
    ):  # fmt: skip
        rows.append(f"{title}:")
        counts = Counter(str(line[key]) for line in chosen)
        for name, count in counts.most_common():
            seconds = sum(line["seconds"] for line in chosen if str(line[key]) == name) / count
            rows.append(f"  {name:32} {count:6} {100 * count / len(lines):5.1f} % {seconds:7.2f} s each")
    slow = sorted(lines, key=lambda line: -line["seconds"])[:5]
    rows.append("slowest: " + ", ".join(f"{line['number']} ({line['seconds']:.1f} s)" for line in slow))
    return rows


def _again(place: Path) -> int:
    """Feed a kept input once more, and tell what is found."""
    with tempfile.TemporaryDirectory(prefix="fuzz-", ignore_cleanup_errors=True) as scratch:
        parent = Parent(Path(scratch) / "parent", 0)
        found = found_at(parent, keeping.load(place), Path(scratch) / "candidate")
        if parent.process is not None:
            parent.end()
    print("\n".join(found) or "nothing is found any more")
    return 1 if found else 0


def _options() -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--count", type=int, default=10_000, help="how many inputs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first of them")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="parents at the same time")
    parser.add_argument("--folder", type=Path, default=REPOSITORY / "build" / "fuzz")
    parser.add_argument("--again", action="store_true", help="feed as well what was fed before")
    parser.add_argument("--kept", type=Path, metavar="DIR", help="feed only this input, which was kept")
    return parser.parse_args()


def main() -> int:
    """Feed what is wanted; the exit status."""
    options = _options()
    for room in ("tracetwin", "instrumenter", "runtime"):  # what is walled in can't keep its byte code
        compileall.compile_dir(REPOSITORY / room, quiet=2)
    if options.kept:
        return _again(options.kept)
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if options.again:
        (folder / f"seed-{options.seed}.jsonl").unlink(missing_ok=True)
    numbers = range(options.first, options.first + options.count)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fuzz-", ignore_cleanup_errors=True) as scratch:
        fuzz = Fuzz(folder, options.seed, options.jobs, Path(scratch))
        fuzz.run(numbers)
        fuzz.shrink()
    lines = [fuzz.lines[number] for number in numbers]
    failures = Counter(signature for line in lines for signature, _ in line["findings"])
    print("\n".join(table(lines)))
    print(f"{time.monotonic() - started:.0f} s; {sum(failures.values())} findings")
    for signature, count in failures.most_common():
        print(f"  {count:5}  {signature}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
