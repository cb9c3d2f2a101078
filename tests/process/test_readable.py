from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tracetwin.process.walls import readable


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders of temporary files are not those that the tests lie in."""
    monkeypatch.setattr(readable, "_home", lambda: str(tmp_path / "home"))
    monkeypatch.setattr(readable, "_temporary", tuple)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if "site-packages" in entry])


def collected(*roots: Path) -> readable.Readable:
    return readable.collect(map(str, roots), net=False, programs=False)


def covers(found: readable.Readable, path: Path) -> bool:
    real = os.path.realpath(path)
    return real in found.files or any(f"{real}/".startswith(f"{folder}/") for folder in found.folders)


def laid_out(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_all_of_a_root_but_what_is_hidden(tmp_path: Path) -> None:
    root = tmp_path / "root"
    laid_out(root, "a.py", "data/x.csv", ".env", ".ssh/key")
    found = collected(root)
    assert [covers(found, root / name) for name in ("a.py", "data/x.csv")] == [True, True]
    assert [covers(found, root / name) for name in (".env", ".ssh/key")] == [False, False]
    assert str(root) in found.listed


@pytest.mark.parametrize("mark", ["pyproject.toml", "setup.py", ".git"])
def test_the_project_is_the_nearest_folder_above_that_is_one(tmp_path: Path, mark: str) -> None:
    laid_out(tmp_path, f"project/{mark}", "project/src/a.py", "project/data.csv", "beside.txt")
    found = collected(tmp_path / "project" / "src")
    assert covers(found, tmp_path / "project" / "data.csv")
    assert not covers(found, tmp_path / "beside.txt")


def test_of_a_home_only_what_can_be_imported(tmp_path: Path) -> None:
    home = tmp_path / "home"
    laid_out(home, "a.py", "letter.txt", "package/__init__.py", "Pictures/one.png", ".git")
    found = collected(home)
    assert [covers(found, home / name) for name in ("a.py", "package/__init__.py")] == [True, True]
    assert [covers(found, home / name) for name in ("letter.txt", "Pictures/one.png")] == [False, False]


def test_a_home_is_no_project_of_what_lies_in_it(tmp_path: Path) -> None:
    laid_out(tmp_path / "home", ".git", "pyproject.toml", "letter.txt", "code/a.py")
    assert readable.project_of(str(tmp_path / "home" / "code")) is None
    assert not covers(collected(tmp_path / "home" / "code"), tmp_path / "home" / "letter.txt")


def test_links_out_of_a_root_lead_to_code_only(tmp_path: Path) -> None:
    laid_out(tmp_path, "root/a.py", "elsewhere/package/__init__.py", "secret/key", "secret.py.txt")
    for name in ("elsewhere/package", "secret", "secret.py.txt"):
        (tmp_path / "root" / Path(name).name.replace(".txt", "")).symlink_to(tmp_path / name)
    found = collected(tmp_path / "root")
    assert covers(found, tmp_path / "elsewhere" / "package" / "__init__.py")
    assert not covers(found, tmp_path / "secret" / "key")
    assert not covers(found, tmp_path / "secret.py.txt")


def test_a_wheel_is_readable_as_a_file(tmp_path: Path) -> None:
    laid_out(tmp_path, "a.whl", "b.whl")
    found = collected(tmp_path / "a.whl")
    assert [covers(found, tmp_path / name) for name in ("a.whl", "b.whl")] == [True, False]


def test_python_and_its_packages_are_there(tmp_path: Path) -> None:
    found = collected(tmp_path)
    assert covers(found, Path(os.__file__))
    assert covers(found, Path(pytest.__file__))
    assert covers(found, Path(readable.__file__))
    assert not covers(found, Path("/etc/passwd"))


def test_what_the_network_and_programs_need_comes_with_them(tmp_path: Path) -> None:
    net = readable.collect([], net=True, programs=False)
    programs = readable.collect([], net=False, programs=True)
    assert covers(net, Path("/etc/hosts")) == Path("/etc/hosts").exists()
    assert not covers(collected(), Path("/etc/hosts"))
    assert covers(programs, Path("/usr/bin")) == Path("/usr/bin").exists()


@pytest.mark.parametrize(
    ("name", "lacks"),
    [
        ("root/test_written.py", True),
        ("root/__pycache__/a.cpython-311.pyc", True),
        ("root/a.whl/module.py", True),
        ("root/.env", False),
        ("root/.git/missing", False),
        ("beside", False),
        ("beside.py", False),
    ],
)
def test_what_is_missing_where_names_are_readable_may_be_looked_for(
    tmp_path: Path, name: str, lacks: bool
) -> None:
    laid_out(tmp_path, "root/a.whl", "root/.env", "root/.git/config")
    assert collected(tmp_path / "root").lacks(os.path.realpath(tmp_path / name)) is lacks
