"""Which attributes of a class matter for some methods."""

from __future__ import annotations

import textwrap

from tests.analysis.flow.flows import influences
from tracetwin.analysis.flow.analyse import facts_of

SHOP = textwrap.dedent(
    """
    import copy, json

    class Shop:
        def __init__(self, name):
            self.name = name
            self.stock = {}
            self.log = []
            self.calls = 0
            self.price = 1
            self.tax = 0
            self.open = False
        def start(self):
            self.log.append("start")
            self.calls += 1
            self.open = True
        def add(self, item, n):
            self.log.append(item)
            self.calls += 1
            if self.open:
                self.stock[item] = self.stock.get(item, 0) + n
        def set_tax(self, tax): self.tax = tax
        def raise_price(self): self.price = self.price + self.tax
        def cost(self): return self.price * 2
        def count(self, item): return self.stock.get(item)
        def history(self): return list(self.log)
        def twin(self): return copy.copy(self)
        def dump(self): return json.dumps(self.__dict__)
        def any(self, name): return getattr(self, name)
    """
)
EVERYTHING = frozenset({"*", "name", "stock", "log", "calls", "price", "tax", "open"})


def relevant(*targets: str) -> frozenset[str]:
    return facts_of(SHOP, "shop").relevant_attributes("Shop", [f"Shop.{name}" for name in targets])


def test_what_flows_into_a_use_is_relevant():
    assert {"price", "tax"} == relevant("cost")


def test_what_decides_about_a_definition_is_relevant_but_what_is_only_written_is_not():
    assert {"stock", "open"} == relevant("count")


def test_in_the_target_itself_a_log_and_a_counter_do_not_matter():
    assert {"stock", "open"} == relevant("add")
    assert set() == relevant("start")


def test_a_log_that_is_read_is_relevant():
    found = relevant("history")
    assert "log" in found
    assert not {"name", "price", "tax"} & found


def test_copies_dictionaries_and_unknown_names_make_all_relevant():
    assert relevant("twin") == relevant("dump") == relevant("any") == EVERYTHING


def test_an_unknown_target_makes_all_relevant():
    assert EVERYTHING == relevant("nothing")


def test_definers_in_source_order():
    found = facts_of(SHOP, "shop")
    assert ("Shop.add",) == found.definers("Shop", ["stock"])
    assert ("Shop.start", "Shop.add") == found.definers("Shop", ["log", "calls"])
    assert not found.invokables["Shop.cost"].defines


def test_self_given_to_unknown_code_makes_all_relevant():
    source = textwrap.dedent(
        """
        from elsewhere import show
        class A:
            def __init__(self): self.x = 0; self.y = 0
            def give(self): show(self)
        """
    )
    assert {"*", "x", "y"} == facts_of(source, "a").relevant_attributes("A", ["A.give"])


def test_confirmed_facts_have_what_runs_did():
    found = facts_of(SHOP, "shop")
    assert not influences(found, "Shop.cost", "Shop.history")
    more = found.confirmed({"Shop.cost": ([("Shop", "tax")], [("Shop", "log[]"), ("Shop", "hidden")])})
    assert influences(more, "Shop.cost", "Shop.history")
    assert more.invokables["Shop.cost"].defines
    assert not influences(found, "Shop.cost", "Shop.history"), "the old facts are as they were"


def test_descriptors_of_the_module_are_called():
    source = textwrap.dedent(
        """
        class Positive:
            def __set_name__(self, owner, name): self.name = "_" + name
            def __get__(self, thing, owner): return getattr(thing, self.name)
            def __set__(self, thing, value): setattr(thing, self.name, value)
        class Account:
            balance = Positive()
            def __init__(self): self.balance = 1; self.other = 0
            def set(self, n): self.balance = n
            def rich(self): return self.balance > 10
            def quiet(self): return 1
        """
    )
    found = facts_of(source, "account")
    assert {"*", "balance"} <= found.relevant_attributes("Account", ["Account.rich"])
    assert ("Account.set",) == found.definers("Account", ["*"])
    assert influences(found, "Account.set", "Account.rich")
    assert set() == found.relevant_attributes("Account", ["Account.quiet"])
