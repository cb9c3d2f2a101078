"""From recipes of prepared objects to plain steps, as a person writes them: one statement per call.

While an input is drawn, an object is the recipe ``("made", (number, hint), construction, calls)``; the same
number is the same object. A call is ``(word, args, kwargs)``, its word a method or ``name=`` for a stored
attribute. ``("result", made, index, hint)`` is what call `index` on that object returned; with 0 in its
place, what the sequence's own step `index` did. Hints are names for variables. `flatten` turns steps with
such recipes into steps that bind variables::

    account = Account()
    account.deposit(5)
    transfer(account, Account(), 5)

An object without calls that is used once stays a nested call.
"""

from __future__ import annotations

import builtins
import keyword
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from tracetwin.model import mock_recipes as tree
from tracetwin.model.recipes import Recipe

Step: TypeAlias = dict[str, Any]

SEQUENCE = 0
"""In place of an object: the results of the sequence's own steps."""


def flatten(steps: Iterable[Step]) -> list[Step]:
    """The same steps with each prepared or shared object in a variable of its own.

    Args:
        steps: contract steps as they were executed; ``("result", 0, n, hint)`` in them means the n-th. One
            that does ``("alias",)`` binds its argument, a result.

    Returns:
        New steps; those given stay as they are.
    """
    given = list(steps)
    return _Flattening(given).run()


def children(recipe: Recipe) -> list[Recipe]:
    """The recipes that a recipe consists of, in order of evaluation, but those of preparing calls."""
    kind = recipe[0]
    if kind in ("list", "tuple", "set", "frozenset"):
        return list(recipe[1])
    if kind == "dict":
        return [part for pair in recipe[1] for part in pair]
    if kind == "call":
        return [*recipe[3], *(part for _, part in recipe[4])]
    if kind in ("lambda", "made"):
        return [recipe[2]]
    if kind == "mock":
        return list(tree.parts(recipe))
    return [recipe[1]] if kind == "result" and recipe[1] != SEQUENCE else []


def _place(recipe: Recipe) -> tuple[int, int]:
    """The number of the object and the index of the call whose result a recipe is."""
    return (SEQUENCE if recipe[1] == SEQUENCE else recipe[1][1][0], recipe[2])


