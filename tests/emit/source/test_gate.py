from __future__ import annotations

import pytest

from tracetwin.emit.source.gate import check_definition, check_test
from tracetwin.emit.source.identifiers import Unwritable

KNOWN = {"f", "math", "os", "subprocess", "contextlib", "pytest", "unittest"}


def method(*lines: str) -> list[str]:
    return ["    def test(self):", *(f"        {line}" for line in lines)]


@pytest.mark.parametrize(
    "lines",
    [
        ["self.assertEqual(1, f(2, key=[math.inf]))"],
        ["box = f()", "box.value += 1", "del box[0]", "assert {key: box[key] for key in box}"],
        ["with self.assertRaises(OSError) as caught:", "    f()", "self.assertTrue(str(caught.exception))"],
        ["async def collect():", "    return [item async for item in f()]", "_ = collect"],
        ["self.assertIs(open, f(eval))"],
        ["f(subprocess.CalledProcessError(1, 'x'), os.stat_result(range(10)))"],
        ["f(getattr(f, 'odd name'), **{'odd name': 1})"],
    ],
)
def test_what_tests_say_is_let_through(lines: list[str]) -> None:
    check_test(method(*lines), KNOWN)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["f()", "import os"], "statement that no test has: Import"),
        (["global f"], "Global"),
        (["while f():", "    pass"], "While"),
        (["f(__import__('os'))"], "calls __import__"),
        (["f(eval('1'))"], "calls eval"),
        (["open('x', 'w')"], "calls open"),
        (["os.remove('x')"], "calls os.remove"),
        (["f(subprocess.run(['x']))"], "calls subprocess.run"),
        (["f(os.path.os.system('x'))"], "calls os.path.os.system"),
        (["f(unknown)"], "speaks of unknown"),
        (["f.__globals__['x']"], "looks at __globals__"),
        (["().__class__.__base__.__subclasses__()"], "looks at __"),
        (["f("], "no valid Python"),
        (["f('\u202e')"], "holds the character U+202E"),
        (["f('\x1b')"], "holds the character U+001B"),
    ],
)
def test_everything_else_is_refused(lines: list[str], words: str) -> None:
    with pytest.raises(Unwritable, match=words.replace("(", r"\(").replace("+", r"\+")):
        check_test(method(*lines), KNOWN)


@pytest.mark.parametrize(
    "more", ["    x = 1", "    def other(self): pass", "x = 1", "class U: pass", "    class U: pass"]
)
def test_a_test_is_one_function(more: str) -> None:
    with pytest.raises(Unwritable, match="more than one function"):
        check_test([*method("f()"), more], KNOWN)


def test_decorators_are_looked_at_too() -> None:
    with pytest.raises(Unwritable, match="calls eval"):
        check_test(["    @f(eval('x'))", *method("f()")], KNOWN)


def test_definitions_do_nothing_by_themselves() -> None:
    check_definition(["class Stub(f):", "    def poll(self, n):", "        return n"], KNOWN)
    with pytest.raises(Unwritable, match="more than a class"):
        check_definition(["class Stub(f): pass", "f()"], KNOWN)
    with pytest.raises(Unwritable, match="Import"):
        check_definition(["class Stub(f):", "    import os"], KNOWN)
