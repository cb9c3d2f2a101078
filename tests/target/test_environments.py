"""The environment of a project is found where it is active, in the project, or where tools keep it."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from tracetwin.target.environments import environment_above

POETRY = '[tool.poetry]\nname = "Env Sample"\n'
PROJECT = '[project]\nname = "Env.Sample"\nversion = "1"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "UV_PROJECT_ENVIRONMENT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HATCH_DATA_DIR", str(tmp_path / "hatch"))
    monkeypatch.setenv("POETRY_CACHE_DIR", str(tmp_path / "poetry"))
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT)
    return folder


def made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("")
    return folder


def found(project: Path) -> str:
    root = project / "src"
    return environment_above([root])


def identity(project: Path) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(str(project).encode()).digest()).decode()[:8]


def test_none(project: Path) -> None:
    made(project.parent / ".venv")  # above the project: not its own
    assert not found(project)


def test_in_the_project_before_what_tools_keep(project: Path) -> None:
    made(project.parent / "hatch" / "env" / "virtual" / "env-sample" / identity(project) / "env-sample")
    assert str(made(project / ".venv")) == found(project)


def test_of_uv(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_PROJECT_ENVIRONMENT", "elsewhere")
    assert str(made(project / "elsewhere")) == found(project)


def test_of_hatch(project: Path) -> None:
    place = project.parent / "hatch" / "env" / "virtual" / "env-sample" / identity(project) / "env-sample"
    assert str(made(place)) == found(project)


def test_of_poetry(project: Path) -> None:
    (project / "pyproject.toml").write_text(POETRY)
    made(project.parent / "poetry" / "virtualenvs" / "env_sample-AAAAAAAA-py3.12")  # another project's
    place = project.parent / "poetry" / "virtualenvs" / f"env_sample-{identity(project)}-py3.12"
    assert str(made(place)) == found(project)


def test_a_name_that_leads_elsewhere_is_none(project: Path) -> None:
    (project / "pyproject.toml").write_text('[project]\nname = "../../x"\n')
    assert not found(project)


def test_of_conda_unless_it_is_the_base(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONDA_PREFIX", "/conda/envs/shop")
    assert found(project) == "/conda/envs/shop"
    monkeypatch.setenv("CONDA_DEFAULT_ENV", "base")
    assert not found(project)
