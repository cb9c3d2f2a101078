"""Renders templates that a loader finds and filters change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Optional, Protocol, Tuple, Union


class TemplateNotFound(LookupError):
    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.name = name


class Loader(Protocol):
    def get_source(self, name: str) -> Tuple[str, Callable[[], bool]]: ...


class Escaper(Protocol):
    def __call__(self, text: str) -> str: ...


class HasHtml(Protocol):
    def __html__(self) -> str: ...


Value = Union[str, int, HasHtml, None]


class Environment:
    def __init__(
        self,
        loader: Loader,
        escape: Optional[Escaper] = None,
        filters: Mapping[str, Callable[[str], str]] | None = None,
    ) -> None:
        self.loader = loader
        self.escape = escape
        self.filters = filters if filters is not None else {}
        self._cache: dict[str, Tuple[str, Callable[[], bool]]] = {}

    def source(self, name: str, default: str | None = None) -> str:
        """The text of a template, from the cache while it is up to date."""
        if name in self._cache:
            text, up_to_date = self._cache[name]
            if up_to_date():
                return text
            del self._cache[name]
        try:
            loaded = self.loader.get_source(name)
        except TemplateNotFound as missing:
            if default is not None and missing.name != "base":
                return default
            raise
        self._cache[name] = loaded
        return loaded[0]

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        """Replace `{name}` and `{name|filter}`."""
        result = ""
        for part in self.source(name).split("{"):
            field, closed, rest = part.partition("}")
            if not closed:
                result += part
                continue
            key, piped, filter_name = field.partition("|")
            text = str(values.get(key, ""))
            if piped:
                if filter_name not in self.filters:
                    raise KeyError(filter_name)
                text = self.filters[filter_name](text)
            if self.escape is not None:
                text = self.escape(text)
            result += text + rest
        return result


def to_text(value: Value, escape: Escaper) -> str:
    """A value as text: what knows its own markup is not escaped."""
    if value is None:
        return ""
    if hasattr(value, "__html__"):
        return value.__html__()
    if isinstance(value, int):
        return str(value)
    return escape(value)


def refresh(environment: Environment, name: str) -> bool:
    """Whether a template changed between two looks."""
    return environment.source(name) != environment.source(name)
