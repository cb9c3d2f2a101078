"""The listings 1 to 4 of the Dsc+Mock paper (Islam and Csallner, WODA 2010), in Python."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class I(Protocol):  # noqa: E742 - the paper's name
    """The interface that the client declares."""

    def m1(self, b: int) -> int:
        """Answer anything."""
        ...


@runtime_checkable
class J(Protocol):
    """An interface that some objects have as well."""

    def m2(self) -> int:
        """Answer anything."""
        ...


class K:
    """Implements all interfaces, which is not what every path wants."""

    def m1(self, b: int) -> int:
        """Answer zero."""
        return 0

    def m2(self) -> int:
        """Answer zero."""
        return 0


class C:
    """The client."""

    def foo(self, i: I) -> list[str]:
        """Listing 1: both calls need an object of both interfaces."""
        reached = []
        i.m1(0)
        reached.append("m1")  # goal 1
        if isinstance(i, J):
            i.m2()
            reached.append("m2")  # goal 2
        return reached

    def bar(self, i: I | None) -> str:
        """Listing 2: the existing class K has one interface too many."""
        if i is None:
            return "none"  # goal 1
        if not isinstance(i, J):
            return "an I that is no J"  # goal 2
        return "both"  # goal 3

    def foobar(self, i: I, b: int) -> bool:
        """Listing 3: only certain implementations of `m1` go both ways."""
        if i.m1(b) == b + 1:
            return True  # goal 1
        return False  # goal 2

    def barfoo(self, i: I, p: int) -> int:
        """Listing 4: goal 5 takes different answers for different arguments."""
        b = 5
        if i.m1(p) > b:
            reached = 1  # goal 1
        else:
            reached = 2  # goal 2
        if i.m1(p + 10) < b:
            reached += 10  # goal 3
        else:
            reached += 20  # goal 4
        if i.m1(p) > b and i.m1(p + 10) < b:
            reached += 100  # goal 5
        return reached
