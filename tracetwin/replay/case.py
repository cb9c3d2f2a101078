"""Runs one case in a process of its own and describes what happened."""

from __future__ import annotations

import types
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from tracetwin.drawing.environment.apply import Applied
from tracetwin.model import recipes
from tracetwin.process.limit_errors import tells_of_limits, tells_of_walls
from tracetwin.process.lines import unseen
from tracetwin.replay.conditions.streams import NoInput, Stream, displaced, redirected
from tracetwin.replay.observe import interfaces
from tracetwin.replay.observe.calls import CallLog
from tracetwin.replay.observe.held_locks import held
from tracetwin.replay.observe.instruction_paths import Ways
from tracetwin.replay.observe.leaks import Leaks
from tracetwin.replay.observe.observers import answers, is_question
from tracetwin.replay.observe.preconditions import Preconditions
from tracetwin.replay.observe.snap import Camera, Snap, attribute, is_a, is_opaque, key, type_name
from tracetwin.replay.observe.stored import Stored
from tracetwin.replay.steps import Steps, run_coroutine

if TYPE_CHECKING:
    from tracetwin.process.integrity import Soundness
    from tracetwin.process.walls.audit import Guard

MOST_TAKEN = 50
MOST_OUTPUT = 2000

Observation = dict[str, Any]

# Equal ones of these may be one object by chance.
_SHARED = (type(None), bool, int, float, complex, str, bytes, tuple, frozenset, type, types.FunctionType)
_HOLDING = ("__len__", "__iter__", "__contains__", "is_empty", "isEmpty", "empty", "size", "pop")
_CONTAINERS = ("list", "dict", "set", "tuple", "frozenset")


def blank(outcome: str, why: str = "") -> Observation:
    """An observation that says nothing but how it ended."""
    return {
        "outcome": outcome,
        "why": why,
        "value": ("opaque", "", why or "nothing was returned"),
        "exception": None,
        "bases": [],
        "raised_at": None,
        "how": "call",
        "changed": [],
        "kept": [],
        "state": [],
        "touched": [],
        "altered": [],
        "stdout": "",
        "stderr": "",
        "stdin": False,
        "told_world": [],
        "setup": [],
        "awaited": [],
        "same": None,
        "calls": [],
        "reads": None,
        "interfaces": [],
        "empty": False,
        "ways": [],
        "leaks": [],
        "lines": [],
        "arcs": [],
        "own_lines": [],
        "own_arcs": [],
    }


