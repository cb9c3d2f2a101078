# ruff: noqa: E501, Q001 - tables of programs
"""What a program sees of the frames between its own: nothing, but through `sys._getframe` in its own operators."""

from __future__ import annotations

import gc
import sys
import textwrap
import traceback
import weakref
from typing import Any

import pytest

from instrumenter.transform import instrument
from runtime import twin

PROGRAM = '''
import functools, logging, math, operator, re, sys, warnings
from enum import Enum

class Kind(Enum):
    ONE = 1

class Failing:
    """Whatever is done with it fails."""
    def fail(self, *args):
        raise LookupError(len(args))
    __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = fail
    __lshift__ = __rshift__ = __and__ = __or__ = __xor__ = __matmul__ = __neg__ = __pos__ = __invert__ = fail
    __iadd__ = __isub__ = __imul__ = __imod__ = __ior__ = fail
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __len__ = __hash__ = fail
    __getitem__ = __setitem__ = __delitem__ = __contains__ = __iter__ = __call__ = __format__ = fail
    __index__ = __int__ = __float__ = __abs__ = __round__ = __str__ = __repr__ = __bytes__ = __reversed__ = fail

class Sneaky:
    """An element whose comparison fails late."""
    def __init__(self, value): self.value = value
    def __lt__(self, other): raise ZeroDivisionError(self.value)

def raising(*args):
    raise RuntimeError("called back")

def endless():
    yield 1
    raise KeyError("generator")

one, zero, text, items, table, bad, name = 1, 0, "abc", [3, 1, 2], {"a": 1}, Failing(), "b"
'''

