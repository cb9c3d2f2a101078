"""Which names of a module a change of its source can affect."""

from __future__ import annotations

import pytest

from tracetwin.analysis.change import dependencies
from tracetwin.analysis.change.dependencies import Entered, dependency_digests, entered_in, telling_in
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
        "for name in ('a', 'b'): globals()[name] = 1",
        "with open('x') as f: DATA = f.read()",
        "if price(1) > 2: LIMIT = 1",
        "if RATE > 2: print('loaded')",
        "print('loaded')",
        "try: import fast\nexcept ImportError: raise SystemExit",
        "from rates import *",
        "A[0], B = 1, 2",
    ],
)
def test_a_statement_that_does_more_than_name_something_affects_all(statement: str) -> None:
    known = {"math", "RATE", "rate", "price", "other", "Basket", "shown", "looked_up"}
    assert affected("def shown", statement + "\ndef shown") >= known


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("Basket.total = price", {"Basket", "Basket.total", "Basket.is_empty", "shown", "looked_up"}),
        ("RATE += 1", {"RATE", "rate", "price", "Basket.total", "looked_up"}),
        ("del RATE", {"RATE", "rate", "price", "Basket.total", "looked_up"}),
    ],
)
def test_a_statement_that_changes_what_a_name_stands_for_affects_what_mentions_it(
    statement: str, names: set[str]
) -> None:
    assert affected("def shown", statement + "\ndef shown") == names


TABLES = SOURCE + (
    "TABLE = []\n"
    "def registered(f): TABLE.append(f); return f\n"
    "class Hooked:\n    def __init_subclass__(cls): TABLE.append(cls)\n"
    "def everyone(): return [*TABLE]\n"
    "def first(): return everyone()[0]\n"
)


@pytest.mark.parametrize(
    "added",
    [
        "@registered\ndef late(): return 1",
        "@TABLE.append\ndef late(): return 1",
        "class late(Hooked): limit = 1",
        "class Late:\n    @registered\n    def go(self): return 1",
        "late = registered(price)",
        "registered(price)",
        "TABLE[0] = price",
        "try: import fast\nexcept ImportError: late = registered(price)",
    ],
)
def test_what_enters_itself_in_a_table_affects_those_that_read_it(added: str) -> None:
    names = affected("def everyone", added + "\ndef everyone", TABLES)
    assert names >= {"TABLE", "everyone", "first"}
    assert not names & {"rate", "other", "shown", "price", "RATE"}


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        (b"return 1", b"return 2", {"Box.size"}),
        (b"class Box:", b"class Box:\n    limit = 1", {"Box", "Box.size", "entered", "known", "reader"}),
        (b"@entered\n", b"", {"Box", "Box.size", "entered", "known", "reader"}),
        (b"return n", b"return n + 1", {"other"}),
    ],
)
def test_a_decorator_from_another_file_makes_only_those_depend_that_read_its_table(
    old: bytes, new: bytes, names: set[str]
) -> None:
    tables = (
        b"ALL = []\ndef entered(cls):\n    ALL.append(cls)\n    return cls\n"
        b"def known(): return len(ALL)\n"
    )
    source = (
        b"from tables import entered, known\n@entered\nclass Box:\n    def size(self): return 1\n"
        b"def reader(): return known()\ndef other(n): return n\n"
    )
    then, now = (
        dependency_digests(text, {"tables.py": tables}) for text in (source, source.replace(old, new))
    )
    assert {name for name in now if then[name] != now[name]} == names


def test_a_function_in_a_table_is_what_those_depend_on_that_read_it() -> None:
    source = TABLES + "@registered\ndef late(): return 1\n"
    assert affected("return 1\n", "return 2\n", source) >= {"late", "everyone", "first"}


@pytest.mark.parametrize(
    "added",
    [
        "@property\ndef late(): return 1",
        "@functools.lru_cache(maxsize=2)\ndef late(): return 1",
        "class late: limit = 1",
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
def test_what_looks_names_up_depends_on_all_of_its_module(lookup: str) -> None:
    source = SOURCE + f"def finder(name): return {lookup}\ndef asks(): return finder('other')\n"
    names = affected("math.floor", "math.ceil", source)
    assert names >= {"other", "finder", "asks"}
    assert not names & {"rate", "price", "RATE"}


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
        ("basis.py", b"def base", b"def look(): return vars()\n\ndef base", set()),
        ("basis.py", b"return 2", b"return vars()", {"rate", "price", "total"}),
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


READ_ITEMS = {"Shelf.first", "Shelf.is_full", "Shelf.put", "Shelf.shown", "Shelf.sizes", "Shelf.take", "best"}


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("items[0]", "items[-1]", {"Shelf.first", "Shelf.shown", "best"}),
        ("= len(one)", "= 2", {"Shelf.sizes"}),
        ("pop()", "pop(0)", READ_ITEMS),
        (">= self", "> self", READ_ITEMS),
        ("= []", "= [1]", {*READ_ITEMS, "Shelf", "Shelf.__init__", "Small", "Small.two"}),
        ("return 2", "return 3", {"Small.two"}),
        ("    def take", "    def last(self): return self.items[-1]\n\n    def take", {"Shelf.last"}),
    ],
)
def test_a_method_affects_those_that_call_it_or_read_what_it_changes(
    old: str, new: str, names: set[str]
) -> None:
    found = affected(old, new, SHELF)
    inherited = {f"Small.{name.partition('.')[2]}" for name in names if name.startswith("Shelf.")}
    assert found == names | inherited


