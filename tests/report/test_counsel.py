"""Advice comes from the line, with the names and the words to write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.report.hostile import result
from tracetwin.model.goal import Uncovered
from tracetwin.report.counsel import Counsel
from tracetwin.report.gaps import biggest, gaps_of
from tracetwin.report.mutant_counsel import mutant_advice
from tracetwin.report.result import Module, ReportedMutant, result_of
from tracetwin.report.sides import SourceLines

SOURCE = """\
import os
import subprocess
import time

from hashlib import md5

try:
    import fast
    FAST = True
except ImportError:
    FAST = False


class Till:
    def __init__(self, start: int) -> None:
        self.open = False

    def unlock(self) -> None:
        self.open = True

    def take(self, amount: int) -> int:
        if self.open:
            return amount
        return 0


def price(amount, member: bool, seen: int = 0):
    if not amount > 3:
        return seen
    try:
        one = amount["x"]
        two = time.strptime(one)
    except KeyError:
        return 1
    except ValueError:
        return 2
    if hasattr(os, "nowhere"):
        return 3
    if time.time() > 4:
        return 4
    if md5(amount).digest() == b"5":
        return 5
    if FAST:
        return 6
    if isinstance(amount, set):
        return 7
    out = subprocess.check_output(["ls"])
    return outer(out)


def outer(value: int) -> int:
    return value


def _inner(x):
    return _deeper(x)


def _deeper(x):
    if x:
        return 1
    return 2


if __name__ == "__main__":
    price(1, True)