class CaseRun:
    """One case: its receiver and state, the call, and what is seen before and after."""

    def __init__(
        self,
        case: dict[str, Any],
        module: types.ModuleType,
        file: str | None = None,
        preconditions: Preconditions | None = None,
    ) -> None:
        self.case = case
        self.module = module
        self.file = module.__file__ if file is None else file
        self.steps = Steps(preconditions)
        self.bound = self.steps.bound
        self.log = CallLog(lambda: self._camera(properties=False), self.file)
        self.bound.log = self.log
        self.stored = Stored(case, self.bound)
        self.seen = blank("returned")
        self.watch: Callable[[], AbstractContextManager[None]] = nullcontext
        self.measure: Callable[[], Any] = lambda: ([], [])
        self.typed = next((what[1] for _, how, what in case.get("patches") or () if how == "stdin"), None)
        self.displaced = ""
        self.args: list[Any] = []
        self.kwargs: list[tuple[str, Any]] = []

    def evaluate(self, recipe: Any) -> Any:
        """The value of a recipe, in which bound values and mocks may be spoken of."""
        return recipes.evaluate(recipe, self.bound)

    def run(self) -> Observation:
        """Everything but the measured lines."""
        *setup, last = self.case["steps"]
        stdin = NoInput() if self.typed is None else Stream(self.typed)
        with redirected(Stream(), Stream(), stdin):
            try:
                for step in setup:
                    self.steps.perform(step)
                self.args, self.kwargs = self.steps.arguments(last)
                call = self.steps.callable(last, self.args, dict(self.kwargs))
            except BaseException as error:  # noqa: BLE001 - code of the target may raise anything
                return self._failed_setup(error)
            self.seen["setup"], self.seen["awaited"] = list(self.steps.briefs), list(self.steps.awaited)
        with unseen():
            before = self._look()
        self.log.begun = True
        self.seen["earlier"] = self.measure()
        out, err = Stream(), Stream()
        with redirected(out, err, stdin), self.watch():
            self._call(call)
            self.displaced = displaced(out, err, stdin)
        if self.displaced:
            return blank("refused", self.displaced)
        with unseen():
            self._compare(before, self._look())
            self.seen["empty"] = last["do"][0] != "call" and _holds_nothing(
                *before[("var", last["do"][1])][1:]
            )
            self._look_at_receiver(last)
            self.seen["calls"] = self.log.told()
            self.seen["reads"] = self.stored.reads() if self.log.is_whole else None
            self.seen["interfaces"] = interfaces.of_case(self.case)
        try:
            with redirected(Stream(), Stream(), stdin):
                self.steps.leave()
        except BaseException as error:  # noqa: BLE001 - code of the target may raise anything
            return self._failed_setup(error, "leaving a context")
        self.seen["stdout"], self.seen["stderr"] = out.getvalue()[:MOST_OUTPUT], err.getvalue()[:MOST_OUTPUT]
        self.seen["stdin"] = isinstance(stdin, NoInput) and stdin.asked
        return self.seen

    def _camera(self, *, private: bool = False, properties: bool = True) -> Camera:
        return Camera(self.module, private=private, properties=properties, mocks=self.bound.mocks)

    def _failed_setup(self, error: BaseException, doing: str = "building the input") -> Observation:
        return blank("failed_setup", f"{doing} raised {type(error).__name__}: {_message(error)}")

    # ---- doing the steps

    def _call(self, call: Callable[[], Any]) -> None:
        try:
            result = call()
            if is_a(result, types.CoroutineType):
                self.seen["how"] = "await"
                result = run_coroutine(result)
            if self.case["kind"] != "constructor":
                self._take_items(result)
            if self.seen["how"] not in ("iterate", "async_iterate"):
                with unseen():
                    self.seen["value"] = self._camera().take(result)
                    self.seen["same"] = self._known(result)
        except BaseException as error:  # noqa: BLE001 - code of the target may raise anything
            with unseen():
                self._raised(error)

    def _known(self, result: Any) -> tuple[str, Any] | None:
        """The place of the bound value or argument that the result is.

        Only of instances of classes, and of functions without a name to import them by: equal values may be
        one object by chance, and of containers the content says more.
        """
        nameless = is_a(result, types.FunctionType) and is_opaque(self._camera().take(result))
        if is_a(result, _SHARED) and not nameless:
            return None
        if type(result) in (list, dict, set, bytearray) or result is NotImplemented:
            return None
        places: list[tuple[tuple[str, Any], Any]] = [(("var", name), v) for name, v in self.bound.items()]
        places += [(("arg", number), value) for number, value in enumerate(self.args)]
        places += [(("kwarg", name), value) for name, value in self.kwargs]
        return next((place for place, value in places if value is result), None)

    def _take_items(self, result: Any) -> None:
        taken: list[Any] = []
        if is_a(result, types.AsyncGeneratorType):
            self.seen["how"] = "async_iterate"
            run_coroutine(_drain(result, taken, self._items_so_far(result, taken)))
        elif hasattr(type(result), "__next__") and hasattr(type(result), "__iter__"):
            self.seen["how"] = "iterate"
            note = self._items_so_far(result, taken)
            note(False)
            while len(taken) < MOST_TAKEN:
                try:
                    item = next(result)
                except StopIteration:
                    note(True)
                    return
                taken.append(item)
                note(False)

    def _items_so_far(self, result: Any, taken: list[Any]) -> Callable[[bool], None]:
        name, pictures = type_name(result), list[Snap]()

        def note(exhausted: bool) -> None:
            with unseen():
                # Each item is looked at when it comes: a later one may change it.
                for item in taken[len(pictures) :]:
                    pictures.append(self._camera().take(item))
                self.seen["value"] = ("iter", name, pictures, exhausted)

        return note

    # ---- exceptions

    def _raised(self, error: BaseException) -> None:
        if tells_of_limits(error) and not isinstance(error, RecursionError):
            what = "memory" if isinstance(error, MemoryError) else "what the sandbox gives it"
            self.seen["outcome"], self.seen["why"] = "died", f"ran out of {what}"
            return
        if tells_of_walls(error):
            self.seen["outcome"], self.seen["why"] = "refused", "the system refused something that it did"
            return
        try:
            place = recipes.reference(type(error), self.module)
        except recipes.NotNameable:
            place = ("", type(error).__qualname__)
        self.seen["outcome"] = "raised"
        self.seen["exception"] = (*place, _message(error))
        self.seen["bases"] = _importable_bases(type(error))
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.file:
                self.seen["raised_at"] = trace.tb_lineno
            trace = trace.tb_next

    # ---- state

    def _look(self) -> dict[tuple[Any, ...], tuple[Snap, Snap, Any]]:
        """For every argument and bound value: its public data, all its data, and itself."""
        things: dict[tuple[Any, ...], Any] = {("arg", i): value for i, value in enumerate(self.args)}
        things.update({("kwarg", name): value for name, value in self.kwargs})
        things.update({("var", name): value for name, value in self.bound.items()})
        return {
            path: (
                self.stored.picture(value, self._camera(properties=False)),
                self.stored.picture(value, self._camera(properties=False, private=True)),
                value,
            )
            for path, value in things.items()
        }

    def _compare(self, before: dict[Any, Any], after: dict[Any, Any]) -> None:
        by_identity = {id(value) for name, value in self.bound.items()}
        for path, (public, everything, value) in after.items():
            if path[0] != "var" and id(value) in by_identity:
                continue  # the same object, already spoken of by its name
            if key(before[path][1]) != key(everything):
                self.seen["touched"].append(path)
                self.seen["altered"] += _altered(path, before[path][1], everything)
            if public[0] == "object" and before[path][0][0] == "object":
                self._compare_attributes(path, before[path][0], public, value)
            elif key(before[path][0]) != key(public):
                self.seen["changed"].append((path, self._camera().take(value)))
            elif public[0] in ("list", "dict", "set"):
                self.seen["kept"].append((path, public))

    def _compare_attributes(self, path: tuple[Any, ...], before: Snap, after: Snap, value: Any) -> None:
        old = {name: key(snap) for name, snap in before[3]}
        for name, snap in after[3]:
            if old.get(name) != key(snap):
                full = self._camera().take(attribute(value, name)) if name else snap
                self.seen["changed"].append(((*path, name), full))
            elif not is_opaque(snap):
                self.seen["kept"].append(((*path, name), snap))

    def _look_at_receiver(self, last: dict[str, Any]) -> None:
        kind, name, _ = last["do"]
        if kind == "call":
            return
        picture = self._camera().take(self.bound[name])
        if picture[0] == "object":
            self.seen["state"] = [(("var", name, part), snap) for part, snap in picture[3]]
        elif not is_opaque(picture):
            self.seen["state"] = [(("var", name), picture)]
        if ("var", name) in self.seen["touched"] or not is_question(last["do"][2]):
            told = answers(self.bound[name], self.module, self._given(name))
            self.seen["state"] = [*((("var", name, part), snap) for part, snap in told), *self.seen["state"]]

    def _given(self, name: str) -> list[Any]:
        """Scalars that a bound value was called with, those of the last call first."""
        on_it = [step for step in reversed(self.case["steps"]) if tuple(step["do"][:2]) == ("method", name)]
        return list(dict.fromkeys(part[1] for step in on_it for part in step["args"] if part[0] == "lit"))


