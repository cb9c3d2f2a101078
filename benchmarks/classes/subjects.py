"""The classes to be measured: ports from the papers, classes with deep states, the Pacman model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
GOAL = "# goal"

# The seven data structures of the thesis' table 6.1, in its order.
STRUCTURES = (
    "int_stack", "ub_stack", "bin_search_tree", "binomial_heap", "linked_list", "tree_map", "heap_array",
)  # fmt: skip
EXAMPLES = ("coin_box", "temperature_monitor")


@dataclass(frozen=True)
class Subject:
    """A module, or a package, with its suite to be generated.

    Attributes:
        kind: `ports`, `deep` or `pacman`, the folder.
        name: the module's name, for a package that of the package.
        target: the file or folder that `generate` is called with.
        files: the sources whose branches count.
    """

    kind: str
    name: str
    target: Path
    files: tuple[Path, ...]

    @property
    def key(self) -> str:
        """`kind.name`."""
        return f"{self.kind}.{self.name}"

    @property
    def seconds(self) -> float:
        """The time limit that the issue sets: for the Pacman model as a whole."""
        return {"ports": 60.0, "deep": 30.0, "pacman": 600.0}[self.kind]

    def goals(self) -> dict[str, list[int]]:
        """The marked lines of each file that has some."""
        marked = {file.name: _marked(file) for file in self.files}
        return {name: lines for name, lines in marked.items() if lines}


def _marked(file: Path) -> list[int]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1) if line.rstrip().endswith(GOAL)]


def subjects() -> list[Subject]:
    """All subjects: examples, structures, deep states, Pacman."""
    ports = [_module("ports", name) for name in (*EXAMPLES, *STRUCTURES)]
    deep = [_module("deep", file.stem) for file in sorted((HERE / "deep").glob("*.py"))]
    package = HERE / "pacman"
    files = tuple(sorted(file for file in package.glob("*.py") if file.name != "__init__.py"))
    pacman = [Subject("pacman", "pacman", package, files)] if files else []
    return [*ports, *deep, *pacman]


def _module(kind: str, name: str) -> Subject:
    file = HERE / kind / f"{name}.py"
    return Subject(kind, name, file, (file,))