"""


def line_of(text: str) -> int:
    return next(at for at, line in enumerate(SOURCE.split("\n"), 1) if text in line)


def module(folder: Path, ran: list[str], **others: Any) -> Module:
    plain = result(folder, bad="")
    (found,) = plain["modules"]
    (folder / "shop.py").write_text(SOURCE, encoding="utf-8")
    found.update(name="shop", file="shop.py", test_file="t/test_shop.py", mutants=[], goals=[], trees={})
    found["cases"][0].update(lines=[line_of(text) for text in ran], branches=[])
    figures = {key: found["functions"][0][key] for key in ("runs", "queries", "seconds")}
    figures["ended"] = "time or runs were used up"
    found["functions"] = [
        {**found["functions"][0], **figures, "name": name, "misfits": lines}
        for name, lines in (("price", [line_of("one = amount")]), ("Till.take", []))
    ]
    found["options"] = {"time_limit": 5.0, "max_runs": None}
    found["refusals"] = [
        {"event": "subprocess.Popen", "detail": "ls", "function": "price", "opened_by": "subprocess"},
        {"event": "open.read", "detail": "/proc/1/a", "function": "Till.take", "opened_by": "read:PATH"},
        {"event": "open.read", "detail": "/proc/2/a", "function": "Till.take", "opened_by": "read:PATH"},
    ]
    found.update(others)
    plain["modules"][0]["file"] = str(folder / "shop.py")
    read = result_of(plain).modules[0]
    return replace(read, file="shop.py")


UP_TO = [
    "if not amount", "one = amount", "two = time", "if hasattr", "if time.time", "if md5", "if FAST",
    "if isinst",
]  # fmt: skip
SPENT = "budget spent"
CONCRETE = "condition did not depend on the arguments in any run (line 9)"
AWAITED = "no input was found that raises the exception handled here: X in lines 30 to 31"


@pytest.mark.parametrize(
    ("line", "reason", "told"),
    [
        ("return seen", SPENT, [
            "It takes `not amount > 3` in line 28.",
            "9 runs, 3 questions to the solver and 1.5 s went into `price`",
            "`tracetwin generate shop.py:price -o t --time-limit 20`",
            "A type hint for `amount` in `def price`",
        ]),
        ("return 1", AWAITED, ["`KeyError` has to come out of `amount['x']`"]),
        ("return 2", AWAITED, ["`ValueError` has to come", "--patch time.strptime` tests can"]),
        ("return 3", CONCRETE, ["It takes `hasattr(os, 'nowhere')`", "Python's version, the platform"]),
        ("return 4", CONCRETE, ["`time.time` (line 39)", "shop.py:price -o t --patch time.time`"]),
        ("return 5", "value lost at a call into C code: _hashlib.md5 (line 41)", ["--patch hashlib.md5`"]),
        ("return 6", CONCRETE, ["the module's `FAST` (line 11)", '`unittest.mock.patch("shop.FAST", ...)`']),
        ("return 7", "infeasible for the argument types tried", ["A type hint for `amount: set`"]),
        ("return outer", "refused before it is reached: to start programs", [
            "It takes `not isinstance(amount, set)`",
            "-o t --allow subprocess`", "`--patch subprocess.check_output`",
        ]),
        ("return 6", "excluded on each path that was asked about", ["It takes `FAST`", "Give it more: `"]),
        ("return seen", "infeasible (proved)", ["It would take `not amount > 3` in line 28. No"]),
        ("return 7", "no input within the limits of generated inputs", ["No value of the classes"]),
        ("return 4", "reached, but no test could be written: shop.time.time is asked more often than while", [
            "`tracetwin generate shop.py:price -o t --no-patch time.time`",
        ]),
        ("    price(1", "runs only while the module is imported otherwise", ["`python -m shop`"]),
        ("    FAST = True", "runs only while the module is imported", ["`import fast` (line 8) succeeds"]),
        ("return _deeper", "not reached by any public", ["`tracetwin generate shop.py:_inner -o t`"]),
        ("return seen", "budget spent: most of it went into outer", [
            "Give it all by itself: `tracetwin generate shop.py:price -o t --time-limit 5`",
        ]),
        ("return 6", "the command line (sys.argv) decides it, and no argument (line 9)", [
            "no argument of `price`", '`unittest.mock.patch("sys.argv"',
        ]),
        ("two = time", "every run that comes to line 31 ends there: KeyError", [
            "It takes an input for which it does not raise. So far 9 runs", "Give it more: `tracetwin",
        ]),
        ("return 7", "no run goes there but by misuse: a value of a guessed type is refused (TypeError)", [
            "It takes `isinstance(amount, set)`", "shop.py:price -o t --misuse keep`",
        ]),
    ],
)  # fmt: skip
def test_each_line_gets_its_own_advice(tmp_path: Path, line: str, reason: str, told: list[str]) -> None:
    advice = Counsel(module(tmp_path, UP_TO)).for_line(line_of(line), reason)
    assert [words for words in told if words not in advice] == [], advice


def test_a_type_hint_is_advised_where_types_were_guessed_wrong(tmp_path: Path) -> None:
    found = module(tmp_path, UP_TO)
    hinted, other = "A type hint for `amount`", "A test or a doctest of yours"
    line, fitting = line_of("return seen"), [replace(one, misfits=()) for one in found.functions]
    assert hinted in Counsel(found).for_line(line, SPENT)
    advice = Counsel(replace(found, functions=tuple(fitting))).for_line(line, SPENT)
    assert hinted not in advice
    assert other in advice


def test_where_a_wrong_type_has_to_raise_only_what_is_written_there_is_named(tmp_path: Path) -> None:
    source = "def f(a, b):\n    try:\n        n = len(a)\n    except TypeError:\n        return b\n"
    found = module(tmp_path, [])
    cases = (replace(found.cases[0], lines=frozenset((2, 3))),)
    found = replace(found, source=source, cases=cases, functions=(replace(found.functions[0], name="f"),))
    why = "no input was found that raises the exception handled here: TypeError in line 3"
    assert "A type hint for `a` in `def f`" in Counsel(found).for_line(5, why)


def test_the_state_that_a_condition_asks_for_is_made_by_what_sets_it(tmp_path: Path) -> None:
    counsel = Counsel(module(tmp_path, ["if self.open"]))
    advice = counsel.for_line(line_of("return amount"), "no sequence of calls that was tried brings")
    assert "`open` is set in `Till.__init__` (line 16) and `Till.unlock` (line 19)." in advice
    assert '`"shop.Till" = "factories:make_till"`' in advice
    refused = counsel.for_line(line_of("return 0"), "refused before it is reached: to read files")
    assert "--allow read:/proc`" in refused, "a folder for several files"


def test_without_anything_left_to_try_no_more_time_is_advised(tmp_path: Path) -> None:
    found = module(tmp_path, ["if self.open"])
    done = tuple(replace(one, ended="nothing was left to try") for one in found.functions)
    advice = Counsel(replace(found, functions=done)).for_line(
        line_of("return amount"), "no input or sequence of calls that was tried leads here"
    )
    assert "More time changes nothing" in advice
    assert "--time-limit" not in advice


def test_more_is_advised_where_every_side_was_taken_and_lines_are_missing(tmp_path: Path) -> None:
    found = module(tmp_path, ["if self.open"])
    over = tuple(replace(one, ended="every side of a condition was taken") for one in found.functions)
    why = f"every run that comes to line {line_of('if self.open')} ends there: KeyError"
    done = tuple(replace(one, ended="nothing was left to try") for one in found.functions)
    more, nothing = (
        Counsel(replace(found, functions=one)).for_line(line_of("return amount"), why) for one in (over, done)
    )
    assert "`tracetwin generate shop.py:Till.take -o t --time-limit 20`" in more
    assert "nothing was left" not in more
    assert "--time-limit" not in nothing
    assert '`"shop.Till" = "factories:make_till"`' in nothing


def test_a_function_that_several_lines_call_has_the_advice_of_the_first(tmp_path: Path) -> None:
    here = line_of("return outer(out)")
    why = {here: SPENT, line_of("return _deeper"): f"called in lines {here} and 99, which no test runs"}
    found = module(tmp_path, UP_TO, uncovered=[{"line": one, "reason": told} for one, told in why.items()])
    advice = Counsel(found).for_line(line_of("return _deeper"), why[line_of("return _deeper")])
    assert f"Line {here}, or another of these, has to be run: It takes `not isinst" in advice
    assert "generate shop.py:price" in advice


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("it changes files", "tempfile.TemporaryDirectory()"),
        ("it depends on which files there are", "makes these files first"),
        ("the written test did not pass: AssertionError: X not raised", "standard streams, the command line"),
        ("it returns nothing that can be compared", "can't be written down"),
    ],
)
def test_what_keeps_a_test_from_being_written_has_advice_of_its_own(
    tmp_path: Path, why: str, told: str
) -> None:
    reason = f"reached, but no test could be written: {why}"
    assert told in Counsel(module(tmp_path, UP_TO)).for_line(line_of("return seen"), reason)


NESTED = """\
from rules import HEADER, rules


