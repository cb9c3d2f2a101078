"""Receivers of every kind: of subclasses for what a base defines, made after the module was set up."""

from __future__ import annotations

from tests.explore.support import assert_paths

TEMPLATE = """
class Task:
    def __init__(self) -> None:
        self.done = 0
    def run(self, n: int) -> str:
        got = self.step(n)
        if got > 10:
            return "many"
        if got < 0:
            return "none"
        return "some"
    def step(self, n: int) -> int:
        return 0
class Doubling(Task):
    def step(self, n: int) -> int:
        return n * 2 if n > 0 else 0
class Counting(Task):
    def step(self, n: int) -> int:
        self.done += 1
        return -1 if self.done > 2 else 0
class Same(Task):
    pass
"""


def test_a_template_method_is_explored_on_the_subclasses_that_fill_it_in() -> None:
    assert_paths(TEMPLATE, "Task.run", "many", "none", "some")


ABSTRACT = """
import abc
class Loader(abc.ABC):
    def __init__(self, rows: list[str]) -> None:
        self.rows = []
        for row in rows:
            for c in row:
                if c == "x":
                    self.rows.append(1)
                elif c != "z":
                    raise ValueError(c)
    @abc.abstractmethod
    def limit(self) -> int: ...
    def check(self, n: int) -> str:
        if n > self.limit():
            return "above"
        if self.kind() == "odd":
            return "odd"
        if self.kind() == "late" and len(self.rows) == 2:
            return "late"
        return "below"
    def kind(self) -> str:
        return "plain"
class Low(Loader):
    def limit(self) -> int:
        return 0
class High(Low):
    pass
class Odd(Loader):
    def limit(self) -> int:
        return 5
    def kind(self) -> str:
        return "odd"
class Late(Odd):
    def __init__(self, rows: list[str], more: int) -> None:
        super().__init__(rows)
        self.more = more
    def kind(self) -> str:
        return "late"
"""


def test_a_method_of_an_abstract_class_is_explored_on_every_class_derived_from_it() -> None:
    assert_paths(ABSTRACT, "Loader.check", "above", "odd", "below", "late")


SETTINGS = """
_settings = {"debug": False}
def configure(debug: bool) -> None:
    _settings["debug"] = debug
class Service:
    def __init__(self) -> None:
        self._debug = _settings["debug"]
    def name(self) -> str:
        if self._debug:
            return "debug"
        return "plain"
"""


def test_a_function_sets_the_module_up_before_the_receiver_is_made() -> None:
    found = assert_paths(SETTINGS, "Service.name", "debug", "plain")
    made = [[step.name for step in case.steps] for case in found.outcome.cases]
    assert ["configure", "Service", "name"] in made


def test_a_method_that_reads_the_module_is_explored_in_what_functions_leave_there() -> None:
    source = SETTINGS.replace("if self._debug", 'if _settings["debug"]')
    assert_paths(source, "Service.name", "debug", "plain")


def test_other_instances_made_before_matter_to_what_counts_them() -> None:
    source = """
    class Ticket:
        _made = []
        def __init__(self, seat: int) -> None:
            self._free = seat not in Ticket._made
            Ticket._made.append(seat)
        def is_taken(self) -> bool:
            if self._free:
                return False
            return True
    """
    found = assert_paths(source, "Ticket.is_taken", True)
    made = [[step.name for step in case.steps] for case in found.outcome.cases]
    assert ["Ticket", "Ticket", "is_taken"] in made


SUBSCRIPTED = """
class Row:
    def __init__(self) -> None:
        self._items = [10, 20, 30, 40]
    def __getitem__(self, index):
        if isinstance(index, slice):
            part = self._items[index]
            if len(part) == 3:
                return "three"
            if index.start is not None and index.start > 41:
                return "late"
            start, stop, step = index.indices(len(self._items))
            if step < 0 and stop < 2:
                return "back"
            return "slice"
        return self._items[index]
"""


def test_the_bounds_of_a_slice_that_is_an_argument_decide_what_it_takes() -> None:
    assert_paths(SUBSCRIPTED, "Row.__getitem__", "three", "late", "back", "slice", IndexError)


CALLED = """
class Cache:
    def __init__(self, maxsize, getsizeof=None):
        self.maxsize = maxsize
        self._getsizeof = getsizeof
        self._data = {}
    def put(self, key, value):
        if self._getsizeof is None:
            size = 1
        else:
            size = self._getsizeof(value)
            if size > 40:
                return "large"
        if size > self.maxsize:
            return "no room"
        self._data[key] = value
        return "kept"
"""


def test_an_optional_function_that_is_kept_for_later_is_given() -> None:
    assert_paths(CALLED, "Cache.put", "large", "no room", "kept")


def test_keywords_that_nobody_asks_for_are_passed_too() -> None:
    source = """
    def joined(*args, **kwargs):
        if kwargs:
            return sorted(kwargs)[0]
        return "none"
    """
    assert_paths(source, "joined", "none", "name")
