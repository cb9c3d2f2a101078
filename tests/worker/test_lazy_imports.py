"""What functions import when they run, and files that come with a package, as a worker sees them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.run import Request, Run
from tracetwin.model.status import Status
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import Worker
from tracetwin.run.explorer.process import TWIN
from tracetwin.run.module_facts import patterns_of
from tracetwin.target.module import TargetModule
from tracetwin.worker.library.modules import asked_for

FILES = {
    "__init__.py": "",
    "words.py": """
        from .search import found, other

        def knows(word: str) -> bool:
            return found(word)

        def lists(word: str) -> bool:
            return other(word)
        """,
    "search.py": """
        def found(word):
            from .table import WORDS
            return word in WORDS

        def other(word):
            import importlib
            return word in importlib.import_module("lexicon." + "_".join(["more", "words"])).WORDS
        """,
    "table.py": """
        import importlib
        WORDS = {"tree": 1}

        def lists(word):
            importlib.import_module("lexicon." + "_".join(["own", "words"]))
            return word in WORDS and word != "tree"
        """,
    "own_words.py": 'from .table import WORDS\nWORDS["bush"] = 1\n',
    "more_words.py": 'WORDS = {"bush": 1}\n',
    "shipped.py": """
        from pathlib import Path

        PLACE = Path(__file__).parent

        def first_word() -> str:
            return (PLACE / "words.txt").read_text(encoding="utf-8")

        def in_language(name: str) -> str:
            try:
                with open(str(PLACE / name) + ".txt", encoding="utf-8") as file:
                    return file.read()
            except FileNotFoundError:
                return "none"

        def elsewhere() -> str:
            return Path("words.txt").read_text(encoding="utf-8")
        """,
    "words.txt": "forest",
    "entities.py": """
        import html
        import html.entities

        def shown(text: str) -> str:
            return html.escape(text) + str(len(html.entities.name2codepoint))
        """,
}


@contextmanager
def worker(folder: Path, name: str, files: Mapping[str, str] = FILES) -> Iterator[WorkerExecutor]:
    """A worker on one module of a package."""
    package = folder / "lexicon"
    package.mkdir()
    for file, text in files.items():
        (package / file).write_text(textwrap.dedent(text), encoding="utf-8")
    module = TargetModule(f"lexicon.{name}", str(package / f"{name}.py"), str(folder))
    library = tuple(asked_for(Path(module.file).read_bytes()))
    cache = folder.parent / f"{folder.name} twins"
    options: dict[str, object] = {"selection": [], "guide": {}}
    with Worker(
        module,
        Limits(),
        patterns=patterns_of(module),
        handler=TWIN,
        cache=str(cache),
        library=library,
        options=options,
    ) as made:
        yield WorkerExecutor(made)


def run(executor: WorkerExecutor, target: str, **assignment: object) -> Run:
    return executor.run(Request(target, (), assignment))


@pytest.mark.parametrize(("target", "word"), [("knows", "tree"), ("lists", "bush")])
def test_an_import_of_a_neighbour_within_a_run_writes_nothing(
    tmp_path: Path, target: str, word: str
) -> None:
    with worker(tmp_path, "words") as executor:
        done = run(executor, target, word=word)
    assert [] == list(done.refused)
    assert (Status.RETURNED, "True") == (done.status, done.result)


@pytest.mark.parametrize(("name", "forks", "starts"), [("words", 2, 1), ("table", 4, 2)])
def test_a_neighbour_that_a_run_imported_is_there_for_others_if_it_enters_itself_nowhere(
    tmp_path: Path, name: str, forks: int, starts: int
) -> None:
    with worker(tmp_path, name) as executor:
        results = [run(executor, "lists", word=word).result for word in ("bush", "tree", "oak", "elm")]
        used = executor._worker
    assert results == ["True", "False", "False", "False"]
    assert (used.forks, used.starts) == (forks, starts)


def test_a_file_that_comes_with_the_package_is_really_read(tmp_path: Path) -> None:
    with worker(tmp_path, "shipped") as executor:
        assert () == tuple(run(executor, "first_word").patches)
        assert () == tuple(run(executor, "in_language", name="words").patches)
        assert () == tuple(run(executor, "in_language", name="of others").patches)
        assert 1 == len(run(executor, "elsewhere").patches)


def test_what_was_imported_below_a_module_of_the_library_is_found_in_its_twin(tmp_path: Path) -> None:
    with worker(tmp_path, "entities") as executor:
        assert Status.RETURNED is run(executor, "shown", text="a").status
