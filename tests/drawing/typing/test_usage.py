from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.model.recipe import Lambda
from tracetwin.model.settled_mocks import Settling

MakeModule = Callable[..., ModuleType]

# body of a function, the guesses of its first parameter that must lead (in order)
SNIPPETS: list[tuple[str, str, list[str]]] = [
    ("def f(p): return p.upper()", "method of str", ["str"]),
    ("def f(p): return p + 1", "added to an int", ["int", "float"]),
    ("def f(p): return p * 0.5", "times a float", ["float", "int"]),
    ("def f(p, q): return p / (q * q)", "divided", ["float", "int"]),
    ("def f(p): return p % 2 == 0", "remainder", ["int"]),
    ("def f(p): return p << 3", "shifted", ["int"]),
    ("def f(p): return p & 0xff", "masked", ["int"]),
    ("def f(p): return -p if p < 0 else p", "negated", ["int", "float"]),
    ("def f(p): return p[0]", "indexed by a number", ["list"]),
    ("def f(p): return p['k'] + 1", "indexed by a key", ["dict{'k': int | float}"]),
    ("def f(p): return p['a']['b'].strip()", "keys within", ["dict{'a': dict{'b': str}}"]),
    ("def f(p): return p.get('k', 0)", "asked for a key", ["dict{'k'"]),
    ("def f(p): return [k for k, v in p.items() if v > 3]", "items", ["dict[?, int]"]),
    ("def f(p):\n  for i in p:\n    if i > 2: return i", "iterated", ["list[int]"]),
    ("def f(p): return sum(i.size for i in p)", "attributes of elements", ["list[object with size]"]),
    ("def f(p): return [c for c in p if ord(c) > 64]", "characters", ["str"]),
    ("def f(p): return [w.lower() for w in p.split()]", "method first", ["str"]),
    ("def f(p):\n  for a, b in p:\n    yield a + 1, b.upper()", "pairs", ["list[tuple[int | float, str]]"]),
    ("def f(p): return len(p)", "measured", ["list", "str", "dict"]),
    ("def f(p): p.append(3)", "appended to", ["list[int]"]),
    ("def f(p): p.add('x')", "added to", ["set[str]"]),
    ("def f(p): return p == 'north' or p == 'south'", "compared to text", ["str"]),
    ("def f(p): return p in ('a', 'b')", "one of words", ["str"]),
    ("def f(p): return p in (1, 2)", "one of numbers", ["int"]),
    ("def f(p): return 'x' in p", "contains text", ["str", "dict", "list"]),
    ("def f(p): return isinstance(p, (bytes, dict))", "type test", ["dict", "bytes"]),
    ("def f(p): return issubclass(p, ValueError)", "class test", ["type[ValueError]"]),
    ("def f(p):\n  if p is None: return 0\n  return p + 1", "maybe None", ["int", "float", "None"]),
    ("def f(p): return 'n: %d' % p + str(p + 1)", "formatted", ["int"]),
    ("def f(p): return int(p) + int(p.strip())", "parsed", ["str"]),
    ("def f(p): return range(p)", "a count", ["int"]),
    ("def f(p): return p.__code__.co_varnames", "code of a function", ["function"]),
    ("def f(p): return p(3) + 1", "called", ["function of 1"]),
    ("import datetime\ndef f(p): return p.year * 12 + p.month", "a date", ["datetime", "date"]),
    ("from datetime import datetime\ndef f(p): return p < datetime.now()", "a moment", ["datetime"]),
    ("import datetime as d\ndef f(p): return p > d.date.today() - d.timedelta(1)", "a day", ["date"]),
    ("from datetime import datetime\ndef f(p): return datetime.now() - p", "a distance", ["datetime"]),
    ("class A: pass\ndef g() -> A: return A()\ndef f(p): return p == g()", "annotated result", ["A"]),
    ("def f(p): return p.read().splitlines()", "a file", ["StringIO"]),
    ("def f(p):\n  with p as s: return s.read()", "a context", ["StringIO"]),
    ("def f(p): return g(p)\ndef g(word: str): return word", "passed on, annotated", ["str"]),
    ("def f(p): return g(p)\ndef g(word): return word.title()", "passed on, used there", ["str"]),
    ("def f(p): return C(p)\nclass C:\n  def __init__(self, n): self.n = n * 2", "to a class", ["int"]),
    ("def f(p): return p.wheels\nclass Car:\n  def __init__(self): self.wheels = 4", "has it", ["Car"]),
    ("def f(p): return p.name, p.area() + 1", "a duck", ["object with name, area()"]),
    (
        "class C:\n  @staticmethod\n  def f(p): return p.name, p.area() + 1\nf = C.f",
        "of a static method",
        ["object with name, area()"],
    ),
    ("def f(p):\n  '''Do.\n\n  Args:\n    p (int): a number.\n  '''", "Google", ["int"]),
    ("def f(p):\n  '''Do.\n\n  :param p: it\n  :type p: list of str\n  '''", "reST", ["list[str]"]),
    ("def f(p):\n  '''Do.\n\n  Parameters\n  ----------\n  p : float or None\n  '''", "NumPy", ["float"]),
    ("def f(p):\n  # type: (Dict[str, int]) -> int\n  return 1", "type comment", ["Dict[str, int]"]),
    ("def f(p=3): return p", "default", ["int"]),
    ("def f(p='x'): return p", "default text", ["str"]),
    ("def f(p=(1.5,)): return p", "default tuple", ["tuple"]),
    ("def f(p=None):\n  p = p or []\n  p.append(1)", "default None", ["list"]),
    ("def f(p):\n  match p:\n    case {'kind': 'a', 'n': int()}: pass", "pattern", ["dict{'kind': str,"]),
    ("def f(p):\n  match p:\n    case [a, b]: return 1", "sequence pattern", ["list", "tuple"]),
    ("def f(p): a, b = p; return a - b", "unpacked", ["tuple[int | float"]),
    ("def f(p): return TABLE[p]\nTABLE = {'a': 1, 'b': 2}", "key of a table", ["str"]),
    ("def f(p): return ''.join(p)", "joined", ["list"]),
    ("def f(p): return f'{p:.2f}'", "formatted as a float", ["float", "int"]),
    ("def f(p):\n  if not p: return 1", "a truth value", ["bool"]),
    ("def f(p, q):\n  if p < q: return 1\n  return q + 2", "compared with a number", ["int"]),
    ("def f(p): p = str(p); return p.upper()", "replaced before its use", ["int"]),
    ("def f(p): raise p", "raised", ["ValueError"]),
    ("def f(*p): return [x.upper() for x in p]", "elements of *args", []),
    ("def f(words): return 1", "a name", ["list[str"]),
    ("def f(text): return 1", "a name", ["str", "int"]),
    ("def f(count): return 1", "a name", ["int"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "what", "leading"), SNIPPETS, ids=[f"{i} {row[1]}" for i, row in enumerate(SNIPPETS)]
)
def test_the_uses_of_a_parameter_lead_to_its_type(
    source: str, what: str, leading: list[str], make_module: MakeModule
) -> None:
    module = make_module(source)
    guesses = Planner(module).usage.guesses("f", module.f)
    first = next(iter(module.f.__code__.co_varnames))
    texts = [str(guess) for guess in guesses.get(first, [])]
    assert len(texts) <= 6
    for text, expected in zip(texts, leading, strict=False):
        assert text.startswith(expected), texts
    assert len(texts) >= len(leading), texts


@pytest.mark.parametrize("source", [row[0] for row in SNIPPETS], ids=range(len(SNIPPETS)))
def test_every_guess_can_be_built(source: str, make_module: MakeModule) -> None:
    (function,) = [item for item in discover(make_module(source), ("f",)) if item.qualname == "f"]
    assert function.problem is None
    for choice in range(6):
        assignment: dict[str, Any] = dict.fromkeys((f"{p.name}?" for p in function.parameters), choice)
        assert build_arguments(PlainDraw(assignment), function.parameters).arg_recipes is not None


def test_what_methods_do_with_an_attribute_counts_for_the_constructor(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Box:
            def __init__(self, w, label, items=None):
                self.w = w
                self._label = label
                self.items = items or []

            def area(self):
                return self.w * 2.5

            def title(self):
                return self._label.upper()

            def add(self, item):
                self.items.append(item)
                return item.strip()

            def rename(self, other):
                self._label = self._label + other
        """
    )
    usage = Planner(module).usage
    guesses = usage.guesses("Box.__init__", module.Box.__init__)
    assert [str(guesses[name][0]) for name in ("w", "label")] == ["float", "str"]
    assert str(guesses["items"][0]).startswith("list")
    assert str(usage.guesses("Box.rename", module.Box.rename)["other"][0]) == "str"


def test_keywords_that_a_function_asks_for_are_the_ones_drawn(make_module: MakeModule) -> None:
    module = make_module(
        """
        def f(**options):
            if "deep" in options:
                return options.pop("deep")
            return options.get("size", 3) + options["n"]
        """
    )
    (f,) = discover(module)
    assert f.parameters[0].keywords == ("deep", "size", "n", "name")
    made = build_arguments(PlainDraw({"options.size?in": 1}), f.parameters)
    assert list(made.kwargs) == ["size", "n"], "n is taken for given"


def test_keywords_that_a_function_fills_in_itself_are_not_taken_for_given(make_module: MakeModule) -> None:
    module = make_module(
        """
        def f(**options):
            for name in ("size", "deep"):
                if name not in options:
                    options[name] = None
            return options["size"], options["deep"]

        def g(**options):
            options["size"] = 3
            return options["size"] + options["n"]
        """
    )
    f, g = discover(module)
    assert not build_arguments(PlainDraw({}), f.parameters).kwargs
    assert list(build_arguments(PlainDraw({}), g.parameters).kwargs) == ["n"]


def guessed(module: ModuleType, qualname: str) -> dict[str, str]:
    """What the plans of the parameters of something that can be called are."""
    (found,) = (item for item in discover(module) if item.qualname == qualname)
    return {item.name: item.plan.describe() for item in found.parameters if item.plan is not None}


def test_what_methods_do_with_an_attribute_tells_what_the_constructor_is_given(
    make_module: MakeModule,
) -> None:
    module = make_module(
        """
        class Cache:
            def __init__(self, limit, name, rows, getsizeof=None, key=None):
                self.limit = limit
                self._name = name
                self._rows = list(rows)
                self._getsizeof = getsizeof
                self.key = key
            def put(self, value):
                return self._getsizeof(value) > 1.5 and self.limit > 0.5
            def shown(self, a, b):
                return self.key(a, b).upper() + self._name.upper()
            def found(self):
                for number, text in self._rows:
                    if number > 3 and text.isalpha():
                        return text
        """
    )
    assert guessed(module, "Cache") == {
        "limit": "float | int",
        "name": "str",
        "rows": "list[tuple[int, str]] | tuple[tuple[int, str]]",
        "getsizeof": "function returning float | int | None",
        "key": "function returning str | None",
    }
    (cache,) = (item for item in discover(module) if item.qualname == "Cache")
    draw = PlainDraw({"getsizeof?": 0, "key?": 0})
    made = build_arguments(draw, cache.parameters)
    recipes = map(Settling(draw.pool.mocks).recipe, made.arg_recipes[3:])
    assert [recipe.parameters for recipe in recipes if isinstance(recipe, Lambda)] == [1, 2]


@pytest.mark.parametrize("call", ["super().__init__(size, weigh)", "Base.__init__(self, size, weigh=weigh)"])
def test_what_a_base_does_with_an_argument_tells_what_it_is(make_module: MakeModule, call: str) -> None:
    module = make_module(
        f"""
        class Base:
            def __init__(self, most, weigh=None):
                self._weigh = weigh
                self.most = most
            def add(self, item):
                return self._weigh(item) + 1 > self.most << 1
        class Sub(Base):
            def __init__(self, size, weigh=None):
                {call}
        """
    )
    assert guessed(module, "Sub") == {"size": "int", "weigh": "function returning int | float | None"}


def test_a_value_that_is_ordered_against_unknown_ones_is_a_number_or_a_text(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Heap:
            def __init__(self): self.items = []
            def place(self, wanted):
                return [item for item in self.items if item < wanted]
        """
    )
    assert guessed(module, "Heap.place")["wanted"].startswith("int | float")


def test_a_key_of_a_dict_is_hashable_and_not_one_of_its_values(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Tasks:
            def __init__(self): self.known = {}
            def add(self, task):
                if task in self.known:
                    return self.known[task][0]
                self.known[task] = [1, task]
        """
    )
    assert guessed(module, "Tasks.add") == {"task": "int | str"}


def test_values_of_keywords_and_further_arguments_have_guesses_of_their_own(make_module: MakeModule) -> None:
    module = make_module(
        """
        def f(name, *args, **options):
            for one in args:
                one.strip()
            return options.pop("order", min)(3), options["size"] << 2
        """
    )
    (f,) = discover(module)
    assert f.parameters[1].plan is not None
    assert f.parameters[1].plan.describe() == "str"
    assert f.parameters[2].keywords == ("order", "size", "value"), "a parameter is called name"
    order, size, _ = f.parameters[2].of_keywords
    assert (order.describe(), size.describe()) == ("function returning int", "int")


def test_a_function_that_is_kept_among_others_is_called_later(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Bus:
            def __init__(self):
                self.named = {}
                self.rest = []
            def on(self, name, handler, otherwise):
                self.named[name] = handler
                self.rest.append(otherwise)
            def emit(self, name):
                for each in self.rest:
                    each(name, 1)
                return self.named[name]()
        """
    )
    plans = guessed(module, "Bus.on")
    assert (plans["handler"], plans["otherwise"]) == ("function returning int", "function returning int")


def test_what_may_hold_itself_has_guesses(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Tree:
            def __init__(self, parts):
                self.parts = parts
            def words(self):
                for part in self.parts:
                    Tree(part).words()
                    part.strip()
        """
    )
    assert guessed(module, "Tree")["parts"] == "str | list[str]"


def test_without_source_there_are_still_guesses(make_module: MakeModule) -> None:
    module = make_module("x = 1")
    exec("def f(a, b=2): return a", vars(module))
    (f,) = discover(module)
    assert f.problem is None
    assert "str" in str(f.parameters[0].plan and f.parameters[0].plan.describe())
    assert f.parameters[1].starts_at_default


def test_fields_of_data_classes_are_what_the_functions_use_them_as(make_module: MakeModule) -> None:
    module = make_module(
        """
        from dataclasses import dataclass, field
        @dataclass
        class Line:
            code: object
            much: object
            note: object = None
        @dataclass
        class Order:
            lines: object = field(default_factory=list)
            voucher: object = None
        def worth(order):
            if order.voucher == "FREE":
                return 0
            return sum(line.much * 3 for line in order.lines if line.code.startswith("x"))
        """
    )
    usage = Planner(module).usage
    found = usage.guesses("Line.__init__", module.Line.__init__)
    found |= usage.guesses("Order.__init__", module.Order.__init__)
    assert {name: " | ".join(map(str, row)) for name, row in found.items() if name != "self"} == {
        "code": "str",
        "much": "int | float",
        "note": "None | int | str | list",
        "lines": "list[Line]",
        "voucher": "str | None",
    }


# A function and the guesses of its parameter p, where syntax says what it is rather than calls.
ENTERED = [
    ("def f(p):\n  with p: return 1", "context manager of ?"),
    ("def f(p):\n  with p as n: return n + 1", "context manager of int | float"),
    ("def f(p):\n  with p as s: return s.read().split()", "StringIO"),
    ("def f(p):\n  with p as db: return db.fetch(1).name", "object with fetch(), __enter__()"),
    ("def f(p):\n  with p.lock: return p.size", "object with lock, size"),
    ("async def f(p): return (await p) == 7", "awaitable of int"),
    ("async def f(p): return (await p(1)).upper()", "async function of 1"),
    ("async def f(p): return await p.get(1)", "object with get()"),
    ("async def f(p):\n  async for x in p: return x", "object with __anext__()"),
    ("async def f(p): return [x async for x in p]", "object with __anext__()"),
    ("async def f(p):\n  async with p as s: return await s.query()", "object with query(), __aenter__()"),
    ("def f(p): return p.read(4)[:2] == b'PK'", "BytesIO | StringIO"),
    ("def f(p):\n  with p as s: return s.readline().startswith(b'#')", "BytesIO | StringIO"),
    ("def f(p): return len(p), p.leader", "object with leader, __len__()"),
    ("def f(p): return p.leader if hasattr(p, 'leader') else len(p)", "list"),
    ("def f(p): return p.replace(day=1)", "date"),
    ("def f(p): return p.startswith(b'x')", "bytes"),
    ("def f(p): return p == {1, 2}", "set[int]"),
    ("def f(p, q): return len(p - q)", "set"),
    ("def f(p): return (1, 'a') in p", "list[tuple[int, str]]"),
    ("def f(p): return sorted([1], key=p)", "function"),
    ("import decimal\ndef f(p): return p * decimal.Decimal('0.2')", "Decimal"),
    ("T = {'a': 1}\ndef f(p): return T.get(p, 0)", "str"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), ENTERED, ids=[row[0] for row in ENTERED])
def test_syntax_tells_what_a_parameter_is(source: str, expected: str, make_module: MakeModule) -> None:
    module = make_module(source)
    found = [str(guess) for guess in Planner(module).usage.guesses("f", module.f)["p"]]
    assert " | ".join(found).startswith(expected)


@pytest.mark.parametrize(
    "use", ["setattr(p, name, 1)", "delattr(p, name)", "return len(vars(p))", "for n in vars(p): print(n)"]
)
def test_what_has_attributes_of_any_name_is_an_object(make_module: MakeModule, use: str) -> None:
    module = make_module(f"def f(p, name: str):\n    {use}")
    assert guessed(module, "f")["p"].startswith("object | object with name, size")
