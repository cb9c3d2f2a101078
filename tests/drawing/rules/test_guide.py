from __future__ import annotations

import sys
import textwrap

import pytest

from instrumenter.transform import instrument
from runtime import trace, twin
from runtime.inputs import ASSUMED_SITE, INPUT_SITE, Inputs, UnfitInput
from runtime.trace import Kind
from tracetwin.config import rules
from tracetwin.config.schema import Precondition
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.parameters import Arguments
from tracetwin.drawing.plans.plans import SetupFailed
from tracetwin.drawing.rules.user_rules import Guide
from tracetwin.process.importing import ImportFailure

SHOP = """
    class Conn:
        def __init__(self, token: complex) -> None:
            self.token = token

    class Cart:
        def __init__(self, limit: int) -> None:
            self.limit = limit

        @property
        def size(self) -> int:
            return 1

        @size.setter
        def size(self, value: int) -> None: ...

        def add(self, price: int, quantity: int = 2, *rest: int) -> int:
            return price

        def full(self) -> bool:
            if self.limit > 10:
                return False
            return True

        def _hidden(self) -> int: ...

        def __secret(self) -> int: ...

        class _Inner:
            def f(self) -> int: ...

    class Big(Cart):
        pass

    class Odd(Cart):
        def add(self, price: int, quantity: int = 2, *rest: int) -> int: ...

    def free(conn: Conn) -> int: ...

    def _own() -> int: ...
"""


def names(module, **rules):
    return [item.qualname for item in discover(module, (), Guide(rules))]


def test_forbidden_ones_are_no_targets(make_module):
    module = make_module(SHOP, "guided_a")
    assert "Cart.add" in names(module)
    left = names(module, forbid=["guided_*:Cart.a*", "guided_a:free", "other:Cart"])
    assert {"Cart.add", "free"} == set(names(module)) - set(left)
    assert "Odd.add" in left


def test_only_what_is_allowed_is_a_target(make_module):
    module = make_module(SHOP, "guided_b")
    assert ["Cart.size", "Cart.size.setter", "free"] == names(module, allow=["*:Cart.si?e", "guided_b:free"])
    assert ["Cart.full"] == names(module, allow=["*:Cart.*"], forbid=["*:Cart", "*:*.add", "*:*.size"])


def test_the_pattern_for_all_of_a_class_holds_for_its_constructor():
    guide = Guide({"forbid": ["shop:Cart.*"]})
    assert guide.forbids("shop", "Cart")
    assert guide.forbids("shop", "Cart.__init__")
    assert guide.forbids("shop", "Cart.size.setter")
    assert not guide.forbids("shop", "Cartridge")
    assert not guide.forbids("shop.cart", "Cart")
    assert Guide({"forbid": ["shop:Cart"]}).forbids("shop", "Cart.__init__")
    assert not Guide({"forbid": ["shop:Cart"]}).forbids("shop", "Cart.add")
    assert guide.forbids("shop", "Base.add", "Cart.add")


def test_constructors_need_not_be_allowed():
    guide = Guide({"allow": ["shop:Cart.add"]})
    assert guide.permits("shop", "Cart.add")
    assert not guide.permits("shop", "Cart")
    assert not guide.forbids("shop", "Cart")


def test_private_names_are_targets_where_they_are_wanted(make_module):
    module = make_module(SHOP, "guided_c")
    more = set(names(module, private=True)) - set(names(module))
    assert {"Cart._hidden", "Cart._Cart__secret", "Cart._Inner.f", "_own"} == more


def test_a_factory_replaces_the_constructor(make_module):
    module = make_module(SHOP, "guided_d")
    make_module("""
        from guided_d import Conn
        class Make:
            @staticmethod
            def conn(rows: int = 0) -> Conn:
                return Conn(1j)
    """, "makers_d")  # fmt: skip
    guide = Guide({"factories": {"guided_d.Conn": "makers_d:Make.conn"}})
    guide.load()
    assert ("makers_d", "Make.conn") == guide.factory(module.Conn)
    assert guide.factory(module.Cart) is None
    (free,) = discover(module, ("free",), guide)
    assert free.parameters[0].plan
    trace.start()
    try:
        value, recipe = free.parameters[0].plan.build(Inputs({}), "conn")
    finally:
        trace.stop()
    assert (module.Conn, 1j) == (type(value), value.token)
    assert "makers_d" in repr(recipe)
    assert "'Conn'" not in repr(recipe)


@pytest.mark.parametrize(
    ("source", "maker", "said"),
    [
        ("1 / 0", "conn", "can't be imported: ZeroDivisionError"),
        ("import sys\nsys.exit(3)", "conn", "can't be imported: SystemExit"),
        ("conn = 5", "conn", "is nothing to call"),
        ("", "conn", "can't be imported: AttributeError"),
    ],
)
def test_a_factory_that_cannot_be_imported_is_said(make_module, tmp_path, monkeypatch, source, maker, said):
    monkeypatch.delitem(sys.modules, "makers_e", raising=False)
    make_module(SHOP, "guided_e")
    (tmp_path / "makers_e.py").write_text(source)
    guide = Guide({"file": "p.toml", "factories": {"guided_e.Conn": f"makers_e:{maker}"}})
    with pytest.raises(ImportFailure) as caught:
        guide.load()
    assert caught.value.message.startswith(
        "p.toml: factories: makers_e:conn, which is to make guided_e.Conn, "
    )
    assert said in caught.value.message


