from __future__ import annotations

import pickle

import pytest

from tests.target.layout import lay_out
from tracetwin.config import read
from tracetwin.support.errors import ConfigError

TABLE = "[tool.tracetwin]\nseed = {}\n"


def test_the_nearest_table_above_a_root_counts(tmp_path, monkeypatch):
    lay_out(tmp_path, {
        "pyproject.toml": TABLE.format(1),
        "inner/pyproject.toml": "[tool.other]\n",
        "inner/src/a.py": "",
        "elsewhere/pyproject.toml": TABLE.format(2),
    })  # fmt: skip
    monkeypatch.chdir(tmp_path / "elsewhere")
    config = read.found([tmp_path / "inner" / "src"])
    assert (1, tmp_path / "pyproject.toml") == (config.options["seed"], config.file)


def test_without_one_above_the_targets_that_of_the_current_folder_counts(tmp_path, monkeypatch):
    lay_out(tmp_path, {"here/pyproject.toml": TABLE.format(2), "here/below/": "", "targets/a.py": ""})
    monkeypatch.chdir(tmp_path / "here" / "below")
    assert 2 == read.found([tmp_path / "targets"]).options["seed"]


def test_the_place_of_a_wheel_says_nothing(tmp_path, monkeypatch):
    wheel = "wheels/a-1-py3-none-any.whl"
    wheels: dict[str, str | bytes] = {"wheels/pyproject.toml": TABLE.format(3), wheel: b""}
    lay_out(tmp_path, {**wheels, "x/": ""})
    monkeypatch.chdir(tmp_path / "x")
    assert read.found([tmp_path / "wheels" / "a-1-py3-none-any.whl"]).is_empty


def test_two_configurations_are_one_too_many(tmp_path):
    lay_out(tmp_path, {"a/pyproject.toml": TABLE.format(1), "b/pyproject.toml": TABLE.format(2)})
    with pytest.raises(ConfigError, match=r"some targets belong to .* name one with --config"):
        read.found([tmp_path / "a", tmp_path / "b"])
    assert 1 == read.found([tmp_path / "a", tmp_path / "a"]).options["seed"]


def test_a_broken_file_of_somebody_else_is_passed_over(tmp_path, monkeypatch):
    lay_out(tmp_path, {"pyproject.toml": TABLE.format(1), "inner/pyproject.toml": "[oops\n"})
    monkeypatch.chdir(tmp_path)
    assert 1 == read.found([tmp_path / "inner"]).options["seed"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[tool.tracetwin]\nseed = \n", "is not TOML: "),
        (b"[tool.tracetwin]\nx = " + b"[" * 9000 + b"]" * 9000, "is nested too deeply to be read"),
        (b"[tool.tracetwin]\nx = " + b"9" * 9000, "can't be read: "),
        (b"[tool.tracetwin]\nseed = 1 # \xff\n", "is not UTF-8"),
        (b"[tool.tracetwin]\nsede = 1\n", "sede: there is no such key; did you mean seed?"),
        (b"[tool]\ntracetwin = 3\n", "tool.tracetwin: is not a table"),
    ],
)
def test_a_file_that_is_meant_and_wrong_is_an_error(tmp_path, content, said):
    lay_out(tmp_path, {"pyproject.toml": content})
    for look in (lambda: read.found([tmp_path]), lambda: read.named(tmp_path / "pyproject.toml")):
        with pytest.raises(ConfigError) as caught:
            look()
        assert str(caught.value).startswith(f"{tmp_path / 'pyproject.toml'}: ")
        assert said in str(caught.value)


def test_a_named_file_must_have_the_table(tmp_path):
    lay_out(tmp_path, {"other.toml": TABLE.format(4), "none.toml": "[tool.x]\n"})
    assert 4 == read.named(tmp_path / "other.toml").options["seed"]
    with pytest.raises(ConfigError, match=r"tool\.tracetwin: is not in it; name another file"):
        read.named(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="can't be read: No such file"):
        read.named(tmp_path / "nosuch.toml")


def test_errors_travel_between_processes():
    error = ConfigError("a.toml", "seed", "is odd")
    assert "a.toml: seed: is odd" == str(pickle.loads(pickle.dumps(error)))
