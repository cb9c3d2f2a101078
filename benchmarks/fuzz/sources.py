"""The texts that mutations begin with: the standard library, examples, the data of tests and benchmarks."""

from __future__ import annotations

import ast
import re
import sysconfig
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parent.parent.parent

_FOLDERS: Final = (
    "examples", "tests/emit/data", "tests/instrumenter/data", "tests/replay/data", "tests/runtime/data",
    "tests/worker/data", "benchmarks/depth/functions", "benchmarks/classes/ports",
    "benchmarks/classes/deep", "benchmarks/mocks/clients", "benchmarks/workloads",
)  # fmt: skip

_LIBRARY: Final = (
    "bisect colorsys fractions shlex string textwrap heapq statistics types copy reprlib calendar "
    "keyword operator token csv numbers cmd sched queue enum dataclasses functools contextlib abc "
    "fnmatch genericpath posixpath ntpath stat quopri base64 difflib pprint random uuid ipaddress "
    "configparser html/parser html/__init__ json/decoder json/encoder json/scanner email/utils "
    "email/quoprimime email/base64mime email/_parseaddr urllib/parse xml/sax/saxutils "
    "collections/__init__ collections/abc _weakrefset weakref codeop linecache tokenize optparse "
    "argparse getopt graphlib hashlib hmac secrets gettext locale datetime _pydatetime _pydecimal "
    "zipimport tomllib/_parser tomllib/_re http/cookies netrc plistlib struct wave opcode dis inspect "
    "ast typing this rlcompleter timeit traceback warnings logging/__init__ unittest/util __future__"
).split()
"""Modules of the standard library. What starts programs or removes folders is not among them."""

_NAME: Final = re.compile(r"[^\W\d]\w*")

SMALL: Final = 40_000
"""Characters; a larger file is taken in parts."""


@cache
def files() -> tuple[Path, ...]:
    """All of them, in an order that does not change."""
    library = Path(sysconfig.get_path("stdlib"))
    found = [file for folder in _FOLDERS for file in sorted((REPOSITORY / folder).rglob("*.py"))]
    return (*found, *(file for name in _LIBRARY if (file := library / f"{name}.py").is_file()))


@cache
def _read(file: Path) -> str:
    """The text of a file; nothing of what this version of Python can't read."""
    try:
        text = file.read_text(encoding="utf-8")
        ast.parse(text)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return ""
    return text


@cache
def _pieces(text: str) -> tuple[str, dict[str, str]]:
    """The imports and constants of a module, and its definitions by name, in their order."""
    lines = text.splitlines(keepends=True)
    head: list[str] = []
    definitions: dict[str, str] = {}
    for node in ast.parse(text).body:
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(d.lineno for d in decorators)])
        piece = "".join(lines[first - 1 : node.end_lineno])
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            definitions[node.name] = piece
        elif isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign)) and len(piece) < 1000:
            head.append(piece)
    return "".join(head), definitions


def part(random: Random, most: int = 3) -> str:
    """The head of a module and some of its definitions: what can be explored in little time."""
    head, definitions = _pieces(_read(random.choice(files())))
    short = [name for name, piece in definitions.items() if len(piece) < 2500]
    chosen = set(random.sample(short, min(len(short), random.randint(1, most))))
    for _ in range(2):  # what they refer to, and that to; else most could not be imported
        words = set(_NAME.findall(head + "".join(definitions[name] for name in sorted(chosen))))
        chosen |= words & definitions.keys()
    return f"{head}\n" + "\n\n".join(piece for name, piece in definitions.items() if name in chosen)


def whole(random: Random) -> str:
    """A module as it is, if it isn't too large."""
    text = _read(random.choice(files()))
    return text if len(text) <= SMALL else part(random, 8)