def test_a_factory_of_a_type_that_is_not_there_is_not_imported():
    guide = Guide({"factories": {"nosuch.Conn": "nosuch_makers:conn"}})
    guide.load()
    assert guide.factory(int) is None


# Preconditions


def guide_with(target, condition, parameters):
    item = Precondition(target, condition)
    return Guide({"assume": list(rules.twins(item, parameters))})


def assumed(guide, module, price, quantity=None, *, receiver=None, limit=0, name="Cart.add", **more):
    """The path of an input, and whether it fits."""
    inputs = Inputs({"price": price, "quantity": quantity, "limit": limit})
    current = trace.start()
    made = Arguments([inputs.integer("price"), *([] if quantity is None else [inputs.integer("quantity")])])
    receiver = receiver or module.Cart(inputs.integer("limit"))
    try:
        guide.assume(module.__name__, name, receiver.add, receiver, made)
    except UnfitInput:
        fits = False
    else:
        fits = True
    finally:
        trace.stop()
    return fits, [(str(node), Kind(kind)) for node, _, _, kind in current.path], current


def test_what_holds_is_assumed_and_never_negated(make_module):
    guide = guide_with("guided_f:Cart.add", "price > 0 and quantity < 9", ("self", "price", "quantity"))
    fits, path, _ = assumed(guide, make_module(SHOP, "guided_f"), 5, 3)
    assert fits
    assert [Kind.ASSUME, Kind.ASSUME] == [kind for _, kind in path]


def test_what_does_not_hold_is_a_choice_to_be_taken_otherwise(make_module):
    guide = guide_with("guided_g:Cart.add", "price > 0 and quantity < 9", ("self", "price", "quantity"))
    fits, path, current = assumed(guide, make_module(SHOP, "guided_g"), 5, 30)
    assert not fits
    assert [Kind.ASSUME, Kind.INPUT] == [kind for _, kind in path]
    assert [ASSUMED_SITE, INPUT_SITE] == [site for _, site, _, _ in current.path]


def test_an_alternative_may_be_taken_either_way(make_module):
    guide = guide_with("guided_h:Cart.add", "price > 0 or quantity < 9", ("self", "price", "quantity"))
    module = make_module(SHOP, "guided_h")
    fits, path, _ = assumed(guide, module, 5, 3)
    assert (True, [Kind.INPUT]) == (fits, [kind for _, kind in path])
    fits, path, _ = assumed(guide, module, -5, 3)
    assert (True, [Kind.INPUT, Kind.ASSUME]) == (fits, [kind for _, kind in path])
    assert not assumed(guide, module, -5, 30)[0]


def test_defaults_and_the_receiver_are_known_to_a_condition(make_module):
    parameters = ("self", "price", "quantity", "rest")
    guide = guide_with("guided_i:Cart.add", "quantity == 2 and not rest and price < self.limit", parameters)
    module = make_module(SHOP, "guided_i")
    assert assumed(guide, module, 5, limit=6)[0]
    assert not assumed(guide, module, 5, limit=5)[0]
    assert not assumed(guide, module, 5, 3, limit=6)[0]


def test_an_error_in_a_condition_breaks_it_and_can_be_avoided(make_module):
    guide = guide_with("guided_j:Cart.add", "10 // price > 3", ("self", "price"))
    module = make_module(SHOP, "guided_j")
    fits, path, _ = assumed(guide, module, 0)
    assert not fits
    assert {Kind.INPUT} == {kind for _, kind in path}
    assert assumed(guide, module, 2)[0]


def test_code_of_the_target_that_a_condition_calls_counts_for_nothing(make_module):
    """Its decisions about the input do, for they can be taken otherwise; its sites do not."""
    module = make_module(SHOP, "guided_k")
    built = instrument(textwrap.dedent(SHOP), name="guided_k", filename="guided_k.py")
    exec(built.source, {**vars(module), built.prelude_name: twin}, vars(module))
    guide = guide_with("guided_k:Cart.add", "not self.full()", ("self", "price"))
    fits, path, current = assumed(guide, module, 1, limit=11)
    assert fits
    assert [Kind.INPUT] == [kind for _, kind in path]
    assert set() == current.outcomes
    assert {} == current.marks
    assert not assumed(guide, module, 1, limit=3)[0]


def test_inherited_methods_have_the_preconditions_of_both_names(make_module):
    module = make_module(SHOP, "guided_l")
    of_base = guide_with("guided_l:Cart.add", "price > 0", ("self", "price"))
    of_heir = guide_with("guided_l:Big.add", "price > 0", ("self", "price"))
    big, odd = module.Big(1), module.Odd(1)
    assert not assumed(of_base, module, 0, receiver=big)[0]
    assert not assumed(of_heir, module, 0, receiver=big)[0]
    assert assumed(of_heir, module, 0)[0]
    assert assumed(of_base, module, 0, receiver=odd, name="Odd.add")[0]


def test_a_constructor_is_known_by_its_class():
    guide = guide_with("guided_m:Conn.__init__", "token", ("token",))

    def make(token): ...

    for name in ("Conn", "Conn.__init__"):
        with pytest.raises(UnfitInput):
            guide.assume("guided_m", name, make, None, Arguments([0]))
    guide.assume("guided_m", "Conn", make, None, Arguments([1]))
    guide.assume("guided_m", "Other", make, None, Arguments([0]))


def test_a_name_that_a_call_lacks_is_said():
    guide = guide_with("shop:f", "price > 0", ("price",))
    with pytest.raises(SetupFailed, match="the precondition of f names 'price', which it is not called with"):
        guide.assume("shop", "f", lambda other: None, None, Arguments([1]))
