"""Calls that stand in examples of the documentation, read and never run."""

from __future__ import annotations

import datetime as dt
import sys
import types
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tracetwin.analysis.sources import read
from tracetwin.drawing.rules.documented import documented
from tracetwin.drawing.rules.example_reader import Documented
from tracetwin.drawing.rules.learned import Learned
from tracetwin.drawing.typing.guesses import TypeGuess
from tracetwin.model.recipe import Call, Dictionary, Reference, Scalar, list_of, tuple_of
from tracetwin.model.recipes import lit

MakeModule = Callable[..., ModuleType]

SOURCE = '''
"""Shop.

>>> import shop
>>> shop.price("tea", 3)
9
>>> cart = Cart("anna", limit=2)
>>> cart.add(["a", 1], size=4)
>>> unknown.add(1)
>>> os.remove("everything")
"""
import datetime
import os


def price(name, count=1, *rest, **more):
    """Prices.

    >>> price("x", 1, 2, 3, colour="red")
    6
    >>> price(*names)
    0
    >>> price(make_a_name())
    0
    """


def since(day):
    """
    >>> since(datetime.date(2024, 2, 29))
    1
    """


class Cart:
    def __init__(self, owner, limit=0): ...

    def add(self, items, size=1): ...
'''


@pytest.fixture
def found(make_module: MakeModule) -> Documented:
    module = make_module(SOURCE, name="shop")
    return documented(module, read(module))


def test_arguments_have_the_names_of_the_parameters(found: Documented) -> None:
    first, second = found.functions["price"].calls
    assert first == {"name": lit("tea"), "count": lit(3)}
    assert second == {
        "name": lit("x"),
        "count": lit(1),
        "*rest": tuple_of(lit(2), lit(3)),
        "**more": Dictionary(((lit("colour"), lit("red")),)),
    }


def test_what_is_not_plain_to_see_is_left_out(found: Documented) -> None:
    assert 2 == len(found.functions["price"].calls)
    assert {"price", "since", "Cart.__init__", "Cart.add"} == set(found.functions)


def test_a_variable_stands_for_what_it_was_set_to(found: Documented) -> None:
    (call,) = found.functions["Cart.add"].calls
    cart = Call("shop", "Cart", (lit("anna"),), (("limit", lit(2)),))
    assert call == {"self": cart, "items": list_of(lit("a"), lit(1)), "size": Scalar(4)}
    assert [cart] == found.functions["Cart.__init__"].instances


def test_instances_of_the_library_tell_the_type(found: Documented) -> None:
    assert [["instance", [["datetime", "date"]]]] == found.functions["since"].shapes["day"]
    learned = Learned()
    learned.add(found)
    assert [TypeGuess(dt.date)] == learned.guesses("since", "day")


def test_what_tests_passed_comes_first(found: Documented) -> None:
    learned = Learned({"price": {"shapes": {"name": ["int"]}, "calls": [{"name": ["lit", 5]}]}})
    learned.add(found)
    assert [TypeGuess(int), TypeGuess(str)] == learned.guesses("price", "name")
    assert {"name": lit(5)} == learned.calls("price")[0]
    assert 3 == len(learned.calls("price"))


def test_an_installed_package_tells_of_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pack_age").mkdir()
    (tmp_path / "pack_age" / "__init__.py").write_text("")
    source = "def one(a): ...\ndef two(b): ...\ndef three(c): ...\n"
    (tmp_path / "pack_age" / "part.py").write_text(source)
    (tmp_path / "Pack_Age-1.0.dist-info").mkdir()
    (tmp_path / "Pack_Age-1.0.dist-info" / "METADATA").write_text(
        "Name: Pack-Age\n\n    >>> one(1)\n\n```python\nfrom pack_age import two\ntwo('b')\n```\n\n"
        ".. code-block:: python\n\n   three(2.5)\n\n```\n$ not python\n```\n"
    )
    package, part = types.ModuleType("pack_age"), types.ModuleType("pack_age.part")
    package.__file__ = str(tmp_path / "pack_age" / "__init__.py")
    part.__file__ = str(tmp_path / "pack_age" / "part.py")
    monkeypatch.setitem(sys.modules, "pack_age", package)
    monkeypatch.setitem(sys.modules, "pack_age.part", part)
    found = documented(part, read(part))
    assert {"one": [{"a": lit(1)}], "two": [{"b": lit("b")}], "three": [{"c": lit(2.5)}]} == {
        name: function.calls for name, function in found.functions.items()
    }


def test_an_example_that_is_nested_too_deeply_is_none(make_module: MakeModule) -> None:
    deep = "-" * 6000 + "1", "+".join(["1"] * 9000)
    lines = "".join(f"    >>> f({text})\n\n" for text in (*deep, "2"))
    module = make_module(f'def f(x):\n    """F.\n\n{lines}    """\n')
    assert [{"x": lit(2)}] == documented(module, read(module)).functions["f"].calls


def calls_of(found: Documented, name: str) -> list[dict[str, object]]:
    return [dict(call) for call in found.functions[name].calls]


