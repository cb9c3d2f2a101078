from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from tests.cli.conftest import fail, find_nothing, succeed
from tests.target.layout import FUNCTION, lay_out
from tracetwin.model.options import NET_SECONDS, Options, available_cores
from tracetwin.support.errors import InternalError


def test_tests_are_written_and_reported(fake, project, run):
    result = run("generate", "good.py", "-o", "out")
    assert 0 == result.exit_code
    assert "wrote out/test_good.py (1 test)" in result.stdout
    assert "1 test in 1 file; lines 1/1 (100 %)" in result.stdout
    assert "good: 1/1 lines, 1 test, 0.00 s; wrote out/test_good.py\n" == result.stderr


def test_every_option_arrives(fake, project, run):
    result = run(
        "generate", "good.py", "other", "-o", "deep/out", "--criterion", "branch", "--time-limit", "2.5",
        "--max-runs", "99", "--seed", "7", "-j", "3", "--style", "pytest", "--root", ".",
    )
    assert 0 == result.exit_code
    expected = Options(Path("deep/out"), "branch", 2.5, 99, 7, 3, "pytest")
    assert expected == fake.options
    assert ["good", "other"] == [module.name for module in fake.modules]


def test_the_command_to_learn_from_arrives(fake, project, run):
    result = run("generate", "good.py", "-o", "out", "--learn-from", "pytest -q tests", "--learn-limit", "9")
    assert 0 == result.exit_code
    assert ("pytest -q tests", 9.0) == (fake.options.learn_from, fake.options.learn_limit)


def test_a_time_limit_of_nothing_to_learn_in_is_refused(fake, project, run):
    result = run("generate", "good.py", "-o", "out", "--learn-from", "pytest", "--learn-limit", "0")
    assert 2 == result.exit_code
    assert "--learn-limit" in result.stderr


def test_the_defaults_are_those_of_the_manual(fake, project, run):
    run("generate", "good.py", "-o", "out")
    expected = Options(Path("out"), "branch,exception,mutation", 60.0, None, 0, available_cores(), "unittest")
    assert expected == fake.options


def test_where_executions_bound_the_work_the_time_limit_is_a_net(fake, project, run):
    run("generate", "good.py", "-o", "out", "--max-runs", "99")
    assert (99, NET_SECONDS) == (fake.options.max_runs, fake.options.time_limit)
    run("generate", "good.py", "-o", "out", "--max-runs", "99", "--time-limit", "5")
    assert (99, 5.0) == (fake.options.max_runs, fake.options.time_limit)


def test_a_wrong_target_is_one_sentence_and_the_others_go_on(fake, project, run):
    result = run("generate", "nosuch.py", "good.py", "broken.py", "-o", "out", "-q")
    assert 7 == result.exit_code
    assert ["good"] == [module.name for module in fake.modules]
    lines = result.stderr.splitlines()
    assert "error: nosuch.py: there is no such file" == lines[0]
    assert lines[1].startswith("error: broken.py: syntax error in line 1")
    assert ['  File "broken.py", line 1', "    def f(:", "          ^"] == lines[2:5]
    assert ["SyntaxError: invalid syntax"] == lines[5:]


def test_only_wrong_targets_end_with_1(fake, project, run):
    result = run("generate", "nosuch.py", "-o", "out")
    assert (1, "") == (result.exit_code, result.stdout)
    assert not (project / "out").exists()
    assert fake.options is None


@pytest.mark.parametrize("behaviour", [find_nothing, fail])
def test_nothing_generated_ends_with_1_and_leaves_no_folder(fake, project, run, behaviour):
    fake.behaviours["good"] = behaviour
    assert 1 == run("generate", "good.py", "-o", "out").exit_code
    assert not (project / "out").exists()


def test_an_empty_folder_that_was_there_stays(fake, project, run):
    fake.behaviours["good"] = fail
    (project / "out").mkdir()
    run("generate", "good.py", "-o", "out")
    assert (project / "out").is_dir()


def test_a_module_that_fails_beside_others_has_a_status_of_its_own(fake, project, run):
    fake.behaviours["other"] = fail
    result = run("generate", "good.py", "other.py", "-o", "out")
    assert 7 == result.exit_code
    assert "error: other: importing it raised ZeroDivisionError" in result.stderr
    assert "nothing for 1 module" in result.stdout


