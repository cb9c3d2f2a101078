"""Generating again: nothing changed, something changed, and behaviour that changed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tracetwin.cli.main import main
from tracetwin.run.journal import store
from tracetwin.run.journal.place import JournalFolder, digest_of

SHOP = """\
from again_rates import rate


def price(amount: int) -> int:
    if amount > 100:
        return amount * rate() // 10
    return amount
"""
RATES = "def rate() -> int:\n    return 9\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "again_shop.py").write_text(SHOP)
    (tmp_path / "again_rates.py").write_text(RATES)
    return tmp_path


def generate(project: Path, *options: str) -> Result:
    targets = [str(project / f"again_{name}.py") for name in ("shop", "rates")]
    places = ["-o", str(project / "t"), "--store", str(project / "store"), "--json", str(project / "r.json")]
    little = ["--max-runs", "40", "--criterion", "branch"]
    return CliRunner().invoke(main, ["generate", *targets, *places, *little, *options])


def modules(project: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((project / "r.json").read_text())["modules"]
    return found


def suites(project: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted((project / "t").iterdir())}


def test_a_second_run_without_a_change_does_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert generate(project).exit_code == 0
    before, told = suites(project), modules(project)
    digested: list[str] = []

    def digest(file: str) -> str:
        digested.append(file)
        return digest_of(file)

    monkeypatch.setattr(store, "digest_of", digest)
    monkeypatch.setattr(JournalFolder, "begin", lambda *_, **__: pytest.fail("a journal was begun"))
    again = generate(project)
    assert digested
    assert len(digested) == len(set(digested)), "each file is read once, whatever imports it"
    assert again.exit_code == 0, again.output
    assert "nothing has changed" in again.output
    assert suites(project) == before
    assert [module["unchanged"] for module in modules(project)] == [True, True]
    assert [{**module, "unchanged": False} for module in modules(project)] == [
        {**module, "spans": [], "curve": []} for module in told
    ]


@pytest.mark.slow
def test_a_larger_budget_is_a_reason_to_go_on_and_the_same_is_not(project: Path) -> None:
    def unchanged(budget: str) -> list[bool]:
        target, places = str(project / "again_rates.py"), ["-o", str(project / "t")]
        kept = ["--store", str(project / "store"), "--json", str(project / "r.json")]
        options = ["--criterion", "branch", "-j", "1", "--budget", budget]
        CliRunner().invoke(main, ["generate", target, *places, *kept, *options])
        return [module["unchanged"] for module in modules(project)]

    assert [unchanged(budget) for budget in ("8s", "8s", "9s")] == [[False], [True], [False]]


@pytest.mark.slow
def test_tests_stay_on_a_machine_that_knows_nothing_of_their_cases(project: Path) -> None:
    assert generate(project).exit_code == 0
    before, told = suites(project), modules(project)
    counts = ("lines", "covered_lines", "branches", "covered_branches", "tests")
    shutil.rmtree(project / "store")
    for unchanged in (False, True):
        again = generate(project, "--max-runs", "1")
        assert again.exit_code == 0, again.output
        assert suites(project) == before
        for now, then in zip(modules(project), told, strict=True):
            assert now["unchanged"] == unchanged
            assert [now[name] for name in counts] == [then[name] for name in counts]
            assert [test["name"] for test in now["cases"]] == [test["name"] for test in then["cases"]]
    (project / "again_shop.py").write_text(SHOP + "\n\ndef gross(amount: int) -> int:\n    return -amount\n")
    assert generate(project, "--accept").exit_code == 0
    whole = suites(project)["test_again_shop.py"].decode()
    assert "gross(" in whole
    kept = before["test_again_shop.py"].decode().partition("class ")[2].partition("\n\n\n")[0]
    assert kept in whole


@pytest.mark.slow
def test_sides_of_conditions_count_as_well_that_they_take_on_the_twin(project: Path) -> None:
    (project / "again_rates.py").write_text(
        "def rate(a: int = 0, b: int = 0) -> int:\n    return 9 if a > 1 and b > 1 else 8\n"
    )
    finer = ("--criterion", "condition,mcdc")
    assert generate(project, *finer).exit_code == 0
    before, told = suites(project), modules(project)
    shutil.rmtree(project / "store")
    assert generate(project, *finer).exit_code == 0
    assert suites(project) == before
    assert [module["goals"] for module in modules(project)] == [module["goals"] for module in told]


@pytest.mark.slow
def test_without_the_store_behaviour_that_changed_is_told_as_well(project: Path) -> None:
    generate(project)
    before = suites(project)
    shutil.rmtree(project / "store")
    (project / "again_rates.py").write_text(RATES.replace("9", "8"))
    assert generate(project).exit_code == 6
    assert before.items() <= suites(project).items()
    assert generate(project, "--accept").exit_code == 0
    assert b"assertEqual(8, rate())" in suites(project)["test_again_rates.py"]


@pytest.mark.slow
def test_a_coarser_criterion_does_not_keep_the_tests_of_a_finer_one(project: Path) -> None:
    def tests(criterion: str) -> int:
        assert generate(project, "--criterion", criterion).exit_code == 0
        return sum(int(module["tests"]) for module in modules(project))

    small = tests("statement")
    assert tests("statement,boundary") > small
    assert tests("statement") == small
    assert sum(text.count(b"    def test_") for text in suites(project).values()) == small


@pytest.mark.slow
def test_all_is_explored_again_when_asked_for_or_with_other_options(project: Path) -> None:
    generate(project)
    generate(project, "--again")
    assert [module["unchanged"] for module in modules(project)] == [False, False]
    generate(project, "--seed", "3")
    assert [module["unchanged"] for module in modules(project)] == [False, False]


@pytest.mark.slow
def test_tests_that_are_gone_or_edited_are_not_taken_for_known(project: Path) -> None:
    generate(project)
    (project / "t" / "test_again_shop.py").unlink()
    generate(project)
    assert [module["unchanged"] for module in modules(project)] == [False, True]
    assert (project / "t" / "test_again_shop.py").exists()


@pytest.mark.slow
def test_what_a_module_imports_counts_as_its_own(project: Path) -> None:
    generate(project)
    (project / "again_rates.py").write_text(RATES + "\n\ndef unused() -> int:\n    return 1\n")
    generate(project)
    assert [module["unchanged"] for module in modules(project)] == [False, False]


def test_a_change_of_behaviour_is_shown_and_kept_until_it_is_accepted(project: Path) -> None:
    generate(project)
    before = suites(project)["test_again_shop.py"]
    (project / "again_shop.py").write_text(SHOP.replace("return amount\n", "return amount + 1\n"))
    changed = generate(project)
    assert changed.exit_code == 6
    assert "no longer hold" in changed.output
    assert f"--accept replaces {'it:' if '1 test of' in changed.output else 'them:'}" in changed.output
    assert suites(project)["test_again_shop.py"] == before
    assert "test_again_shop.py.new" in suites(project)
    shop = modules(project)[0]
    assert all("AssertionError" in lost["why"] for lost in shop["regressions"])
    assert shop["regressions"]
    accepted = generate(project, "--accept")
    assert accepted.exit_code == 0, accepted.output
    assert suites(project)["test_again_shop.py"] != before
    assert generate(project).exit_code == 0


@pytest.mark.slow
def test_a_change_that_keeps_behaviour_is_no_regression(project: Path) -> None:
    generate(project)
    (project / "again_shop.py").write_text(SHOP.replace("amount * rate() // 10", "rate() * amount // 10"))
    assert generate(project).exit_code == 0
    assert modules(project)[0]["regressions"] == []


def git(project: Path, *arguments: str) -> None:
    name = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run(["git", "-C", str(project), *name, *arguments], check=True, capture_output=True)


@pytest.mark.slow
def test_only_what_a_commit_can_affect(project: Path) -> None:
    git(project, "init", "-q")
    git(project, "add", "again_shop.py", "again_rates.py")
    git(project, "commit", "-qm", "first")
    nothing = generate(project, "--changed-since", "HEAD")
    assert nothing.exit_code == 0
    assert "0 of 2 modules can be affected since HEAD" in nothing.output
    (project / "again_shop.py").write_text(SHOP + "\n")
    generate(project, "--changed-since", "HEAD")
    assert [module["name"] for module in modules(project)] == ["again_shop"]
    git(project, "commit", "-qam", "second")
    (project / "again_rates.py").write_text(RATES + "\n")
    generate(project, "--changed-since", "HEAD")
    assert [module["name"] for module in modules(project)] == ["again_shop", "again_rates"]


def test_a_revision_that_is_none(project: Path) -> None:
    git(project, "init", "-q")
    done = generate(project, "--changed-since", "nowhere")
    assert done.exit_code == 2
    assert "--changed-since: " in done.output


@pytest.mark.slow
def test_a_store_that_somebody_has_damaged_is_worth_nothing(project: Path) -> None:
    generate(project)
    for file in (project / "store").iterdir():
        file.write_bytes(b"cos\nsystem\n(S'true'\ntR.")
    assert generate(project).exit_code == 0
    assert [module["unchanged"] for module in modules(project)] == [False, False]
