"""One case, run in a process of its own: what happened is the observation."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, Final, TypeAlias

from tracetwin.model import recipes
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.codec import key
from tracetwin.model.given import name_of
from tracetwin.model.observation import Arc, Consumption, Observation, Raised, Root, Shown, ValuePath, ended
from tracetwin.model.patch import StdinPatch
from tracetwin.model.recipe import Dictionary, Recipe, Scalar, Series
from tracetwin.model.snapshot import Attributes, Iterated, Snapshot, is_opaque
from tracetwin.model.status import Outcome
from tracetwin.process.limit_errors import not_installed, tells_of_limits, tells_of_walls
from tracetwin.process.lines import unseen
from tracetwin.process.raising import raising_of
from tracetwin.replay.conditions.streams import NoInput, Stream, displaced, redirected
from tracetwin.replay.observe import interfaces
from tracetwin.replay.observe.apart import apart, apart_from_receiver
from tracetwin.replay.observe.calls import CallLog
from tracetwin.replay.observe.given import SHARED, inner_objects, is_object, is_unspoken_of
from tracetwin.replay.observe.lazy_parts import MOST_TAKEN, drain, pictures_of_parts
from tracetwin.replay.observe.module_state import state_of
from tracetwin.replay.observe.observers import answers, holds_nothing, is_question, with_answers
from tracetwin.replay.observe.plain_state import PlainPictures
from tracetwin.replay.observe.preconditions import Preconditions
from tracetwin.replay.observe.snap import Camera, attribute, is_a, type_name
from tracetwin.replay.observe.stored import Stored, mocks_of
from tracetwin.replay.steps import Steps, run_coroutine

MOST_OUTPUT = 2000

Measured: TypeAlias = tuple[Iterable[int], Iterable[Arc]]
"""Lines, and pairs of lines that ran in a row."""

_Picture: TypeAlias = tuple[Snapshot, Snapshot, Any]
"""Of one value its public data, all its data, and itself."""

_STATE: Final = PlainPictures()


class CaseRun:
    """One case: its receiver and state, the call, and what is seen before and after."""

    def __init__(
        self,
        case: Case,
        module: types.ModuleType,
        file: str | None = None,
        preconditions: Preconditions | None = None,
        *,
        whole: bool = True,
    ) -> None:
        self.case = case
        self.whole = whole
        self.module = module
        self.file = module.__file__ if file is None else file
        self.steps = Steps(preconditions)
        self.bound = self.steps.bound
        self.log = CallLog(lambda: self._camera(properties=False, built=0), self.file)
        self.bound.log = self.log
        self.stored = Stored(case, self.bound)
        self.seen = Observation(Outcome.RETURNED)
        self.earlier: Measured = ((), ())
        self.own: list[Measured] = []
        self.watch: Callable[[], AbstractContextManager[None]] = nullcontext
        self.measure: Callable[[], Measured] = lambda: ((), ())
        self.typed = next((_typed(patch) for patch in case.patches if isinstance(patch, StdinPatch)), None)
        self.displaced = ""
        self.args: list[Any] = []
        self.kwargs: list[tuple[str, Any]] = []
        self.result: Any = None

    def evaluate(self, recipe: Recipe) -> Any:
        """The value of a recipe, in which bound values and mocks may be spoken of."""
        return recipes.evaluate(recipe, self.bound)

    def run(self) -> Observation:
        """Everything but the measured lines."""
        last = self.case.last
        stdin = NoInput() if self.typed is None else Stream(self.typed)
        with redirected(Stream(), Stream(), stdin):
            try:
                for step in self.case.setup:
                    self.steps.perform(step)
                self.args, self.kwargs = self.steps.arguments(last)
                call = self.steps.callable(last, self.args, dict(self.kwargs))
                setup, awaited = tuple(self.steps.briefs), tuple(self.steps.awaited)
            except BaseException as error:  # noqa: BLE001 - code of the target may raise anything
                return self._failed_setup(error)
        with unseen():
            before = self._look()
        self.log.begun = True
        self.earlier = self.measure()
        out, err = Stream(), Stream()
        with redirected(out, err, stdin), self.watch():
            self._call(call)
            self.displaced = displaced(out, err, stdin)
        if self.displaced:
            return ended(Outcome.REFUSED, self.displaced)
        with unseen():
            self._compare(before, self._look())
            receiver = last.receiver
            empty = receiver is not None and holds_nothing(*before[ValuePath(Root.VAR, receiver)][1:])
            self.seen = replace(
                self.seen,
                value=self._with_answers(self.seen.value),
                setup=setup,
                awaited=awaited,
                empty=empty,
                state=() if receiver is None or not self.whole else self._state_of(receiver, last),
                calls=self.log.told(),
                reads=self.stored.reads() if self.log.is_whole else None,
                interfaces=interfaces.of_case(self.case),
                apart=tuple(self._apart(last)),
            )
        try:
            with redirected(Stream(), Stream(), stdin):
                self.steps.leave()
        except BaseException as error:  # noqa: BLE001 - code of the target may raise anything
            return self._failed_setup(error, "leaving a context")
        return replace(
            self.seen,
            stdout=out.getvalue()[:MOST_OUTPUT],
            stderr=err.getvalue()[:MOST_OUTPUT],
            stdin=isinstance(stdin, NoInput) and stdin.asked,
        )

    def _camera_of_result(self, opened: bool = False, taken: Mapping[int, Snapshot] | None = None) -> Camera:
        """A camera that speaks of objects of the case by their names, where they are inside of something.

        `opened`: of what is looked at the attributes are wanted, whatever call would make its equal.
        """
        given = {id(value): name for name, value in self._objects()}
        return Camera(self.module, mocks=self.bound.mocks, given=given, built=int(opened), taken=taken)

    def _objects(self) -> Iterator[tuple[str, Any]]:
        """The objects of the case with their names, the best name of each last."""
        yield from inner_objects(self.case, self.bound.made)
        for path, value in (*self._arguments(), *self._bound_values()):
            if is_object(value):
                yield name_of(path), value

    def _camera(
        self, *, private: bool = False, properties: bool = True, built: int | None = None
    ) -> Camera:
        mocks = self.bound.mocks
        return Camera(self.module, private=private, properties=properties, mocks=mocks, built=built)

    def _failed_setup(self, error: BaseException, doing: str = "building the input") -> Observation:
        seen = ended(Outcome.FAILED_SETUP, f"{doing} raised {type(error).__name__}: {message_of(error)}")
        return replace(seen, setup=tuple(self.steps.briefs))

    # ---- doing the steps

    def _call(self, call: Callable[[], Any]) -> None:
        try:
            result = call()
            if is_a(result, types.CoroutineType):
                self.seen = replace(self.seen, how=Consumption.AWAIT)
                result = run_coroutine(result)
            if self.case.kind != "constructor":
                self._take_items(result)
            if self.seen.how not in (Consumption.ITERATE, Consumption.ASYNC_ITERATE):
                taken = pictures_of_parts(result, self._item, self._mark)
                with unseen():
                    # That what a class makes equals what it makes says nothing.
                    value = self._camera_of_result(self.case.kind == "constructor", taken).take(result)
                    self.seen = replace(self.seen, value=value, same=self._known(result))
                self.result = result
        except BaseException as error:  # noqa: BLE001 - code of the target may raise anything
            with unseen():
                self._raised(error)

    def _item(self, item: Any) -> Snapshot:
        return self._camera_of_result().take(item, 1)

    def _mark(self, counts: bool) -> None:
        """Keep what ran until now as the call's own, or forget it."""
        self.own += [self.measure()][:counts]

    def _known(self, result: Any) -> ValuePath | None:
        """The place of the bound value or argument that the result is.

        Only of instances of classes, and of functions without a name to import them by: equal values may be
        one object by chance, and of containers the content says more.
        """
        nameless = is_a(result, types.FunctionType) and is_opaque(self._camera().take(result))
        if is_a(result, SHARED) and not nameless:
            return None
        if type(result) in (list, dict, set, bytearray) or result is NotImplemented:
            return None
        places = [*self._bound_values(), *self._arguments()]
        known = next((place for place, value in places if value is result), None)
        if known is None and is_object(result):
            inner = (name for name, value in self._objects() if value is result)
            known = next((ValuePath(Root.VAR, name) for name in inner), None)
        return known

    def _bound_values(self) -> Iterator[tuple[ValuePath, Any]]:
        yield from ((ValuePath(Root.VAR, name), value) for name, value in self.bound.items())

    def _apart(self, last: Step) -> Iterator[tuple[str, ValuePath]]:
        yield from apart(self.result, (*self._arguments(), *self._bound_values()))
        name = last.receiver
        if name is not None and not last.given and ValuePath(Root.VAR, name) not in self.seen.touched:
            yield from apart_from_receiver(self.result, name, self.bound[name])

    def _arguments(self) -> Iterator[tuple[ValuePath, Any]]:
        yield from ((ValuePath(Root.ARG, number), value) for number, value in enumerate(self.args))
        yield from ((ValuePath(Root.KWARG, name), value) for name, value in self.kwargs)

    def _take_items(self, result: Any) -> None:
        taken: list[Any] = []
        if is_a(result, types.AsyncGeneratorType):
            self.seen = replace(self.seen, how=Consumption.ASYNC_ITERATE)
            run_coroutine(drain(result, taken, self._items_so_far(result, taken)))
        elif hasattr(type(result), "__next__") and hasattr(type(result), "__iter__"):
            self.seen = replace(self.seen, how=Consumption.ITERATE)
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
        name, pictures = type_name(result), list[Snapshot]()

        def note(exhausted: bool) -> None:
            with unseen():
                # Each item is looked at when it comes: a later one may change it.
                for item in taken[len(pictures) :]:
                    pictures.append(self._item(item))
                self.seen = replace(self.seen, value=Iterated(name, tuple(pictures), exhausted))

        return note

    # ---- exceptions

    def _raised(self, error: BaseException) -> None:
        if tells_of_limits(error) and not isinstance(error, RecursionError):
            what = "memory" if isinstance(error, MemoryError) else "what the sandbox gives it"
            self.seen = replace(self.seen, outcome=Outcome.DIED, why=f"ran out of {what}")
            return
        if tells_of_walls(error):
            why = "the system refused something that it did"
            self.seen = replace(self.seen, outcome=Outcome.REFUSED, why=why)
            return
        if missing := not_installed(error):
            why = f"{missing}, which it imports, is not installed"  # where it is, it goes on
            self.seen = replace(self.seen, outcome=Outcome.REFUSED, why=why)
            return
        try:
            place = recipes.reference(type(error), self.module)
        except recipes.NotNameable:
            place = ("", type(error).__qualname__)
        where = raising_of(error, self.file, self.module.__name__)
        self.seen = replace(
            self.seen,
            outcome=Outcome.RAISED,
            raised=Raised(*place, message_of(error), is_stated=where.is_stated),
            bases=_importable_bases(type(error)),
            raised_at=where.line,
        )

    # ---- state

    def _look(self) -> dict[ValuePath, _Picture]:
        """Every argument and bound value, objects made inside of arguments, and the module's own state."""
        made = inner_objects(self.case, self.bound.made)
        inner = ((ValuePath(Root.VAR, name), value) for name, value in made)
        named = (*self._arguments(), *self._bound_values(), *inner)
        found = {path: self._pictures(value) for path, value in named}
        for name, value in state_of(self.module):
            plain = _STATE.of(name, value, lambda held: self._camera(properties=False).take(held))
            pictures = self._pictures(value) if plain is None else (plain, plain, value)
            found[ValuePath(Root.MODULE, name)] = pictures
        return found

    def _pictures(self, value: Any) -> _Picture:
        """Return what others see of a value, and all that it holds."""
        public = self.stored.picture(value, self._camera(properties=False))
        return public, self.stored.picture(value, self._camera(properties=False, private=True)), value

    def _compare(self, before: Mapping[ValuePath, _Picture], after: Mapping[ValuePath, _Picture]) -> None:
        """Note what the call changed, and what it kept."""
        bound = {id(value) for value in self.bound.values()}
        changed, kept = list[tuple[ValuePath, Snapshot]](), list[tuple[ValuePath, Snapshot]]()
        touched, altered = list[ValuePath](), list[ValuePath]()
        for path, (public, everything, value) in after.items():
            old_public, old_everything, _ = before.get(path, (public, everything, value))
            if path.root is not Root.VAR and (id(value) in bound or old_public is public):
                continue  # already spoken of by its name; or nothing has changed, as far as is known
            if is_unspoken_of(path, self.seen, changed):
                continue
            if path.root is not Root.MODULE and key(old_everything) != key(everything):
                touched.append(path)
                altered += _altered(path, old_everything, everything)
            if isinstance(public, Attributes) and isinstance(old_public, Attributes):
                self._compare_attributes(path, old_public, public, value, changed, kept)
            elif key(old_public) != key(public):
                changed.append((path, self._camera_of_result().take(value)))
            elif isinstance(public, Dictionary) or (isinstance(public, Series) and public.kind.is_mutable):
                kept.append((path, public))
        self.seen = replace(
            self.seen,
            changed=tuple(changed),
            kept=tuple(pair for pair in kept if pair[0].root is not Root.MODULE),
            touched=tuple(touched),
            altered=tuple(altered),
        )

    def _compare_attributes(
        self,
        path: ValuePath,
        before: Attributes,
        after: Attributes,
        value: Any,
        changed: list[tuple[ValuePath, Snapshot]],
        kept: list[tuple[ValuePath, Snapshot]],
    ) -> None:
        old = {name: key(snap) for name, snap in before.attributes}
        for name, snap in after.attributes:
            if old.get(name) != key(snap):
                full = self._camera_of_result().take(attribute(value, name), 1) if name else snap
                changed.append((path.of(name), full))
            elif not is_opaque(snap):
                kept.append((path.of(name), snap))

    def _state_of(self, receiver: str, last: Step) -> Shown:
        """The receiver's attributes after the call, and its answers to questions."""
        path, value = ValuePath(Root.VAR, receiver), self.bound[receiver]
        picture = self._camera_of_result(True).take(value)
        state: list[tuple[ValuePath, Snapshot]] = []
        if isinstance(picture, Attributes):
            state = [(path.of(part), snap) for part, snap in picture.attributes]
        elif not is_opaque(picture):
            state = [(path, picture)]
        if path in self.seen.touched or not is_question(last.name):
            told = answers(value, self.module, self._given(receiver), alone=self._is_alone())
            state = [*((path.of(part), snap) for part, snap in told), *state]
        return tuple(state)

    def _with_answers(self, seen: Snapshot) -> Snapshot:
        """Return what was seen of the result, with what it says if it is asked."""
        if not self.whole or self.seen.same is not None:
            return seen
        return with_answers(seen, self.result, self.module, alone=self._is_alone())

    def _is_alone(self) -> bool:
        return not self.case.patches and next(mocks_of(self.case), None) is None

    def _given(self, name: str) -> list[Any]:
        """Scalars that a bound value was called with, those of the last call first."""
        on_it = (step for step in reversed(self.case.steps) if step.act is Act.METHOD and step.place == name)
        scalars = (part for step in on_it for part in step.args if isinstance(part, Scalar))
        return list(dict.fromkeys(part.value for part in scalars))


def _typed(patch: StdinPatch) -> str:
    return str(patch.text.value) if isinstance(patch.text, Scalar) else ""


def _altered(path: ValuePath, before: Snapshot, after: Snapshot) -> list[ValuePath]:
    """The paths of attributes, private ones too, that differ."""
    if not (isinstance(before, Attributes) and isinstance(after, Attributes)):
        return []
    old, new = ({name: key(snap) for name, snap in one.attributes} for one in (before, after))
    return [path.of(name) for name in {**old, **new} if old.get(name) != new.get(name)]


def message_of(error: BaseException) -> str:
    """The text of an exception, not longer than a test shows."""
    try:
        return str(error)[:MOST_OUTPUT]
    except BaseException as second:  # noqa: BLE001 - a __str__ of the target may raise anything
        return f"<its message raised {type(second).__name__}>"


def _importable_bases(kind: type) -> tuple[tuple[str, str], ...]:
    bases = []
    for base in kind.__mro__[1:]:
        try:
            bases.append(recipes.reference(base))
        except recipes.NotNameable:
            continue
    return tuple(bases)
