"""No two tests of a file say the same, however different the cases are that they come from."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner

from tracetwin.cli.main import main
from tracetwin.emit.render.render import Rendered, RenderedTest

SOURCE = """\
def recurse(*cls):
    def wrap(f):
        def wrapped(tree):
            for part in tree.get_parts():
                if not isinstance(part, cls):
                    wrapped(part)
            f(tree)

        return wrapped

    return wrap
"""


def test_each_test_that_is_there_already_is_told() -> None:
    words = (("a()",), ("b()",), ("a()",), ("a()",))
    tests = [RenderedTest("TestIt", f"test_{n}", n, (), one) for n, one in enumerate(words)]
    assert [2, 3] == list(Rendered("", tests).repeated())


def test_tests_of_different_classes_may_be_alike() -> None:
    names = ("TestOne", "TestTwo")
    tests = [RenderedTest(name, "test_it", at, (), ("a()",)) for at, name in enumerate(names)]
    assert not list(Rendered("", tests).repeated())


@pytest.mark.slow
def test_no_two_tests_of_a_file_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "repeated_sample.py").write_text(SOURCE)
    options = ["--max-runs", "100", "-j", "1", "--no-journal", "-o", str(tmp_path / "t")]
    done = CliRunner().invoke(main, ["generate", str(tmp_path / "repeated_sample.py"), *options])
    assert done.exit_code == 0, done.output
    tree = ast.parse((tmp_path / "t" / "test_repeated_sample.py").read_text())
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    bodies = [ast.dump(ast.Module(test.body, [])) for test in tests]
    assert len(bodies) > 2
    assert len(bodies) == len(set(bodies))
