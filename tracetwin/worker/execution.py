"""One case being run in a worker: the receiver, the calls before, the target's own call.

Which attributes of a receiver a call changed, as far as can be seen from the receiver itself.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from runtime import trace
from runtime.inputs import Inputs
from runtime.models.calls.cached import is_cached
from runtime.models.calls.callee import callee_of
from runtime.values import SBool, plain
from tracetwin.drawing.discovery.invokables import PlannedInvokable, build_receiver
from tracetwin.drawing.plans.parameters import Arguments, build_arguments
from tracetwin.drawing.plans.plans import SetupFailed
from tracetwin.model.case import Act, Step
from tracetwin.model.invokable import variable_name
from tracetwin.model.recipe import CallResult, Recipe, Scalar
from tracetwin.process.walls.sandbox import count_refusals
from tracetwin.worker.catalogue import Catalogue
from tracetwin.worker.continuation import UsedResult, is_manager
from tracetwin.worker.dataflow.flow import FlowObserver
from tracetwin.worker.late_choices import Undecided
from tracetwin.worker.picture import SCALARS, attributes_of, native_items
from tracetwin.worker.symbolic_receiver import NotFree, overwrite

MOST_ITEMS: Final = 50
"""Items taken from an iterator that a target returns."""

MOST_PARTS: Final = 8
"""Parts of a result that may be such iterators."""


class Execution:
    """One case being run: receiver, prefix calls, target call.

    A word of the prefix is ``name`` (call the method), ``name=`` (store the attribute) or ``:name`` (call the
    function of the module). Those of the last kind that a prefix begins with come before the receiver is
    made, whose constructor may read what they leave in the module; it then belongs to the stage of the last.

    A bare one ends with the last word of the prefix, which is what it is about then.

    Attributes:
        steps: the steps of what was built so far.
        stages: how long the path was when each call began: the constructor's, the prefix's, the target's.
        in_target: the target's own call has begun.
        result: what kind of thing it returned, "" before.
        receiver: the object that a method or property is called on, None before.
        returned: what the last call returned.
        observer: is told of the number of each call, where there is one.
        said: the words of the exception that ended it, "" where there are none to be told.
        is_stated: a `raise` statement in another module of the package made that exception.
        refused_before: how many acts the walls had refused when the last call began.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        invokable: PlannedInvokable,
        prefix: tuple[str, ...],
        inputs: Inputs,
        free: Any = None,
        *,
        bare: bool = False,
    ) -> None:
        self.steps: list[Step] = []
        self.stages: list[int] = []
        self.in_target = False
        self.result = self.said = ""
        self.is_stated = False
        self.receiver: Any = None
        self.returned: Any = None
        self.refused_before = 0
        self._catalogue = catalogue
        self._invokable = invokable
        self._prefix = prefix
        self._inputs = inputs
        self._free = free
        self._bare = bare
        self._surface: Surface | None = None
        self._given_back: Any = None
        self.observer: FlowObserver | None = None

    def run(self) -> None:
        """Build everything and call the target."""
        self._inputs.pool.consumers = self._consumers()
        mocks = self._catalogue.planner.mocks
        self._inputs.pool.raised, self._inputs.pool.used = mocks.raised, mocks.used
        has_receiver = self._invokable.kind in ("method", "property")
        name = variable_name(str(self._invokable.owner)) if has_receiver else ""
        self._stage()
        # A free receiver is one that exists already.
        before = _leading(self._prefix) if has_receiver and self._free is None else 0
        for place, word in enumerate(self._prefix[:before]):
            self._say(name, word, f"{place + 1}.{word}.", is_last=False)
        if has_receiver:
            self._build(name)
        for place, word in enumerate(self._prefix[before:], before):
            is_last = self._bare and place + 1 == len(self._prefix)
            self._say(name, word, f"{place + 1}.{word}.", is_last=is_last)
            name = self._followed_by_its_like(name, is_last=is_last)
        if self._bare:
            return
        self._stage()
        if has_receiver:
            self._call_on_receiver(name)
        else:
            self._call()

    @property
    def state(self) -> object:
        """The object that a picture is taken of: the receiver, or the data of the module."""
        return self._catalogue.data() if self.receiver is None else self.receiver

    @property
    def around(self) -> dict[str, object]:
        """The rest of the state besides the receiver; nothing for one that was set free."""
        return {} if self._free is not None else self._catalogue.around(self._invokable)

    @property
    def effects(self) -> list[str]:
        """The attributes of the receiver that the last call changed."""
        return [] if self._surface is None else self._surface.changed()

    def _build(self, name: str) -> None:
        self.receiver, step = build_receiver(self._inputs, self._invokable, name)
        self.steps.append(step)
        if self._free is not None:
            self._set_free()

    def _call(self) -> None:
        """Call a target that has no receiver."""
        invokable = self._invokable
        call = self._catalogue.callable_of(invokable)
        made, choices = self._drawn()
        self._catalogue.assume(invokable, None, made)
        path = self._catalogue.path_of(invokable)
        self._step(Act.CALL, self._catalogue.module.__name__, path, made.arg_recipes, made.kwarg_recipes)
        self.in_target = True
        with choices.until_used(call):
            result = _followed(call)(*made.args, **made.kwargs)
            if invokable.kind in ("constructor", "classmethod"):
                self.receiver = result
            self._conclude(result, invokable)

    def _drawn(self) -> tuple[Arguments, Undecided]:
        """The target's own arguments, and the choices about them."""
        start, parameters = len(trace.current.path), self._invokable.parameters
        made = build_arguments(self._inputs, parameters)
        # Who looks at what is read and written traces instructions himself.
        late = self.observer is None and self._free is None
        return made, Undecided(self._inputs, start, [item.name for item in parameters] if late else [])

    def _call_on_receiver(self, name: str) -> None:
        invokable = self._invokable
        made, choices = self._drawn()
        self._catalogue.assume(invokable, self.receiver, made)
        if invokable.access == "get":
            self._step(Act.GET, name, invokable.name)
            self.in_target = True
            self._finish(getattr(self.receiver, invokable.name))
        elif invokable.access == "del":
            self._step(Act.METHOD, name, "__delattr__", [Scalar(invokable.name)])
            self.in_target = True
            delattr(self.receiver, invokable.name)
        elif invokable.access == "set":
            self._step(Act.SET, name, invokable.name, made.arg_recipes)
            self.in_target = True
            setattr(self.receiver, invokable.name, made.args[0])
        else:
            self._step(Act.METHOD, name, invokable.name, made.arg_recipes, made.kwarg_recipes)
            self.in_target = True
            call = getattr(self.receiver, invokable.name)
            with choices.until_used(call):
                self._conclude(_followed(call)(*made.args, **made.kwargs), invokable)

    def _consumers(self) -> list[tuple[str, str]]:
        """Who gets what is drawn: the target and what is called before it."""
        module = self._catalogue.module.__name__
        words = [self._catalogue.word(self._invokable, word) for word in self._prefix]
        return [(module, item.qualname) for item in (self._invokable, *words)]

    def _conclude(self, result: Any, invokable: PlannedInvokable) -> None:
        """Use what the target returned, where it is there to be entered, sent into or called."""
        way = ""
        if is_manager(result) or type(result) is types.GeneratorType or callable(result):
            used = UsedResult(self._inputs, self.steps)
            result = used.go_on(result, self._catalogue.continuation(invokable))
            way = used.way
        self._finish(result)
        self.result += way

    def _set_free(self) -> None:
        """Overwrite attributes by inputs; how the constructor came to its own is no condition any more."""
        trace.current.forget()
        try:
            overwrite(self._inputs, self.receiver, self._free)
        except NotFree as error:
            raise SetupFailed(f"the receiver can't be set free: {error}") from error

    def _finish(self, result: Any) -> None:
        self.returned = result
        consume(result)
        self.result = kind_of(result)

    def _pass_on(self, result: Any, invokable: PlannedInvokable) -> None:
        """Offer what a call of the prefix returned to later ones; an iterator is left as it is."""
        self._given_back = result
        if self.in_target:  # the last word of a sequence that is explored for its own sake
            self._conclude(result, invokable)
            return
        if inspect.iscoroutine(result):
            result = self._given_back = run_coroutine(result)
        self._inputs.pool.returned(result, CallResult(None, len(self.steps) - 1, ""))

    def _followed_by_its_like(self, name: str, *, is_last: bool) -> str:
        """Go on with the object that a call made of its receiver, which it left as it was; returns its name.

        So do those who use a class whose methods give another query, or shape, each time.
        """
        made, before = self._given_back, self.receiver
        alike = made is not before and type(made) is type(before) and before is not None
        if not alike or self._free is not None or self.effects:
            return name
        self.receiver = made
        if is_last:
            return name
        new = f"{variable_name(str(self._invokable.owner))}_{len(self.steps)}"
        self.steps[-1] = replace(self.steps[-1], bind=new)
        return new

    def _stage(self) -> None:
        if self.observer is not None:
            self.observer.stage = len(self.stages)
        self.stages.append(trace.current.begin_call())
        if self.receiver is not None:
            self._surface = Surface(self.receiver)
        self.returned = self._given_back = None
        self.refused_before = count_refusals()

    def _say(self, name: str, word: str, prefix: str, *, is_last: bool) -> None:
        """Perform one word of the prefix."""
        self._stage()
        invokable = self._catalogue.word(self._invokable, word)
        made = build_arguments(self._inputs, invokable.parameters, prefix)
        self._catalogue.assume(invokable, None if word.startswith(":") else self.receiver, made)
        if word.startswith(":"):
            place = self._catalogue.module.__name__
            path = self._catalogue.path_of(invokable)
            self._step(Act.CALL, place, path, made.arg_recipes, made.kwarg_recipes)
            self.in_target = is_last
            call = _followed(self._catalogue.callable_of(invokable))
            self._pass_on(call(*made.args, **made.kwargs), invokable)
        elif word.endswith("="):
            self._step(Act.SET, name, word[:-1], made.arg_recipes)
            self.in_target = is_last
            setattr(self.receiver, word[:-1], made.args[0])
        else:
            act = Act.GET if invokable.access == "get" else Act.METHOD
            self._step(act, name, word, made.arg_recipes, made.kwarg_recipes)
            self.in_target = is_last
            got = getattr(self.receiver, word)
            self._pass_on(got if act is Act.GET else _followed(got)(*made.args, **made.kwargs), invokable)

    def _step(
        self,
        act: Act,
        place: str,
        name: str,
        args: Iterable[Recipe] = (),
        kwargs: Iterable[tuple[str, Recipe]] = (),
    ) -> None:
        self.steps.append(Step(act, place, name, tuple(args), tuple(kwargs)))


