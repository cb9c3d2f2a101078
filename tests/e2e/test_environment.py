"""Targets that read the world around them, from the command line to suites that pass anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import ROOT, run

pytestmark = pytest.mark.slow

READERS = """
import datetime as dt
import json
import os
import random
import time
from datetime import date
from pathlib import Path


def is_expired(created: float, lifetime: int) -> str:
    if time.time() - created > lifetime:
        return "expired"
    return "fresh"


def part_of_day() -> str:
    hour = dt.datetime.now().hour
    if hour < 12:
        return "morning"
    return "day" if hour < 18 else "night"


def is_weekend() -> str:
    if date.today().weekday() >= 5:
        return "weekend"
    return "week"


def port() -> int:
    if "PORT" in os.environ:
        return int(os.environ["PORT"])
    return 8080


def mode() -> str:
    if os.getenv("MODE", "dev") == "production":
        return "P"
    return "D"


def roll(sides: int) -> str:
    value = random.randint(1, sides)
    if value == sides:
        return "best"
    return "worst" if value == 1 else "middling"


def pick(name: str) -> str:
    move = random.choice(["rock", "paper", "scissors"])
    if move == name:
        return "draw"
    return "won"


def settings(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError:
        return "defaults"
    if text.startswith("#"):
        return "comment"
    return "text"


def errors(path: str) -> int:
    count = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("ERROR"):
                count += 1
    return count


def version(folder: str) -> str:
    file = Path(folder) / "VERSION"
    if not file.exists():
        return "none"
    text = file.read_text(encoding="utf-8")
    if text.startswith("v"):
        return "tagged"
    return "plain"


def wait_for(path: str, timeout: float) -> bool:
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        if os.path.exists(path):
            return True
        time.sleep(30)
    return False


def confirm() -> bool:
    try:
        answer = input("sure? ")
    except EOFError:
        return False
    if answer == "yes":
        return True
    return False


class Cache:
    def __init__(self, lifetime: float = 60.0) -> None:
        self.lifetime = lifetime
        self.entries: dict[str, tuple[float, int]] = {}

    def put(self, key: str, value: int) -> None:
        self.entries[key] = (time.time(), value)

    def get(self, key: str) -> int | None:
        if key not in self.entries:
            return None
        at, value = self.entries[key]
        if time.time() - at > self.lifetime:
            del self.entries[key]
            return None
        return value
"""
CLIENT = """
import json
import subprocess
import urllib.request

import web


def name_of(user: int) -> str:
    try:
        response = web.get(f"https://example.org/users/{user}", timeout=5)
    except web.Failure:
        return "offline"
    if response.status_code == 404:
        return "nobody"
    if response.status_code >= 500:
        raise RuntimeError("server")
    return response.json()["name"]


def branch() -> str:
    done = subprocess.run(["git", "branch"], capture_output=True, text=True)
    if done.returncode != 0:
        return "unknown"
    if done.stdout.startswith("* "):
        return done.stdout[2:]
    return "detached"


def disk() -> int:
    try:
        text = subprocess.check_output(["df"], text=True)
    except subprocess.CalledProcessError:
        return -1
    return len(text)


def own(key: str) -> str:
    if lookup(key) > 100:
        return "much"
    return "little"


def lookup(key: str) -> int:
    raise KeyError(key)
"""
WEB = """
class Failure(Exception):
    pass


def get(url, params=None, timeout=None):
    raise Failure("there is no network")
"""

ELSEWHERE = """
import sys, unittest
from tracetwin.replay.conditions import perturbations as drift
from tracetwin.replay.conditions.conditions import ELSEWHERE
drift.apply(ELSEWHERE)
import random
random.seed(int(sys.argv[2]))
loader = unittest.defaultTestLoader
result = unittest.TextTestRunner(verbosity=0).run(loader.discover(sys.argv[1]))
sys.exit(not result.wasSuccessful())
"""


def generated(folder: Path, files: dict[str, str], target: str, *options: str) -> tuple[dict[str, Any], str]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    done = run(
        "generate", target, "-o", "out", "-j1", "--max-runs", "3000", "--time-limit", "60",
        "--json", "r.json", "--suspicious", "include",
        *options, cwd=folder, timeout=200,
    )  # fmt: skip
    assert 0 == done.returncode, done.stdout + done.stderr
    (module,) = json.loads((folder / "r.json").read_text(encoding="utf-8"))["modules"]
    (file,) = (folder / "out").glob("test_*.py")
    return module, file.read_text(encoding="utf-8")


def passes(folder: Path, *command: str, **extra: str) -> None:
    """Run in an environment that is empty but for what Python needs, in a folder of its own."""
    empty = folder / "empty"
    empty.mkdir(exist_ok=True)
    path = os.pathsep.join((str(folder), str(ROOT)))
    done = subprocess.run(
        [sys.executable, *command],
        cwd=empty,
        env={"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **extra},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    folder = tmp_path_factory.mktemp("readers")
    return folder, *generated(folder, {"readers.py": READERS}, "readers.py")


def test_every_line_and_branch_is_reached(readers: tuple[Path, dict[str, Any], str]) -> None:
    _, module, text = readers
    assert module["lines"] == module["covered_lines"], text
    assert module["branches"] == module["covered_branches"], text


def test_each_kind_of_patch_is_written(readers: tuple[Path, dict[str, Any], str]) -> None:
    _, _, text = readers
    for part in (
        'patch("readers.time.time", return_value=1704067200.0)',
        'patch("readers.dt.datetime", PatchableDatetime)',
        'patch.dict(os.environ, {"MODE": "production"})',
        "patch.dict(os.environ, {}, clear=True)",
        'patch("readers.random.choice", return_value="rock")',
        "mock_open(read_data=",
        'patch("builtins.open", side_effect=FileNotFoundError)',
        'patch("builtins.input", return_value="yes")',
        'patch("readers.time.sleep")',
    ):
        assert part in text, part


@pytest.mark.parametrize("seed", ["0", "77"])
def test_the_tests_pass_later_elsewhere_and_without_an_environment(
    readers: tuple[Path, dict[str, Any], str], seed: str
) -> None:
    folder, _, _ = readers
    for zone in ("UTC", "<+14>-14"):
        passes(folder, "-c", ELSEWHERE, str(folder / "out"), seed, TZ=zone, PYTHONHASHSEED=seed)


def test_what_the_user_wants_is_patched_too(tmp_path: Path) -> None:
    patches = ("--patch", "web.get", "--patch", "subprocess", "--patch", "client.lookup")
    module, text = generated(
        tmp_path, {"client.py": CLIENT, "web.py": WEB}, "client.py", "--style", "pytest", *patches
    )
    assert module["lines"] == module["covered_lines"], text
    assert module["branches"] == module["covered_branches"], text
    assert 'patch("client.web.get", side_effect=Failure)' in text
    assert 'get.assert_called_once_with("https://example.org/users/' in text
    assert "subprocess.CompletedProcess(" in text
    assert 'patch("client.lookup", return_value=' in text
    passes(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "out"))


def test_what_the_user_takes_out_is_really_called(tmp_path: Path) -> None:
    source = "import time\n\ndef later(seconds: float) -> bool:\n    return time.time() + seconds > 0\n"
    _, text = generated(tmp_path, {"late.py": source}, "late.py", "--no-patch", "time")
    assert "patch" not in text


@pytest.mark.parametrize(
    ("option", "name", "said"),
    [
        ("--no-patch", "time.tiem", "'time.tiem' is not patched anyway; did you mean time.time?"),
        ("--patch", "subprocess.ran", "there is no ran in subprocess; did you mean run?"),
        ("--patch", "nowhere.fetch", "there is no module that 'nowhere.fetch' could be in"),
    ],
)
def test_a_wrong_name_is_said(tmp_path: Path, option: str, name: str, said: str) -> None:
    (tmp_path / "late.py").write_text("def later() -> int:\n    return 1\n", encoding="utf-8")
    done = run("generate", "late.py", "-o", "out", option, name, cwd=tmp_path)
    assert 2 == done.returncode
    assert said in " ".join(done.stderr.split())
