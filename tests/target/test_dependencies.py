"""What a wheel needs is found where it is installed or beside it, and named where it is not."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.target.layout import FUNCTION, make_wheel
from tracetwin.target.selection import resolve_all, resolve_runnable
from tracetwin.target.wheels.dependencies import Dependencies, find_dependencies

TOP = "top-1.0-py3-none-any.whl"


def found(folder: Path, *needs: str, links: tuple[Path, ...] = ()) -> Dependencies:
    """What a wheel in the folder with these requirements gets."""
    return find_dependencies(make_wheel(folder / TOP, {"top.py": FUNCTION}, *needs), links)


def beside(folder: Path, *names: str) -> None:
    for name in names:
        make_wheel(folder / name, {f"{name.partition('-')[0]}.py": FUNCTION})


def names(dependencies: Dependencies) -> list[str]:
    return [wheel.name for wheel in dependencies.wheels]


def test_the_newest_wheel_that_fits_is_taken(tmp_path):
    beside(
        tmp_path,
        "dep-1.0-py3-none-any.whl",
        "dep-1.10-py3-none-any.whl",
        "dep-1.9-py3-none-any.whl",
        "dep-2.0-py3-none-any.whl",
        "dep-1.11-cp27-cp27m-win32.whl",
        "dep-1.12b1-py3-none-any.whl",
    )
    assert ["dep-1.10-py3-none-any.whl"] == names(found(tmp_path, "Dep<2"))


def test_a_version_before_a_release_is_taken_only_where_there_is_no_other(tmp_path):
    beside(tmp_path, "dep-2.0rc1-py3-none-any.whl")
    assert ["dep-2.0rc1-py3-none-any.whl"] == names(found(tmp_path, "dep"))


def test_a_wheel_for_another_python_is_passed_over(tmp_path):
    make_wheel(tmp_path / "dep-3.0-py3-none-any.whl", {"dep.py": ""}, "Requires-Python: >=4")
    beside(tmp_path, "dep-1.0-py3-none-any.whl")
    assert ["dep-1.0-py3-none-any.whl"] == names(found(tmp_path, "dep"))


def test_what_is_needed_by_what_is_needed(tmp_path):
    make_wheel(tmp_path / "dep-1.0-py3-none-any.whl", {"dep.py": ""}, "deeper[fast]", "top")
    make_wheel(
        tmp_path / "deeper-1.0-py3-none-any.whl", {"deeper.py": ""},
        "quick; extra == 'fast'", "slow; extra == 'slow'", "old; python_version < '3'", "dep",
    )  # fmt: skip
    beside(tmp_path, "quick-1.0-py3-none-any.whl", "slow-1.0-py3-none-any.whl", "old-1.0-py3-none-any.whl")
    dependencies = found(tmp_path, "dep")
    assert ["dep", "deeper", "quick"] == [name.partition("-")[0] for name in names(dependencies)]
    assert [] == dependencies.missing


def test_all_who_need_something_agree_on_one_version(tmp_path):
    make_wheel(tmp_path / "careful-1.0-py3-none-any.whl", {"careful.py": ""}, "dep<2")
    beside(tmp_path, "dep-1.5-py3-none-any.whl", "dep-2.0-py3-none-any.whl")
    chosen = names(found(tmp_path, "dep", "careful"))
    assert ["dep-1.5-py3-none-any.whl", "careful-1.0-py3-none-any.whl"] == chosen


def test_a_folder_that_is_named_is_searched_after_that_of_the_wheel(tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    beside(other, "dep-1.0-py3-none-any.whl")
    dependencies = found(tmp_path, "dep", links=(other,))
    assert [other / "dep-1.0-py3-none-any.whl"] == dependencies.wheels


def test_what_is_installed_and_fits_needs_no_wheel(tmp_path):
    beside(tmp_path, "click-9999-py3-none-any.whl")
    dependencies = found(tmp_path, "click")
    assert ([], []) == (names(dependencies), dependencies.missing)
    assert ["click-9999-py3-none-any.whl"] == names(found(tmp_path, "click>9000"))


@pytest.mark.parametrize(
    ("need", "wheels", "words"),
    [
        ("nosuch-thing", (), "it is neither installed nor does a wheel of it lie beside"),
        ("nosuch>=2", ("nosuch-1.0-py3-none-any.whl",), "-1.0-py3-none-any.whl lies there, but does not fit"),
        ("nosuch", ("nosuch-1.0-cp27-cp27m-win32.whl",), "nosuch-1.0-cp27-cp27m-win32.whl lies there, but"),
        ("click>9000", (), f"{version('click')} is installed, but does not fit"),
    ],
)  # fmt: skip
def test_what_is_missing_is_one_sentence(tmp_path, need, wheels, words):
    beside(tmp_path, *wheels)
    (missing,) = found(tmp_path, need).missing
    assert missing.sentence.startswith(f"{TOP} needs {need}: ")
    assert words in missing.sentence
    assert missing.sentence.endswith("or name a folder that holds its wheel with --find-links DIR")
    assert "\n" not in missing.sentence


def test_what_a_dependency_misses_is_said_of_the_dependency(tmp_path):
    make_wheel(tmp_path / "dep-1.0-py3-none-any.whl", {"dep.py": ""}, "nosuch")
    (missing,) = found(tmp_path, "dep").missing
    assert missing.sentence.startswith("dep-1.0-py3-none-any.whl needs nosuch: ")


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ("Name: top\n", "its METADATA has no Version"),
        ("Name: top\nVersion: one\n", "its METADATA can't be understood"),
        ("Name: top\nVersion: 1\nRequires-Dist: >>>\n", "its METADATA can't be understood"),
        (b"\x00\xff\xfe".decode("latin-1"), "its METADATA has no Name"),
    ],
)
def test_broken_metadata_is_one_note(tmp_path, metadata, words):
    wheel = make_wheel(tmp_path / TOP, {"top.py": FUNCTION}, metadata=metadata)
    resolution = resolve_runnable([str(wheel)])
    (note,) = resolution.notes
    assert note.startswith(f"{TOP}: {words}")
    assert "\n" not in note
    assert ["top"] == [module.name for module in resolution.modules]


def test_a_dependency_with_broken_metadata_is_passed_over_and_named(tmp_path):
    make_wheel(tmp_path / "dep-2.0-py3-none-any.whl", {"dep.py": ""}, metadata="Name: dep\n")
    beside(tmp_path, "dep-1.0-py3-none-any.whl")
    dependencies = found(tmp_path, "dep")
    assert ["dep-1.0-py3-none-any.whl"] == names(dependencies)
    assert ["dep-2.0-py3-none-any.whl is not used: its METADATA has no Version"] == dependencies.notes


@pytest.mark.parametrize(
    ("record", "words"),
    [("lost.py,,\n", "its RECORD lists 'lost.py', which is not in it"), ('"a\n', "its RECORD can't be read")],
)
def test_a_broken_record_is_one_note(tmp_path, record, words):
    wheel = make_wheel(tmp_path / TOP, {"top.py": FUNCTION}, record=record)
    (note,) = resolve_runnable([str(wheel)]).notes
    assert note.startswith(f"{TOP}: {words}")


def test_the_wheels_needed_come_behind_the_target_on_the_path(tmp_path):
    beside(tmp_path, "dep-1.0-py3-none-any.whl")
    wheel = make_wheel(tmp_path / TOP, {"top.py": FUNCTION}, "dep", "nosuch")
    (module,) = resolve_runnable([str(wheel)]).modules
    assert (str(wheel), str(tmp_path / "dep-1.0-py3-none-any.whl")) == module.search_path
    assert [("nosuch", f"{TOP} needs nosuch, which was not found: install it or use --find-links DIR")] == [
        *module.missing
    ]
    assert (str(wheel),) == resolve_all([str(wheel)]).modules[0].search_path
