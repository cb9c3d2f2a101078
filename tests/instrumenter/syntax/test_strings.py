"""Strings: formatted ones with all that may stand in them, docstrings, escapes, `__future__`."""

# ruff: noqa: E501 - the programs are dense on purpose

from __future__ import annotations

import ast
import sys
import textwrap
import warnings
from pathlib import Path

import pytest

from tests.instrumenter.alike import assert_alike

RECORDER = """
class R:
    def __init__(self, n): self.n = n
    def __repr__(self): print('repr', self.n); return f'R({self.n})'
    def __str__(self): print('str', self.n); return self.n
    def __format__(self, s): print('format', self.n, s); return s + self.n
def t(n): print('load', n); return R(n)
x, w, p, s, d, o = 3.14159, 10, 3, 'te"xt\\'s', {'k': [1, 2], "q": 3}, R('o')
import datetime
day = datetime.datetime(2024, 2, 29, 13, 5)
"""

BAD = """
class Bad:
    def __format__(self, s): return 5
    __str__ = __repr__ = __format__
"""

ERRORS = """
    for make in (lambda: f'{w:zz}', lambda: f'{s:d}', lambda: f'{[]:5}', lambda: f'{x:{s}}', lambda: f'{undefined}', lambda: f'{w:{undefined}}', lambda: f'{1 // 0}{undefined}', lambda: f'{Bad()}', lambda: f'{Bad()!r}',
                 lambda: f'{Bad()!s}', lambda: f'{None:5}', lambda: f'{Bad():5}', lambda: f'{w!r:d}', lambda: '%d' % s, lambda: '%s' % (), lambda: '%s' % (1, 2), lambda: '{}'.format(), lambda: '{a}'.format(b=1), lambda: '{:d}'.format('a'),
                 lambda: '%(k)s' % 5, lambda: '%(k)s' % {}, lambda: '%' % 1, lambda: '%z' % 1, lambda: 'a' + 1, lambda: 'a' * 'b', lambda: f'{d["none"]}', lambda: f'{w.none}', lambda: f'{s[100]}'):
        try: print(make())
        except Exception as e: print(type(e).__name__, e, e.__context__)
    class Sub(str):
        def __str__(self): return self
    class Fmt:
        def __format__(self, spec): return Sub('sub' + spec)
        def __str__(self): return Sub('s')
        def __repr__(self): return Sub('r')
    f = Fmt(); v = Sub('v')
    print([type(z).__name__ for z in (f'{f}', f'{f:a}', f'{f!s}', f'{f!r}', f'a{f}', f'{f}{f}', f'{v}', f'{v!s}', f'{v!r}', f'{v:5}', f'{v}b', f'{f!s:5}', f'{s}')], f'{s}' is s)
"""

PROGRAMS = {
    "annotations evaluated": """
        'doc' 'ument'
        def note(x): print('note', x); return x
        v: note('v') = note('value')
        u: note('u')
        class o: pass
        l = [1]
        o.a: note('oa') = note('ov'); l[note(0)]: note('la') = note('lv'); o.b: note('ob')
        class C:
            a: note('ca') = note(1) + 1
            b: note('cb')
            l[note(0)]: note('cl') = a + 1
            def m(self, p: note('p') = note('d'), *q: note('q'), r: note('r') = note('rd') , **s: note('s')) -> note('ret'):
                local: note('never') = note('l'); other: note('no')
                self.x: note('sx') = note('xv'); l[0]: note('yes'); l[0]: note('yes') = 5
                return local
        print(C().m(), C.__annotations__, C.m.__annotations__, __annotations__, l, __doc__)
        def f(x: (y := 5), z: [i for i in range(2)], w: f'{1 + 1}', q: 1 < 2 < 3 = lambda: 0) -> {'a': 1}['a']: return x
        print(f.__annotations__, y)
    """,
}  # fmt: skip


DATA = Path(__file__).parent / "data"


def shown(table: str) -> str:
    """A program that prints each of a table's expressions, which begin in the first column."""
    text = (DATA / table).read_text("utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = [ast.get_source_segment(text, node) for node in ast.parse(text).body]
    return RECORDER + "".join(f"print(repr(({part}\n)))\n" for part in parts)


def test_formatted_strings():
    assert_alike(shown("formatted.txt"))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="quotes and backslashes within fields since 3.12")
def test_newer_formatted_strings():
    assert_alike(shown("formatted_312.txt"))


@pytest.mark.parametrize("name", ["literals", "documentation"])
def test_literals(name):
    assert_alike((DATA / f"{name}.txt").read_text("utf-8"))


def test_failures_in_strings():
    assert_alike(RECORDER + BAD + textwrap.dedent(ERRORS))


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_strings(source):
    assert_alike(source)
