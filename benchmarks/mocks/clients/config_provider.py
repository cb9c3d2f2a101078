"""Configuration from several providers, the first of which that knows a key decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, overload

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}


class ConfigError(Exception):
    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key


class Provider(Protocol):
    def get(self, key: str) -> str | None: ...

    def keys(self) -> Iterable[str]: ...


class Secrets(Protocol):
    def __contains__(self, name: str) -> bool: ...

    def reveal(self, name: str) -> str: ...


class Config:
    def __init__(self, providers: Sequence[Provider], secrets: Secrets | None = None) -> None:
        self._providers = list(providers)
        self._secrets = secrets

    @overload
    def text(self, key: str) -> str: ...

    @overload
    def text(self, key: str, default: str) -> str: ...

    def text(self, key: str, default: str | None = None) -> str:
        for provider in self._providers:
            value = provider.get(key)
            if value is None:
                continue
            if value.startswith("secret:"):
                return self._secret(key, value[7:])
            return value
        if default is None:
            raise ConfigError(key, "missing")
        return default

    def _secret(self, key: str, name: str) -> str:
        if self._secrets is None:
            raise ConfigError(key, "no secrets here")
        if name not in self._secrets:
            raise ConfigError(key, "unknown secret")
        try:
            return self._secrets.reveal(name)
        except PermissionError as error:
            raise ConfigError(key, "forbidden") from error

    def number(self, key: str, low: int = 0, high: int = 100) -> int:
        try:
            value = int(self.text(key))
        except ValueError as error:
            raise ConfigError(key, "not a number") from error
        if not low <= value <= high:
            raise ConfigError(key, "out of range")
        return value

    def flag(self, key: str) -> bool:
        value = self.text(key, "no").strip().lower()
        if value in TRUE:
            return True
        if value in FALSE:
            return False
        raise ConfigError(key, "neither yes nor no")


def shadowed(first: Provider, second: Provider) -> list[str]:
    """Keys that two providers know with different values."""
    result = []
    known = set(first.keys())
    for key in second.keys():
        if key in known and first.get(key) != second.get(key):
            result.append(key)
    return result


def merged(base: Mapping[str, int], extra: Mapping[str, int], key: str) -> int:
    """The sum of two values, one of which may be missing."""
    if key in base and key in extra:
        return base[key] + extra[key]
    if key in base:
        return base[key]
    return extra.get(key, -1)