@pytest.mark.parametrize(
    "body",
    [
        "self.n = 1", "self.n[0] = 1", "del self.n[0]", "self.n.append(1)", "heappush(self.n, 1)",
        "self.n += 1", "self.n.read()", "self.put(1)", "yield self.n", "mine = self.n; mine[0] = 1",
        "self.turn()", "setattr(self, name, 1)", "self.__dict__[name] = 1", "note(self, self.n)",
    ],
)  # fmt: skip
def test_a_method_that_may_change_an_attribute_affects_who_reads_it(body: str) -> None:
    source = (
        f"class Box:\n    def look(self): {body}\n    def put(self, n): self.n = n\n"
        "    def turn(self): self.n = 2\n    def shown(self): return self.n\n    def plain(self): return 3\n"
    )
    names = affected(f"{body}\n", f"{body}; 1\n", source)
    assert names >= {"Box.look", "Box.shown"}
    assert "Box.plain" not in names


@pytest.mark.parametrize(
    "body", ["return -self.n", "return sorted(self.n)", "found = []; found.append(self.n); return found",
             "return Pair(self.n)", "return self.n.split()[0]", "return self.other()", "print(self.n)"]
)  # fmt: skip
def test_a_method_that_only_looks_affects_nobody_else(body: str) -> None:
    source = f"class Box:\n    def look(self): {body}\n    def other(self): return self.n\n"
    assert affected(f"{body}\n", f"{body}; 1\n", source) == {"Box.look"}


CALLS = """\
import re
class Box:
    def get(self, n): return n
    def join(self): return 1
    def visit_list(self): return 1
class Bag(Box):
    def own(self): return self.get(1)
class Tub:
    def get(self, n): return 2
    def read(self): return self.get(1)
"""


@pytest.mark.parametrize(
    ("call", "reached"),
    [
        ("def user(x): return x.get(1)", True),
        ("def user(x: dict): return x.get(1)", False),
        ("def user(x: dict[str, int]): return x.get(1)", False),
        ("def user(x: Box): return x.get(1)", True),
        ("def user(x: Tub): return x.get(1)", False),
        ("def user(x: Bag): return x.get(1)", True),
        ("def user():\n    x = {}\n    return x.get(1)", False),
        ("def user(x):\n    x = {}\n    return x.get(1)", True),
        ("def user(get): return get(1)", False),
        ("def user(): return re.get(1)", False),
        ("def user(x): return getattr(x, 'get')", True),
        ("def user(x): return getattr(x, 'g' + x.name)", True),
        ("def user(x): return getattr(x, f'visit_{x}')", False),
        ("def user(x): return getattr(x, 'visit_%s' % x)", False),
        ("def user(x): return x['get']", False),
        ("def user(x):\n    'Box.get'\n    return 'get'", False),
        ("def user(x: 'Box.get'): return x", True),
        ("def user(): return {}.get(1)", False),
        ("def user(xs): return [get.get(1) for get in xs]", True),
        ("def user(x):\n    x.get = 1", True),
        ("def user(x):\n    def get(): return 1\n    return get()", False),
    ],
)
def test_an_attribute_is_that_of_any_class_unless_it_is_known_of_which(call: str, reached: bool) -> None:
    names = affected("return n", "return n + 1", f"{CALLS}{call}\n")
    assert ("user" in names) == reached
    assert names >= {"Box.get", "Bag.own"}
    assert "Tub.read" not in names


def test_a_docstring_is_what_its_own_function_depends_on() -> None:
    source = "def inner():\n    'Old.'\n    return 1\ndef outer(): return inner()\n"
    assert affected("Old", "New", source) == {"inner"}
    asking = source + "def help(f): return f.__doc__\n"
    assert affected("Old", "New", asking) == {"inner", "outer"}


