"""One case being run in a worker: the receiver, the calls before, the target's own call."""

from __future__ import annotations

import inspect
from typing import Any, Final

from runtime import trace
from runtime.inputs import Inputs
from runtime.values import SBool, plain
from tracetwin.inputs.invokables import Invokable, build_receiver
from tracetwin.inputs.parameters import build_arguments
from tracetwin.inputs.plans import SetupFailed
from tracetwin.worker.catalogue import Catalogue
from tracetwin.worker.free import NotFree, overwrite

MOST_ITEMS: Final = 50
"""Items taken from an iterator that a target returns."""


class Execution:
    """One case being run: receiver, prefix calls, target call.

    A word of the prefix is ``name`` (call the method), ``name=`` (store the attribute) or ``:name`` (call the
    function of the module).

    A bare one ends with the last word of the prefix, which is what it is about then.

    Attributes:
        steps: the contract steps of what was built so far.
        stages: how long the path was when each call began: the constructor's, the prefix's, the target's.
        in_target: the target's own call has begun.
        result: what kind of thing it returned, "" before.
        receiver: the object that a method or property is called on, None before.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        invokable: Invokable,
        prefix: tuple[str, ...],
        inputs: Inputs,
        free: Any = None,
        *,
        bare: bool = False,
    ) -> None:
        self.steps: list[dict[str, Any]] = []
        self.stages: list[int] = []
        self.in_target = False
        self.result = ""
        self.receiver: Any = None
        self._catalogue = catalogue
        self._invokable = invokable
        self._prefix = prefix
        self._inputs = inputs
        self._free = free
        self._bare = bare

    def run(self) -> None:
        """Build everything and call the target."""
        invokable = self._invokable
        if invokable.kind in ("method", "property"):
            self._run_on_receiver()
            return
        for place, word in enumerate(self._prefix):
            self._say("", word, f"{place + 1}.{word}.")
        self._stage()
        call = self._catalogue.callable_of(invokable)
        made = build_arguments(self._inputs, invokable.parameters)
        path = self._catalogue.path_of(invokable)
        self._step(("call", self._catalogue.module.__name__, path), made.arg_recipes, made.kwarg_recipes)
        self.in_target = True
        result = call(*made.args, **made.kwargs)
        if invokable.kind in ("constructor", "classmethod"):
            self.receiver = result
        self._finish(result)

    def _run_on_receiver(self) -> None:
        invokable = self._invokable
        name = _variable_name(str(invokable.owner))
        self._stage()
        self.receiver, step = build_receiver(self._inputs, invokable, name)
        self.steps.append(step)
        if self._free is not None:
            self._set_free()
        for place, word in enumerate(self._prefix):
            self.in_target = self._bare and place + 1 == len(self._prefix)
            self._say(name, word, f"{place + 1}.{word}.")
        if self._bare:
            return
        self._stage()
        made = build_arguments(self._inputs, invokable.parameters)
        if invokable.access == "get":
            self._step(("get", name, invokable.name), [], [])
            self.in_target = True
            self._finish(getattr(self.receiver, invokable.name))
        elif invokable.access == "set":
            self._step(("set", name, invokable.name), made.arg_recipes, [])
            self.in_target = True
            setattr(self.receiver, invokable.name, made.args[0])
        else:
            self._step(("method", name, invokable.name), made.arg_recipes, made.kwarg_recipes)
            self.in_target = True
            self._finish(getattr(self.receiver, invokable.name)(*made.args, **made.kwargs))

    def _set_free(self) -> None:
        """Overwrite attributes by inputs; how the constructor came to its own is no condition any more."""
        trace.current.forget()
        try:
            overwrite(self._inputs, self.receiver, self._free)
        except NotFree as error:
            raise SetupFailed(f"the receiver can't be set free: {error}") from error

    def _finish(self, result: Any) -> None:
        consume(result)
        self.result = kind_of(result)

    def _stage(self) -> None:
        self.stages.append(len(trace.current.path))

    def _say(self, name: str, word: str, prefix: str) -> None:
        """Perform one word of the prefix."""
        self._stage()
        invokable = self._catalogue.word(self._invokable, word)
        made = build_arguments(self._inputs, invokable.parameters, prefix)
        if word.startswith(":"):
            place = self._catalogue.module.__name__
            self._step(("call", place, word[1:]), made.arg_recipes, made.kwarg_recipes)
            self._finish(self._catalogue.callable_of(invokable)(*made.args, **made.kwargs))
        elif word.endswith("="):
            self._step(("set", name, word[:-1]), made.arg_recipes, [])
            setattr(self.receiver, word[:-1], made.args[0])
        else:
            self._step(("method", name, word), made.arg_recipes, made.kwarg_recipes)
            self._finish(getattr(self.receiver, word)(*made.args, **made.kwargs))

    def _step(self, do: tuple[Any, ...], args: list[Any], kwargs: list[Any]) -> None:
        self.steps.append({"bind": None, "do": do, "args": list(args), "kwargs": list(kwargs)})


_SIZED: Final = (list, dict, set, tuple, str, bytes)


def kind_of(result: Any) -> str:
    """What a reader distinguishes first in a result: its type, and whether it is empty."""
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
        import asyncio

        asyncio.run(result)
    elif inspect.isgenerator(result):
        for place, _ in enumerate(result):
            if place >= MOST_ITEMS:
                break
    elif inspect.isasyncgen(result):
        import asyncio

        asyncio.run(_drain(result))


async def _drain(generator: Any) -> None:
    place = 0
    async for _ in generator:
        place += 1
        if place >= MOST_ITEMS:
            break


def _variable_name(owner: str) -> str:
    """`TemperatureMonitor` gives ``temperature_monitor``."""
    short = owner.rpartition(".")[2]
    words = "".join(f"_{c.lower()}" if c.isupper() and i and not short[i - 1].isupper() else c.lower()
                    for i, c in enumerate(short)).strip("_")  # fmt: skip
    return words or "receiver"


