from __future__ import annotations

import pytest

from tests.target.layout import lay_out
from tracetwin.config.rules import makers, with_rules
from tracetwin.config.schema import checked
from tracetwin.support.errors import ConfigError
from tracetwin.target.selection import resolve_all

CART = """
import dataclasses
from shop.base import Base

class Cart:
    def __init__(self, limit):
        self.limit = limit

    def add(self, price, quantity=1, *rest, colour="red", **more):
        return price

    @staticmethod
    def parse(text): ...

    @classmethod
    def empty(cls, size): ...

    @property
    def total(self): ...

    @total.setter
    def total(self, value): ...

class Big(Cart):
    pass

class Foreign(Base):
    pass

@dataclasses.dataclass
class Point:
    x: int

if True:
    def free(n): ...

made = lambda q: q
"""

MAKE = "class Make:\n    def conn(self): ...\n\ndef conn(size=1): ...\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    lay_out(tmp_path, {
        "src/shop/__init__.py": "", "src/shop/cart.py": CART, "src/shop/base.py": "class Base: ...\n",
        "checks/__init__.py": "", "checks/make.py": MAKE, "pyproject.toml": "",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rules_of(project, target="src/shop/cart.py", **table):
    modules = resolve_all([target]).modules
    config = checked(
        {key.replace("_", "-"): value for key, value in table.items()}, project / "pyproject.toml"
    )
    return with_rules(modules, config, private=True, max_length=3)[0]


def test_without_a_rule_there_are_the_options_only(project):
    assert {"private": True, "max_length": 3} == rules_of(project).rules


@pytest.mark.parametrize(
    "pattern",
    [
        "shop.cart:Cart.*", "shop.cart:Cart.ad?", "shop.*:Cart.add", "shop.cart:free", "shop.cart:made",
        "shop.cart:Cart", "shop.cart:Cart.__init__", "shop.cart:Big.add", "shop.cart:Cart.total",
        "shop.cart:Cart.limit", "shop.cart:Foreign.anything", "shop.base:Base", "other.*:whatever",
        "shop.cart:*", "*:*", "json:loads", "_json:make_encoder",
    ],
)  # fmt: skip
def test_patterns_that_match_something(project, pattern):
    assert [pattern] == rules_of(project, forbid=[pattern]).rules["forbid"]
    assert [pattern] == rules_of(project, allow=[pattern]).rules["allow"]


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("shop.crat:Cart.add", "matches nothing: there is no module shop.crat"),
        ("shop.cart:Cart.ad", "matches nothing that shop.cart defines; did you mean Cart.add?"),
        ("shop.*:Crat", "matches nothing that shop.* defines; did you mean Cart?"),
        ("shop.cart:Xyzzy.*", "matches nothing that shop.cart defines; correct the name, or take it out"),
        ("shop.cart:Point.x.y", "matches nothing"),
    ],
)
def test_a_pattern_that_matches_nothing_is_named(project, pattern, said):
    with pytest.raises(ConfigError) as caught:
        rules_of(project, forbid=[pattern])
    assert str(caught.value).startswith(f"{project / 'pyproject.toml'}: forbid: '{pattern}' {said}")


def test_factories_are_found_and_their_folder_is_put_on_the_path(project):
    module = rules_of(project, factories={"shop.cart.Cart": "checks.make:conn"})
    assert {"shop.cart.Cart": "checks.make:conn"} == module.rules["factories"]
    assert (str(project),) == module.search_path
    assert {"checks"} == makers(module.rules)


def test_a_factory_beside_the_target_needs_no_more_path(project):
    module = rules_of(project, factories={"shop.cart.Cart": "shop.cart:Cart.empty"})
    assert () == module.search_path


def test_types_of_other_modules_and_methods_of_classes_are_known(project):
    module = rules_of(project, factories={"decimal.Decimal": "checks.make:Make.conn"})
    assert "decimal.Decimal" in module.rules["factories"]
    module = rules_of(project, factories={"hashlib.md5": "checks.make:Make.conn"})
    assert "hashlib.md5" in module.rules["factories"], "it makes its names while it is imported"


