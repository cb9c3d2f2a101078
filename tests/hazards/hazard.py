"""Hazards as they are described: one hostile module per file in ``modules/*/``.

The docstring says what a module tries. Comment lines at the start of a line say what has to come of it:

- ``# report: words``: these must be in what the command tells (repeatable).
- ``# tests: name``: a test of this function must have been written (repeatable); of `fine`, if
  nothing is said; of none with ``# tests:``.
- ``# options: --allow subprocess``: more options for the command; ``{NAME}`` is a place of the canary.
- ``# within: SECONDS``: how long the command may take.
- ``# needs: extension``: the C extension `direct` is laid beside it.
- ``# shadows: NAME...``: beside it lies `shadow.py` under each of these names (repeatable).
- ``# suite: unchecked``: what the written tests do is not looked at: the acts are those of C code, which fail
  inside without anyone being told.
- ``# command: module``: the tool is run by ``python -m``, not by its script. ``# command: explore CLASS`` (or
  ``summary``): another of its commands.
- ``# import: acts``: importing the module is an act of its own. ``# import: fails``: that cannot end well,
  so that no test is expected, but a reason.
- ``# alone: harms|hangs|dies|no NAME...``: what these acts do where there is no tool (all acts, if none is
  named): do damage that the canary sees, never end, end the process; ``no``: not to be tried, or not seen.

The files of a folder that is called like the module are laid into the project beside it.
Acts are the public functions and classes but `fine`, and the import where it acts.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MODULES: Final = Path(__file__).with_name("modules")
HARMLESS: Final = "fine"
IMPORT: Final = "import"
WAYS: Final = ("harms", "hangs", "dies", "no")
_WORDS: Final = "report tests options within needs shadows suite command import alone".split()
_LINE: Final = re.compile(rf"^# ({'|'.join(_WORDS)}): *(.*)$", re.MULTILINE)
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEFAULT_WAY: Final = {"world": "harms", "life": "no"}
_WITHIN: Final = 120.0


@dataclass(frozen=True)
class Hazard:
    """A hostile module, and what is expected of a run on it.

    Attributes:
        file: where it stands.
        about: what it tries, in one line.
        acts: what it does, by name.
        ways: for each act, what it does alone.
        report: words that have to be told.
        tests: functions that must have got a test.
        options: more options for the command.
        within: seconds that the command may take.
        importing: "", "acts" or "fails".
        needs: "" or "extension".
        command: "", "module", or another command and its class.
        suite: "" or "unchecked".
        shadows: names of modules that lie beside it.
    """

    file: Path
    about: str
    acts: tuple[str, ...]
    ways: dict[str, str]
    report: tuple[str, ...]
    tests: tuple[str, ...]
    options: tuple[str, ...]
    within: float
    importing: str
    needs: str
    command: str
    suite: str
    shadows: tuple[str, ...]

    @property
    def name(self) -> str:
        """The module's name."""
        return self.file.stem

    @property
    def room(self) -> str:
        """The folder that it stands in."""
        return self.file.parent.name


def read(file: Path) -> Hazard:
    """The hazard in a file.

    Raises:
        ValueError: it has no docstring, or a line of its description makes no sense.
    """
    text = file.read_text("utf-8")
    tree = ast.parse(text)
    about = (ast.get_docstring(tree) or "").partition("\n")[0]
    if not about:
        raise ValueError(f"{file} has no docstring that says what it tries")
    said: dict[str, list[str]] = {}
    for word, rest in _LINE.findall(text):
        said.setdefault(word, []).append(rest.strip())
    importing = said.get("import", [""])[-1]
    acts = (IMPORT,) if importing else tuple(_acts(tree))
    return Hazard(
        file,
        about,
        acts,
        _ways(file, acts, said.get("alone", [])),
        tuple(said.get("report", ())),
        tuple(filter(None, said.get("tests", () if importing == "fails" else (HARMLESS,)))),
        tuple(shlex.split(" ".join(said.get("options", ())))),
        float(said.get("within", [str(_WITHIN)])[-1]),
        importing,
        said.get("needs", [""])[-1],
        said.get("command", [""])[-1],
        said.get("suite", [""])[-1],
        tuple(" ".join(said.get("shadows", ())).split()),
    )


def _acts(tree: ast.Module) -> Iterable[str]:
    for node in tree.body:
        name = node.name if isinstance(node, _DEFINITIONS) else "_"
        if not name.startswith("_") and name != HARMLESS:
            yield name


def _ways(file: Path, acts: tuple[str, ...], lines: list[str]) -> dict[str, str]:
    ways = dict.fromkeys(acts, _DEFAULT_WAY.get(file.parent.name, "no"))
    for line in sorted(lines, key=lambda line: len(line.split())):  # what names acts comes last
        way, *names = line.split()
        unknown = [name for name in names if name not in acts]
        if way not in WAYS or unknown:
            raise ValueError(f"{file}: '# alone: {line}' is none of {WAYS}, or no act of {acts}")
        ways.update(dict.fromkeys(names or acts, way))
    return ways


def discover(names: Iterable[str] = ()) -> list[Hazard]:
    """All hazards, or those whose name or room is among `names`.

    Raises:
        ValueError: there is none of that name.
    """
    found = [read(file) for file in sorted(MODULES.glob("*/*.py"))]
    wanted = set(names)
    unknown = wanted - {hazard.name for hazard in found} - {hazard.room for hazard in found}
    if unknown:
        raise ValueError(f"there is no hazard or room {', '.join(sorted(unknown))}")
    return [hazard for hazard in found if not wanted or {hazard.name, hazard.room} & wanted]