OPERATORS = [
    f"bad {op} one" for op in ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@")
] + [f"bad {op} 1" for op in ("+", "==", "<", "%")]
COMPARISONS = [f"bad {op} one" for op in ("==", "!=", "<", "<=", ">", ">=")]
EXPRESSIONS = [
    *OPERATORS, *COMPARISONS, *(f"1 if {test} else 2" for test in (*COMPARISONS, "bad", "not bad", "one in bad")),
    "1 if one not in bad else 2", "one in bad", "one not in bad", "not bad", "-bad", "+bad", "~bad", "one + text",
    "1 + text", "text + 1", "one < text", "one / zero", "one % zero", "1 / zero", "1.5 * text", "one << -1",
    "bad[one]", "bad[0]", "bad[:1]", "items[one:bad]", "items[9]", "items[text]", "table[one]", "table[name]",
    "text[9]", "text['x']", "bad()", "bad(1)", "bad(one)", "one()", "one(zero)", "(lambda x: x)(one, zero)",
    "f'{bad}'", "f'{bad!r}'", "f'{one:{text}}'", "'%d' % text", "'%s %s' % (one,)", "'%s' % (bad,)",
    "text % one", "[x for x in bad]", "[x for x in endless()]", "zero in endless()",
    "bad == bad == one", "one < bad < one", "Kind(zero)", "Kind(bad)", "Kind[name]", "one is bad.missing",
]  # fmt: skip
CALLS = [
    "len(one)", "len(bad)", "len()", "len(one, one)", "len(obj=items)", "int(text)", "int(bad)", "int(x=one)",
    "int(text, 99)", "int(one, 2)", "float(text)", "float(bad)", "bool(bad)", "bool(one, one)", "str(bad)",
    "str(one, one)", "repr(bad)", "ascii(bad)", "hash(bad)", "hash(items)", "abs(text)", "abs(bad)", "ord(text)",
    "ord(bad)", "chr(-one)", "chr(text)", "round(bad)", "round(text, one)", "divmod(one, zero)", "pow(zero, -one)",
    "pow(one, zero, zero)", "min(zero)", "min([])", "min(items, key=raising)", "max(Sneaky(1), Sneaky(2))",
    "max([Sneaky(1), Sneaky(2)])", "sorted([Sneaky(1), Sneaky(2)])", "sorted(items, key=raising)", "sorted(one, zero)",
    "sorted(items, key=len)", "sorted(items, nothing=one)", "list(endless())", "list(one, one)", "tuple(endless())",
    "set(endless())", "set([items])", "frozenset([[one]])", "dict([one])", "dict(one)", "list(map(raising, items))",
    "list(filter(raising, items))", "functools.reduce(raising, items)", "functools.reduce(one)", "sum(text)",
    "sum(endless())", "isinstance(one)", "isinstance(one, one)", "issubclass(one, int)",
    "range(text)", "range(one, one, zero)", "range(bad)", "type(one, one)", "format(one, text)", "format(bad)",
    "bytes(-one)", "bytes(text)", "bin(text)", "hex(bad)", "math.sqrt(-one)", "math.sqrt(text)", "math.floor(bad)",
    "math.sqrt(one, one)", "math.pow(one)", "items.index(name)", "items.append(one, one)", "items.remove(bad)",
    "items.sort(key=raising)", "items.pop(99)", "table.get(items)", "table.get(bad, one)", "table.get()",
    "table.pop(name)", "table.pop(bad)", "table.setdefault(items, one)", "{1}.remove(zero)", "{1}.add(items)",
    "text.index(name * 3)", "text.join(one)", "text.join(endless())", "text.join([one])", "text.split(one)",
    "text.startswith(one)", "text.replace(one)", "text.encode(name)", "text.count(name, name)", "text.split(no=one)",
    "'{} {}'.format(one)", "'{0.x}'.format(one)", "'{:d}'.format(text)", "'{}'.format(bad)", "text.center(text)",
    "re.match(text, one)", "re.match('(' + name, text)", "re.compile(text).match(one)", "re.sub(text, raising, text)",
    "next(iter(endless()), one).x", "getattr(one, name)", "getattr(one, one)", "operator.add(one, text)", "print(bad)",
]  # fmt: skip
STATEMENTS = [
    *(f"bad {op}= one" for op in ("+", "-", "*", "%", "|", "/", "//", "**", "<<", "&", "^", "@")), "bad += 1",
    "bad[one] = one", "items[9] = one", "text[0] = one", "del bad[one]", "del items[9]", "del table[name]",
    "bad[one] += one", "items[0] += text", "table[name] += 1", "for x in bad: pass", "for x in one: pass",
    "for x in endless(): pass", "while bad: pass", "while not bad: pass", "assert bad", "assert one > 2, text",
    "assert not one", "if one < bad: pass", "match bad:\n    case 1: pass", "a, b = items", "table[items] = one",
    "if bad and one: pass", "if one and (zero or bad): pass",
]  # fmt: skip


def entries(error: BaseException) -> list[tuple[str, int, str]]:
    return [(f.filename, f.lineno or 0, f.name) for f in traceback.extract_tb(error.__traceback__)][1:]


def ending(source: str, space: dict[str, Any]) -> Any:
    """How a program ends: exception, message, notes and the whole chain of tracebacks."""
    try:
        exec(compile(source, "program.py", "exec"), space)
    except BaseException as error:  # noqa: BLE001 - however it ends is what is compared
        chain = []
        step: BaseException | None = error
        while step is not None:
            chain.append((type(step), str(step), entries(step)))
            step = step.__cause__ or step.__context__
        return chain
    return None


def original_and_twin(source: str) -> tuple[Any, Any]:
    rewritten = instrument(source, name="program", filename="program.py")
    assert rewritten.untouched is None
    traced = {"__name__": "program", rewritten.prelude_name: twin}
    return ending(source, {"__name__": "program"}), ending(rewritten.source, traced)


def in_function(statement: str) -> str:
    body = textwrap.indent(statement, "    ")
    return f"{PROGRAM}def f(bad=bad, one=one, zero=zero, text=text, items=items, table=table):\n{body}\nf()\n"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 raises again with the traceback that it caught")
@pytest.mark.parametrize(
    "statement", [*(f"return {text}" for text in (*EXPRESSIONS, *CALLS)), *STATEMENTS], ids=str
)
def test_what_fails_fails_as_in_the_original(statement):
    expected, actual = original_and_twin(in_function(statement))
    assert expected is not None
    assert expected == actual


