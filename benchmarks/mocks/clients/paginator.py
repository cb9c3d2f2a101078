"""Goes through pages of a service, by token or by number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Optional, Protocol


class Page(NamedTuple):
    items: list[str]
    next_token: Optional[str] = None


class Pages(Protocol):
    @property
    def count(self) -> int: ...

    def __getitem__(self, number: int) -> list[str]: ...


class PageError(Exception):
    pass


class LoopError(PageError):
    pass


def fetch_all(fetch: Callable[[Optional[str]], Page], limit: int = 4) -> list[str]:
    """All items, page after page; a token must not come twice."""
    items: list[str] = []
    seen: set[str] = set()
    token: Optional[str] = None
    for _ in range(limit):
        page = fetch(token)
        items.extend(page.items)
        if page.next_token is None:
            return items
        if page.next_token in seen:
            raise LoopError(page.next_token)
        seen.add(page.next_token)
        token = page.next_token
    raise PageError("too many pages")


class Paginator:
    def __init__(self, pages: Pages, size: int = 2) -> None:
        if size < 1:
            raise ValueError("size")
        self.pages = pages
        self.size = size

    def page(self, number: int) -> list[str]:
        if number < 1:
            raise PageError("pages start at 1")
        if number > self.pages.count:
            if number == 1:
                return []
            raise PageError("no such page")
        try:
            items = self.pages[number - 1]
        except IndexError as error:
            raise PageError("gone meanwhile") from error
        if len(items) > self.size:
            return items[: self.size]
        return items

    def __iter__(self) -> Iterator[list[str]]:
        for number in range(1, min(self.pages.count, 3) + 1):
            items = self.page(number)
            if not items:
                return
            yield items

    def find(self, text: str) -> int:
        """Number of the page with an item, 0 if there is none."""
        for number, items in enumerate(self, 1):
            if text in items:
                return number
        return 0
