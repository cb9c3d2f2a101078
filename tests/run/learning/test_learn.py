"""What the user is told of a test run, and where it is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.run.learning.conftest import PYTHON, UNITTEST
from tracetwin.run.learning.learn import project_folder
from tracetwin.run.learning.recording import Definitions
from tracetwin.target.module import TargetModule

ADD = "def add(x):\n    return x\n"


def test_what_was_learned_is_told_in_one_sentence(learn, one_test):
    _, told = learn(ADD, one_test("add(1)\nadd(2)"))
    assert told == [
        f"running {UNITTEST} to learn what its tests pass",
        f"learned from {UNITTEST}: 2 distinct calls of 1 function",
    ]


def test_a_failing_command_is_used_and_told(learn, one_test):
    found, told = learn(ADD, one_test("add(1)\nself.fail()"))
    assert found["add"]["calls"] == [{"x": ["lit", 1]}]
    status = "exit status 1 (FAILED (failures=1)); what it has shown is used all the same"
    assert told[-1] == f"warning: {UNITTEST} ended with {status}"


def test_a_command_without_tests_is_told(learn):
    found, told = learn(ADD, "")
    assert not found
    assert told[-1].endswith("ran no test, so nothing was learned; name the tests as you run them yourself")


def test_a_command_that_is_not_there_is_told(learn):
    found, told = learn(ADD, "", "no-such-program -q")
    assert not found
    why = "there is no program 'no-such-program'; name one that is on the PATH, such as python or pytest"
    assert told == [f"warning: --learn-from 'no-such-program -q': {why}; nothing was learned"]


@pytest.mark.parametrize("command", ["python 'x", " "])
def test_what_is_no_command_is_told(learn, command):
    _, told = learn(ADD, "", command)
    assert len(told) == 1
    assert told[0].startswith("warning: --learn-from ")


def test_tests_of_something_else_are_told(learn, one_test):
    found, told = learn(ADD, one_test("self.assertTrue(True)"))
    assert not found
    assert told[-1] == f"warning: {UNITTEST} called nothing that shop defines; nothing was learned"


def test_a_python_out_of_reach_is_told(learn, one_test):
    _, told = learn(ADD, one_test("add(1)"), UNITTEST.replace("-m", "-E -m", 1))
    assert "started no Python in which calls could be recorded" in told[-1]


@pytest.mark.slow
def test_a_command_that_does_not_end_is_stopped_with_its_children(learn, one_test):
    body = """
        import subprocess, sys
        add(1)
        subprocess.run([sys.executable, "-c", "import time; time.sleep(60)"])
    """
    found, told = learn(ADD, one_test(body), limit=2.0)
    assert found["add"]["calls"] == [{"x": ["lit", 1]}]
    assert told[-1] == (
        f"warning: {UNITTEST} was stopped after 2 seconds; what it had shown until then is used; "
        "--learn-limit gives it longer"
    )


def test_standard_input_is_empty(learn):
    _, told = learn(ADD + "if __name__ == '__main__':\n    add(input())\n", "", f"{PYTHON} shop.py")
    assert "EOFError" in told[-1]


def test_the_command_is_run_where_the_project_begins_unless_one_stands_in_it(tmp_path: Path):
    project = tmp_path / "project"
    (project / "src" / "shop").mkdir(parents=True)
    (project / "setup.cfg").touch()
    module = TargetModule("shop.cart", str(project / "src" / "shop" / "cart.py"), str(project / "src"))
    assert project_folder([module], tmp_path / "elsewhere") == project
    assert project_folder([module], project) == project
    assert project_folder([module], project / "src") == project / "src"
    assert project_folder([module], project / "tests") == project / "tests"


def test_definitions_are_known_by_name_and_first_line(tmp_path: Path):
    source = tmp_path / "m.py"
    source.write_text(
        "class A:\n    @property\n    def x(self):\n        pass\n\n"
        "    if True:\n        def y(self):\n            def z(): pass\n"
    )
    definitions = Definitions()
    assert definitions.named(str(source), "x", 2) == "A.x"
    assert definitions.named(str(source), "y", 7) == "A.y"
    assert definitions.named(str(source), "z", 8) == ""
    assert definitions.named(str(tmp_path / "none.py"), "x", 2) == ""