LOOKING = '''
class Looking:
    def look(self, *args):
        seen.append(look())
        return True
    __add__ = __sub__ = __mul__ = __mod__ = __iadd__ = __eq__ = __lt__ = __le__ = __ge__ = __bool__ = look
    __getitem__ = __setitem__ = __delitem__ = __contains__ = look
    def __len__(self): return int(self.look())
    def __hash__(self): return int(self.look())
    def __format__(self, spec): return str(self.look())
    __repr__ = __str__ = lambda self: self.__format__("")
    def __iter__(self):
        self.look()
        return iter(())

x, items, table = Looking(), [1, 2], {}
x + items
x += items
x = Looking()
x * 2
x % items
x == items
x < items
items >= x
if x: pass
if not x: pass
if x >= items: pass
while not x: pass
x[items]
x[0]
x[items] = 1
del x[items]
1 in x
items not in x
if 1 in x: pass
f"{x}{x!r}"
"%s" % (x,)
for _ in x: pass
len(x); bool(x); hash(x); str(x); repr(x); format(x, "")
sorted(items, key=lambda _: seen.append(look()) or 1)
max(items, key=lambda _: seen.append(look()) or 1)
list(map(lambda _: seen.append(look()) or 1, items))
table.get(x)
"".join([str(x)])
"{}".format(x)
[x in [1, x]]
'''


def looked(look: str) -> tuple[list[Any], list[Any]]:
    """What a program sees of its callers, as original and as twin."""
    results = []
    rewritten = instrument(LOOKING, name="program", filename="program.py")
    for source in (LOOKING, rewritten.source):
        seen: list[Any] = []
        space = {"__name__": "program", "seen": seen, rewritten.prelude_name: twin}
        # The helper itself is no twin: it stands for a library's function.
        exec(compile(look, "library.py", "exec"), space)
        exec(compile(source, "program.py", "exec"), space)
        results.append(seen)
    return results[0], results[1]


def test_warnings_name_the_line_of_the_program():
    look = (
        "import warnings\n"
        "def look():\n"
        "    with warnings.catch_warnings(record=True) as caught:\n"
        "        warnings.simplefilter('always')\n"
        "        warnings.warn('here', stacklevel=3)\n"
        "    return [(w.filename, w.lineno) for w in caught]\n"
    )
    expected, actual = looked(look)
    assert len(expected) > 30
    assert expected == actual


@pytest.mark.skipif(sys.version_info < (3, 11), reason="logging passes over no frames by their name before 3.11")
def test_logging_names_the_line_of_the_program():
    look = (
        "import logging\n"
        "def look():\n"
        "    return logging.getLogger('frames').findCaller(stacklevel=3)[:3]\n"
    )
    expected, actual = looked(look)
    assert expected == actual


class Token:
    """Something whose end can be seen."""

    def __add__(self, other: Any) -> Any:
        raise ValueError

    def __getitem__(self, key: Any) -> Any:
        raise ValueError


@pytest.mark.parametrize("helper", ["add", "getitem", "lt", "in_", "mod"])
def test_a_failed_operation_keeps_nothing_alive(helper):
    left, right = Token(), Token()
    ends = [weakref.ref(left), weakref.ref(right)]
    with pytest.raises((ValueError, TypeError)) as caught:
        getattr(twin, helper)(left, right)
    traceback.clear_frames(caught.tb)
    del left, right
    gc.collect()
    assert [None, None] == [end() for end in ends]
    assert caught.value is not None


def test_calls_keep_nothing_alive():
    token = Token()
    end = weakref.ref(token)
    assert twin.callee1(repr)(token).startswith("<")
    with pytest.raises(TypeError):
        twin.callee1(len)(token)
    del token
    assert end() is None


def test_classes_of_the_program_are_not_kept():
    cls = type("Local", (), {})
    end = weakref.ref(cls)
    assert twin.callee(cls) is cls
    assert twin.callee1(cls) is cls
    del cls
    gc.collect()
    assert end() is None
