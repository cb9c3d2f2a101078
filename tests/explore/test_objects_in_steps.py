"""Objects whose methods leave them as they are, and give another one each time."""

from __future__ import annotations

from tests.explore.support import assert_paths

QUERY = """
import copy
class Query:
    def __init__(self, table: str) -> None:
        self._table = table
        self._limit = 0
        self._conditions: list[str] = []
    def limit(self, count: int) -> "Query":
        made = copy.copy(self)
        made._limit = count
        return made
    def where(self, text: str) -> "Query":
        made = copy.copy(self)
        made._conditions = [*self._conditions, text]
        return made
    def sql(self) -> str:
        if len(self._conditions) == 2: return "narrow"
        if self._conditions and self._limit > 100: return "large and filtered"
        return "limited" if self._limit > 0 else "all"
"""


def test_the_next_call_is_one_of_the_object_that_the_last_one_gave() -> None:
    assert_paths(QUERY, "Query.sql", "all", "limited", "narrow", "large and filtered")


COUNTER = """
class Counter:
    def __init__(self) -> None: self.count = 0
    def add(self) -> "Counter":
        self.count += 1
        return Counter()
    def state(self) -> str:
        return "counted" if self.count == 2 else "not yet"
"""


def test_one_that_was_changed_by_a_call_stays_the_one_that_matters() -> None:
    assert_paths(COUNTER, "Counter.state", "counted", "not yet")
