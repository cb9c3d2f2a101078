"""What a worker knows of its module: the invokables by name, and how each is called."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from tracetwin.inputs import recipes
from tracetwin.inputs.constants import Constants
from tracetwin.inputs.discovery import CONSTRUCTORS, discover, missing, undefined
from tracetwin.inputs.invokables import Invokable
from tracetwin.inputs.samples import Samples
from tracetwin.inputs.sources import read


class Catalogue:
    """The invokables of one imported module.

    Attributes:
        module: the twin.
        invokables: in the order of the text.
        missing: selected names that name nothing to call, and a sentence on each.
        undefined: those of the sentences that say that nothing has the name.
    """

    def __init__(self, module: ModuleType, selection: tuple[str, ...]) -> None:
        self.module = module
        self.invokables = discover(module, selection)
        lost = {name: undefined(module, name) for name in missing(module, selection)}
        self.undefined = [sentence for sentence in lost.values() if sentence]
        self.missing = {name: said or "there is nothing of this name to call" for name, said in lost.items()}
        self._all = self.invokables if not selection else discover(module)
        self._by_name = {i.qualname: i for i in (*self._all, *self.invokables)}
        source = read(module)
        self._constants = Constants(module, source)
        self._samples = Samples(module, source)

    def named(self, qualname: str) -> Invokable:
        """The invokable of that name."""
        return self._by_name[qualname]

    def callable_of(self, invokable: Invokable) -> Callable[..., Any]:
        """What is called for a function, class method, static method or constructor."""
        found: Callable[..., Any] = recipes.lookup(self.module.__name__, self.path_of(invokable))
        return found

    def path_of(self, invokable: Invokable) -> str:
        """The name under which a test calls it: the class for a constructor."""
        if invokable.kind == "constructor":
            return str(invokable.owner)
        return invokable.qualname

    def method(self, invokable: Invokable, name: str) -> Invokable:
        """The method `name` of the class that a method or property belongs to, inherited ones included."""
        owner: Any = recipes.lookup(self.module.__name__, str(invokable.owner))
        for base in owner.__mro__:
            found = self._by_name.get(f"{base.__qualname__}.{name}")
            if found is not None and base.__module__ == self.module.__name__:
                return found
        raise LookupError(f"{invokable.owner} has no method {name}")

    def word(self, invokable: Invokable, word: str) -> Invokable:
        """What a word of a prefix does: call a method, store an attribute (``x=``), a function (``:f``)."""
        if word.startswith(":"):
            return self._by_name[word[1:]]
        if word.endswith("="):
            return self.method(invokable, f"{word[:-1]}.setter")
        return self.method(invokable, word)

    def methods(self, invokable: Invokable) -> list[str]:
        """The methods that may be called on the receiver before, in the order of the text."""
        if invokable.receiver is None:
            return []
        owner: Any = recipes.lookup(self.module.__name__, str(invokable.owner))
        owners = {base.__qualname__ for base in owner.__mro__ if base.__module__ == self.module.__name__}
        return [
            i.qualname.rpartition(".")[2] for i in self._all
            if i.kind == "method" and i.owner in owners and not i.problem and not _is_operator(i)
        ]  # fmt: skip

    def describe(self, invokable: Invokable) -> dict[str, Any]:
        """Plain data for the explorer."""
        constants = self._constants.of(invokable)
        return {
            "qualname": invokable.qualname,
            "kind": invokable.kind,
            "owner": invokable.owner or "",
            "first_line": invokable.first_line,
            "last_line": invokable.last_line,
            "typed": invokable.typed,
            "problem": invokable.problem or "",
            "constants": {**constants, "samples": self._samples.of(invokable, constants)},
            "methods": self.methods(invokable),
        }


def _is_operator(invokable: Invokable) -> bool:
    """Special methods other than those that change the receiver are no preparation."""
    name = invokable.qualname.rpartition(".")[2]
    changing = ("__setitem__", "__delitem__", "__enter__", "__exit__", "__next__", "__call__")
    return (name.startswith("__") and name not in changing) or name in CONSTRUCTORS