def _altered(path: tuple[Any, ...], before: Snap, after: Snap) -> list[tuple[Any, ...]]:
    """The paths of attributes, private ones too, that differ."""
    if before[0] != "object" or after[0] != "object":
        return []
    old, new = ({name: key(snap) for name, snap in one[3]} for one in (before, after))
    return [(*path, name) for name in {**old, **new} if old.get(name) != new.get(name)]


def _holds_nothing(everything: Snap, value: Any) -> bool:
    """Whether an object that people call empty has containers, and all of them are empty."""
    if everything[0] != "object" or not any(hasattr(type(value), name) for name in _HOLDING):
        return False
    inside = [snap for _, snap in everything[3] if snap[0] in _CONTAINERS]
    return bool(inside) and not any(snap[1] for snap in inside)


def _message(error: BaseException) -> str:
    try:
        return str(error)[:MOST_OUTPUT]
    except BaseException as second:  # noqa: BLE001 - a __str__ of the target may raise anything
        return f"<its message raised {type(second).__name__}>"


def _importable_bases(kind: type) -> list[tuple[str, str]]:
    bases = []
    for base in kind.__mro__[1:]:
        try:
            bases.append(recipes.reference(base))
        except recipes.NotNameable:
            continue
    return bases


async def _drain(generator: Any, taken: list[Any], note: Callable[[bool], None]) -> None:
    note(False)
    async for item in generator:
        taken.append(item)
        note(False)
        if len(taken) >= MOST_TAKEN:
            return
    note(True)


