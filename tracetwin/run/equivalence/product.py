"""The product of a module and some of its mutants: functions that call both, and raise where results differ.

What is explored then is whether any input gets there (differential symbolic execution, as in SEMu: Chekam et
al., "Killing Stubborn Mutants with Symbolic Execution", 2021).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Sequence
from typing import Final

from tracetwin.model.mutant import Mutant
from tracetwin.mutation.defaults import DEFAULT
from tracetwin.mutation.mutated import mutated
from tracetwin.run.equivalence.purity import mentioned, pure_functions
from tracetwin.support.data import dataclass
from tracetwin.support.reaching import reached

DIFFERS, UNSURE = "TracetwinDiffers", "TracetwinUnsure"
"""The exceptions that say that results differ, and that it can't be told from them."""

_HEADER: Final = f"""
class {DIFFERS}(Exception):
    pass


class {UNSURE}(Exception):
    pass
"""

_COMPARING: Final = """
def {name}({parameters}):
    try:
        one = {original}({arguments})
    except Exception as error:
        try:
            {mutant}({arguments})
        except Exception as other:
            if type(other) is type(error):
                if other.args == error.args:
                    return
            raise {differs} from None
        raise {differs} from None
    try:
        two = {mutant}({arguments})
    except Exception:
        raise {differs} from None
    if one is None:
        if two is None:
            return
        raise {differs}
    if two is None:
        raise {differs}
    if isinstance(one, bool) != isinstance(two, bool):
        raise {differs}
    if isinstance(one, float) != isinstance(two, float):
        raise {differs}
    if one != two:
        raise {differs}
    if isinstance(one, float):
        if one == 0.0:
            raise {unsure}
    elif not isinstance(one, (int, str, bytes)):
        raise {unsure}
"""


@dataclass(frozen=True)
class Product:
    """A module in which mutants stand beside their original.

    Attributes:
        comparing: the mutant that each comparing function is about, by its name.
    """

    source: str
    comparing: dict[str, Mutant]


def product_of(source: bytes, mutants: Iterable[Mutant]) -> Product:
    """Return the product of a module and those of some mutants of which results tell all."""
    tree = ast.parse(source)
    if any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree)):
        return Product("", {})  # it can be imported at its own place only
    pure = pure_functions(tree)
    parts, comparing = [ast.unparse(tree), _HEADER], {}
    for mutant in mutants:
        function = pure.get(mutant.function)
        if function is None or mutant.operator == DEFAULT or _is_called_back(function, pure):
            continue  # what is compared is called with all of its arguments
        changed = next(
            node
            for node in mutated(source, mutant.number).body
            if isinstance(node, ast.FunctionDef) and node.name == mutant.function
        )
        name = f"tracetwin_mutant_{mutant.number}"
        if not _is_still_pure(changed, name, tree):
            continue
        parts.append(ast.unparse(_renamed(changed, name)))
        parts.append(_comparing(function, name, f"tracetwin_comparing_{mutant.number}"))
        comparing[f"tracetwin_comparing_{mutant.number}"] = mutant
    return Product("\n\n\n".join(parts) + "\n", comparing)


def _is_called_back(function: ast.FunctionDef, pure: dict[str, ast.FunctionDef]) -> bool:
    """Return whether another function that it calls speaks of it: that one would go on with the original."""
    others = [name for name in mentioned(function, pure) if name != function.name]
    return function.name in reached(others, lambda name: mentioned(pure[name], pure))


def _is_still_pure(changed: ast.FunctionDef, name: str, tree: ast.Module) -> bool:
    others = ast.Module([*tree.body, _renamed(changed, name)], [])
    return name in pure_functions(others)


def _renamed(function: ast.FunctionDef, name: str) -> ast.FunctionDef:
    """A function that calls itself by its new name."""
    renamed = copy.deepcopy(function)
    for node in ast.walk(renamed):
        if isinstance(node, ast.Name) and node.id == function.name:
            node.id = name
    renamed.name = name
    return renamed


def _comparing(function: ast.FunctionDef, mutant: str, name: str) -> str:
    given = copy.deepcopy(function.args)
    given.defaults, given.kw_defaults = [], [None] * len(given.kwonlyargs)
    return _COMPARING.format(
        name=name,
        parameters=ast.unparse(given),
        arguments=", ".join(_arguments(function.args)),
        original=function.name,
        mutant=mutant,
        differs=DIFFERS,
        unsure=UNSURE,
    )


def _arguments(given: ast.arguments) -> Sequence[str]:
    plain = [one.arg for one in [*given.posonlyargs, *given.args]]
    return [*plain, *(f"{one.arg}={one.arg}" for one in given.kwonlyargs)]