def f(x):
    class Tee:
        def write(self, text):
            return text
    found = HEADER.match(x)
    if found:
        return Tee()
    known = rules.match(x)
    if known:
        return 1
"""


def test_commands_name_what_can_be_called_and_patched(tmp_path: Path) -> None:
    found = replace(module(tmp_path, []), source=NESTED, cases=())
    counsel = Counsel(found)
    assert "generate shop.py:f -o t" in counsel.for_line(7, SPENT), "not what stands in it"
    ran = replace(module(tmp_path, []).cases[0], lines=frozenset(range(1, 14)) - {10, 13})
    counsel = Counsel(replace(found, cases=(ran,)))
    why = "value lost at a call into C code: re.match (line {})"
    assert "--patch" not in counsel.for_line(10, why.format(8)), "a pattern's method can't be replaced"
    assert "--patch rules.rules.match" in counsel.for_line(13, why.format(11))


def test_the_biggest_gap_is_the_way_in_that_opens_most(tmp_path: Path) -> None:
    missed = [line_of("return seen"), line_of("return _deeper"), line_of("if x:"), line_of("if x:") + 1]
    found = module(tmp_path, UP_TO, uncovered=[{"line": line, "reason": SPENT} for line in missed])
    first, second = (gap for gap, _ in biggest(gaps_of([found])))
    assert (first.first, first.opened.lines) == (line_of("return _deeper"), 3)
    assert (second.first, second.opened.words) == (line_of("return seen"), "1 line")


def test_lines_outside_of_functions_are_one_gap_for_each_statement(tmp_path: Path) -> None:
    why = "runs only while the module is imported otherwise"
    missed = [line_of("FAST = True") - 1, line_of("FAST = True"), line_of("    price(1")]
    found = module(tmp_path, UP_TO, uncovered=[{"line": line, "reason": why} for line in missed])
    assert [(gap.first, gap.size) for gap in gaps_of([found])] == [(missed[0], 2), (missed[2], 1)]


@pytest.mark.parametrize(
    ("operator", "change", "told"),
    [
        ("comparison", "`<` becomes `<=` in `a.b < c + 1`", "with `a.b == c + 1`"),
        ("comparison", "`<` becomes `>=` in `a < b`", "has to run line 7, and to assert"),
        ("logic", "`and` becomes `or` in `a and b`", "operands of which one holds and one does not"),
        ("logic", "`not a` is left out of `not a and b`", "with `a` and the other operands true"),
        ("logic", "`a` is left out of `a or b`", "with `a` true and the other operands false"),
        ("constant", "`5` becomes `6`", "with `5` or `6` in its place, and to assert what only one"),
        ("exception", "`raise X` is left out", "to assert that the exception is raised"),
        ("variable", "`b` is returned for `a`", "different values for the two names"),
    ],
)
def test_a_mutant_says_which_input_and_which_assertion(operator: str, change: str, told: str) -> None:
    mutant = ReportedMutant(7, "f", change, "survived", "", operator)
    assert told in mutant_advice(mutant, decides=True)


DECIDED = """\
class Map:
    def __init__(self, *args, **options):
        self.held = dict()
        self.masked = options.pop("masked", False)
        if args:
            if not isinstance(args[0], Map):
                return
        for key in options:
            if self.masked and key:
                raise KeyError

    def plain(self, seen=None):
        for one in self.held.values():
            if seen is not None:
                one = seen[one]
            elif type(one) is tuple:
                return 1


