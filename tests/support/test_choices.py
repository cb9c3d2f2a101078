"""What a user chooses by name comes from our folder or from other distributions, and is imported late."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tracetwin.model.options import STYLES
from tracetwin.support.choices import ChoiceError


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder on the path, in which distributions can be put."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def install(folder: Path, distribution: str, name: str, value: str, source: str = "DIALECT = 1\n") -> None:
    (folder / f"{distribution}.py").write_text(source, encoding="utf-8")
    about = folder / f"{distribution}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Name: {distribution}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[tracetwin.dialects]\n{name} = {value}\n", encoding="utf-8")


def test_each_module_of_the_folder_is_one_and_the_default_comes_first() -> None:
    folder = Path(__file__).parents[2] / "tracetwin/emit/dialects"
    modules = {file.stem.replace("_", "-") for file in folder.glob("*.py")} - {"--init--", "base"}
    names = STYLES.names()
    assert modules <= set(names)
    assert names[0] == "unittest"
    assert all(STYLES.has(name) for name in names)


def test_names_are_known_without_an_import(installed: Path) -> None:
    install(installed, "nose_dialect", "nose", "nose_dialect:DIALECT")
    assert "nose" in STYLES.names()
    assert STYLES.has("nose")
    assert "nose_dialect" not in sys.modules


def test_what_an_entry_point_names_is_loaded(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(installed, "nose_dialect", "nose", "nose_dialect:DIALECT", "DIALECT = 'found'\n")
    assert STYLES.load("nose") == "found"
    monkeypatch.delitem(sys.modules, "nose_dialect")


@pytest.mark.parametrize(
    ("name", "source", "said"),
    [
        ("nose", "import nothing_of_that_name\n", "'nose' of broken_dialect can't be loaded: ModuleNotFound"),
        ("unittest", "DIALECT = 1\n", "'unittest' of broken_dialect has a name that tracetwin uses"),
    ],
)
def test_what_can_not_be_used_is_said_in_a_sentence(
    installed: Path, name: str, source: str, said: str
) -> None:
    install(installed, "broken_dialect", name, "broken_dialect:DIALECT", source)
    with pytest.raises(ChoiceError, match=said):
        STYLES.load(name)


def test_two_distributions_that_use_one_name_are_none(installed: Path) -> None:
    for distribution in ("one_dialect", "other_dialect"):
        install(installed, distribution, "nose", f"{distribution}:DIALECT")
    with pytest.raises(ChoiceError, match="several distributions define the dialect 'nose'"):
        STYLES.load("nose")


def test_a_name_that_nobody_defines_is_refused() -> None:
    assert not STYLES.has("nose")
    with pytest.raises(ChoiceError, match="there is no dialect 'nose': choose one of unittest, "):
        STYLES.load("nose")
