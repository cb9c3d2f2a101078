"""Corrections of the standard library's sources fit them, on each Python; where one does not, C stays."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest

from tracetwin.worker.library import corrections
from tracetwin.worker.library.corrections import CORRECTED, LATEST, unfit
from tracetwin.worker.library.modules import PARTS, notes_on, python_source, source_of

HERE = sys.version_info[:2]
VERSIONS = sorted({(3, 9), (3, 10), (3, 11), (3, 12), (3, 13), HERE})
FOLDER = "import sys, sysconfig; print(*sys.version_info[:2], sysconfig.get_path('stdlib'))"


def library(version: tuple[int, int]) -> Path | None:
    """The folder of a Python's standard library, None where it is not on this machine."""
    name = "python{}.{}".format(*version)
    program = sys.executable if version == HERE else which(name)
    if program is None:
        return None
    manager = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    for managed in sorted(manager.glob("{}.{}.*".format(*version)) if version != HERE else ()):
        return managed / "lib" / name
    asked = subprocess.run([program, "-c", FOLDER], capture_output=True, text=True, check=False)
    major, minor, folder = asked.stdout.strip().split(" ", 2) if asked.returncode == 0 else ("", "", "")
    return Path(folder) if f"{major}.{minor}" == "{}.{}".format(*version) else None


def source_in(folder: Path, name: str) -> bytes:
    stem = folder.joinpath(*name.split("."))
    listed = folder / (PARTS[name].file or "nothing")
    file = next(file for file in (listed, stem.with_suffix(".py"), stem / "__init__.py") if file.is_file())
    return file.read_bytes()


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: "{}.{}".format(*version))
@pytest.mark.parametrize("name", CORRECTED)
def test_every_correction_fits_the_source(version: tuple[int, int], name: str) -> None:
    folder = library(version)
    if folder is None:
        pytest.skip("this Python is not here")
    assert [] == unfit(name, source_in(folder, name), version)


def test_this_python_is_always_looked_at() -> None:
    assert library(HERE) is not None
    assert all(source_of(name) for name in CORRECTED)


def test_a_pattern_that_no_longer_matches_is_told() -> None:
    name, (first, *_) = next(iter(CORRECTED.items()))
    source = Path(python_source(name)).read_bytes()
    assert unfit(name, first.pattern.sub(b"pass", source)) == [first.pattern.pattern.decode()]


def test_a_correction_is_only_due_in_its_versions() -> None:
    bounded = {item.last for items in CORRECTED.values() for item in items} - {LATEST}
    assert {(3, 10)} == bounded
    assert unfit("datetime", b"", (3, 10)) != unfit("datetime", b"", (3, 11))


@pytest.fixture
def other_source(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`json.decoder` is another one than we know."""
    real = corrections.unfit
    corrections.fits.cache_clear()
    monkeypatch.setattr(
        corrections, "unfit", lambda name, *rest: ["gone"] if name == "json.decoder" else real(name, *rest)
    )
    yield
    corrections.fits.cache_clear()


@pytest.mark.usefixtures("other_source")
def test_a_module_that_is_not_fit_stays_as_it_is() -> None:
    assert "" == source_of("json.decoder") == source_of("json")
    assert source_of("datetime")
    (note,) = notes_on("import json, datetime\n")
    assert note.startswith("json: ")