def test_names_of_classes_and_functions_are_values(make_module: MakeModule) -> None:
    text = '''
    """
    >>> check(int, len, keep, LIMIT)
    """
    LIMIT = 7
    def check(kind, measure, rest, most): ...
    def keep(x): ...
    '''
    module = make_module(text, name="checks")
    (call,) = calls_of(documented(module, read(module)), "check")
    assert call == {
        "kind": Reference("builtins", "int"),
        "measure": Reference("builtins", "len"),
        "rest": Reference("checks", "keep"),
        "most": lit(7),
    }


def test_functions_that_act_are_not_passed_by_name(make_module: MakeModule) -> None:
    text = '''
    """
    >>> check(open, 1)
    >>> check(os.remove, 2)
    >>> check(shutil.rmtree, 3)
    >>> check(math.sqrt, 4)
    """
    import math, os, shutil
    def check(work, n): ...
    '''
    module = make_module(text, name="acting")
    found = calls_of(documented(module, read(module)), "check")
    assert found == [
        {"n": lit(1)},
        {"n": lit(2)},
        {"n": lit(3)},
        {"work": Reference("math", "sqrt"), "n": lit(4)},
    ]


def test_what_a_function_or_a_subclass_makes_is_a_receiver(make_module: MakeModule) -> None:
    text = '''
    """
    >>> opened = open_shop("tea")
    >>> opened.sell(1)
    >>> Branch("x").sell(2)
    """
    class Shop:
        def __init__(self, name): ...
        def sell(self, n): ...
    Branch = type("Branch", (Shop,), {"__module__": __name__})
    def open_shop(name) -> "Shop":
        return Shop(name)
    '''
    module = make_module(text, name="shops")
    found = documented(module, read(module))
    assert calls_of(found, "Shop.sell") == [
        {"self": Call("shops", "Shop", (), (("name", lit("tea")),)), "n": lit(1)},
        {"self": Call("shops", "Branch", (lit("x"),)), "n": lit(2)},
    ]
    assert calls_of(found, "Shop.__init__") == [{"name": lit("x")}]


USER = """
import pytest
from trade import price, Cart
from elsewhere import weigh


@pytest.mark.parametrize("name, count", [("tea", 1), ("rum", 2)])
def test_price(name, count):
    assert price(name, count) == count


def test_loops():
    for count in (4, 5):
        with open("x"):
            price("oil", count)
            price(make(), count)
        weigh(9)
"""


def test_tests_and_neighbours_show_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "trade.py").write_text("def price(name, count): ...\ndef weigh(n): ...\nclass Cart: ...\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_trade.py").write_text(USER)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "trade", raising=False)
    import trade  # type: ignore[import-not-found]

    monkeypatch.delitem(sys.modules, "trade")
    found = documented(trade, read(trade))
    assert set(found.functions) == {"price"}, "another function has the name weigh"
    assert [tuple(call.values()) for call in calls_of(found, "price")] == [
        (lit("tea"), lit(1)),
        (lit("rum"), lit(2)),
        (lit("oil"), lit(4)),
        (lit("oil"), lit(5)),
    ]


def test_an_installed_package_shows_its_own_calls_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "goods-1.0.dist-info").mkdir()
    for name, value in (("goods", 1), ("other", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
        (tmp_path / name / "more.py").write_text(f"from goods.prices import price\nprice({value})\n")
    (tmp_path / "goods" / "prices.py").write_text("def price(n): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("goods", "goods.prices"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    from goods import prices  # type: ignore[import-not-found]

    assert calls_of(documented(prices, read(prices)), "price") == [{"n": lit(1)}]
    for name in ("goods", "goods.prices"):
        monkeypatch.delitem(sys.modules, name)


BLOCKS = '''
class Tree:
    """A tree.

    Example:
        Making one::

            tree = Tree()
            tree.add("root", "r")

            tree.add("leaf", "l", parent="r")

        This is how it looks::

            root
             +-- leaf

    .. code-block:: python

        Tree().add("last", "z")"""

    def add(self, tag, name, parent=None): ...
'''


def test_indented_blocks_of_docstrings_are_examples_where_they_are_python(make_module: MakeModule) -> None:
    module = make_module(BLOCKS, name="trees")
    calls = documented(module, read(module)).functions["Tree.add"].calls
    assert [call["tag"] for call in calls] == [lit("root"), lit("leaf"), lit("last")]
    assert calls[1]["parent"] == lit("r")


def test_the_readme_of_a_project_shows_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "rates.py").write_text("def rate(weight): ...\n")
    (tmp_path / "README.md").write_text("Rates.\n\n```python\nfrom rates import rate\nrate(7)\n```\n")
    german = "Raten::\n\n    >>> import rates\n    >>> rates.rate(9)\n    18\n"
    (tmp_path / "README.de.rst").write_text(german)
    (tmp_path / "readme.txt").write_text("```python\nrate(3)\n```\n")
    (tmp_path / "other.md").write_text("```python\nfrom rates import rate\nrate(1)\n```\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "rates", raising=False)
    import rates  # type: ignore[import-not-found]

    monkeypatch.delitem(sys.modules, "rates")
    assert calls_of(documented(rates, read(rates)), "rate") == [{"weight": lit(9)}, {"weight": lit(7)}]
