"""What targets may do to the world: from the command line and the configuration to the rules of a module."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.target.layout import FUNCTION, lay_out
from tracetwin.config.schema import checked
from tracetwin.config.settle import configuration, guided, settled, warnings
from tracetwin.model.options import Options
from tracetwin.process.walls.permissions import Permissions
from tracetwin.support.errors import ConfigError
from tracetwin.target.selection import resolve_all

TABLE = {"permissions": ["write:build", "net"], "output": "out"}


@pytest.fixture
def project(tmp_path, monkeypatch):
    lay_out(tmp_path, {"shop.py": FUNCTION, "deep/pyproject.toml": ""})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def permissions(options: Options) -> Permissions:
    (module,) = guided(resolve_all(["shop.py"]).modules, checked({}, Path("pyproject.toml")), options)
    return Permissions.from_plain(module.rules.get("permissions"))


def test_nothing_is_allowed_by_default(project):
    assert Permissions() == permissions(Options(Path("out")))


def test_what_is_given_is_in_the_rules_of_the_module(project):
    (project / "build").mkdir()
    found = permissions(Options(Path("out"), allow=("net", "write:build", "read:/etc/hosts", "subprocess")))
    etc = str(Path("/etc/hosts").resolve())
    assert Permissions((str(project.resolve() / "build"),), (etc,), net=True, subprocess=True) == found


def test_a_path_that_is_not_there_is_refused(project):
    with pytest.raises(ConfigError, match=r"there is no .*build: make it first"):
        permissions(Options(Path("out"), allow=("write:build",)))


def test_paths_of_the_configuration_start_from_its_folder(project):
    (project / "deep" / "build").mkdir(parents=True)
    config = checked(TABLE, project / "deep/pyproject.toml")
    options = settled(config, {})
    assert Permissions((str(project.resolve() / "deep" / "build"),), net=True) == permissions(options)


def test_the_command_line_wins_over_the_configuration(project):
    config = checked(TABLE, project / "deep/pyproject.toml")
    assert Permissions(subprocess=True) == permissions(settled(config, {"allow": ("subprocess",)}))


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("net", "must be a list of what targets may do"),
        ([7], "must be a list of what targets may do"),
        (["nett"], "is wrong: 'nett' can't be allowed; write write:PATH, read:PATH, net or subprocess"),
        (["write:"], "is wrong: 'write:' can't be allowed"),
        (["net:80"], "is wrong: 'net:80' can't be allowed"),
    ],
)
def test_what_can_not_be_allowed_is_named_with_file_and_key(value, sentence, project):
    with pytest.raises(ConfigError, match=r"pyproject\.toml: permissions: ") as caught:
        checked({"permissions": value}, project / "pyproject.toml")
    assert sentence in str(caught.value)


def test_the_interface_of_python_checks_it_too(project):
    with pytest.raises(ConfigError, match="'everything' can't be allowed"):
        permissions(Options(Path("out"), allow=("everything",)))


HOSTILE = """
[tool.tracetwin]
permissions = ["write:/", "net"]
learn-from = "python evil.py"
output = "../../elsewhere"
jobs = 100000
seed = 7
"""


@pytest.fixture
def hostile(project):
    """The configuration in the folder of the target, as its author wrote it."""
    (project / "pyproject.toml").write_text(HOSTILE, encoding="utf-8")
    return project / "pyproject.toml"


def test_a_configuration_that_was_found_opens_nothing_and_runs_nothing(hostile):
    config = configuration(None, resolve_all(["shop.py"]).modules)
    options = settled(config, {"output": Path("out")})
    assert ((), None, 7) == (options.allow, options.learn_from, options.seed)
    assert Options(Path("out")).jobs == options.jobs
    assert Permissions() == permissions(options)


def test_what_it_wants_is_said_with_the_way_to_grant_it(hostile):
    config = configuration(None, resolve_all(["shop.py"]).modules)
    told = "\n".join(warnings(config, ()))
    assert f"{hostile}: permissions are not granted by a file that was found; say --allow write:/" in told
    assert "--allow net, or name the file with --config" in told
    assert "learn-from is not run for a file that was found; say --learn-from 'python evil.py'" in told
    assert "output leads out of its folder, to ../../elsewhere" in told
    assert "jobs: 100000 are not started" in told


def test_nothing_is_said_of_what_the_caller_decides(hostile):
    config = configuration(None, resolve_all(["shop.py"]).modules)
    assert [] == warnings(config, {"allow", "learn_from", "output", "jobs"})


def test_a_configuration_that_the_user_names_is_obeyed(hostile):
    config = configuration(hostile, resolve_all(["shop.py"]).modules)
    options = settled(config, {})
    assert Permissions(("/",), net=True) == permissions(options)
    assert ("python evil.py", 100_000) == (options.learn_from, options.jobs)
    assert [] == warnings(config, ())
