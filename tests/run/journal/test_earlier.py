"""What the cases of written tests show is found again in the twin of a changed source."""

from __future__ import annotations

from instrumenter.twin import Site, SiteKind
from tracetwin.model.case import Case
from tracetwin.run.journal.earlier import EarlierCases, signs_of

BASE = 4_000_000_000
THEN = b"""\
def price(n):
    if n > 100:
        return 9
    return 1

def postage(n):
    if n > 30:
        return 5
    while n:
        n -= 1
"""


def site(number: int, line: int, scope: str, kind: SiteKind = SiteKind.IF) -> Site:
    return Site(BASE + number, kind, line, 4, scope)


SITES = (site(1, 2, "price"), site(2, 7, "postage"), site(3, 9, "postage", SiteKind.WHILE))


def moved(source: bytes, sites: tuple[Site, ...], *shows: int | str) -> tuple[int | str, ...]:
    """What a case of then shows now."""
    case = Case("shop", "price", "function", (), shows=shows)
    earlier = EarlierCases({"entry": (case,)}, signs_of(THEN, SITES), THEN)
    ((entry, found),) = earlier.on(source, sites)
    assert entry == "entry"
    return found.shows


def side(number: int, outcome: int) -> int:
    return 2 * (BASE + number) + outcome


def test_sites_are_found_where_a_function_was_put_in_before_them() -> None:
    now = b"def new(n):\n    if n:\n        return 1\n\n" + THEN
    loop = site(4, 13, "postage", SiteKind.WHILE)
    sites = (site(1, 2, "new"), site(2, 6, "price"), site(3, 11, "postage"), loop)
    assert moved(now, sites, side(1, 1), side(3, 0)) == (side(2, 1), side(4, 0))
    assert moved(now, sites, f"result:int&{side(2, 1)}") == (f"result:int&{side(3, 1)}",)


def test_a_condition_that_says_something_else_is_the_same_site_as_long_as_there_are_as_many() -> None:
    assert moved(THEN.replace(b"n > 30", b"n > 40"), SITES, side(2, 1)) == (side(2, 1),)


def test_what_is_gone_is_not_shown() -> None:
    now = THEN.replace(b"    if n > 30:\n        return 5\n", b"")
    sites = (site(1, 2, "price"), site(2, 7, "postage", SiteKind.WHILE))
    assert moved(now, sites, side(2, 1), side(3, 1), f"x{side(2, 0)}") == (side(2, 1),)


def test_sides_of_other_modules_stay() -> None:
    other = 2 * 9_999_999_999
    assert moved(THEN + b"\n\nX = 1\n", SITES, other) == (other,)


def test_mutants_and_numbered_pairs_are_of_one_source_only() -> None:
    shows = ("kills 3", "pair:Shop:4", "result:int")
    assert moved(THEN + b"\n\nX = 1\n", SITES, *shows) == ("result:int",)
    assert moved(THEN, SITES, *shows) == ("pair:Shop:4", "result:int")