def text(value):
    if not isinstance(value, str):
        return 1


def told(output):
    found = False
    if output is None:
        found = True
    if found:
        return 1


class Other:
    def plain(self):
        return self.held.plain()
"""


@pytest.mark.parametrize(
    ("at", "ran", "told"),
    [
        (7, 6, "`*args` may decide it all the same"),
        (10, 9, "`**options` may decide it all the same"),
        (17, 16, "What the object holds may decide it"),
        (22, 21, "`value` may decide it all the same, but no run showed how. A type hint for `value` in"),
        (30, 29, "`output` may decide it"),
    ],
)
def test_what_decides_a_condition_is_what_comes_to_it(tmp_path: Path, at: int, ran: int, told: str) -> None:
    found = module(tmp_path, [])
    cases = (replace(found.cases[0], lines=frozenset(range(1, ran + 1))),)
    advice = Counsel(replace(found, source=DECIDED, cases=cases)).for_line(at, CONCRETE)
    assert told in advice
    assert "--patch" not in advice


def test_a_call_of_another_class_is_no_caller(tmp_path: Path) -> None:
    missed = [13, 36]
    found = module(tmp_path, [], uncovered=[{"line": line, "reason": SPENT} for line in missed])
    lines = SourceLines(replace(found, source=DECIDED, cases=()))
    assert [(lines.at(line).behind, lines.at(line).near) for line in missed] == [(0, "")] * 2


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("shop.py", "", ["`python -m shop`", '`runpy.run_module("shop", run_name="__main__")`']),
        ("shop/__init__.py", "", ["`python shop/__init__.py`", 'run_path("shop/__init__.py", run_name=']),
        ("shop/__init__.py", "from . import till\n", ["no test is generated of it."]),
    ],
)
def test_no_command_is_told_that_does_not_run_a_program(
    tmp_path: Path, file: str, text: str, told: list[str]
) -> None:
    source = f"{text}if __name__ == '__main__':\n    def f(x):\n        return x\n"
    line = source.count("\n")
    why = f'runs only as a program, below `if __name__ == "__main__":` (line {line - 2})'
    found = module(tmp_path, [], uncovered=[{"line": at, "reason": why} for at in (line - 1, line)])
    counsel = Counsel(replace(found, source=source, cases=(), file=file))
    advice = counsel.for_line(line, why)
    assert [words for words in told if words not in advice] == [], advice
    assert ("`" in advice) == (len(told) > 1)
    assert counsel.function(line) == ""


def test_what_no_generated_test_closes_comes_last(tmp_path: Path) -> None:
    why = 'runs only as a program, below `if __name__ == "__main__":` (line 1)'
    missed = [{"line": line, "reason": why} for line in range(2, 31)]
    last = {"line": 33, "reason": SPENT}
    source = "if __name__ == '__main__':\n" + "    a = 1\n" * 29 + "\ndef f(x):\n    return x\n"
    found = module(tmp_path, [], uncovered=[*missed, last])
    source = source.replace("a = 1", "f(1)")
    first, second = gaps_of([replace(found, source=source, cases=(), functions=())])
    assert (first.first, second.first) == (33, 2)
    assert first.opened.lines == 1, "the program that calls it is no part of it"


SHOWN = """\
class Version:
    \'\'\'A version.

    >>> Version("1").up("rc")
    2
    \'\'\'
    def __init__(self, text: str) -> None:
        self.text = text

    def up(self, part: str) -> int:
        \'\'\'Raise it.

        >>> from toys import one
        >>> Version(one).up("rc")  # the next
        2
        >>> Version("rc9").up("part")
        3
        \'\'\'
        if part in self.text:
            return 1
        if isinstance(part, int):
            return 2
        return 0

    def down(self, part: str) -> int:
        \'\'\'Lower it.

        >>> shop.Version("rc9").down("part")
        \'\'\'
        return 3 if part else 4


