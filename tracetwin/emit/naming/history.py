"""The steps before the call in words: `after_add_qtr_twice_and_return_qtrs`, `on_empty_stack`."""

from __future__ import annotations

from collections.abc import Sequence

from tracetwin.emit.exhibit import Exhibit
from tracetwin.emit.naming.mocks import asked, mock_words
from tracetwin.emit.naming.values import exact_text, number, recipe_words, slug, snake
from tracetwin.emit.naming.variables import arguments, wanted_names
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Consumption
from tracetwin.model.recipe import NONE, Call, MockNumber, MockRecipe, Recipe, Reference, Scalar
from tracetwin.model.status import Outcome
from tracetwin.replay.static import Coverable
from tracetwin.support.counting import spelled
from tracetwin.support.data import dataclass

QUIET = (NONE, NONE, NONE)
"""What `__exit__` gets where nothing was raised."""


@dataclass(frozen=True)
class Leaving:
    """How a context is left.

    Attributes:
        position: the step that entered it.
        raised: the recipe of the exception that is raised within, None for nothing.
        through: whether that exception comes out again.
    """

    position: int
    raised: Call | None
    through: bool


def leaving(case: Case, seen: Exhibit) -> Leaving | None:
    """Return how the call leaves a context, None where it is no such call or can't be written so."""
    last = case.last
    silent = seen.stdout == seen.stderr == "" and not seen.stdin and seen.how is Consumption.CALL
    if not is_leave(last) or last.kwargs or len(last.args) != 3 or not silent:
        return None
    position = _entered(case.setup, last.place)
    if position is None:
        return None
    if last.args == QUIET:
        return Leaving(position, None, through=False)
    cause, error, trace = last.args
    if not isinstance(cause, Reference) or not isinstance(error, Call) or trace != NONE:
        return None
    if (cause.module, cause.qualname) != (error.module, error.qualname):
        return None
    returned = seen.outcome is Outcome.RETURNED
    answer = seen.value.value if isinstance(seen.value, Scalar) else ...
    if returned and not isinstance(answer, (bool, type(None))):
        return None
    return Leaving(position, error, through=returned and not answer)


def is_enter(step: Step) -> bool:
    """Return whether a step calls `__enter__`."""
    return step.act is Act.METHOD and step.name == "__enter__" and not step.given


def is_leave(step: Step) -> bool:
    """Return whether a step calls `__exit__`."""
    return step.act is Act.METHOD and step.name == "__exit__"


def _entered(setup: Sequence[Step], place: str) -> int | None:
    """The step that entered the context, where that is the only one still open."""
    opened: list[tuple[str, int]] = []
    for i, step in enumerate(setup):
        if step.act is Act.WITH:
            return None
        if is_enter(step):
            opened.append((step.place, i))
        elif is_leave(step) and not (opened and opened.pop()[0] == step.place):
            return None
    return opened[0][1] if len(opened) == 1 and opened[0][0] == place else None


def ending_words(case: Case, seen: Exhibit) -> str:
    """Return what happens to the context, for a test's name; "" where the call is no end of one."""
    how = leaving(case, seen)
    if how is None or seen.outcome is not Outcome.RETURNED:
        return ""
    if how.raised is None:
        return "is_left"
    error = snake(how.raised.qualname.rpartition(".")[2]) or "error"
    return f"lets_{error}_through" if how.through else f"swallows_{error}"


# No parameter begins so: what is said of one can't be taken for what happened before.
AFTER = "@after_"
ON = "@on_"
MOST_RUNS = 3
MOST_VALUES = 6
LONGEST_VALUE = 12

Features = list[tuple[int, str]]


def before_words(case: Case, seen: Exhibit, coverable: Coverable) -> Features:
    """Return what can be said of the steps before the call, with ranks: lower says more to a reader."""
    setup = case.setup
    how = leaving(case, seen)
    entered = None if how is None else setup[how.position]  # goes without saying
    calls = [step for step in setup if step is not entered and _is_event(step, coverable)]
    return [
        *_order_words(calls),
        *_value_words(calls),
        *_state_words(case, seen, calls),
        *_object_words(case, seen, coverable),
    ]


def _is_event(step: Step, coverable: Coverable) -> bool:
    """Return whether a step does something, rather than building an object."""
    if step.act is not Act.CALL:
        return True
    builds = step.name.rpartition(".")[2][:1].isupper()
    return step.bind is None and (step.name in coverable.classes or not builds)


