"""Which names of a module a change of its source can affect."""

from __future__ import annotations

import pytest

from tracetwin.analysis.dependencies import dependency_digests
from tracetwin.model.written_test import SettledNames

SOURCE = '''\
"""A shop."""
import math

RATE = 3

def rate(): return RATE
def price(n): return n * rate()
def other(n): return math.floor(n)

class Basket:
    def total(self): return price(1)
    def is_empty(self): return True

def shown(basket): return basket.is_empty()
def looked_up(thing): return getattr(thing, "total")()
'''


def affected(old: str, new: str, source: str = SOURCE) -> set[str]:
    then, now = (dependency_digests(text.encode()) for text in (source, source.replace(old, new)))
    return {name for name, digest in now.items() if name and then.get(name) != digest}


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("n * rate()", "n * rate() + 1", {"price", "Basket.total", "looked_up"}),
        ("math.floor", "math.ceil", {"other"}),
        ("RATE = 3", "RATE = 4", {"RATE", "rate", "price", "Basket.total", "looked_up"}),
        ("return True", "return False", {"Basket.is_empty", "shown"}),
        ("import math", "import cmath as math", {"math", "other"}),
        ('"""A shop."""', '"""A better shop."""', set()),
        ("def other(n): ", "# why\n\ndef other(n):\n    ", set()),
        ("def shown", "def added(): return 1\ndef shown", {"added"}),
    ],
)
def test_what_mentions_it_directly_or_not_is_affected(old: str, new: str, names: set[str]) -> None:
    assert affected(old, new) == names


@pytest.mark.parametrize(
    "statement",
    [
        "Basket.total = price",
        "for name in ('a', 'b'): globals()[name] = 1",
        "with open('x') as f: DATA = f.read()",
        "if price(1) > 2: LIMIT = 1",
        "if RATE > 2: print('loaded')",
        "print('loaded')",
        "RATE += 1",
        "del RATE",
        "try: import fast\nexcept ImportError: raise SystemExit",
        "from rates import *",
        "A[0], B = 1, 2",
    ],
)
def test_a_statement_that_does_more_than_name_something_affects_all(statement: str) -> None:
    known = {"math", "RATE", "rate", "price", "other", "Basket", "shown", "looked_up"}
    assert affected("def shown", statement + "\ndef shown") >= known


@pytest.mark.parametrize(
    "added",
    [
        "@registered\ndef late(): return 1",
        "@table.add('late')\ndef late(): return 1",
        "class late(Hooked): limit = 1",
        "class Late:\n    @registered\n    def go(self): return 1",
        "late = registered(price)",
        "try: import fast\nexcept ImportError: late = registered(price)",
    ],
)
def test_what_may_enter_itself_in_a_table_affects_all(added: str) -> None:
    source = SOURCE + (
        "TABLE = []\n"
        "def registered(f): TABLE.append(f); return f\n"
        "class Hooked:\n    def __init_subclass__(cls): TABLE.append(cls)\n"
    )
    assert affected("TABLE = []", added + "\nTABLE = []", source) >= {"rate", "other", "shown", "registered"}


@pytest.mark.parametrize(
    "added",
    [
        "@property\ndef late(): return 1",
        "@functools.lru_cache(maxsize=2)\ndef late(): return 1",
        "class late(Basket): limit = 1",
        "late = math.floor(3.5)",
        "try: import late\nexcept ImportError: late = None",
        "if RATE > 2:\n    def late(): return 1\nelse:\n    late = None",
    ],
)
def test_what_only_defines_a_name_affects_nothing_else(added: str) -> None:
    assert affected("def shown", added + "\ndef shown") == {"late"}


@pytest.mark.parametrize(
    "lookup", ["vars()[name]", "globals()[name]", "eval(name)", "Basket.__subclasses__()"]
)
def test_a_module_that_looks_names_up_is_one_thing(lookup: str) -> None:
    source = SOURCE + f"def finder(name): return {lookup}\n"
    assert affected("math.floor", "math.ceil", source) >= {"rate", "price", "other", "finder"}


def test_running_it_as_a_script_affects_nothing() -> None:
    script = 'if __name__ == "__main__":\n    print(price(1))\n'
    assert affected("def shown", script + "def shown") == set()


@pytest.mark.parametrize(
    "use",
    [
        "def user(f): return f.__doc__ or Basket.total",
        "def user(x: 'list[Basket]'): return x",
        "def user(x): return globals()['Basket']",
        "@Basket\ndef user(x): return x",
        "def user(x=Basket()): return x",
        "class user(Basket): pass",
        "user = [Basket for _ in '12']",
        "user: Basket = None",
    ],
)
def test_each_way_to_use_a_name_counts(use: str) -> None:
    source = SOURCE + use + "\n"
    assert "user" in affected("class Basket:", "class Basket:\n    size = 1", source)


def test_what_is_defined_twice_is_one_thing() -> None:
    source = SOURCE + "def twice(): return 1\ndef twice(): return 2\n"
    assert affected("return 1\ndef", "return 3\ndef", source) == {"twice"}


