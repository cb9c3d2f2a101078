"""Changes of files, and what is in folders: nothing happens, and everything is an input."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from runtime.inputs import UnfitInput
from runtime.values import plain
from tests.drawing.environment.support import Reads
from tracetwin.drawing.environment.sources import NOTHING
from tracetwin.model.recipe import Reference, Scalar, list_of, tuple_of
from tracetwin.model.recipes import call, evaluate


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of its own, as programs run; temporary ones are made in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path.parent))


@pytest.mark.parametrize(
    ("title", "args"),
    [
        ("os.makedirs", ("a/b",)),
        ("os.remove", ("a",)),
        ("os.rename", ("a", "b")),
        ("shutil.rmtree", ("a",)),
        ("pathlib.Path.mkdir", (Path("a"),)),
        ("pathlib.Path.unlink", (Path("a"),)),
    ],
)
def test_changes_do_not_happen(title: str, args: tuple[object, ...], tmp_path: Path) -> None:
    assert (None, NOTHING) == Reads()(title, *args)
    assert not list(tmp_path.iterdir())


def test_a_copy_says_where_it_is() -> None:
    assert ("b", Scalar("b")) == Reads()("shutil.copy", "a", "b")


def test_they_fail_as_the_program_expects() -> None:
    read = Reads(given={"os.mkdir()!": 1})
    assert (FileExistsError, Reference("builtins", "FileExistsError")) == read(
        "os.mkdir", "a", handled=[FileExistsError]
    )
    assert OSError is Reads(given={"os.remove()!": 1})("os.remove", "a", handled=[OSError])[0]


def test_what_is_said_not_to_be_there_can_not_be_removed_but_made() -> None:
    read = Reads(given={"os.path.exists()": False})
    read("os.path.exists", "a")
    assert FileNotFoundError is read("os.remove", "a")[0]
    assert FileNotFoundError is read("os.listdir", "a")[0]
    read("os.mkdir", "a")
    assert ["a"] == read("os.listdir", "a")[0]


def test_what_a_program_makes_for_itself_is_real(tmp_path: Path) -> None:
    folder = tmp_path.parent / "made"
    folder.mkdir()
    for title in ("os.mkdir", "os.remove", "os.listdir"):
        assert not Reads().is_drawn(title, str(folder / "inner"))
    assert not Reads().is_drawn("shutil.rmtree", str(folder))
    assert Reads().is_drawn("os.listdir", ".")


def test_all_that_is_known_of_a_file_is_an_input() -> None:
    found, recipe = Reads(given={"os.stat().st_size": 7})("os.stat", "a")
    assert 7 == plain(found.st_size)
    assert 7 == evaluate(recipe).st_size
    assert 5.0 == plain(Reads(given={"os.path.getmtime()": 5.0})("os.path.getmtime", "a")[0])
    assert not plain(Reads(given={"os.access()": False})("os.access", "a", 4)[0])


def test_a_descriptor_has_no_facts_of_this_machine() -> None:
    assert Reads().is_drawn("os.stat", 0)


def test_a_file_that_is_no_link_is_there_all_the_same() -> None:
    read = Reads(given={"os.path.islink()": False})
    read("os.path.islink", "a")
    assert (None, NOTHING) == read("os.remove", "a")


def test_a_path_that_is_renamed_is_another() -> None:
    assert (Path("b"), call("pathlib", "Path", Scalar("b"))) == Reads()(
        "pathlib.Path.replace", Path("a"), "b"
    )


def test_a_walk_may_see_a_folder() -> None:
    rows, _ = Reads(given={"os.walk()/#": 1})("os.walk", "logs")
    assert [("logs", ["inner"], ["a"])] == rows


def test_names_in_a_folder_are_inputs() -> None:
    read = Reads(given={"os.listdir()#": 2, "os.listdir()[0]": "x.log"})
    names, recipe = read("os.listdir", "logs")
    assert ["x.log", "b"] == list(map(plain, names))
    assert recipe == list_of(Scalar("x.log"), Scalar("b"))


@pytest.mark.parametrize("name", ["", "a/b", "b"])
def test_names_are_names_and_no_two_the_same(name: str) -> None:
    with pytest.raises(UnfitInput):
        Reads(given={"os.listdir()#": 2, "os.listdir()[0]": name})("os.listdir", "logs")


def test_a_walk_sees_files() -> None:
    rows, recipe = Reads()("os.walk", "logs")
    assert [("logs", [], ["a"])] == rows
    assert recipe == list_of(tuple_of(Scalar("logs"), list_of(), list_of(Scalar("a"))))


def test_paths_are_those_of_the_folder() -> None:
    found, recipe = Reads()("pathlib.Path.iterdir", Path("logs"))
    assert [Path("logs/a")] == found
    assert recipe == list_of(call("pathlib", "Path", Scalar("logs/a")))
