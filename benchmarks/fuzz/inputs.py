"""One random input: files in a folder and a command line for them, drawn from a seed and a number alone."""

from __future__ import annotations

import ast
import importlib.util
import marshal
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

import nesting
import sources
import text_mutations
import tree_mutations
import wheels

BUDGET: Final = ("-j", "1", "--time-limit", "6", "--max-runs", "6")
"""Runs are what ends an exploration; the time is for programs that hang."""

_ODD_FILES: Final = (
    "class.py", "a-b.py", "a b.py", "1.py", ".py", "..py", "é.py", "\udcff.py", "\x1b[2J.py", "x\ny.py",
    "x.y.py", "-v.py", "--help.py", "os.py", "typing.py", "json.py", "tracetwin.py", "runtime.py",
    "test_x.py", "conftest.py", "setup.py", "__init__.py", "__main__.py", "unittest.py", "n" * 240 + ".py",
    "M.PY", "m.pyw", "m.pyi", "m.txt", "m", "m.ipynb", "m.so", "m.pyc", "m.py:f", "[red].py", "ﬁ.py",
    "'.py", '".py', "$(x).py", "match.py", "_.py", "__.py", "None.py", "site.py", "sys.py", "builtins.py",
    "z3.py", "click.py",
)  # fmt: skip

_ODD_TARGETS: Final = (
    "", " ", ":", "::", ".", "..", "m.py:", ":f", "m.py:f.g.h", "m.py:f:g", "m.py: f", "m.py:\x1b[2J",
    "nowhere.py", "nowhere", "m.", ".m", "m.f", "os", "sys", "builtins", "os.path", "json:loads", "\x00",
    "m\x00.py", "m.py\n", "-", "--", "-h", "/dev/null", "/dev/zero", "/proc/self/mem", "/proc/self/fd",
    "a" * 5000, "m.py/", "./m.py", "../in/m.py", "é", "\udcff", "m.py:__init__", "m.py:<lambda>",
    "https://example.com/x.py", "*.py", "m.py:" + "a." * 500 + "b", "__main__", "antigravity", "m.whl",
    "m.whl:x", "~/x.py", "m:f",
)  # fmt: skip

_ODD_OPTIONS: Final[tuple[tuple[str, ...], ...]] = (
    ("--seed", "-1"), ("--seed", "9" * 40), ("--max-runs", "0"), ("--max-runs", "1"), ("--time-limit", "0"),
    ("--time-limit", "nan"), ("--time-limit", "0.01"), ("--time-limit", "inf"), ("-j", "0"), ("-j", "2"),
    ("--style", "pytest"), ("--style", "x"), ("--mock", "class"), ("--patch", "os.getcwd"),
    ("--patch", "("), ("--patch", ""), ("--patch", "m.f"), ("--patch", "\x1b[2J"), ("--no-patch", "all"),
    ("--no-patch", "..."), ("--private",), ("--max-length", "1"), ("--criterion", "def-use"),
    ("--root", "."), ("--root", "/"), ("--root", "nowhere"), ("--find-links", "."), ("-v",), ("-vv",),
    ("-q",), ("-v", "-q"), ("--no-config",), ("--config", "m.py"), ("--config", "pyproject.toml"),
    ("--json", "-"), ("--json", "/dev/full"), ("--json", "nowhere/x.json"), ("--allow", "net"),
    ("--allow", "everything"), ("--allow", "write:"), ("--allow", "read:\x00"), ("-o", "m.py"),
    ("-o", "/proc/x"), ("-o", "/dev/null"), ("-o", ""), ("--learn-from", ""), ("--learn-from", "'"),
    ("--learn-from", "false"), ("--nonsense",), ("--log", "../log.txt"),
)  # fmt: skip

_CONFIGS: Final = (
    "", "[tool.tracetwin]\n", "[tool.tracetwin]\nforbid = ['m:f']\n", "[tool.tracetwin]\nforbid = 3\n",
    "[tool.tracetwin]\nallow = ['(']\n", "[tool.tracetwin]\ntime-limit = -1\n",
    "[tool.tracetwin]\ntime-limit = 'x'\n", "[tool.tracetwin]\nnonsense = {a = [1, {b = 2}]}\n", "[tool",
    "\x00", "[tool.tracetwin]\nstyle = 'pytest'\nprivate = true\n",
    "[tool.tracetwin]\noutput = '../../x'\n", "tool = 1\n", "[tool]\ntracetwin = []\n",
    "[tool.tracetwin]\npermissions = ['net', 'x']\n", "[tool.tracetwin]\nassume = {'m:f' = ['x >']}\n",
    "[tool.tracetwin.assume]\n'm:f' = 'x > 1'\n", "[tool.tracetwin]\nmax-runs = 9999999999999999999999\n",
    "[tool.tracetwin]\nseed = 1e400\n", "[[tool.tracetwin]]\n", "[tool.tracetwin]\n" * 2,
    "[tool.tracetwin]\nmake = {'m:X' = 'm:f'}\n", "[tool.tracetwin]\npatch = ['\\u001b[2J']\n",
    "[tool.tracetwin]\nx = " + "[" * 3000 + "]" * 3000,
)  # fmt: skip