def other(text: str) -> int:
    if text:
        return 1
"""


@pytest.mark.parametrize(
    ("line", "ran", "told"),
    [
        (20, 19, "in lines 14 and 16 may lead there: `tracetwin generate "),
        (20, 19, ' --learn-from "pytest --doctest-modules shop.py"` learns from it.'),
        (22, 21, "A test or a doctest of yours for which that holds"),
        (30, 24, "The example in line 28 may lead there, put into a test: `tracetwin generate "),
        (30, 24, ' --learn-from "pytest -q"` learns from it.'),
        (35, 34, "A test or a doctest of yours"),
    ],
)
def test_examples_of_the_docstring_are_pointed_to(tmp_path: Path, line: int, ran: int, told: str) -> None:
    found = module(tmp_path, [])
    cases = (replace(found.cases[0], lines=frozenset(range(1, ran + 1)), call=""),)
    counsel = Counsel(replace(found, source=SHOWN, cases=cases))
    assert told in counsel.for_line(line, SPENT)


def test_examples_that_tests_run_already_are_not_pointed_to(tmp_path: Path) -> None:
    found = module(tmp_path, [])
    calls = ('Version(one).up( "rc")', "Version('rc9').up('part')", 'Version("1").up("rc")')
    cases = tuple(replace(found.cases[0], lines=frozenset(range(1, 20)), call=call) for call in calls)
    advice = Counsel(replace(found, source=SHOWN, cases=cases)).for_line(20, SPENT)
    assert "A test or a doctest of yours" in advice


PARSER = """
import sys

if sys.version_info > (3,):
    if sys.version_info > (3, 1):
        NEW = 1
    else:
        NEW = 2


class Parser:
    def __init__(self):
        self.text = ""
        self.known = {}

    def parse(self, block):
        self.text = block.strip()
        self.stack = []
        while self.step(block):
            pass

    def step(self, block):
        return self._letter(block) or self.close(block)

    def peek(self):
        return self.text[:1]

    def close(self, block: "Block | Parser", next: Parser = None):
        found = self.peek()
        if found:
            return block
        self.stack.append(block)

    def _letter(self, block):
        if block == "x":
            return 1
        return 0

    def learn(self, name):
        self.known[name] = 1

    def ask(self, name):
        def inner():
            if self.known:
                return 2
        return inner()
