"""A host of plug-ins: what a plug-in can do is found out by protocols and attributes."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, runtime_checkable


@runtime_checkable
class Plugin(Protocol):
    name: str

    def activate(self, host: Host) -> bool: ...


@runtime_checkable
class Configurable(Protocol):
    def configure(self, settings: dict[str, Any]) -> None: ...


@runtime_checkable
class Closing(Protocol):
    def close(self) -> None: ...


class PluginError(Exception):
    pass


class Host:
    RESERVED: ClassVar[set[str]] = {"core", "host"}

    def __init__(self, settings: dict[str, dict[str, Any]] | None = None) -> None:
        self.settings = settings or {}
        self.active: list[Plugin] = []
        self.names: set[str] = set()

    def load(self, candidate: object) -> bool:
        """Take in a plug-in, if it is one and wants to."""
        if not isinstance(candidate, Plugin):
            raise TypeError("not a plug-in")
        if candidate.name in self.RESERVED:
            raise PluginError("reserved: " + candidate.name)
        if candidate.name in self.names:
            return False
        if isinstance(candidate, Configurable):
            try:
                candidate.configure(self.settings.get(candidate.name, {}))
            except KeyError as missing:
                raise PluginError("setting missing") from missing
        elif candidate.name in self.settings:
            raise PluginError("takes no settings")
        if not candidate.activate(self):
            if isinstance(candidate, Closing):
                candidate.close()
            return False
        self.active.append(candidate)
        self.names.add(candidate.name)
        return True


def order(plugins: list[Plugin]) -> list[str]:
    """Names by priority, which is an attribute that a plug-in may have."""
    ranked = []
    for plugin in plugins:
        priority = getattr(plugin, "priority", 0)
        if callable(priority):
            priority = priority()
        if priority < 0:
            continue
        ranked.append((priority, plugin.name))
    ranked.sort()
    return [name for _, name in ranked]


def describe(plugin: Plugin) -> str:
    """Say what a plug-in can do."""
    abilities = []
    if isinstance(plugin, Configurable):
        abilities.append("configurable")
    if isinstance(plugin, Closing) and not isinstance(plugin, Configurable):
        abilities.append("closing only")
    return ", ".join(abilities) or "plain"