def _leading(prefix: tuple[str, ...]) -> int:
    """How many words at the beginning call functions of the module."""
    return next((place for place, word in enumerate(prefix) if not word.startswith(":")), len(prefix))


_SIZED: Final = (list, dict, set, tuple, str, bytes)


def kind_of(result: Any) -> str:
    """Return what a reader distinguishes first in a result: true or false, its type, whether it is empty."""
    if type(plain(result)) is bool:
        return str(plain(result))
    for kind in _SIZED:
        if isinstance(result, kind):
            return kind.__name__ if kind.__len__(plain(result)) else f"empty {kind.__name__}"
    return type(plain(result)).__name__


RESULT_SITE: Final = -1
"""The site of the decision that a target returns true or false."""


def consume(result: Any) -> None:
    """Go through what a lazy result stands for: await a coroutine, take the first items of an iterator.

    A bool that is returned undecided is a choice worth taking both ways.
    """
    if type(result) is SBool:
        trace.current.record(result.e, result.v, RESULT_SITE, trace.Kind.HINT)
    elif inspect.iscoroutine(result):
        run_coroutine(result)
    elif inspect.isgenerator(result):
        for _ in islice(result, MOST_ITEMS + 1):
            pass
    elif inspect.isasyncgen(result):
        import asyncio

        asyncio.run(_drain(result))
    elif isinstance(result, (tuple, list, dict)):
        for part in list(filter(inspect.isgenerator, islice(_parts(result), MOST_PARTS))):
            consume(part)


