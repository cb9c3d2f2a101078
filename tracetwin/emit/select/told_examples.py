"""Examples in docstrings that do not hold: what the original does is not what stands below the prompt."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Final

from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Consumption, Observation
from tracetwin.model.recipe import Call, Dictionary, Recipe, Reference, Scalar, Series, SeriesKind, Variable
from tracetwin.model.recipes import of_value
from tracetwin.model.snapshot import Iterated, Snapshot
from tracetwin.model.status import Outcome
from tracetwin.replay.static import Coverable
from tracetwin.support.data import dataclass

MOST: Final = 200
"""Examples of one module that are tried."""

_LENIENT: Final = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_SHAPES: Final[dict[SeriesKind, Callable[[list[object]], object]]] = {
    SeriesKind.LIST: list, SeriesKind.TUPLE: tuple, SeriesKind.SET: set, SeriesKind.FROZENSET: frozenset,
}  # fmt: skip


class _UnreadError(Exception):
    """It is not known what an example does, nor what those below it begin with."""


@dataclass(frozen=True)
class ToldExample:
    """A call in a docstring with what it is said to give.

    Attributes:
        alone: the case of it, with what makes its receiver and arguments.
        whole: the case with all calls above it, as doctest runs it.
        message: the last line of a traceback there, "" for none.
        shown: `print`, `list` or "": what it is wrapped in.
    """

    alone: Case
    whole: Case
    call: str
    said: str
    message: str
    flags: int
    shown: str

    @property
    def reason(self) -> str:
        """The sentence to tell where it does not hold."""
        kind = "raises" if self.message else "gives"
        said = " ".join((self.message or self.said).split())
        return f"its docstring says that {self.call} {kind} {said}"


def contradicted(
    module: str, facts: Coverable, targets: set[str], attempt: Callable[[Sequence[Case]], list[Observation]]
) -> Iterator[tuple[Case, str]]:
    """Yield the cases of examples that do not hold, each with the reason in words."""
    told = [one for one in told_examples(module, facts) if one.alone.target in targets][:MOST]
    seen = attempt([case for one in told for case in (one.whole, one.alone)]) if told else []
    for one, whole, alone in zip(told, seen[::2], seen[1::2], strict=True):
        if not holds(one, whole):
            yield one.whole if holds(one, alone) else one.alone, one.reason


def told_examples(module: str, facts: Coverable) -> Iterator[ToldExample]:
    """Yield the examples in the docstrings of functions whose result can be judged."""
    for function in facts.functions:
        try:
            shown = doctest.DocTestParser().get_examples(function.docstring)
        except ValueError:  # a prompt without its space
            continue
        reader = _Reader(module, facts)
        try:
            for example in shown:
                yield from reader.read(example)
        except _UnreadError:
            continue


def holds(told: ToldExample, seen: Observation) -> bool:
    """Return whether an example is true, or can't be judged."""
    if not seen.outcome.is_answer or seen.stdout is None:
        return True
    if seen.outcome is Outcome.RAISED:
        return bool(told.message) and _raised_as_told(told, seen)
    if told.message:
        return seen.how is not Consumption.CALL  # what a generator raises comes later
    if (seen.how is Consumption.CALL) == (told.shown == "list" and isinstance(seen.value, Iterated)):
        return True
    try:
        value = _value_of(seen.value)
    except TypeError:
        return True  # an object: only its own text could tell
    value = list(value) if told.shown == "list" and isinstance(value, (tuple, set)) else value
    text = f"{value}\n" if told.shown == "print" else "" if value is None else f"{value!r}\n"
    return _agree(told, seen.stdout + text) or (not seen.stdout and _same_value(told.said, value))


def _agree(told: ToldExample, got: str) -> bool:
    return doctest.OutputChecker().check_output(told.said, got, told.flags | _LENIENT)