@pytest.mark.parametrize("source", [b"def broken(:", b"\0"])
def test_what_is_no_source(source: bytes) -> None:
    with pytest.raises((SyntaxError, ValueError)):
        dependency_digests(source)


RATES = {
    "rates.py": (
        b"from basis import base\nSTEPS = 3\n\n"
        b"def rate(): return base() * STEPS\ndef unused(): return 1\n"
    ),
    "basis.py": b"def base(): return 2\n",
}


@pytest.mark.parametrize(
    ("file", "old", "new", "names"),
    [
        ("rates.py", b"STEPS = 3", b"STEPS = 4", {"rate", "price", "total"}),
        ("rates.py", b"return 1", b"return 5", set()),
        ("basis.py", b"return 2", b"return 3", {"rate", "price", "total"}),
        ("basis.py", b"def base", b"import math\n\ndef base", set()),
        ("basis.py", b"def base", b"print(1)\n\ndef base", {"rate", "price", "total", "other"}),
        ("basis.py", b"def base", b"def look(): return vars()\n\ndef base", {"rate", "price", "total"}),
    ],
)
def test_a_change_elsewhere_affects_what_comes_to_it(
    file: str, old: bytes, new: bytes, names: set[str]
) -> None:
    source = (
        b"from rates import rate\n\ndef price(n): return n * rate()\ndef total(n): return price(n) + 1\n"
        b"def other(n): return n\n"
    )
    then = dependency_digests(source, RATES)
    now = dependency_digests(source, {**RATES, file: RATES[file].replace(old, new)})
    assert {name for name, digest in now.items() if name and then[name] != digest} == names


SHELF = """\
class Shelf:
    limit = 3

    def __init__(self): self.items = []

    def put(self, item):
        if not self.is_full(): self.items.append(item)

    def is_full(self): return len(self.items) >= self.limit

    def first(self): return self.items[0]

    def shown(self): return f'{self.first()} of {len(self.items)}'

    def sizes(self):
        found = {}
        for one in self.items: found[one] = len(one)
        return found

    def take(self): return self.items.pop()


class Small(Shelf):
    def two(self): return 2


def best(shelf): return shelf.first()
"""


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("items[0]", "items[-1]", {"Shelf.first", "Shelf.shown", "best", "Small", "Small.two"}),
        ("= len(one)", "= 2", {"Shelf.sizes", "Small", "Small.two"}),
        ("pop()", "pop(0)", {"Shelf", "Shelf.first", "Shelf.shown", "Shelf.sizes", "Shelf.is_full", "Small",
                             "Small.two", "best"}),
        (">= self", "> self", {"Shelf", "Shelf.first", "Shelf.shown", "Shelf.sizes", "Shelf.is_full", "Small",
                               "Small.two", "best"}),
        ("return 2", "return 3", {"Small.two"}),
    ],
)  # fmt: skip
def test_a_method_that_only_looks_affects_those_that_call_it(old: str, new: str, names: set[str]) -> None:
    assert affected(old, new, SHELF) == names


def test_a_new_method_that_only_looks_affects_no_other_one() -> None:
    assert affected("    def take", "    def last(self): return self.items[-1]\n\n    def take", SHELF) == {
        "Shelf.last", "Small", "Small.two"
    }  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        "self.n = 1", "self.items[0] = 1", "del self.items[0]", "self.items.append(1)",
        "heappush(self.items, 1)",
        "self.source.read()",
        "self.put(1)", "global N; N = 1", "yield self.n",
        "mine = self.items; mine[0] = 1",
        "return self.turn()", "note(self)", "return getattr(self, self.n)",
    ],
)  # fmt: skip
def test_a_method_that_may_change_the_object_is_one_with_its_class(body: str) -> None:
    rest = "    def put(self, n): self.n = n\n    def turn(self): self.n = 2\n"
    source = f"class Box:\n    def look(self): {body}\n{rest}"
    assert set(dependency_digests(source.encode())) == {"", "Box"}


@pytest.mark.parametrize(
    "body", ["return self.n", "return sorted(self.items)", "found = []; found.append(self.n); return found",
             "return Pair(self.n)", "return self.text.split()[0]", "return self.other()"]
)  # fmt: skip
def test_a_method_that_only_looks_is_told_apart(body: str) -> None:
    source = f"class Box:\n    def look(self): {body}\n    def other(self): return 1\n"
    assert set(dependency_digests(source.encode())) == {"", "Box", "Box.look", "Box.other"}


def test_functions_are_settled_with_their_class_or_by_themselves() -> None:
    apart = frozenset({"Box.look", "Box.seen", "Other.look"})
    settled = SettledNames(frozenset({"Box", "Box.look", "f"}), apart)
    assert all(name in settled for name in ("Box.put", "Box.look", "Box.Inner.go", "f", "Box"))
    assert not any(name in settled for name in ("Box.seen", "Box.seen.inner", "Other.look", "Other", "g"))
