"""The rules of each module, made from a configuration: names looked up, everything as plain data."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tracetwin.config import conditions
from tracetwin.config.known import Known
from tracetwin.config.schema import Config, Wrong
from tracetwin.process.walls.permissions import Permissions
from tracetwin.support.errors import ConfigError
from tracetwin.target.module import TargetModule


def with_rules(
    modules: Sequence[TargetModule],
    config: Config,
    *,
    private: bool = False,
    max_length: int | None = None,
    patches: Mapping[str, Sequence[str]] | None = None,
    permissions: Permissions | None = None,
) -> list[TargetModule]:
    """The modules with what their workers must know of a configuration.

    Args:
        modules: the targets.
        config: a configuration, perhaps the empty one.
        private: whether private names are wanted.
        max_length: calls in a sequence.
        patches: names of functions by ``patch`` and ``no_patch``.
        permissions: what targets may do to the world; None for nothing.

    Raises:
        ConfigError: it speaks of something that is not there, or that can't be evaluated.
    """
    rules: dict[str, Any] = {"private": private, "max_length": max_length}
    if permissions is not None and permissions.words:
        rules["permissions"] = permissions.to_plain()
    rules |= _patches(Known(modules, config.file), config, patches or {})
    if config.is_empty:
        return [replace(module, rules=rules) for module in modules]
    known = Known(modules, config.file)
    _check_patterns(known, config)
    places = _check_factories(known, config)
    rules |= {
        "file": str(config.file),
        "allow": list(config.allow),
        "forbid": list(config.forbid),
        "factories": dict(config.factories),
        "assume": _conditions(known, config),
    }
    return [replace(module, rules=rules, search_path=_joined(module, places)) for module in modules]


def makers(rules: Mapping[str, Any]) -> set[str]:
    """The top-level modules that factories, and functions to be patched, are imported from."""
    named = (*rules.get("factories", {}).values(), *rules.get("patch", ()))
    return {name.partition(":")[0].partition(".")[0] for name in named}


def _check_patterns(known: Known, config: Config) -> None:
    for key, patterns in (("allow", config.allow), ("forbid", config.forbid)):
        with _about(config, key):
            for pattern in patterns:
                known.check_pattern(pattern)


def _check_factories(known: Known, config: Config) -> list[str]:
    """The folders from which factories are imported."""
    places: list[str] = []
    with _about(config, "factories"):
        for dotted, maker in config.factories:
            known.check_type(dotted)
            places += known.place_of(maker)
    return places


def _patches(known: Known, config: Config, patches: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The functions that are to be patched, and those that are not, as far as somebody has named any."""
    if not any(patches.values()):
        return {}
    from tracetwin.drawing.environment.defaults import names  # takes a while, and few have such a rule

    there = names()
    for key in ("patch", "no_patch"):
        with _about(config, key.replace("_", "-")):
            for name in patches.get(key, ()):
                if name in there:
                    continue
                if key == "patch":
                    known.check_type(name)
                    continue
                near = difflib.get_close_matches(name, there, n=1)
                raise Wrong(f"'{name}' is not patched anyway{f'; did you mean {near[0]}?' if near else ''}")
    return {key: list(some) for key, some in patches.items() if some}


def _conditions(known: Known, config: Config) -> list[list[Any]]:
    made: list[list[Any]] = []
    for item in config.assume:
        with _about(config, item.key):
            parameters = known.parameters(item.target)
            conditions.check(item, parameters)
            made += conditions.twins(item, parameters)
    return made


@contextmanager
def _about(config: Config, key: str) -> Iterator[None]:
    """Say of which file and key what is wrong is wrong."""
    try:
        yield
    except Wrong as wrong:
        raise ConfigError(config.file or "", key, str(wrong)) from None


def _joined(module: TargetModule, places: Iterable[str]) -> tuple[str, ...]:
    more = [place for place in dict.fromkeys(places) if place not in (module.root, *module.search_path)]
    return (*module.search_path, *more)