def _parts(result: Any) -> Iterator[Any]:
    """The elements of a tuple or list, the values of a dict: without code of a class derived from it."""
    if isinstance(result, dict):
        return iter(dict.values(result))
    return (tuple if isinstance(result, tuple) else list).__iter__(result)


def run_coroutine(coroutine: Any) -> Any:
    """The final result of a coroutine."""
    import asyncio  # slow to import, and few targets need it

    return asyncio.run(coroutine)


async def _drain(generator: Any) -> None:
    place = 0
    async for _ in generator:
        place += 1
        if place >= MOST_ITEMS:
            break


MOST_ELEMENTS: Final = 300


class Surface:
    """The attributes of an object at one time, with the elements of the containers among them."""

    def __init__(self, receiver: object) -> None:
        """Look at it; runs no code of its class."""
        self._receiver = receiver
        self._before = _surface(receiver)

    def changed(self) -> list[str]:
        """The attributes that hold something else now, or are new, or gone."""
        after = _surface(self._receiver)
        names = {*self._before, *after}
        return sorted(
            name for name in names
            if name not in after or name not in self._before or not _same(self._before[name], after[name])
        )  # fmt: skip


def _surface(receiver: object) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    found = {name: (value, _elements(value)) for name, value in attributes_of(receiver)}
    found["[]"] = (None, _elements(receiver))
    return found


def _elements(value: Any) -> tuple[Any, ...]:
    items = native_items(value)
    return () if items is None else tuple(islice(items, MOST_ELEMENTS))


def _same(before: tuple[Any, tuple[Any, ...]], after: tuple[Any, tuple[Any, ...]]) -> bool:
    if not _is(before[0], after[0]) or len(before[1]) != len(after[1]):
        return False
    return all(map(_is, before[1], after[1]))


def _is(one: Any, other: Any) -> bool:
    if one is other:
        return True
    one, other = plain(one), plain(other)
    if type(one) is tuple and type(other) is tuple:  # items of a dict
        return len(one) == len(other) and all(map(_is, one, other))
    return type(one) is type(other) and type(one) in SCALARS and one == other


def _followed(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return what to call, so that a cache around a function does not take its arguments out of sight."""
    return callee_of(call) if is_cached(call) else call
