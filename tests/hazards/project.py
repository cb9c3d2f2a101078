"""Where a hazard is tried: a canary, a project with the hostile module in it, and a command that is kept."""

from __future__ import annotations

import functools
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.hazards.canary import TOKEN, Canary
from tests.hazards.hazard import Hazard

ROOT: Final = Path(__file__).parents[2]
KEEPER: Final = Path(__file__).with_name("keeper.py")
SHADOW: Final = Path(__file__).with_name("shadow.py")
EXTENSION: Final = Path(__file__).with_name("direct.c")
_SCRIPT: Final = "import sys\n\nfrom tracetwin.cli.main import main\n\nsys.exit(main())\n"
_TELLING: Final = '''
def escaped(what):
    """What an act says that has succeeded where no canary could see it."""
    return "-".join(("escaped", _WORD)) + ": " + what
'''


@dataclass(frozen=True)
class Kept:
    """How a command went that was kept."""

    status: int | None
    stdout: str
    stderr: str
    peak: int
    seconds: float
    orphans: tuple[str, ...]


@dataclass(frozen=True)
class Project:
    """A folder with a hazard in it, beside a canary.

    Attributes:
        folder: the project.
        canary: what must stay as it is.
        temporary: what the commands use as `TMPDIR`.
        cache: where the tool keeps its twins.
    """

    folder: Path
    canary: Canary
    temporary: Path
    cache: Path

    @property
    def script(self) -> Path:
        """The command's script, as an installation makes it: away from the project."""
        return self.folder.with_name("bin") / "tracetwin"

    @property
    def out(self) -> Path:
        """Where tests are written."""
        return self.folder / "out"

    def environment(self, *path: Path) -> dict[str, str]:
        """A user's environment, with secrets in it."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "HOME": str(self.canary.home),
            "TMPDIR": str(self.temporary),
            "TRACETWIN_CACHE": str(self.cache),
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "AWS_SECRET_ACCESS_KEY": self.canary.secret,
            "SSH_AUTH_SOCK": str(self.canary.listeners.path),
            TOKEN: self.canary.secret,
        }

    def run(self, argv: Sequence[str], *path: Path, seconds: float) -> Kept:
        """Run a command in the project, its family watched."""
        order = {
            "argv": list(argv), "cwd": str(self.folder), "env": self.environment(*path), "seconds": seconds
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-I", str(KEEPER)], input=json.dumps(order), capture_output=True, text=True,
            timeout=seconds + 60, check=True,
        )  # fmt: skip
        told: dict[str, Any] = json.loads(done.stdout)
        return Kept(**{**told, "orphans": tuple(told["orphans"])})


@contextmanager
def project(hazard: Hazard, folder: Path, cache: Path) -> Iterator[Project]:
    """A project with a hazard in it.

    Args:
        hazard: its module is copied.
        folder: an empty folder; the project is in it, and the canary is beside it.
        cache: see `Project.cache`.
    """
    base, place, temporary = folder / "canary", folder / "project", folder / "tmp"
    if hazard.file.with_suffix("").is_dir():
        shutil.copytree(hazard.file.with_suffix(""), place, ignore=shutil.ignore_patterns("__pycache__"))
    for made in (base, place, temporary, cache, folder / "bin"):
        made.mkdir(exist_ok=True)
    (folder / "bin/tracetwin").write_text(_SCRIPT, "utf-8")
    if hazard.needs == "extension":
        shutil.copy(extension(str(folder.parent)), place / "direct.so")
    for name in hazard.shadows:
        shutil.copy(SHADOW, place / f"{name}.py")
    with Canary(base) as canary:
        (place / hazard.file.name).write_bytes(hazard.file.read_bytes())
        (place / "canary.py").write_text(_places(canary.places(), canary.escaped), "utf-8")
        yield Project(place, canary, temporary, cache)


def has_compiler() -> bool:
    """Whether the extension can be built."""
    header = Path(sysconfig.get_path("include"), "Python.h")
    fits = sys.platform.startswith("linux") and platform.machine() == "x86_64"  # by its numbers of calls
    return fits and shutil.which("cc") is not None and header.is_file()


@functools.cache
def extension(folder: str) -> Path:
    """The extension that does system calls directly, compiled into a folder."""
    place = Path(folder, "direct.so")
    include = sysconfig.get_path("include")
    argv = ["cc", "-shared", "-fPIC", "-O1", f"-I{include}", str(EXTENSION), "-o", str(place)]
    subprocess.run(argv, check=True)
    return place


def _places(places: Mapping[str, object], escaped: str) -> str:
    lines = [f"{name} = {value!r}\n" for name, value in places.items()]
    return "".join([*lines, f"_WORD = {escaped.partition('-')[2]!r}\n", _TELLING])
