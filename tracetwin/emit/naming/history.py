"""What had happened before the call, in words: `after_add_qtr_twice_and_return_qtrs`, `on_empty_stack`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracetwin.emit.naming.leaving import leaving
from tracetwin.emit.naming.mocks import asked, mock_words
from tracetwin.emit.naming.parameters import arguments
from tracetwin.emit.naming.values import exact_text, number, recipe_words, slug, snake
from tracetwin.emit.naming.variables import wanted_names
from tracetwin.replay.static import Coverable

# No parameter begins so: what is said of one can't be taken for what happened before.
AFTER = "@after_"
ON = "@on_"
MOST_RUNS = 3
MOST_VALUES = 6
LONGEST_VALUE = 12

Step = dict[str, Any]
Features = list[tuple[int, str]]


def before_words(case: dict[str, Any], seen: dict[str, Any], coverable: Coverable) -> Features:
    """What can be said of the steps before the call, with ranks: lower says more to a reader."""
    setup = case["steps"][:-1]
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
    """Whether a step does something, rather than building an object."""
    kind, _, name = step["do"]
    if kind != "call":
        return True
    builds = name in coverable.classes or name.rpartition(".")[2][:1].isupper()
    return step["bind"] is None and not builds


def _name(step: Step) -> str:
    kind, _, name = step["do"]
    if kind == "with" or name == "__enter__":
        return "entering"
    if name == "__exit__":
        return "leaving"
    return ("setting_" if kind == "set" else "") + (slug(name.rpartition(".")[2]) or "call")


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
    return name if count == 1 else f"{name}_twice" if count == 2 else f"{name}_{count}_times"


def _value_words(calls: Sequence[Step]) -> Features:
    """The calls with their argument, where each has one that is a short literal: `insert_2_1`."""
    if not 0 < len(calls) <= MOST_VALUES:
        return []
    parts: list[str] = []
    last = ""
    for step in calls:
        given = [*step["args"], *(part for _, part in step["kwargs"])]
        said = [_value(part) for part in given]
        if not all(said):
            return []
        name = _name(step)
        parts += [] if name == last and said else [*(["and"] if parts else []), name]
        parts += said
        last = name if said else ""
    return [(2, AFTER + "_".join(parts))] if any(step["args"] or step["kwargs"] for step in calls) else []


def _value(recipe: Any) -> str:
    """A literal in one word, "" where there is none."""
    if recipe[0] != "lit":
        return ""
    value = recipe[1]
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return number(value)
    text = exact_text(value) if isinstance(value, (str, bytes)) else ""
    return text if len(text) <= LONGEST_VALUE else ""


# ---- objects


def _state_words(case: dict[str, Any], seen: dict[str, Any], calls: Sequence[Step]) -> Features:
    """Whether the receiver holds nothing yet, and whether it was just made."""
    owner = str(case["target"][1]).rpartition(".")[0].rpartition(".")[2]
    if case["steps"][-1]["do"][0] == "call" or not owner:
        return []
    noun = snake(owner)
    words: Features = []
    if seen.get("empty"):
        words.append((0 if seen["outcome"] == "raised" else 3, f"{ON}empty_{noun}"))
    made = [step for step in case["steps"][:-1] if step["do"][0] == "call"]
    if not calls and len(made) == 1 and not made[0]["args"] and not made[0]["kwargs"]:
        words.append((3, f"{ON}new_{noun}"))
    return words


def _object_words(case: dict[str, Any], seen: dict[str, Any], coverable: Coverable) -> Features:
    """What objects were built from: of the receiver by the parameter alone, of others with their names."""
    *setup, last = case["steps"]
    taken = {name for name, _ in arguments(last, coverable, case)}
    names = wanted_names(case, seen.get("setup", ()), coverable)
    unused = [tuple(called) for called in seen.get("unused", ())]
    words: Features = []
    for step in setup:
        if _is_event(step, coverable):
            continue
        own = last["do"][0] != "call" and step["bind"] == last["do"][1] and step["do"][2] in coverable.classes
        own = own or step["do"][2] == case["target"][1]
        role = "" if own else slug(names.get(step["bind"], ["object"])[0]) + "_"
        if tuple(step["do"]) == ("call", "builtins", "getattr"):  # a member of an enum
            words.append((1, f"{slug(step['bind'])}_is_{slug(str(step['args'][-1][-1]))}"))
            continue
        for name, recipe in arguments(step, coverable, case):
            if recipe[0] == "mock":
                told = mock_words(asked(recipe, unused), recipe_words, snake, slug(name))
                words += [(rank + 1, word) for rank, word in told]
            elif role or name not in taken:
                said = recipe_words(recipe)
                words += [(rank + 1, f"{role}{slug(name) or 'value'}_{word}") for rank, word in said]
    return words