def _same_value(said: str, value: object) -> bool:
    """Return whether a text is the source of a value: sets and dicts have many."""
    try:
        return bool(ast.literal_eval(said) == value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False


def _raised_as_told(told: ToldExample, seen: Observation) -> bool:
    raised = seen.raised
    assert raised is not None
    name, _, said = told.message.partition(":")
    if name.strip().rpartition(".")[2] != raised.qualname.rpartition(".")[2]:
        return False
    if raised.message is None or told.flags & doctest.IGNORE_EXCEPTION_DETAIL:
        return True
    return doctest.OutputChecker().check_output(f"{said.strip()}\n", f"{raised.message}\n", _LENIENT)


def _value_of(seen: Snapshot) -> object:
    """Return the plain value of a snapshot; raises `TypeError` where it has none."""
    match seen:
        case Scalar(value):
            return value
        case Series(kind, items):
            return _SHAPES[kind]([_value_of(item) for item in items])
        case Dictionary(pairs):
            return {_value_of(key): _value_of(value) for key, value in pairs}
        case Iterated(_, items, exhausted=True):
            return [_value_of(item) for item in items]
        case _:
            raise TypeError(type(seen).__name__)


def _unwrapped(call: ast.Call) -> tuple[str, ast.Call]:
    """Split a call into the `print` or `list` around it, if any, and what it is about."""
    match call:
        case ast.Call(func=ast.Name(id="print" | "list" as around), args=[ast.Call() as inner], keywords=[]):
            return str(around), inner
        case _:
            return "", call


@dataclass
class _Reader:
    """Reads the examples of one docstring in their order."""

    module: str
    facts: Coverable
    steps: list[Step] = field(default_factory=list)
    values: dict[str, Recipe] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)

    def read(self, example: doctest.Example) -> Iterator[ToldExample]:
        """Note what an example does; yield it where it says what a call gives."""
        try:
            body = ast.parse(example.source).body
        except SyntaxError:
            raise _UnreadError from None
        match body:
            case _ if doctest.SKIP in example.options:
                return
            case [ast.Import() | ast.ImportFrom()]:
                return
            case [ast.Assign(targets=[ast.Name(id=name)], value=value)]:
                self._assign(name, value)
            case [ast.Expr(value=ast.Call() as call)]:
                yield from self._judged(call, example)
            case _:
                raise _UnreadError

    def _assign(self, name: str, value: ast.expr) -> None:
        self.values.pop(name, None)
        if name in self.made:
            raise _UnreadError
        if isinstance(value, ast.Call):
            target = self._call(value, name)
            self.made[name] = target if target in self.facts.classes else ""
        else:
            self.values[name] = self._recipe(value)

    def _judged(self, call: ast.Call, example: doctest.Example) -> Iterator[ToldExample]:
        shown, inner = _unwrapped(call)
        target = self._call(inner, None)
        if not (example.want or example.exc_msg) or target in self.facts.classes:
            return
        kind = "method" if self.steps[-1].act is Act.METHOD else "function"
        alone, whole = (
            Case(self.module, target, kind, steps) for steps in (self._own_steps(), tuple(self.steps))
        )
        flags = sum(flag for flag, is_on in example.options.items() if is_on)
        source = " ".join((ast.get_source_segment(example.source, call) or "").split())
        if example.exc_msg:
            self.steps.pop()  # what comes below goes on as if it had not been called
        yield ToldExample(alone, whole, source, example.want, example.exc_msg or "", flags, shown)

    def _own_steps(self) -> tuple[Step, ...]:
        """The steps that the last one depends on: those of its receiver, and of what it is given."""
        own = [self.steps[-1]]
        for step in reversed(self.steps[:-1]):
            if any(later.mentions(step.bind or step.receiver) for later in own):
                own.insert(0, step)
        return tuple(own)

    def _call(self, call: ast.Call, bind: str | None) -> str:
        """Add the step of a call; returns what it calls."""
        if any(isinstance(one, ast.Starred) for one in call.args) or any(
            one.arg is None for one in call.keywords
        ):
            raise _UnreadError
        match call.func:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=self.own_name), attr=name):
                act, place, target = Act.CALL, self.module, name
            case ast.Attribute(value=ast.Name(id=place), attr=name) if self.made.get(place):
                act, target = Act.METHOD, f"{self.made[place]}.{name}"
            case ast.Attribute(value=ast.Call(func=ast.Name(id=owner)) as made, attr=name):
                place = owner.lower()
                self._assign(place, made)
                act, target = Act.METHOD, f"{owner}.{name}"
            case _:
                raise _UnreadError
        if target not in self.facts.classes and self.facts.function(target) is None:
            raise _UnreadError
        args = tuple(map(self._recipe, call.args))
        kwargs = tuple((str(one.arg), self._recipe(one.value)) for one in call.keywords)
        self.steps.append(Step(act, place, name, args, kwargs, bind))
        return target

    @property
    def own_name(self) -> str:
        """The last part of the module's name."""
        return self.module.rpartition(".")[2]

    def _recipe(self, node: ast.expr) -> Recipe:
        match node:
            case ast.Name(id=name) if name in self.made:
                return Variable(name)
            case ast.Name(id=name) if name in self.values:
                value = self.values[name]
                if not isinstance(value, Scalar):
                    del self.values[name]  # the call may change it
                return value
            case ast.Name(id=name) if self.facts.function(name) is not None:
                return Reference(self.module, name)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in self.facts.classes:
                return Call(self.module, name, tuple(map(self._recipe, args)))
        try:
            recipe = of_value(ast.literal_eval(node))
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            recipe = None
        if recipe is None:
            raise _UnreadError
        return recipe