"""


def parser(folder: Path, **others: Any) -> Module:
    found = module(folder, [])
    names = ("Parser.parse", "Parser.step", "Parser.close", "Parser.ask")
    functions = tuple(replace(found.functions[0], name=name) for name in names)
    (folder / "parser.py").write_text(PARSER, encoding="utf-8")
    cases = (replace(found.cases[0], lines=frozenset({29, 30, 32, 35, 44, 46}), function="Parser.close"),)
    return replace(found, source=PARSER, functions=functions, cases=cases, misses=(), **others)


OF_PARSER = "`tracetwin generate shop.py:Parser."
MISSING = "AttributeError in line 32: 'Parser' object has no attribute 'stack'"
OF_STATE = f"runs end by what the object holds, whatever is passed: {MISSING}"
ASKED = "no sequence of calls that was tried brings the object into the state that line 44 asks for"


@pytest.mark.parametrize(
    ("line", "reason", "told"),
    [
        (31, SPENT, f"`Parser.parse` sets `text` and leads here: give that more: {OF_PARSER}parse -o t"),
        (36, SPENT, f"`Parser.step` leads here: give that more: {OF_PARSER}step -o t"),
        (32, OF_STATE, "`stack` is set in `Parser.parse` (line 18)."),
        (45, ASKED, "`known` is set in `Parser.__init__` (line 14) and `Parser.learn` (line 40). If no call"),
        (45, ASKED, '`"shop.Parser" = "factories:make_parser"`'),
        (31, "argument could not be built: learn raised IndexError: no", '`"shop.Parser" ='),
        (8, "runs only while the module is imported", "`sys.version_info > (3, 1)` (line 5) decides it"),
    ],
)  # fmt: skip
def test_where_calls_by_others_lead_the_one_that_prepares_is_advised(
    tmp_path: Path, line: int, reason: str, told: str
) -> None:
    assert told in Counsel(parser(tmp_path)).for_line(line, reason)


OTHER_KIND = "no value of another kind came to the condition in line 43 in any run"
ALWAYS = f"{OTHER_KIND}: `amount` (its hint is `Mapping`) was always a dict"


@pytest.mark.parametrize(
    ("line", "reason", "told", "not_told"),
    [
        ("return 6", ALWAYS, "A wider hint than that of `amount` lets", "may decide it"),
        ("return outer", "runs that come to line 45 are ended in it: TypeError", "It takes an", "--misuse"),
    ],
)  # fmt: skip
def test_advice_fits_what_the_runs_showed(
    tmp_path: Path, line: str, reason: str, told: str, not_told: str
) -> None:
    advice = Counsel(module(tmp_path, UP_TO)).for_line(line_of(line), reason)
    assert told in advice
    assert not_told not in advice


def test_a_line_to_which_both_ways_lead_takes_neither(tmp_path: Path) -> None:
    source = "def f(x):\n    if x:\n        x = 1\n    return x\n"
    found = replace(module(tmp_path, []), source=source, misses=(Uncovered(4, SPENT, "", 2, 0),), cases=())
    assert "Runs have to come past line 2." in Counsel(found).for_line(4, SPENT)


READER = """\
class Reader:
    def __init__(self, text):
        self.text = text

    def read(self):
        if self._ends():
            return 1
        return self._next()

    def _ends(self):
        return self.text == "end"

    def _next(self):
        if self.text == "x":
            return 2
"""


def test_another_object_is_advised_where_what_it_is_made_with_decides(tmp_path: Path) -> None:
    found = module(tmp_path, [])
    cases = (replace(found.cases[0], lines=frozenset((6, 8, 11, 14)), function="Reader.read"),)
    names = {"Reader.read": "nothing was left to try", "Reader._next": "time or runs were used up"}
    functions = tuple(replace(found.functions[0], name=name, ended=ended) for name, ended in names.items())
    found = replace(found, source=READER, cases=cases, functions=functions, misses=())
    hangs = "no run made the condition true, and which value would is not known: line 14 hangs on `text`"
    advice = Counsel(found).for_line(15, hangs)
    assert "It takes an object of `Reader` made with another `text`." in advice
    assert "Give it more: `tracetwin generate shop.py:Reader._next -o t" in advice
    assert "Reader.read" not in advice, "which does not reach the other side of the inner one"
    ended = Counsel(found).for_line(8, "every run that comes to line 6 ends there: ValueError")
    assert "other calls make it first" not in ended