@pytest.mark.parametrize(
    ("name", "maker", "said"),
    [
        ("shop.cart.Crat", "checks.make:conn", "there is no Crat in shop.cart; did you mean Cart?"),
        ("shap.Cart", "checks.make:conn", "there is no module that 'shap.Cart' could be in"),
        (
            "shop.cart.Cart",
            "checks.make:con",
            "can't be imported: checks.make defines no con; did you mean conn?",
        ),
        ("shop.cart.Cart", "checks.mak:conn", "can't be imported: there is no module checks.mak"),
    ],
)
def test_factories_that_are_not_there_are_named(project, name, maker, said):
    with pytest.raises(ConfigError) as caught:
        rules_of(project, factories={name: maker})
    assert str(caught.value).startswith(f"{project / 'pyproject.toml'}: factories: ")
    assert said in str(caught.value)


def assumed(project, target, condition):
    rules = rules_of(project, assume=[{"target": target, "condition": condition}]).rules
    return [(names, source) for _, _, names, source, _ in rules["assume"]]


def test_what_must_hold_all_together_is_taken_apart(project):
    parts = assumed(
        project, "shop.cart:Cart.add", "0 < price <= quantity and self.limit > len(rest) and colour"
    )
    assert [["price"], ["price", "quantity"], ["self", "rest"], ["colour"]] == [names for names, _ in parts]
    assert all("_tt." in source for _, source in parts[:3])


def test_an_alternative_is_one_condition(project):
    ((names, _),) = assumed(project, "shop.cart:Cart.add", "price > 0 or quantity > 0")
    assert ["price", "quantity"] == names


def test_names_that_a_condition_binds_itself_are_its_own(project):
    ((names, _),) = assumed(project, "shop.cart:Cart.add", "all(item > price for item in rest)")
    assert ["rest", "price"] == sorted(names, reverse=True)


@pytest.mark.parametrize(
    ("target", "condition"),
    [
        ("shop.cart:Cart", "limit > 0"),
        ("shop.cart:Cart.__init__", "limit > 0"),
        ("shop.cart:Big.add", "price > self.limit"),
        ("shop.cart:Cart.parse", "text"),
        ("shop.cart:Cart.empty", "size > 1"),
        ("shop.cart:Cart.total.setter", "value > self.limit"),
        ("shop.cart:free", "n > 0"),
        ("shop.cart:made", "q > 0"),
        ("shop.cart:Point", "x > 0"),
        ("shop.cart:Foreign.method", "anything > 0"),
    ],
)
def test_parameters_of_all_kinds_are_known(project, target, condition):
    assert 1 == len(assumed(project, target, condition))


@pytest.mark.parametrize(
    ("target", "condition", "said"),
    [
        (
            "shop.cart:Cart.add",
            "prize > 0",
            "names 'prize', which is no parameter of shop.cart:Cart.add; did you",
        ),
        ("shop.cart:Cart.add", "price >", "'price >' is not a Python expression"),
        ("shop.cart:Cart.add", "price = 3", "is not a Python expression"),
        ("shop.cart:Cart.add", "(yield price)", "is not a Python expression"),
        ("shop.cart:Cart", "self.limit > 0", "names 'self', which is no parameter"),
        ("shop.cart:Cart.parse", "self", "names 'self'"),
        (
            "shop.cart:Cart.empty",
            "cls.x",
            "names 'cls', which is no parameter of shop.cart:Cart.empty; it has size",
        ),
        ("shop.cart:Cart.pay", "price > 0", "there is no target 'shop.cart:Cart.pay'"),
        (
            "shop.crat:Cart.add",
            "price > 0",
            "there is no target 'shop.crat:Cart.add': there is no module shop.crat",
        ),
    ],
)
def test_conditions_that_cannot_be_evaluated_are_named(project, target, condition, said):
    with pytest.raises(ConfigError) as caught:
        assumed(project, target, condition)
    assert str(caught.value).startswith(f"{project / 'pyproject.toml'}: assume, entry 1: ")
    assert said in str(caught.value)