def test_what_runs_never_came_into_is_left_out() -> None:
    source = (
        b"def low(): return 1\ndef high(n):\n    if n: return low()\ndef top(n): return high(n) + low()\n"
    )
    changed = source.replace(b"return 1", b"return 2")
    telling = frozenset({("", "low"), ("", "high")})

    def affected_by(**came: set[str]) -> set[str]:
        known = {name: frozenset(("", other) for other in others) for name, others in came.items()}
        seen = Entered(telling, frozenset(), known)
        then, now = (dependency_digests(text, None, seen) for text in (source, changed))
        return {name for name in now if then[name] != now[name]}

    assert affected_by() == {"low", "high", "top"}
    assert affected_by(top={"high"}) == {"low", "high"}
    assert affected_by(top={"high", "low"}, high={"high"}) == {"low", "top"}
    assert affected_by(low=set()) == {"low", "high", "top"}


def test_what_is_new_is_not_left_out() -> None:
    source = b"class Box:\n    def look(self): return self.n\n"
    changed = source + b"    def put(self, n): self.n = n\n"
    look = frozenset({("", "Box.look")})
    then, now = (
        dependency_digests(text, None, Entered(look, frozenset(), {"Box.look": look}))
        for text in (source, changed)
    )
    assert then["Box.look"] != now["Box.look"]


def test_a_constructor_that_never_ran_is_left_out() -> None:
    source = "class Box:\n    def __init__(self, n):\n        if n: self.n = 1\ndef user(x): return x.n\n"
    seen = Entered(frozenset({("", "Box.__init__")}), frozenset(), {"user": frozenset()})
    then, now = (
        dependency_digests(text.encode(), None, seen) for text in (source, source.replace("= 1", "= 2"))
    )
    assert {name for name in now if then[name] != now[name]} == {"Box", "Box.__init__"}


def test_what_an_import_never_came_into_is_left_out() -> None:
    source = (
        "def low(n): return n\ndef high(n):\n    if n: return low(n)\n"
        "print(high(1))\ndef other(): return 1\n"
    )
    changed = source.replace("return n\n", "return n + 1\n")

    def affected_by(came: set[str]) -> set[str]:
        seen = Entered(frozenset({("", "low")}), frozenset(("", name) for name in came))
        then, now = (dependency_digests(text.encode(), None, seen) for text in (source, changed))
        return {name for name in now if name and then[name] != now[name]}

    assert affected_by({"low"}) == {"other", "low", "high"}
    assert affected_by(set()) == {"low", "high"}


def test_scopes_are_those_of_functions_and_methods() -> None:
    source = (
        b"def f(): return [lambda: 1]\n"
        b"class A:\n    x = [1]\n    def m(self): pass\n    class B:\n        def n(self): pass\n"
    )
    scopes = ["f", "f.<locals>.<lambda>", "A", "A.m", "A.m.<locals>.g", "A.B.n", ""]
    assert set(entered_in("a.py", source, scopes)) == {("a.py", name) for name in ("f", "A", "A.m", "")}
    assert set(telling_in("a.py", source, scopes)) == {("a.py", "f"), ("a.py", "A.m")}


def test_functions_are_settled_with_their_class_or_by_themselves() -> None:
    apart = frozenset({"Box.look", "Box.seen", "Other.look"})
    settled = SettledNames(frozenset({"Box", "Box.look", "f"}), apart)
    assert all(name in settled for name in ("Box.put", "Box.look", "Box.Inner.go", "f", "Box"))
    assert not any(name in settled for name in ("Box.seen", "Box.seen.inner", "Other.look", "Other", "g"))


def test_of_very_many_sources_a_change_in_any_affects_all(monkeypatch: pytest.MonkeyPatch) -> None:
    source = b"def one():\n    return 1\n\n\ndef two():\n    return 2\n"
    others = {"far.py": b"def far():\n    return 3\n"}
    changed = {"far.py": b"def far():\n    return 4\n"}
    assert dependency_digests(source, others) == dependency_digests(source, changed)
    monkeypatch.setattr(dependencies, "MOST_BYTES", 20)
    then, now = dependency_digests(source, others), dependency_digests(source, changed)
    assert set(then) == set(now) == {"", "one", "two"}
    assert not set(then.items()) & set(now.items())


def test_of_many_effects_what_any_comes_to_affects_all(monkeypatch: pytest.MonkeyPatch) -> None:
    source = b"def one():\n    return 1\n"
    text = b"T = {}\n\ndef far():\n    return %d\n\nT['a'] = far()\n"
    others, changed = ({"far.py": text % number} for number in (3, 4))
    assert dependency_digests(source, others) == dependency_digests(source, changed)
    monkeypatch.setattr(dependencies, "MOST_STEPS", 0)
    assert dependency_digests(source, others) != dependency_digests(source, changed)