@dataclass(frozen=True)
class Input:
    """What is fed to the command.

    Attributes:
        kind: how it was made.
        files: content by path, below the current folder of the command.
        links: targets of symbolic links by path.
        pipes: paths of named pipes, in which nobody writes.
        argv: the command line.
        encoding: of the command's standard output.
    """

    kind: str
    files: dict[str, bytes]
    argv: tuple[str, ...]
    links: dict[str, str] = field(default_factory=dict)
    pipes: tuple[str, ...] = ()
    encoding: str = "utf-8"

    @property
    def command(self) -> str:
        """Which command it is for."""
        return self.argv[0] if self.argv else ""

    def write(self, folder: Path) -> None:
        """Lay it out in an empty folder; a name that the system refuses is left out."""
        for name, data in self.files.items():
            place = folder / name
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
            except (OSError, ValueError):
                continue
        for name, target in self.links.items():
            (folder / name).symlink_to(target)
        for name in self.pipes:
            os.mkfifo(folder / name)

    def to_plain(self) -> dict[str, object]:
        """All but the files, for a kept folder."""
        names = ("kind", "argv", "encoding", "links", "pipes")
        return {**{name: getattr(self, name) for name in names}, "files": sorted(self.files)}


def draw(seed: int, number: int) -> Input:
    """Input `number` of a seed: the same on each call, whatever was drawn before.

    Args:
        seed: where the pseudo-random choices start.
        number: from 0.
    """
    random = Random(f"{seed}/{number}")  # noqa: S311 - to be repeated, not to be secret
    kind = random.choices([kind for kind, _ in _KINDS], [weight for _, weight in _KINDS])[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the compiler, about what we write
        made = kind(random)
    encodings = ("utf-8", "utf-8", "utf-8", "utf-8", "ascii", "latin-1", "cp1252")
    return replace(made, encoding=random.choice(encodings))


# -- texts


def mutant(random: Random) -> tuple[str, bytes]:
    """A mutated module, and how it came to be."""
    kinds = [kind for kind, _ in _MUTATIONS]
    weights = [weight for _, weight in _MUTATIONS]
    kind = random.choices(kinds, weights)[0]
    data = kind(random)
    return kind.__name__.lstrip("_"), data if isinstance(data, bytes) else data.encode(errors="surrogatepass")


def _bytes(random: Random) -> bytes:
    return text_mutations.mutate_bytes(random, sources.whole(random).encode())


def _encoding(random: Random) -> bytes:
    return text_mutations.mutate_encoding(random, sources.part(random))


def _lines(random: Random) -> str:
    return text_mutations.mutate_lines(random, sources.part(random, 5), sources.part(random))


def _tokens(random: Random) -> str:
    return text_mutations.mutate_tokens(random, sources.part(random, 5))


def _tree(random: Random) -> str:
    return tree_mutations.mutate_tree(random, sources.part(random), sources.part(random))


def _nesting(random: Random) -> str:
    return nesting.huge(random)


def _whole(random: Random) -> str:
    return tree_mutations.mutate_tree(random, sources.whole(random), sources.part(random))


_MUTATIONS: Final[tuple[tuple[Callable[[Random], str | bytes], int], ...]] = (
    (_bytes, 20), (_encoding, 11), (_lines, 18), (_tokens, 18), (_tree, 18), (_nesting, 12), (_whole, 3),
)  # fmt: skip


# -- inputs


def _file(random: Random) -> Input:
    how, data = mutant(random)
    argv = _command(random, "m.py", data)
    return Input(f"file {how}", {"m.py": data}, argv)


def _command(random: Random, target: str, data: bytes) -> tuple[str, ...]:
    """A command with a small budget."""
    command = random.choices(("generate", "instrument", "summary", "explore", "run"), (72, 14, 5, 5, 4))[0]
    if command == "instrument":
        return (command, target, "-o", "../out") if random.random() < 0.9 else (command, target)
    if command == "summary":
        return (command, target, "--time-limit", "4")
    if command == "explore":
        return (command, f"{target}{_class(random, data)}", "--time-limit", "4", "--depth", "2")
    if command == "run":
        return (command, target)
    return generate(random, target)


def generate(random: Random, *targets: str) -> tuple[str, ...]:
    """`generate` with a small budget, and seldom with some odd options."""
    options = [option for _ in range(2) if random.random() < 0.08 for option in random.choice(_ODD_OPTIONS)]
    return ("generate", *targets, "-o", "../out", "--json", "../out.json", *BUDGET, *options)


def _class(random: Random, data: bytes) -> str:
    try:
        names = [node.name for node in ast.parse(data).body if isinstance(node, ast.ClassDef)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        names = []
    return f":{random.choice(names)}" if names else random.choice(("", ":X", ":", ":f"))


def _wheel(random: Random) -> Input:
    text = sources.part(random) if random.random() < 0.5 else mutant(random)[1].decode(errors="replace")
    name, data = wheels.make_wheel(random, text)
    inside = random.choice(("", "", "", ":shop", ":shop.mod", ":shop.mod:f", ":nowhere", ":..", ":shop."))
    target = name + inside
    argv = generate(random, target) if random.random() < 0.8 else ("instrument", target, "-o", "../out")
    return Input("wheel", {name: data}, argv)


def _folder(random: Random) -> Input:
    """A package with odd files, links and pipes in it."""
    files = {"pkg/__init__.py": b"from .m import *\n", "pkg/m.py": sources.part(random, 1).encode()}
    for _ in range(random.randint(1, 3)):
        files[f"pkg/{random.choice(_ODD_FILES)}"] = mutant(random)[1]
    links: dict[str, str] = {}
    pipes: tuple[str, ...] = ()
    if random.random() < 0.3:
        links["pkg/loop"] = random.choice((".", "..", "loop", "/dev/zero", "nowhere", "m.py", "/"))
    if random.random() < 0.2:
        elsewhere = ("link.py", "/dev/zero", "nowhere", "m.py", "/etc", "/dev/stdin")
        links["pkg/link.py"] = random.choice(elsewhere)
    if random.random() < 0.1:
        pipes = ("pkg/pipe.py",)
    if random.random() < 0.2:
        files["pkg/m.pyi"] = mutant(random)[1]
    target = random.choice(("pkg", "pkg", "pkg/", "pkg.m", "pkg/m.py", ".", "pkg/link.py", "pkg/pipe.py"))
    argv = generate(random, target) if random.random() < 0.7 else ("instrument", target, "-o", "../out")
    return Input("folder", files, argv, links, pipes)


def _name(random: Random) -> Input:
    """A module under an odd name."""
    name = random.choice(_ODD_FILES)
    data = sources.part(random, 1).encode() if random.random() < 0.7 else mutant(random)[1]
    return Input("name", {name: data}, _command(random, f"./{name}" if name.startswith("-") else name, data))


def _bytecode(random: Random) -> Input:
    """A compiled module whose header or content is changed."""
    header = importlib.util.MAGIC_NUMBER + bytes(12)
    body = marshal.dumps(compile(sources.part(random, 1), "m.py", "exec"))
    data = text_mutations.mutate_bytes(random, header + body if random.random() < 0.5 else header) + body
    return Input("bytecode", {"m.pyc": data}, generate(random, "m.pyc"))


def _config(random: Random) -> Input:
    text = random.choice(_CONFIGS)
    data = text.encode() if random.random() < 0.6 else text_mutations.mutate_bytes(random, text.encode())
    code = b"def f(x):\n    return 1 if x > 3 else 2\n"
    return Input("config", {"pyproject.toml": data, "m.py": code}, generate(random, "m.py"))


def _arguments(random: Random) -> Input:
    """An ordinary module, named in an odd way, with odd options."""
    target = random.choice(_ODD_TARGETS) if random.random() < 0.7 else "m.py"
    options = [option for _ in range(random.randint(0, 2)) for option in random.choice(_ODD_OPTIONS)]
    commands = ("generate", "instrument", "summary", "explore", "nonsense", "")
    command = random.choices(commands, (12, 4, 2, 2, 1, 1))[0]
    argv = generate(random, target) if command == "generate" else (command, target)
    if command == "instrument":
        argv = (*argv, "-o", "../out")  # else all of a package that was named goes to the cache
    code = "class X:\n    def f(self, x): return x\n\ndef f(x):\n    return 1 if x > 3 else 2\n"
    return Input("arguments", {"m.py": code.encode()}, (*argv, *options))


_KINDS: Final[tuple[tuple[Callable[[Random], Input], int], ...]] = (
    (_file, 66), (_wheel, 18), (_folder, 3), (_name, 4), (_bytecode, 3), (_config, 2), (_arguments, 4),
)  # fmt: skip

