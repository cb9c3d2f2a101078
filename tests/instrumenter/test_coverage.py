"""coverage.py counts the same lines and branches on a twin as on its original."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.instrumenter.failing import EXPRESSIONS, PROGRAM, SEVERAL_LINES, STATEMENTS

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parent.parent.parent

WAYS = """\
def ways(a, b, items):
    if a and b:
        x = 1
    elif a or (b and
               a):
        x = 2
    else:
        x = 3
    if (a and
            not b):
        x += 1
    if (
        a < 2
        and b < 2
        and len(items) > 1
    ):
        items[0] += x
    while (x > 0
           and a):
        x -= 1
        if x == 2: continue
        if x == 1: break
    else:
        x = 5
    for item in sorted(
        items,
        key=lambda item: -item,
    ):
        if item > 2: break
    else:
        x = 7
    y = [item * 2
         for item in items
         if item > 1 and
         item < 9]
    z = (x
         if a < b
         else y[0])
    try:
        assert (a
                or b), 'neither'
        return 1 if 0 < a < len(items) < 5 else z / a
    except (AssertionError,
            ZeroDivisionError) as error:
        return f"{error!r:>{x}}"
    finally:
        if y: del y[0]


def generator(n):
    while True:
        x = yield n
        if x is None: return
        n += (x +
              1)


def matching(value):
    match value:
        case [a, b] if (a and
                        b):
            return a
        case {"k": v} if v > 1: return v
        case int(x) | str(x):
            pass
        case _:
            return None
    with open(
        __file__
    ) as file: line = file.readline()
    return line


class Kind:
    table = {n: n * n
             for n in range(3)}
    if table[1] > 5:
        never = 1

    @property
    def first(self):
        return (self
                .table
                .get(0))


def last(a):
    if a and \\
            a > 1:
        a = a - 1


def exercise():
    for a in (0, 1, 2):
        for b in (0, 1):
            ways(a, b, [3, 1, 2][a:])
        last(a)
    g = generator(1)
    next(g)
    g.send(2)
    list(g)
    for value in ([1, 0], [1, 1], {"k": 2}, {"k": 1}, 5, None):
        matching(value)
    Kind().first
"""

EXERCISES = {
    "textwrap": "print(fill('some words to wrap ' * 9, 20), dedent('  a\\n  b'), shorten('a b c d', 3))",
    "heapq": "h = [5, 2, 8]; heapify(h); print(nsmallest(2, h), nlargest(2, h), list(merge(h, [1])))",
    "shlex": "print(split('a \"b c\" # d', comments=True), quote(\"x'y\"), join(['a', 'b c']))",
    "fnmatch": "print(filter(['a.py', 'b'], '*.[pq]y'), translate('[!a]?*'))",
    "difflib": "print(*unified_diff('abc', 'acd'), *ndiff(['one\\n', 'two\\n'], ['one\\n', 'tow\\n']))",
    "argparse": (
        "p = ArgumentParser(prog='p'); p.add_argument('-x', type=int, choices=[1, 2]); "
        "p.add_argument('y', nargs='*'); print(p.parse_args(['-x', '1', 'a', 'b']), p.format_help())"
    ),
    "configparser": (
        "c = ConfigParser(); c.read_string('[a]\\nb = 1\\n  two\\nc = %(b)s\\n'); "
        "print(c.get('a', 'c'), c.sections())"
    ),
    "statistics": "print(mean([1, 2, 4]), median([3, 1]), stdev([1.5, 2]), quantiles(range(9)))",
    "html.parser": "p = HTMLParser(); p.feed('<a href=\"x\">b &amp; c</a><!-- d --><br/>'); p.close()",
    "json.decoder": "print(JSONDecoder().decode('{\"a\": [1, 2.5, null, \"x\\\\u00e4\"]}'))",
}


def programs(folder: Path) -> list[str]:
    """Write one file per program."""
    several = [*STATEMENTS.values(), *SEVERAL_LINES.values(), *(f"x = {text}" for text in EXPRESSIONS)]
    cases = [f"def case{index}():\n{textwrap.indent(text, '    ')}\n" for index, text in enumerate(several)]
    calls = [f"try: case{index}()\nexcept Exception: pass\n" for index in range(len(cases))]
    texts = {"ways": WAYS, "cases": PROGRAM + "".join(cases) + "".join(calls)}
    for name, statement in EXERCISES.items():
        module = Path(inspect.getsourcefile(importlib.import_module(name)) or "").read_text(encoding="utf-8")
        # A relative import would need the package.
        text = module.replace("from json import scanner", "import json.scanner as scanner")
        texts[f"copy_of_{name.replace('.', '_')}"] = f"{text}\n\ndef exercise():\n    {statement}\n"
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return [str(folder / f"{name}.py") for name in texts]


CORES = ["ctrace", "sysmon"] if sys.version_info >= (3, 12) else ["ctrace"]


@pytest.mark.parametrize("core", CORES)
def test_lines_and_branches_are_counted_alike(core, tmp_path):
    files = programs(tmp_path)
    branch = "branch" if core == "ctrace" or sys.version_info >= (3, 14) else "line"
    done = subprocess.run(
        [sys.executable, "-m", "tests.instrumenter.covered", str(tmp_path), branch, *files],
        cwd=REPOSITORY,
        env={**os.environ, "COVERAGE_CORE": core, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ("", "", 0) == (done.stdout, done.stderr, done.returncode)
