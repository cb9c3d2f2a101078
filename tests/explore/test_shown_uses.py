"""What examples do with objects: states that no search would come to in a few runs."""

from __future__ import annotations

from tests.explore.support import assert_paths, explore

ROUTES = '''
class Routes:
    """Routes between places.

    >>> routes = Routes()
    >>> routes.place("harbour", "sea")
    >>> routes.place("station", "city", near="harbour")
    >>> routes.join("harbour", "station", 12)
    >>> routes.length("station")
    12
    """
    def __init__(self):
        self._places = {}
        self._joined = {}
    def place(self, name, kind, near=None):
        if near is not None and near not in self._places:
            raise KeyError(near)
        self._places[name] = kind
    def join(self, one, other, minutes):
        if one not in self._places or other not in self._places:
            raise ValueError("unknown place")
        if one == other:
            raise ValueError("the same place")
        self._joined[one, other] = minutes
    def length(self, name):
        total = 0
        for (one, other), minutes in self._joined.items():
            if name in (one, other):
                total += minutes
        if total > 10:
            return "far"
        return "near" if total else "nowhere"
'''


def test_a_member_is_called_on_objects_in_the_state_of_an_example() -> None:
    assert_paths(ROUTES, "Routes.length", "far", "nowhere", runs=150)


def test_without_the_example_it_is_not_found_so_soon() -> None:
    found = explore(ROUTES.replace(">>>", "..."), "Routes.length", runs=150)
    assert "far" not in found.endings


GRAPHS = '''
class Graph:
    def __init__(self):
        self.edges = []
    def add(self, one, other):
        self.edges.append((one, other))

def has_round_trip(graph):
    """Tell whether one comes back.

    >>> graph = Graph()
    >>> graph.add("a", "b")
    >>> graph.add("b", "c")
    >>> graph.add("c", "a")
    >>> has_round_trip(graph)
    True
    """
    if len(graph.edges) < 3:
        return "short"
    (a, b), (c, d), (e, f) = graph.edges[:3]
    if b == c and d == e and f == a:
        return "round"
    return "open"
'''


def test_a_function_gets_an_object_as_an_example_prepared_it() -> None:
    assert_paths(GRAPHS, "has_round_trip", "short", "round", runs=60)
