"""Definition-use pairs of classes."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tracetwin.analysis.flow.analyse import facts_of
from tracetwin.analysis.flow.pairs import DefUsePair


def pairs(source: str, name: str = "Box") -> tuple[DefUsePair, ...]:
    return facts_of(textwrap.dedent(source), "sample").pairs[name]


def lines(found: tuple[DefUsePair, ...], *, feasible: bool) -> set[tuple[str, int, int]]:
    return {(p.attribute, p.define.line, p.use.line) for p in found if p.feasible is feasible}


def body(text: str) -> str:
    """A class Box; its first method begins in line 2."""
    return "class Box:\n" + textwrap.indent(textwrap.dedent(text).strip("\n"), "    ")


def test_coin_box_has_the_pairs_of_the_paper():
    source = Path("examples/coin_box.py").read_text(encoding="utf-8")
    found = facts_of(source, "coin_box").pairs["CoinBox"]
    marked = {
        (p.attribute, p.define.method, p.use.method, p.use.line): p.why for p in found if not p.feasible
    }
    assert list(range(1, 18)) == [p.number for p in found]
    redefined = "redefined before the use in line 19"
    needs = "needs allow_vend, which was made false together with it"
    assert {
        ("cur_qtrs", "CoinBox", "CoinBox.add_qtr", 20): redefined,  # 02
        ("cur_qtrs", "CoinBox.return_qtrs", "CoinBox.add_qtr", 20): redefined,  # 06
        ("cur_qtrs", "CoinBox.vend", "CoinBox.add_qtr", 20): redefined,  # 14
        ("cur_qtrs", "CoinBox.vend", "CoinBox.vend", 30): needs,  # 15
        ("cur_qtrs", "CoinBox", "CoinBox.vend", 30): needs,  # 17: the paper leaves it open, it is the same
    } == marked


def test_the_use_before_the_definition_in_one_statement_is_reached_from_the_call_before():
    found = pairs(body("def m(self):\n    self.n += 1"))
    assert {("n", 3, 3)} == lines(found, feasible=True)
    assert not found[0].within


def test_the_constructor_runs_first_and_once():
    found = pairs(
        body(
            """
            def __init__(self):
                self.n = 0
                self.m = self.n
            def set(self):
                self.n = 1
            """
        )
    )
    assert {("n", 3, 4)} == lines(found, feasible=True)
    assert found[0].within


def test_a_definition_that_is_always_replaced_before_the_end_only_reaches_what_is_between():
    found = pairs(
        body(
            """
            def run(self):
                self.busy = True
                print(self.busy)
                self.busy = False
            def is_busy(self):
                return self.busy
            """
        )
    )
    assert {("busy", 3, 4), ("busy", 5, 7)} == lines(found, feasible=True)
    assert {("busy", 5, 4)} == lines(found, feasible=False)


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("if v:\n    self.x = 1\nreturn self.x", True),
        ("self.x = 1\nreturn self.x", False),
        ("if v:\n    self.x = 1\nelse:\n    self.x = 2\nreturn self.x", False),
        ("while v:\n    self.x = 1\nreturn self.x", True),
        ("while True:\n    self.x = 1\n    if v: break\nreturn self.x", False),
        ("for w in v:\n    self.x = w\nreturn self.x", True),
        ("for w in v:\n    break\nelse:\n    self.x = 1\nreturn self.x", True),
        ("try:\n    v()\n    self.x = 1\nexcept ValueError:\n    pass\nreturn self.x", True),
        ("try:\n    v()\nfinally:\n    self.x = 1\nreturn self.x", False),
        ("try:\n    return v()\nfinally:\n    self.x = 1\n    print(self.x)", False),
        ("with v:\n    self.x = 1\nreturn self.x", True),
        ("match v:\n    case 1: self.x = 1\n    case _: self.x = 2\nreturn self.x", False),
        ("match v:\n    case 1: self.x = 1\nreturn self.x", True),
        ("v and setattr(self, 'x', 1)\nreturn self.x", True),
        ("[setattr(self, 'x', w) for w in v]\nreturn self.x", True),
        ("if not v: raise ValueError\nself.x = 1\nreturn self.x", False),
        ("self.set(v)\nreturn self.x", False),
        ("self.maybe(v)\nreturn self.x", True),
        ("v.x = 1\nreturn self.x", True),
        ("del self.x\nreturn self.x", False),
        ("self.p = 1\nreturn self.x", False),
    ],
)
def test_definition_clear_paths(text, reached):
    found = pairs(
        body("def __init__(self):\n    self.x = 0\ndef m(self, v):\n" + textwrap.indent(text, "    "))
        + textwrap.indent(
            "\ndef set(self, v):\n    self.x = v\ndef maybe(self, v):\n    if v:\n        self.x = v"
            "\n@property\ndef p(self): return 1\n@p.setter\ndef p(self, v): self.x = v\n",
            "    ",
        )
    )
    from_start = [p for p in found if p.define.method == "Box" and p.use.method == "Box.m"]
    assert [reached] == [p.feasible for p in from_start]
    assert reached or from_start[0].why.startswith("redefined before the use in line")


def test_elements_are_a_location_of_their_own():
    found = pairs(
        body(
            """
            def __init__(self):
                self.items = []
            def add(self, x):
                items = self.items
                items.append(x)
            def top(self):
                return self.items[-1]
            """
        )
    )
    assert {("items", 3, 5), ("items", 3, 8), ("items[]", 6, 8)} == lines(found, feasible=True)


def test_inherited_methods_super_and_overriding_are_of_the_class_itself():
    source = """
        class Base:
            def __init__(self):
                self.n = 0
            def add(self):
                self.n += self.step()
            def step(self):
                return 1
        class Box(Base):
            def __init__(self):
                super().__init__()
                self.k = 2
            def step(self):
                return self.k
            def add(self):
                super().add()
        """
    found = pairs(source)
    assert {("n", 4, 6), ("n", 6, 6), ("k", 12, 14)} == lines(found, feasible=True)
    assert {("n", 4, 6), ("n", 6, 6)} == lines(pairs(source, "Base"), feasible=True)


def test_class_defaults_are_definitions_where_methods_define_too():
    found = pairs("class Box:\n    n = 0\n    LIMIT = 3\n    def add(self):\n        self.n += self.LIMIT\n")
    assert {("n", 2, 5), ("n", 5, 5)} == lines(found, feasible=True)


def test_dataclass_fields_are_defined_by_the_constructor():
    found = pairs(
        """
        from dataclasses import dataclass
        @dataclass
        class Box:
            n: int
            m: int = 0
            def add(self):
                return self.n + self.m
        """
    )
    assert {("n", 5, 8), ("m", 6, 8)} <= lines(found, feasible=True)


LOCK = """
    def __init__(self):
        self.stage = 0
        self.opened = False
    def first(self):
        if self.stage == 0:
            self.stage = 1
    def second(self):
        if self.stage == 1:
            self.stage = 2
            self.opened = True
    def reset(self):
        self.stage = 0
        self.opened = False
    def go(self):
        if self.opened and self.stage == 0:
            return self.opened
        if self.stage == 2:
            print(self.opened)
