"""The rules of each module, made from a configuration: names looked up, everything as plain data.

Preconditions: checked, taken apart into conditions that must all hold, and turned into twins.
"""

from __future__ import annotations

import ast
import builtins
import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tracetwin.config.known import Known
from tracetwin.config.schema import Config, Precondition, Wrong
from tracetwin.process.walls.permissions import Permissions
from tracetwin.support.errors import ConfigError, UnsupportedError
from tracetwin.target.module import TargetModule


def with_rules(
    modules: Sequence[TargetModule],
    config: Config,
    *,
    private: bool | None = False,
    max_length: int | None = None,
    patches: Mapping[str, Sequence[str]] | None = None,
    permissions: Permissions | None = None,
) -> list[TargetModule]:
    """The modules with what their workers must know of a configuration.

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
            check(item, parameters)
            made += twins(item, parameters)
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


def check(precondition: Precondition, parameters: Sequence[str] | None) -> None:
    """Make sure that a condition can be evaluated.

    Raises:
        Wrong: it can't, with the end of a sentence that says why.
    """
    text = precondition.condition
    try:
        tree = ast.parse(text, mode="eval")
        compile(tree, "<assume>", "eval", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise Wrong(f"condition '{text}' is not a Python expression: {said}") from None
    if parameters is None:
        return
    for name in _free(tree):
        if name not in parameters and not hasattr(builtins, name):
            near = difflib.get_close_matches(name, parameters, n=1)
            meant = f"did you mean {near[0]}?" if near else f"it has {', '.join(parameters) or 'none'}"
            what = f"which is no parameter of {precondition.target}"
            raise Wrong(f"condition '{text}' names '{name}', {what}; {meant}")


def twins(precondition: Precondition, parameters: Sequence[str] | None) -> Iterator[list[Any]]:
    """For each part: target, text, names in it, source of a function `condition`, name of its interface.

    Raises:
        UnsupportedError: no twin can be made of it.
    """
    from instrumenter.transform import instrument

    tree = ast.parse(precondition.condition, mode="eval")
    for part in _parts(tree.body):
        names = [
            name for name in _free(part)
            if (name in parameters if parameters is not None else not hasattr(builtins, name))
        ]  # fmt: skip
        source = f"def condition({', '.join(names)}):\n    return {ast.unparse(part)}\n"
        twin = instrument(source, name="tracetwin.assumed", filename="<assume>")
        if twin.untouched:
            raise UnsupportedError(f"condition '{precondition.condition}': {twin.untouched}")
        yield [precondition.target, precondition.condition, names, twin.source, twin.prelude_name]


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """Return the conjuncts of a condition: each becomes one that the solver keeps, instead of a decision."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for value in node.values:
            yield from _parts(value)
    elif isinstance(node, ast.Compare) and all(_is_plain(inner) for inner in node.comparators[:-1]):
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            yield ast.Compare(left, [operator], [right])
            left = right
    else:
        yield node


def _is_plain(node: ast.expr) -> bool:
    """Return True if evaluating it twice has the same effect as evaluating it once."""
    return isinstance(node, (ast.Name, ast.Constant))


def _free(tree: ast.AST) -> list[str]:
    """The names that an expression takes from outside, in the order of the text."""
    every = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in every if not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names = [node for node in every if node.id not in bound]
    names.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys(node.id for node in names))
