from __future__ import annotations

import pytest

from tests.emit.source.test_layout import ruff
from tracetwin.emit.source.identifiers import Unwritable
from tracetwin.emit.source.imports import Namespace


def block(space: Namespace, runner: str | None = None) -> str:
    return "\n".join(space.block(runner)) + "\n"


@pytest.mark.parametrize("runner", [None, "pytest"])
def test_a_sorter_leaves_the_imports_as_they_are(runner: str | None) -> None:
    space = Namespace("shop.cart", ["other"])
    for name in (
        "b10",
        "b9",
        "Apple",
        "PI",
        "A",
        "_x",
        "apple",
        "Zed",
        "test_it",
        "list",
        "__hidden",
        "self",
    ):
        space.name("shop.cart", name)
    for name in ("helper", "B1", "a_quite_long_name_that_makes_the_line_too_long", "b" * 40):
        space.name("shop.b2.util", name)
    space.name("shop.b10.util", "thing")
    space.name("other", "Apple")
    for module, name in [("math", "nan"), ("json.decoder", "JSONDecodeError"), ("datetime", "date")]:
        space.name(module, name)
    text = block(space, runner)
    sorted_ = ruff("check", "--select", "I", text=text)
    assert sorted_.returncode == 0, sorted_.stdout.decode() + text


def test_a_target_in_the_standard_library_is_sorted_among_it() -> None:
    space = Namespace("colorsys")
    space.name("colorsys", "rgb_to_hsv")
    space.name("math", "nan")
    assert block(space) == "import math\nfrom colorsys import rgb_to_hsv\n"


def test_names_that_would_hide_something_get_another() -> None:
    space = Namespace("shop.cart", ["other"])
    assert space.name("shop.cart", "list") == "cart_list"
    assert space.name("shop.cart", "math") == "cart_math"
    assert space.name("shop.cart", "TestOrder.kind") == "cart_TestOrder.kind"
    assert space.name("shop.cart", "total") == "total"
    assert space.name("other", "total") == "other_total"
    assert space.name("shop.cart", "total") == "total"


def test_local_names_hide_nothing() -> None:
    space = Namespace("shop", hints=["item"])
    space.name("shop", "total")
    wanted = ["total", "item", "list", "class", "math", "l", "2nd", "box"]
    assert [space.local(name) for name in wanted] == [
        "total_2",
        "item_2",
        "list_2",
        "class_2",
        "math_2",
        "l_value",
        "value_2nd",
        "box",
    ]


@pytest.mark.parametrize(
    ("module", "qualname"),
    [
        ("builtins", "function"),
        ("requests", "get"),
        ("shop", "f.<locals>.C"),
        ("shop", "C.__inner"),
        ("math", "nothing"),
        ("", "C"),
    ],
)
def test_what_a_test_may_not_import(module: str, qualname: str) -> None:
    with pytest.raises(Unwritable):
        Namespace("shop").name(module, qualname)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("__dir__", "cart_dir"),
        ("__getattr__", "cart_getattr"),
        ("load_tests", "cart_load_tests"),
        ("setUpModule", "cart_setUpModule"),
        ("pytest_configure", "cart_pytest_configure"),
    ],
)
def test_what_a_runner_or_the_interpreter_would_call_gets_another_name(name: str, given: str) -> None:
    space = Namespace("shop.cart")
    assert space.name("shop.cart", name) == given
    assert block(space) == f"from shop.cart import {name} as {given}\n"


@pytest.mark.parametrize("first_party", [True, False])
@pytest.mark.parametrize("runner", [None, "pytest"])
def test_whole_modules_of_the_target_are_sorted_among_the_others(
    runner: str | None, first_party: bool
) -> None:
    space = Namespace("zoo")
    assert [space.module("zoo"), space.name("zoo", "feed")] == ["zoo", "feed"]
    space.modules.add("math")
    whole = ["import pytest", "import zoo"] if runner else ["import zoo"]
    apart = [""] if runner and first_party else []
    expected = ["import math", "", *whole[:-1], *apart, whole[-1], "from zoo import feed"]
    assert space.block(runner, first_party=first_party) == expected


def test_a_module_is_imported_from_its_package_under_a_free_name() -> None:
    space = Namespace("shop.price")
    assert [space.name("shop.price", "price"), space.module("shop.price")] == ["price", "shop_price"]
    assert block(space) == "from shop import price as shop_price\nfrom shop.price import price\n"
    space = Namespace("price")
    assert [space.name("price", "price"), space.module("price")] == ["price", "price_module"]
    assert block(space) == "import price as price_module\nfrom price import price\n"
