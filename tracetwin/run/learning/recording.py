"""The notes of all processes of a test run, put together; the same notes give the same recording.

Which definition a code object belongs to: its qualified name, by file, name and first line.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Final, TypeAlias

from tracetwin.support.data import dataclass
from tracetwin.support.syntax import LOCALS, definitions, first_line

MOST_CALLS: Final = 24
"""Calls of one function that are kept of all processes."""

FILE: Final = "learned"
"""The key in a module's rules under which the file with its part of the recording stands."""

Notes: TypeAlias = list[dict[str, Any]]


@dataclass
class LearnedFunction:
    """The calls seen of one function.

    Attributes:
        shapes: for each parameter how often each shape came, by its JSON text.
        calls: for each call the recipes of the arguments that have one, by parameter.
    """

    shapes: dict[str, dict[str, int]] = field(default_factory=dict)
    calls: list[dict[str, Any]] = field(default_factory=list)

    def to_plain(self) -> dict[str, Any]:
        """Plain data: the shapes of each parameter in the order of their number."""
        shapes = {name: list(map(json.loads, _by_number(found))) for name, found in self.shapes.items()}
        return {"shapes": shapes, "calls": self.calls[:MOST_CALLS]}


@dataclass
class Recording:
    """The recording of a test run.

    Attributes:
        modules: the functions of each module, by qualified name.
        processes: how many Pythons were reached.
        troubles: what went wrong in them with the recorder, one sentence each.
    """

    modules: dict[str, dict[str, LearnedFunction]] = field(default_factory=dict)
    processes: int = 0
    troubles: list[str] = field(default_factory=list)

    @property
    def calls(self) -> int:
        """Distinct calls, of all functions."""
        return sum(len(function.calls) for module in self.modules.values() for function in module.values())

    @property
    def functions(self) -> int:
        return sum(map(len, self.modules.values()))

    def plain(self, module: str) -> dict[str, Any]:
        """The part of one module, as data."""
        functions = self.modules.get(module, {})
        return {name: functions[name].to_plain() for name in sorted(functions)}


def _by_number(found: dict[str, int]) -> list[str]:
    return sorted(found, key=lambda text: (-found[text], text))


def read(private: Path) -> Recording:
    """Put together what stands in the private folder."""
    recording = Recording()
    definitions = Definitions()
    # Which process ran which tests is chance, and so are its number and the order of their ends.
    for notes in sorted(map(_notes, private.glob("*.jsonl")), key=json.dumps):
        for note in notes:
            _take(note, recording, definitions)
    recording.troubles = sorted(set(recording.troubles))
    return recording


def _notes(file: Path) -> Notes:
    """The notes of one process; the last line may be cut off."""
    found: Notes = []
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return found


def _take(note: dict[str, Any], recording: Recording, definitions: Definitions) -> None:
    if "started" in note:
        recording.processes += 1
    if "trouble" in note:
        recording.troubles.append(note["trouble"])
    if "at" not in note:
        return
    module, file, name, line = note["at"]
    qualname = definitions.named(file, name, line)
    if not qualname:
        return
    function = recording.modules.setdefault(module, {}).setdefault(qualname, LearnedFunction())
    if "call" in note:
        if note["call"] not in function.calls:
            function.calls.append(note["call"])
        return
    shapes = function.shapes.setdefault(note["parameter"], {})
    text = json.dumps(note["shape"])
    # Written again whenever it has doubled, so that only the difference is new.
    shapes[text] = shapes.get(text, 0) + (note["count"] + 1) // 2


def loaded(rules: Mapping[str, Any]) -> dict[str, Any]:
    """A module's rules as its worker gets them: what was learned in the place of the file it stands in."""
    file = rules.get(FILE)
    if file is None:
        return dict(rules)
    return {**rules, FILE: json.loads(Path(file).read_text(encoding="utf-8"))}


class Definitions:
    """The functions in source files; each file is read once."""

    def __init__(self) -> None:
        self._files: dict[str, dict[tuple[str, int], str]] = {}

    def named(self, file: str, name: str, line: int) -> str:
        """The qualified name of a function, "" where it is nested in another or its source is not there."""
        if file not in self._files:
            self._files[file] = _functions(file)
        return self._files[file].get((name, line), "")


def _functions(file: str) -> dict[tuple[str, int], str]:
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    return {
        (node.name, first_line(node)): name
        for name, node in definitions(tree)
        if not isinstance(node, ast.ClassDef) and LOCALS not in name
    }
