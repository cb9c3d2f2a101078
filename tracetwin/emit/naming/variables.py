"""Names of the objects of a test, `box = CoinBox()`, and of the parameters that arguments are for."""

from __future__ import annotations

from collections.abc import Sequence

from tracetwin.emit.naming.values import slug, snake
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.recipe import Recipe, Variable
from tracetwin.model.snapshot import Opaque, Snapshot
from tracetwin.replay.functions import SourceFunction
from tracetwin.replay.static import Coverable
from tracetwin.support.counting import ORDINALS

SHORTEST = 3
UNNAMED = "_argument"

# Last words of class names that say nothing alone, and parameters that say less than a class.
_HOLLOW = {"base", "impl", "class", "type", "object", "error", "mixin", "abc", "exception", "item", "value"}
_VAGUE = {
    "value", "item", "obj", "object", "arg", "args", "data", "key", "element", "thing", "other", "val",
    "self",
}  # fmt: skip
VERBS = {
    "get", "make", "create", "build", "new", "open", "acquire", "take", "find", "add", "read", "load", "to",
    "compute", "next", "pop", "fetch", "start", "begin", "issue", "request", "as", "of", "from",
}  # fmt: skip


def wanted_names(case: Case, briefs: Sequence[Snapshot], coverable: Coverable) -> dict[str, list[str]]:
    """For each name that steps bind, what a person would call the value: the best first."""
    steps = case.steps
    counts: dict[str, int] = {}
    found: dict[str, list[str]] = {}
    for i, step in enumerate(steps[:-1]):
        if step.bind is None:
            continue
        kind = _class_of(step, briefs[i] if i < len(briefs) else None, coverable)
        role = _role(step.bind, steps[i + 1 :], coverable, case)
        own: list[str] = []
        if kind:
            counts[kind] = counts.get(kind, 0) + 1
            own = _numbered(_of_class(kind), counts[kind])
        acts_last = case.last.receiver == step.bind
        first = [] if acts_last or not role or (kind and role in _VAGUE) else [role]
        found[step.bind] = [*first, *own] or _of_result(step)
    return found


def _class_of(step: Step, brief: Snapshot | None, coverable: Coverable) -> str:
    """The name of the value's class, "" for builtin ones and where it is not known."""
    if isinstance(brief, Opaque) and brief.type_name:
        module, _, qualname = brief.type_name.partition(":")
        return "" if module == "builtins" or "<" in qualname else qualname.rpartition(".")[2]
    if brief is not None or step.act is not Act.CALL:
        return ""
    last = step.name.rpartition(".")[2]
    return last if step.name in coverable.classes or last[:1].isupper() else ""


def _of_class(kind: str) -> list[str]:
    whole = snake(kind) or "value"
    last = whole.rpartition("_")[2]
    plain = len(last) >= SHORTEST and last not in _HOLLOW and not last.isdigit()
    return [last, whole] if plain else [whole]


def _numbered(names: list[str], number: int) -> list[str]:
    """Names of the second object of a class, and of those after it."""
    if number == 1:
        return names
    return [f"other_{name}" for name in names] if number == 2 else [f"{name}_{number}" for name in names]


def _role(bind: str, later: Sequence[Step], coverable: Coverable, case: Case) -> str:
    """The parameter that the value is handed to, the last call's first."""
    for step in reversed(later):
        if not step.mentions(bind):
            continue
        for name, recipe in arguments(step, coverable, case):
            told = len(name) >= SHORTEST and not name.endswith(UNNAMED)
            if recipe == Variable(bind) and told:
                return slug(name)
    return ""


def _of_result(step: Step) -> list[str]:
    """The noun in the name of what was called; containers have the names that their author gave them."""
    if step.place == "builtins" or step.name.endswith("__"):
        return [step.bind or "result"]
    words = [word for word in snake(step.name.rpartition(".")[2]).split("_") if word]
    while words and words[0] in VERBS:
        words = words[1:]
    return ["_".join(words) or "result"]


# ---- parameters


def arguments(step: Step, coverable: Coverable, case: Case) -> list[tuple[str, Recipe]]:
    """The arguments of a step with the names of their parameters."""
    name = step.name
    parameters: tuple[str, ...] = ()
    if step.act is Act.CALL:
        found = coverable.function(name)
        parameters = found.parameters if found else coverable.classes.get(name, ())
    elif step.act is Act.METHOD:
        owner = case.target.rpartition(".")[0]
        found = coverable.function(f"{owner}.{name}") or _only(coverable, name)
        parameters = found.parameters if found else ()
    elif step.act is Act.SET:
        parameters = (name,)
    named = []
    for position, part in enumerate(step.args):
        known = parameters[position] if position < len(parameters) else _unnamed(position)
        named.append((known, part))
    return [*named, *step.kwargs]


def _unnamed(position: int) -> str:
    """The name of an argument whose parameter is not known."""
    places = ("first", "second", *ORDINALS)
    return f"{places[position] if position < len(places) else 'last'}{UNNAMED}"


def _only(coverable: Coverable, method: str) -> SourceFunction | None:
    found = [function for function in coverable.functions if function.qualname.endswith(f".{method}")]
    return found[0] if len(found) == 1 else None