"""


def test_constants_rule_out_what_they_certainly_rule_out():
    found = pairs(body(LOCK))
    # False from the constructor and from reset until `second` redefines it; from then on stage is 2.
    ruled_out = {
        p.define.method for p in found if p.use.line == 17 and p.attribute == "opened" and not p.feasible
    }
    assert {"Box", "Box.second", "Box.reset"} == ruled_out
    possible = {p.define.method for p in found if p.use.line == 16 and p.attribute == "opened" and p.feasible}
    assert {"Box", "Box.second", "Box.reset"} == possible


@pytest.mark.parametrize(
    "unknown",
    [
        "setattr(self, name, 1)",
        "self.__dict__[name] = 1",
        "vars(self).update(name)",
        "name.ready = True",
        "helper(self)",
    ],
)
def test_what_may_change_anything_rules_out_nothing(unknown):
    found = pairs(
        "from elsewhere import helper\n"
        + body(
            f"""
            def __init__(self):
                self.n = 0
                self.ready = False
            def any(self, name):
                {unknown}
            def use(self):
                if self.ready:
                    return self.n
            """
        )
    )
    assert [True] == [p.feasible for p in found if p.attribute == "n" and p.define.method == "Box"]


def test_numbers_are_stable_and_in_source_order():
    found = pairs(body(LOCK))
    assert [p.number for p in found] == list(range(1, len(found) + 1))
    assert list(found) == sorted(found, key=lambda p: (p.define, p.use, p.attribute))
    assert found == pairs(body(LOCK))


def test_objects_made_by_new_are_defined_there():
    found = pairs(
        body(
            """
            def __new__(cls, n):
                self = super().__new__(cls)
                self.n = n
                return self
            def get(self):
                return self.n
            """
        )
    )
    assert {("n", 4, 7)} == lines(found, feasible=True)
    assert "Box" == found[0].define.method


def test_a_callable_kept_in_an_attribute_is_used_also_in_a_subclass_of_something_else():
    found = pairs(
        "from elsewhere import Base\nclass Box(Base):\n    def __init__(self, f):\n        self.f = f\n"
        "        self.g = self.f()\n"
    )
    assert ("f", 4, 5) in lines(found, feasible=True)
