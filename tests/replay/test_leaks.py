"""What a call leaves in the state of its module, and how it is put back."""

from __future__ import annotations

import textwrap
from types import ModuleType

import pytest

from tracetwin.model.recipe import Dictionary, Reference, Scalar, Series, SeriesKind, list_of
from tracetwin.model.snapshot import Built, Snapshot
from tracetwin.replay.observe.leaks import Leaks

SOURCE = """
import collections
known = collections.defaultdict(int, a=1)
counts = collections.Counter("aab")
order = collections.OrderedDict(a=1)
plain = {"a": 1}
class Own(dict):
    pass
own = Own(a=1)
"""


@pytest.mark.parametrize(
    ("name", "is_dict"),
    [("known", True), ("counts", True), ("order", True), ("plain", True), ("own", False)],
)
def test_dicts_of_the_library_are_put_back_where_they_are_so_that_they_stay_what_they_are(
    name: str, is_dict: bool
) -> None:
    module = ModuleType("m")
    exec(SOURCE, vars(module))
    leaks = Leaks(module)
    vars(module)[name]["new"] = 0
    assert [(leak.place, leak.is_dict) for leak in leaks.found()] == [(name, is_dict)]


def test_the_picture_of_one_inside_of_something_else_makes_it_again() -> None:
    module = ModuleType("m")
    exec("import collections\ngroups = [collections.defaultdict(list, a=[])]", vars(module))
    leaks = Leaks(module)
    vars(module)["groups"][0]["new"].append(1)
    (leak,) = leaks.found()
    factory: Snapshot = Reference("builtins", "list")
    inner: Snapshot = Dictionary(((Scalar("a"), list_of()),))
    assert leak.before == Series(SeriesKind.LIST, (Built("collections", "defaultdict", (factory, inner)),))


def test_defaults_that_are_what_a_name_holds_are_put_back_by_the_name_alone() -> None:
    source = """
        TABLE = {}
        def add(key, table=TABLE):
            table[key] = 1
        def beside(key, table=TABLE, others={}):
            table[key] = 1
        def both(key, table=TABLE, seen=[]):
            seen.append(key)
    """
    module = ModuleType("m")
    exec(textwrap.dedent(source), vars(module))
    leaks = Leaks(module)
    vars(module)["add"]("x")
    vars(module)["both"]("x")
    found = {leak.place: leak.defaults for leak in leaks.found()}
    assert found == {"TABLE": (), "both.__defaults__": ("table", "seen")}


def test_functions_and_classes_that_another_takes_the_place_of_are_put_back() -> None:
    source = """
        make = bytearray
        def kind():
            return 1
        def other():
            global make, kind
            make = kind = lambda: 2
    """
    module = ModuleType("m")
    exec(textwrap.dedent(source), vars(module))
    leaks = Leaks(module)
    assert leaks.found() == ()
    vars(module)["other"]()
    found = {leak.place: leak.before for leak in leaks.found()}
    assert found == {"make": Reference("builtins", "bytearray"), "kind": Reference("m", "kind")}


def test_what_a_logger_notes_of_levels_is_no_state_that_a_test_puts_back() -> None:
    module = ModuleType("m")
    exec("import logging\nlog = logging.getLogger('of_leaks')\nnames = []", vars(module))
    leaks = Leaks(module)
    vars(module)["log"].isEnabledFor(10)
    vars(module)["names"].append(1)
    assert [leak.place for leak in leaks.found()] == ["names"]
    vars(module)["log"] = None
    assert [leak.place for leak in leaks.found()] == ["log", "names"]
