"""From recipes of prepared objects to plain steps, as a person writes them: one statement per call.

While an input is drawn, an object is a `PreparedObject`, and a `CallResult` is what a call on it or a step of
the sequence returned. `flatten` turns steps with such recipes into steps that bind variables::

    account = Account()
    account.deposit(5)
    transfer(account, Account(), 5)

An object without calls that is used once stays a nested call, unless others only refer to it weakly: the
variable keeps it.
"""

from __future__ import annotations

import builtins
import keyword
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tracetwin.model.case import Act, Step
from tracetwin.model.recipe import (
    Call,
    CallResult,
    Lambda,
    MockRecipe,
    PreparedObject,
    Recipe,
    Series,
    Variable,
    children,
    replace_children,
    walk,
)

SEQUENCE = 0
"""In place of an object's number: the results of the sequence's own steps."""


def flatten(steps: Iterable[Step], kept: Iterable[Recipe] = ()) -> list[Step]:
    """The same steps with each prepared or shared object in a variable of its own, and what is to be kept.

    Returns:
        New steps; those given stay as they are.
    """
    given = list(steps)
    numbers = {recipe.number for recipe in kept if isinstance(recipe, PreparedObject)}
    return _Flattening(given, numbers).run()


def made_at_once(recipe: Recipe) -> Recipe | None:
    """The same recipe with objects as they are constructed; None where calls prepare one."""
    for part in walk(recipe):
        if isinstance(part, CallResult) or (isinstance(part, PreparedObject) and part.calls):
            return None
    return _constructed(recipe)


def _constructed(recipe: Recipe) -> Recipe:
    if isinstance(recipe, PreparedObject):
        return _constructed(recipe.construction)
    return replace_children(recipe, _constructed)


def _place(result: CallResult) -> tuple[int, int]:
    """The number of the object and the index of the call whose result a recipe is."""
    return (SEQUENCE if result.owner is None else result.owner.number, result.index)


class _Flattening:
    """One list of steps being rewritten."""

    def __init__(self, steps: list[Step], kept: set[int]) -> None:
        self._steps = steps
        self._kept = kept
        self._made: dict[int, PreparedObject] = {}
        self._uses: Counter[int] = Counter()
        self._results: dict[tuple[int, int], str] = {}
        """The names of results that are used; until there is one, the hint."""
        for recipe in (part for step in steps for part in step.given):
            self._count(recipe)
        aliases = [(step, step.args[0]) for step in steps if step.act is Act.ALIAS]
        self._aliases = {
            _place(result): str(step.bind) for step, result in aliases if isinstance(result, CallResult)
        }
        self._taken = {step.bind for step in steps if step.bind}
        self._names: dict[int, str] = {}
        self._done: list[Step] = []

    def _count(self, recipe: Recipe) -> None:
        """Count how often each object is used, and note whose results are."""
        if isinstance(recipe, CallResult):
            self._results.setdefault(_place(recipe), recipe.hint)
        if isinstance(recipe, PreparedObject):
            self._uses[recipe.number] += 1
            if self._uses[recipe.number] > 1:
                return
            self._made[recipe.number] = recipe
            for call in recipe.calls:
                for part in call.given:
                    self._count(part)
        for part in children(recipe):
            self._count(part)

    def run(self) -> list[Step]:
        for index, step in enumerate(self._steps):
            self._bind_before(step.given)
            if step.act is Act.ALIAS:
                continue
            bind = step.bind
            if (SEQUENCE, index) in self._results:
                if bind:
                    self._results[(SEQUENCE, index)] = bind
                else:
                    bind = self._result_name(SEQUENCE, index)
            kwargs = tuple((name, self._plain(part)) for name, part in step.kwargs)
            args = tuple(map(self._plain, step.args))
            self._done.append(replace(step, args=args, kwargs=kwargs, bind=bind))
        return self._done

    def _bind_before(self, parts: Iterable[Recipe]) -> None:
        """Emit what must stand before a step: up to the last object that needs a variable.

        What was built before such an object is bound too: constructors ran in this order.
        """
        order = [number for part in parts for number in self._constructed(part)]
        wanted = [place for place, number in enumerate(order) if self._needs_variable(number)]
        for number in order[: max(wanted, default=-1) + 1]:
            self._emit(number)

    def _constructed(self, recipe: Recipe) -> Iterator[int]:
        """The numbers of the objects that a recipe needs and that are not bound yet, in the order made."""
        if isinstance(recipe, (Lambda, MockRecipe)):
            return  # made anew at each call
        for part in children(recipe):
            yield from self._constructed(part)
        if isinstance(recipe, PreparedObject) and recipe.number not in self._names:
            yield recipe.number

    def _needs_variable(self, number: int) -> bool:
        used = any(owner == number for owner, _ in self._results)
        return used or self._uses[number] > 1 or bool(self._made[number].calls) or number in self._kept

    def _emit(self, number: int) -> None:
        """Emit the construction of an object and its calls, once."""
        if number in self._names or number not in self._made:
            return
        made = self._made[number]
        self._bind_before(children(made.construction))
        if isinstance(made.construction, CallResult):
            name = self._results[_place(made.construction)]
        else:
            name = self._fresh(made.hint)
            self._done.append(_constructing(name, replace_children(made.construction, self._plain)))
        self._names[number] = name
        for index, call in enumerate(made.calls):
            self._bind_before(call.given)
            bind = self._result_name(number, index) if (number, index) in self._results else None
            args = tuple(map(self._plain, call.args))
            kwargs = tuple((name, self._plain(part)) for name, part in call.kwargs)
            act = Act.SET if call.stored else Act.METHOD
            self._done.append(Step(act, self._names[number], call.stored or call.name, args, kwargs, bind))

    def _result_name(self, number: int, index: int) -> str:
        place = (number, index)
        name = self._results[place] = self._aliases.get(place) or self._fresh(self._results[place])
        return name

    def _plain(self, recipe: Recipe) -> Recipe:
        """The recipe with variables for what is bound."""
        if isinstance(recipe, PreparedObject):
            name = self._names.get(recipe.number)
            return self._plain(recipe.construction) if name is None else Variable(name)
        if isinstance(recipe, CallResult):
            return Variable(self._results[_place(recipe)])
        return replace_children(recipe, self._plain)

    def _fresh(self, hint: str) -> str:
        """A variable name that nothing else has."""
        hint = f"{hint}_" if keyword.iskeyword(hint) or hasattr(builtins, hint) else hint
        name, further = hint, 2
        while name in self._taken:
            name, further = f"{hint}{further}", further + 1
        self._taken.add(name)
        return name


def _constructing(name: str, recipe: Recipe) -> Step:
    """The step that binds what a recipe makes; a literal container is copied by its own type."""
    if isinstance(recipe, Call):
        return Step(Act.CALL, recipe.module, recipe.qualname, recipe.args, recipe.kwargs, name)
    kind = recipe.kind.value if isinstance(recipe, Series) else "dict"
    return Step(Act.CALL, "builtins", kind, (recipe,), bind=name)


def variable_name(cls_name: str) -> str:
    """`TemperatureMonitor` gives ``temperature_monitor``."""
    short = cls_name.rpartition(".")[2]
    words = "".join(
        f"_{c.lower()}" if c.isupper() and i and not short[i - 1].isupper() else c.lower()
        for i, c in enumerate(short)
    )
    return words.strip("_") or "thing"
