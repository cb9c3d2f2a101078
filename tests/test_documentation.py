"""The documentation names what is there: files, modules, options; its changelog is short."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tracetwin.cli.main import main

ROOT = Path(__file__).parents[1]
ROOMS = ("instrumenter", "runtime", "tracetwin", "tests", "benchmarks")
FOLDERS = (*ROOMS, "examples", "docs", "changelog.d")
SKIPPED = {"expected", "data", "modules", "__pycache__"}
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for page in (*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md")))
    if not SKIPPED & set(page.relative_to(ROOT).parts)
)
FOR_USERS = {"README.md", "docs/tutorial.md", "docs/how-to.md", "docs/reference.md", "docs/limitations.md"}
"""Pages whose `tests/` and bare names of files are those of a reader's project."""

PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, FOLDERS))})/[\w.{{}},*/-]*")
MODULE = re.compile(rf"(?<![\w./-])(?:{'|'.join(ROOMS)})(?:\.[A-Za-z_]\w*)+(?![\w/])")
BARE = re.compile(r"`([\w{},]+\.py)`")
LONGEST_FRAGMENT = 800


STANDARD = {"setup.py", "conftest.py", *(f"{name}.py" for name in sys.stdlib_module_names)}
"""Bare names of files that speak of other projects, or of Python's library."""

QUOTED = {
    name
    for room in ROOMS[:3]
    for file in (ROOT / room).rglob("*.py")
    for name in re.findall(r"\"(tracetwin(?:\.\w+)+)\"", file.read_text(encoding="utf-8"))
}
"""Dotted names that the code itself writes as text: entry point groups."""


def code(page: str) -> str:
    """What a page writes as code: spans, and blocks but those of Python, which tests run or users write."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"(?ms)^```(?!py)\w*\n(.*?)^```", text)
    spans = re.findall(r"`[^`\n]+`", re.sub(r"(?ms)^```.*?^```", "", text))
    return "\n".join([*blocks, *spans])


def spelled_out(name: str) -> Iterator[str]:
    """Each name that `a/{b,c}.py` stands for."""
    parts = re.split(r"\{([^{}]*)\}", name)
    choices = [part.split(",") if place % 2 else [part] for place, part in enumerate(parts)]
    return map("".join, itertools.product(*choices))


def is_there(path: str) -> bool:
    return any(True for _ in ROOT.glob(path.rstrip("/.,")))


def is_defined(module: str) -> bool:
    """Whether a dotted name leads to a file, and whatever follows is a word in it."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:length])
        file = place.with_suffix(".py") if place.with_suffix(".py").is_file() else place / "__init__.py"
        if file.is_file() or (place.is_dir() and length == len(parts)):
            words = set(re.findall(r"\w+", file.read_text(encoding="utf-8"))) if file.is_file() else set()
            return set(parts[length:]) <= words
    return False


@pytest.mark.parametrize("page", PAGES)
def test_paths_and_modules_that_a_page_names_are_there(page: str) -> None:
    written = code(page)
    users = page in FOR_USERS
    paths = {name for found in PATH.findall(written) for name in spelled_out(found)}
    modules = {name for name in MODULE.findall(written) if not name.endswith((".py", ".md", ".d"))}
    missing = {name for name in paths if not is_there(name)}
    missing |= {name for name in modules if not is_defined(name) and name not in QUOTED}
    assert set() == {name for name in missing if not (users and name.startswith("tests"))}


@pytest.mark.parametrize("page", [page for page in PAGES if page not in FOR_USERS])
def test_files_that_a_page_names_without_a_folder_are_there(page: str) -> None:
    folder = (ROOT / page).parent
    of_all = folder == ROOT or folder.is_relative_to(ROOT / "docs")
    files = [*folder.parent.glob("*.py"), *folder.rglob("*.py")]
    files += [file for room in FOLDERS if of_all for file in (ROOT / room).rglob("*.py")]
    known = {file.name for file in files} | STANDARD
    named = {name for found in BARE.findall((ROOT / page).read_text("utf-8")) for name in spelled_out(found)}
    assert set() == named - known


def options() -> Iterator[tuple[str, str]]:
    for name, command in main.commands.items():
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                yield from ((name, option) for option in (*parameter.opts, *parameter.secondary_opts))


@pytest.mark.parametrize(("command", "option"), sorted(set(options())))
def test_every_option_is_in_the_reference(command: str, option: str) -> None:
    reference = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", reference), f"tracetwin {command} {option}"


@pytest.mark.parametrize(
    "fragment", sorted((ROOT / "changelog.d").glob("[0-9]*.md")), ids=lambda file: file.name
)
def test_fragments_of_the_changelog_are_short_and_have_a_kind(fragment: Path) -> None:
    assert re.fullmatch(r"\d+\.(feature|bugfix|doc|removal|misc)\.md", fragment.name)
    assert len(fragment.read_text(encoding="utf-8")) <= LONGEST_FRAGMENT


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(
        r"(?m)^- \[\d{4}\]\((\S+\.md)\): ", (folder / "README.md").read_text(encoding="utf-8")
    )
    assert sorted(file.name for file in folder.glob("0*.md")) == listed