def _name(step: Step) -> str:
    if step.act is Act.WITH or step.name == "__enter__":
        return "entering"
    if step.name == "__exit__":
        return "leaving"
    return ("setting_" if step.act is Act.SET else "") + (slug(step.name.rpartition(".")[2]) or "call")


# ---- calls in their order


def _order_words(calls: Sequence[Step]) -> Features:
    """The calls, with how often each came in a row; all of each together where they alternate for long."""
    names = [_name(step) for step in calls]
    if not names:
        return []
    runs: list[tuple[str, int]] = []
    for name in names:
        if runs and runs[-1][0] == name:
            runs[-1] = (name, runs[-1][1] + 1)
        else:
            runs.append((name, 1))
    if len(runs) > MOST_RUNS:
        runs = [(name, names.count(name)) for name in dict.fromkeys(names)]
    return [(0, AFTER + "_and_".join(_times(name, count) for name, count in runs))]


def _times(name: str, count: int) -> str:
    if count <= 2:
        return name if count == 1 else f"{name}_twice"
    return f"{name}_{spelled(count) or count}_times"


def _value_words(calls: Sequence[Step]) -> Features:
    """The calls with their argument, where each has one that is a short literal: `insert_2_1`."""
    if not 0 < len(calls) <= MOST_VALUES:
        return []
    parts: list[str] = []
    last = ""
    for step in calls:
        said = [_value(part) for part in step.given]
        if not all(said):
            return []
        name = _name(step)
        parts += [] if name == last and said else [*(["and"] if parts else []), name]
        parts += said
        last = name if said else ""
    return [(2, AFTER + "_".join(parts))] if any(step.given for step in calls) else []


def _value(recipe: Recipe) -> str:
    """A literal in one word, "" where there is none."""
    if not isinstance(recipe, Scalar):
        return ""
    value = recipe.value
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return number(value)
    text = exact_text(value) if isinstance(value, (str, bytes)) else ""
    return text if len(text) <= LONGEST_VALUE else ""


# ---- objects


def _state_words(case: Case, seen: Exhibit, calls: Sequence[Step]) -> Features:
    """Return whether the receiver holds nothing yet, and whether it was just made."""
    owner = case.target.rpartition(".")[0].rpartition(".")[2]
    if case.last.act is Act.CALL or not owner:
        return []
    noun = snake(owner)
    words: Features = []
    if seen.empty:
        words.append((0 if seen.outcome is Outcome.RAISED else 3, f"{ON}empty_{noun}"))
    made = [step for step in case.setup if step.act is Act.CALL]
    if not calls and len(made) == 1 and not made[0].given:
        words.append((4, f"{ON}new_{noun}"))
    return words


def _object_words(case: Case, seen: Exhibit, coverable: Coverable) -> Features:
    """Return what objects were built from: for the receiver parameters alone, for others with their names."""
    last = case.last
    taken = {name for name, _ in arguments(last, coverable, case)}
    names = wanted_names(case, seen.setup, coverable)
    function = coverable.function(case.target)
    words: Features = []
    for step in case.setup:
        if _is_event(step, coverable):
            continue
        own = last.receiver is not None and step.bind == last.receiver and step.name in coverable.classes
        own = own or step.name == case.target
        role = "" if own else slug(names.get(step.bind or "", ["object"])[0]) + "_"
        if (step.act, step.place, step.name) == (Act.CALL, "builtins", "getattr"):  # a member of an enum
            member = step.args[-1].value if step.args and isinstance(step.args[-1], Scalar) else ""
            words.append((1, f"{slug(step.bind or '')}_is_{slug(str(member))}"))
            continue
        idle = function.idle if own and function is not None else ()
        for name, recipe in arguments(step, coverable, case):
            if name in idle:
                continue
            words += _given_words(name, asked(recipe, seen.unused), role, known=name in taken)
    return words


def _given_words(name: str, recipe: Recipe, role: str, *, known: bool) -> Features:
    if isinstance(recipe, MockRecipe):
        return [(rank + 1, word) for rank, word in mock_words(recipe, recipe_words, snake, slug(name))]
    if isinstance(recipe, MockNumber) or (known and not role):
        return []
    return [(rank + 1, f"{role}{slug(name) or 'value'}_{word}") for rank, word in recipe_words(recipe)]