def run_case(
    case: dict[str, Any],
    module: types.ModuleType,
    guard: Guard | None,
    file: str | None = None,
    measure: Callable[[], Any] = lambda: ([], []),
    preconditions: Preconditions | None = None,
    sound: Soundness | None = None,
) -> Observation:
    """What the case did; whatever goes wrong in looking at it is said in the observation.

    Args:
        case: what to call; where it asks for ``ways``, those of the last call are told in the place of lines,
            and where it asks for ``leaks``, what it changed in the module's own state.
        module: the target.
        guard: told of what the sandbox refused.
        file: what tracebacks call the module's file; None for the module's own word.
        measure: lines and arcs since it was last called; what ran before the case's own call is returned as
            ``earlier``.
        preconditions: the user's, which every call has to keep.
        sound: knows what the interpreter was like before.
    """
    before = (0, 0, 0) if guard is None else (guard.refused, guard.touched, guard.listed)
    try:
        leaks = Leaks(module) if case.get("leaks") else None
        locked = held(module)
        made = CaseRun(case, module, file, preconditions)
        made.measure = measure
        ways = Ways(str(made.file)) if case.get("ways") else None
        made.watch = ways.watched if ways is not None else nullcontext
        with Applied(case.get("patches") or (), made.evaluate) as patched:
            seen = made.run()
        if sound is not None and (harm := sound.harm()):
            return blank("refused", harm)
        if locks := sorted(held(module) - locked):
            return blank("refused", f"it leaves the lock {locks[0]} held")
        if spent := [*patched.spent, *made.bound.spent]:
            return blank("unstable", f"{spent[0]} is asked more often than while exploring")
        seen["told_world"] = patched.told()
        seen["ways"] = sorted(ways.taken) if ways is not None else []
        seen["leaks"] = leaks.found() if leaks is not None else []
    except Exception as error:  # noqa: BLE001 - the child reports instead of dying
        return blank("died", f"looking at the outcome raised {type(error).__name__}: {_message(error)}")
    if guard is not None and guard.refused > before[0]:
        # Even where the target caught the refusal: outside the sandbox it would have gone on differently.
        event, detail = guard.refusals[-1]
        return {**seen, "outcome": "refused", "why": f"{event}({detail}) is refused"}
    if guard is not None and guard.touched > before[1]:
        return {**seen, "outcome": "refused", "why": "it changes files"}
    if guard is not None and guard.listed > before[2]:
        # Here there is nothing. Elsewhere there may be what it then changes.
        return {**seen, "outcome": "refused", "why": "it depends on which files there are"}
    if guard is not None and not guard.intact():
        return {**seen, "outcome": "refused", "why": "it reaches into the walls"}
    return seen
