"""Summaries: precondition on attributes and arguments => new attribute values."""

from __future__ import annotations

from tests.explore.summaries.support import opened
from tracetwin.explore.summaries.shapes import kinds_of
from tracetwin.explore.summaries.summary import CONSTRUCTOR, MethodPath, MethodSummary
from tracetwin.explore.summaries.wording import condition_text, text

COIN_BOX = """
class CoinBox:
    def __init__(self):
        self.total_qtrs = 0
        self.allow_vend = 0
        self.cur_qtrs = 0

    def return_qtrs(self):
        self.cur_qtrs = 0

    def add_qtr(self):
        self.cur_qtrs = self.cur_qtrs + 1
        if self.cur_qtrs > 1:
            self.allow_vend = 1

    def vend(self):
        if self.allow_vend:
            self.total_qtrs = self.total_qtrs + self.cur_qtrs
            self.cur_qtrs = 0
            self.allow_vend = 0
"""


def lines(summary: MethodSummary) -> set[str]:
    return {_line(path) for path in summary.paths if not path.member}


def _line(path: MethodPath) -> str:
    then = "; ".join(f"{name}' = {text(path.after[f'self.{name}'])}" for name in path.changed)
    return f"{condition_text(path.condition)} => {then if path.returns else path.run.detail}"


def test_the_table_of_the_coin_box() -> None:
    with opened(COIN_BOX, "CoinBox.vend") as box:
        of = box.summaries.of
        made = "True => allow_vend' = 0; cur_qtrs' = 0; total_qtrs' = 0"
        assert {made} == lines(of(CONSTRUCTOR))
        assert {"True => cur_qtrs' = 0"} == lines(of("return_qtrs"))
        assert {
            "self.cur_qtrs <= 0 => cur_qtrs' = self.cur_qtrs + 1",
            "self.cur_qtrs > 0 => allow_vend' = 1; cur_qtrs' = self.cur_qtrs + 1",
        } == lines(of("add_qtr"))
        sold = "allow_vend' = 0; cur_qtrs' = 0; total_qtrs' = self.total_qtrs + self.cur_qtrs"
        assert {
            "self.allow_vend == 0 => ",
            f"self.allow_vend != 0 => {sold}",
        } == lines(of("vend"))
        assert of("vend").complete
        assert box.summaries.complete


def test_exceptions_are_paths_and_arguments_stand_in_preconditions() -> None:
    source = """
        class Account:
            def __init__(self, limit: int):
                if limit < 0:
                    raise ValueError("negative")
                self.limit = limit
                self.balance = 0

            def withdraw(self, amount: int) -> None:
                if amount > self.balance + self.limit:
                    raise LookupError("too much")
                self.balance -= amount
    """
    with opened(source, "Account.withdraw", words=("withdraw",)) as account:
        assert {
            "account.limit >= 0 => balance' = 0; limit' = account.limit",
            "account.limit < 0 => ValueError",
        } == lines(account.summaries.of(CONSTRUCTOR))
        found = lines(account.summaries.of("withdraw"))
        assert 2 == len(found)
        assert any(line.endswith("=> LookupError") for line in found)
        assert any(line.endswith("=> balance' = self.balance - amount") for line in found)


def test_attributes_that_may_be_none_are_choices_that_matter_only_where_they_do() -> None:
    source = """
        class Slot:
            def __init__(self):
                self._held = None
                self.count = 0

            def put(self, n: int) -> None:
                self._held = n

            def tick(self) -> None:
                self.count += 1

            def twice(self) -> int:
                if self._held is None:
                    return 0
                return self._held * 2
    """
    with opened(source, "Slot.twice") as slot:
        assert {"True => count' = self.count + 1"} == lines(slot.summaries.of("tick"))
        assert 2 == len(lines(slot.summaries.of("twice")))


def test_pushes_on_lists_of_any_length_are_one_path() -> None:
    source = """
        class Stack:
            def __init__(self):
                self.items = []

            def push(self, n: int) -> None:
                self.items.append(n)

            def depth(self) -> int:
                return len(self.items)
    """
    with opened(source, "Stack.depth", words=("push",)) as stack:
        general = [path for path in stack.summaries.of("push").paths if path.general and not path.member]
        assert ["len(self.items) + 1"] == [text(path.after["self.items#"]) for path in general]


def test_what_cannot_be_made_symbolic_is_named() -> None:
    source = """
        class Table:
            def __init__(self):
                self.rows = {}

            def add(self, key: str) -> None:
                self.rows[key] = 1
    """
    with opened(source, "Table.add") as table:
        assert ("self.rows",) == table.summaries.opaque
        assert not table.summaries.complete
        assert "self.rows can't be made symbolic" == table.summaries.why_incomplete()


def test_members_of_enumerations_are_told_by_name() -> None:
    source = """
        import enum

        class Light(enum.Enum):
            RED = 1
            GREEN = 2

        class Crossing:
            def __init__(self):
                self._light = Light.RED

            def switch(self) -> None:
                self._light = Light.GREEN if self._light is Light.RED else Light.RED
    """
    with opened(source, "Crossing.switch") as crossing:
        paths = crossing.summaries.of("switch").paths
        kinds = kinds_of(crossing.summaries.shape.shape)
        assert {"self._light is Light.RED", "self._light is Light.GREEN"} == {
            condition_text(path.condition, kinds) for path in paths
        }
        assert {("_light",)} == {path.changed for path in paths}
