"""The same source gives the same bytes, wherever and however the command runs; the tests pass in any way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.e2e.command import run

pytestmark = pytest.mark.slow

HELPERS = """
import datetime, random, time, uuid

def now():
    return datetime.datetime.now()

def roll():
    return random.random()

def tags(words):
    return set(words.split())
"""

SHOP = '''
"""Some of it is stable, some is not."""

import itertools
import os
import random
from pathlib import Path

import helpers

_numbers = itertools.count(1)
_log = []


class Account:
    def __init__(self) -> None:
        self.balance = 0

    def deposit(self, amount: int) -> int:
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        return self.balance


def greeting(name: str) -> str:
    return f"Grüße, {name or 'niemand'}"


def joined(words: str) -> str:
    return ",".join(helpers.tags(words))


def members(words: str) -> set:
    return helpers.tags(words)


def expired(year: int) -> bool:
    if helpers.now().year > 2030:
        raise RuntimeError("too late")
    return False


def lucky(number: int) -> str:
    return "lucky" if helpers.roll() < 0.001 else "unlucky"


def ticket() -> int:
    return next(_numbers)


def logged(line: str) -> int:
    _log.append(line)
    return len(_log)


def place() -> str:
    return str(Path(__file__).parent / "data")


def address(text: str) -> str:
    return f"{object()} {text}"
'''

OPTIONS = ("-o", "out", "--max-runs", "8", "--time-limit", "120", "--json", "report.json")
HERE = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
ELSEWHERE = {"PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo", "LC_ALL": "C", "HOME": "/nowhere"}


def generated(folder: Path, jobs: str, surroundings: dict[str, str]) -> Path:
    """A project in that folder, with its tests."""
    folder.mkdir(parents=True)
    (folder / "tmp").mkdir()
    (folder / "helpers.py").write_text(HELPERS, encoding="utf-8")
    (folder / "shop.py").write_text(SHOP, encoding="utf-8")
    extra = {**surroundings, "TMPDIR": str(folder / "tmp")}
    command = ("generate", "shop.py", "helpers.py", "-j", jobs, *OPTIONS)
    done = run(*command, cwd=folder, extra=extra, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same project twice: generated in one process and in two, under all that may differ."""
    base = tmp_path_factory.mktemp("reproducible")
    asked = [
        (base / "project", "1", HERE),
        (base / "another place" / "with a longer name" / "src", "2", ELSEWHERE),
    ]
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda ask: generated(*ask), asked)
    return one, other


def test_the_files_are_the_same_to_the_byte(projects: tuple[Path, Path]) -> None:
    one, other = ({file.name: file.read_bytes() for file in (p / "out").iterdir()} for p in projects)
    assert sorted(one) == ["test_helpers.py", "test_shop.py"]
    assert one == other


def test_what_is_left_out_says_what_it_depends_on(projects: tuple[Path, Path]) -> None:
    (shop,) = [
        module
        for module in json.loads((projects[0] / "report.json").read_text(encoding="utf-8"))["modules"]
        if module["name"] == "shop"
    ]
    assert any("flaky: depends on time" in note for note in shop["notes"]), shop["notes"]


def test_no_file_knows_where_it_was_made(projects: tuple[Path, Path]) -> None:
    for project in projects:
        for file in (project / "out").iterdir():
            assert str(project) not in file.read_text(encoding="utf-8")


EACH = """
import os, random, sys, unittest
loader = unittest.defaultTestLoader
def flat(part):
    return [test for one in part for test in flat(one)] if isinstance(part, unittest.TestSuite) else [part]
tests = flat(loader.discover(sys.argv[1]))
assert len(tests) > 5
def passes(some):
    result = unittest.TestResult()
    unittest.TestSuite(some).run(result)
    for _, trace in [*result.errors, *result.failures]:
        print(trace, file=sys.stderr)
    return result.wasSuccessful()
if sys.argv[2] == "alone":
    for test in tests:
        child = os.fork()
        if not child:
            os._exit(0 if passes([test]) else 1)
        assert os.waitpid(child, 0)[1] == 0, test
else:
    random.Random(int(sys.argv[2])).shuffle(tests)
    assert passes(tests)
"""


def started(project: Path, *command: str, **extra: str) -> subprocess.Popen[str]:
    path = os.pathsep.join((str(project), str(project / "out")))
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=project,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **extra},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def passes(process: subprocess.Popen[str]) -> None:
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 0, told


@pytest.mark.parametrize("way", ["alone", "1", "2"])
def test_the_tests_pass_alone_and_in_any_order(projects: tuple[Path, Path], way: str) -> None:
    passes(started(projects[1], "-c", EACH, "out", way, PYTHONHASHSEED="3"))


@pytest.mark.parametrize(("seed", "zone"), [("0", "UTC"), ("4", "<+14>-14")])
def test_the_tests_pass_under_other_hash_seeds_and_time_zones(
    projects: tuple[Path, Path], seed: str, zone: str
) -> None:
    command = ("-m", "unittest", "discover", "-s", "out", "-t", "out")
    passes(started(projects[0], *command, PYTHONHASHSEED=seed, TZ=zone))


@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_the_tests_pass_in_other_locales(projects: tuple[Path, Path], locale: str) -> None:
    command = ("-m", "unittest", "discover", "-s", "out", "-t", "out")
    passes(started(projects[0], *command, LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"))


def test_the_tests_pass_in_parallel(projects: tuple[Path, Path]) -> None:
    command = ("-m", "unittest", "discover", "-s", "out", "-t", "out")
    for process in [started(projects[0], *command) for _ in range(3)]:
        passes(process)


def test_the_tests_pass_in_parallel_under_pytest(projects: tuple[Path, Path]) -> None:
    pytest.importorskip("xdist")
    passes(started(projects[0], "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", "out"))