class _Flattening:
    """One list of steps being rewritten."""

    def __init__(self, steps: list[Step]) -> None:
        self._steps = steps
        self._made: dict[int, Recipe] = {}
        self._uses: Counter[int] = Counter()
        self._results: dict[tuple[int, int], str] = {}
        """The names of results that are used; until there is one, the hint."""
        for recipe in (part for step in steps for part in _parts(step)):
            self._count(recipe)
        aliases = [step for step in steps if step["do"][0] == "alias"]
        self._aliases = {_place(step["args"][0]): str(step["bind"]) for step in aliases}
        self._taken = {str(step["bind"]) for step in steps if step["bind"]}
        self._names: dict[int, str] = {}
        self._done: list[Step] = []

    def _count(self, recipe: Recipe) -> None:
        """Count how often each object is used, and note whose results are."""
        if recipe[0] == "result":
            self._results.setdefault(_place(recipe), recipe[3])
        if recipe[0] == "made":
            number = recipe[1][0]
            self._uses[number] += 1
            if self._uses[number] > 1:
                return
            self._made[number] = recipe
            for _, args, kwargs in recipe[3]:
                for part in (*args, *(value for _, value in kwargs)):
                    self._count(part)
        for part in children(recipe):
            self._count(part)

    def run(self) -> list[Step]:
        """All steps."""
        for index, step in enumerate(self._steps):
            parts = list(_parts(step))
            self._bind_before(parts)
            if step["do"][0] == "alias":
                continue
            made = {
                **step,
                "args": [self._plain(part) for part in step["args"]],
                "kwargs": [(name, self._plain(part)) for name, part in step["kwargs"]],
            }
            if (SEQUENCE, index) in self._results and not step["bind"]:
                made["bind"] = self._result_name(SEQUENCE, index)
            elif (SEQUENCE, index) in self._results:
                self._results[(SEQUENCE, index)] = str(step["bind"])
            self._done.append(made)
        return self._done

    def _bind_before(self, parts: list[Recipe]) -> None:
        """Emit what must stand before a step: up to the last object that needs a variable.

        What was built before such an object is bound too: constructors ran in this order.
        """
        order = [number for part in parts for number in self._constructed(part)]
        wanted = [place for place, number in enumerate(order) if self._needs_variable(number)]
        for number in order[: max(wanted, default=-1) + 1]:
            self._emit(number)

    def _constructed(self, recipe: Recipe) -> Iterator[int]:
        """The numbers of the objects that a recipe needs and that are not bound yet, in the order made."""
        if recipe[0] in ("lambda", "mock"):
            return  # made anew at each call
        for part in children(recipe):
            yield from self._constructed(part)
        if recipe[0] == "made" and recipe[1][0] not in self._names:
            yield recipe[1][0]

    def _needs_variable(self, number: int) -> bool:
        used = any(owner == number for owner, _ in self._results)
        return self._uses[number] > 1 or bool(self._made[number][3]) or used

    def _emit(self, number: int) -> None:
        """Emit the construction of an object and its calls, once."""
        if number in self._names or number not in self._made:
            return
        _, (_, hint), construction, calls = self._made[number]
        self._bind_before(children(construction))
        if construction[0] == "result":
            name = self._results[_place(construction)]
        else:
            name = self._fresh(hint)
            self._done.append(_constructing(name, self._parts_plain(construction)))
        self._names[number] = name
        for index, (word, args, kwargs) in enumerate(calls):
            self._bind_before([*args, *(part for _, part in kwargs)])
            do = ("set", name, word[:-1]) if word.endswith("=") else ("method", name, word)
            bind = self._result_name(number, index) if (number, index) in self._results else None
            step = {
                "bind": bind,
                "do": do,
                "args": [self._plain(part) for part in args],
                "kwargs": [(key, self._plain(part)) for key, part in kwargs],
            }
            self._done.append(step)

    def _result_name(self, number: int, index: int) -> str:
        place = (number, index)
        name = self._results[place] = self._aliases.get(place) or self._fresh(self._results[place])
        return name

    def _plain(self, recipe: Recipe) -> Recipe:
        """The recipe with variables for what is bound."""
        if recipe[0] == "made":
            name = self._names.get(recipe[1][0])
            return self._plain(recipe[2]) if name is None else ("var", name)
        if recipe[0] == "result":
            return ("var", self._results[_place(recipe)])
        return self._parts_plain(recipe)

    def _parts_plain(self, recipe: Recipe) -> Recipe:
        kind = recipe[0]
        if kind in ("list", "tuple", "set", "frozenset"):
            return (kind, [self._plain(part) for part in recipe[1]])
        if kind == "dict":
            return (kind, [(self._plain(key), self._plain(value)) for key, value in recipe[1]])
        if kind == "call":
            kwargs = [(name, self._plain(part)) for name, part in recipe[4]]
            return (*recipe[:3], [self._plain(part) for part in recipe[3]], kwargs)
        if kind == "lambda":
            return (kind, recipe[1], self._plain(recipe[2]))
        if kind == "mock":
            return tree.rebuilt(recipe, self._plain)
        return recipe

    def _fresh(self, hint: str) -> str:
        """A variable name that nothing else has."""
        hint = f"{hint}_" if keyword.iskeyword(hint) or hasattr(builtins, hint) else hint
        name, further = hint, 2
        while name in self._taken:
            name, further = f"{hint}{further}", further + 1
        self._taken.add(name)
        return name


def _parts(step: Step) -> Iterator[Recipe]:
    yield from step["args"]
    for _, part in step["kwargs"]:
        yield part


def _constructing(name: str, recipe: Recipe) -> Step:
    """The step that binds what a recipe makes; a literal container is copied by its own type."""
    if recipe[0] == "call":
        return {"bind": name, "do": ("call", *recipe[1:3]), "args": recipe[3], "kwargs": recipe[4]}
    return {"bind": name, "do": ("call", "builtins", recipe[0]), "args": [recipe], "kwargs": []}


def variable_name(cls_name: str) -> str:
    """`TemperatureMonitor` gives ``temperature_monitor``."""
    short = cls_name.rpartition(".")[2]
    words = "".join(
        f"_{c.lower()}" if c.isupper() and i and not short[i - 1].isupper() else c.lower()
        for i, c in enumerate(short)
    )
    return words.strip("_") or "thing"
