"""What the documentation shows works: Python runs, commands are understood, links lead somewhere."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tracetwin.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(*languages: str) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for language, code in re.findall(r"(?ms)^```(\w+)\n(.*?)^```", page.read_text(encoding="utf-8")):
            if language in languages:
                yield page.name, code


def commands() -> Iterator[str]:
    for _, code in blocks("sh", "console"):
        for line in code.splitlines():
            command = line.removeprefix("$ ").partition("#")[0].strip()
            if command.startswith("tracetwin "):
                yield command


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_commands_in_the_documentation_are_understood(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib").mkdir()
    (tmp_path / "wheels").mkdir()
    name, *arguments = shlex.split(command)[1:]
    context = main.commands[name].make_context(name, arguments, parent=click.Context(main))
    assert context.params.get("targets") or context.params.get("target") or context.params["program"]


@pytest.mark.parametrize(("page", "code"), list(blocks("python")))
def test_python_in_the_documentation_runs(page, code, fake, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path / "examples"))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))  # a snippet may install the hook for good
    exec(compile(code, page, "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists() or target.endswith("results.md"), target