def test_targets_that_cannot_be_used_are_counted_as_well(fake, project, run):
    fake.behaviours["other"] = fail
    result = run("generate", "good.py", "other.py", "othr.py", "-o", "out")
    assert 7 == result.exit_code
    assert "othr.py: there is no such file; did you mean 'other.py'?" in result.stderr
    assert "nothing for 2 modules" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Missing argument"),
        (["good.py"], "Missing option"),
        (["good.py", "-o", "good.py"], "is a file"),
        (["good.py", "-o", "good.py/out"], "can't be made"),
        (["good.py", "-o", "out", "--criterion", "magic"], "'magic' is not"),
        (["good.py", "-o", "out", "--style", "nose"], "'nose' is not"),
        (["good.py", "-o", "out", "--time-limit", "0"], "is not in the range"),
        (["good.py", "-o", "out", "--max-runs", "0"], "is not in the range"),
        (["good.py", "-o", "out", "-j", "-1"], "is not in the range"),
        (["good.py", "-o", "out", "--seed", "x"], "is not a valid int"),
        (["good.py", "-o", "out", "--root", "nosuch"], "does not exist"),
        (["good.py", "-o", "out", "--json", "no/where.json"], "is not a folder"),
        (["good.py", "-o", "out", "-v", "-q"], "exclude each other"),
        (["good.py", "-o", "out", "--unknown"], "No such option"),
    ],
)
def test_wrong_usage_ends_with_2(fake, project, run, arguments, words):
    result = run("generate", *arguments)
    assert 2 == result.exit_code
    assert words in result.stderr
    assert fake.options is None


def test_json_for_machines(fake, project, run):
    assert 0 == run("generate", "good.py", "-o", "out", "--json", "result.json").exit_code
    written = json.loads((project / "result.json").read_text())
    assert ("good", 1) == (written["modules"][0]["name"], written["total"]["tests"])


@pytest.mark.parametrize("file", ["result.json", "-"])
def test_json_is_written_when_no_target_is_usable(fake, project, run, file):
    (project / "result.json").write_text("of another run")
    result = run("generate", "broken.py", "nosuch.py", "-o", "out", "--json", file)
    assert 1 == result.exit_code
    written = json.loads(result.stdout if file == "-" else (project / "result.json").read_text())
    assert [] == written["modules"]
    assert written["errors"][0].startswith("broken.py: syntax error in line 1")
    assert "nosuch.py: there is no such file" == written["errors"][1]


def test_json_holds_the_errors_and_notes_of_targets(fake, project, run):
    lay_out(project, {"pkg/__init__.py": FUNCTION, "pkg/data/script.py": FUNCTION})
    run("generate", "good.py", "pkg", "nosuch.py", "-o", "out", "--json", "result.json", "-q")
    written = json.loads((project / "result.json").read_text())
    assert ["nosuch.py: there is no such file"] == written["errors"]
    (note,) = written["notes"]
    assert "its Python file is left out" in note


def test_json_says_that_the_run_failed(fake, project, run):
    def broken(module, options):
        raise InternalError("the tree has no root")

    fake.behaviours["good"] = broken
    result = run("generate", "good.py", "-o", "out", "--json", "-")
    said = "internal error while generating tests: InternalError: the tree has no root"
    assert json.loads(result.stdout)["errors"][0].startswith(said)


def test_json_on_standard_output_stands_alone(fake, project, run):
    result = run("generate", "good.py", "-o", "out", "--json", "-")
    assert "good" == json.loads(result.stdout)["modules"][0]["name"]


def test_quiet_shows_errors_only(fake, project, run):
    fake.behaviours["other"] = fail
    result = run("generate", "good.py", "other.py", "-o", "out", "-q")
    assert "" == result.stdout
    assert "error: other: importing it raised ZeroDivisionError\n" == result.stderr


def test_verbose_shows_divergences(fake, project, run):
    assert "queries   divergences" not in run("generate", "good.py", "-o", "out").stdout
    assert "queries   divergences" in run("generate", "good.py", "-o", "out", "-v").stdout


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_what_was_found_before_an_interruption_is_reported(fake, project, run, number, status):
    def interrupted(module, options):
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
        return succeed(module, options)

    fake.behaviours["good"] = interrupted
    before = signal.getsignal(number)
    result = run("generate", "good.py", "-o", "out")
    assert status == result.exit_code
    assert "wrote out/test_good.py" in result.stdout
    assert before is signal.getsignal(number)


def test_an_interruption_before_anything_was_found(fake, project, run):
    def interrupted(module, options):
        os.kill(os.getpid(), signal.SIGINT)

    fake.behaviours["good"] = interrupted
    result = run("generate", "good.py", "-o", "out")
    assert 130 == result.exit_code
    assert "error: interrupted before anything was found\n" in result.stderr
    assert not (project / "out").exists()


def test_a_bug_of_ours_is_said_to_be_one(fake, project, run):
    def broken(module, options):
        raise InternalError("the tree has no root")

    fake.behaviours["good"] = broken
    result = run("generate", "good.py", "-o", "out")
    assert 3 == result.exit_code
    said = "internal error while generating tests: InternalError: the tree has no root"
    assert f"error: {said}" in result.stderr
    assert "please report it, with the file that --log FILE writes" in result.stderr


def test_escape_codes_in_names_are_not_passed_on(fake, project, run):
    result = run("generate", "\x1b]0;pwned\x07nosuch.py", "-o", "out")
    assert "error: nosuch.py: there is no such file\n" == result.stderr
