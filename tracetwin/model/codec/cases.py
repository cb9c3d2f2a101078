"""The plain form of steps, patches and cases."""

from __future__ import annotations

import marshal
from typing import Final

from tracetwin.model.case import Act, Case, Step
from tracetwin.model.codec.checks import (
    Malformed,
    Plain,
    fields,
    flag,
    items,
    member_of,
    optional,
    pairs,
    parts,
    table,
    text,
)
from tracetwin.model.codec.recipes import EQUAL, encode, encode_all, encode_named, recipe, recipes
from tracetwin.model.patch import (
    AwakePatch,
    ClassPatch,
    EnvironPatch,
    FunctionPatch,
    Patch,
    PatchedCall,
    StdinPatch,
    Way,
)


def case_key(case: Case) -> bytes:
    """Equal for cases that do the same: have equal steps and patches."""
    steps, patches = map(encode_step, case.steps), map(encode_patch, case.patches)
    return marshal.dumps((list(steps), list(patches)), EQUAL)


def step_key(step: Step) -> bytes:
    """Equal for equal steps only."""
    return marshal.dumps(encode_step(step), EQUAL)


def encode_step(step: Step) -> Plain:
    """The plain form of a step."""
    return {
        "bind": step.bind,
        "do": (step.act.value, step.place, step.name),
        "args": encode_all(step.args),
        "kwargs": encode_named(step.kwargs),
    }


def decode_step(plain: Plain) -> Step:
    """The step that a plain form stands for."""
    found = fields(plain, _STEP)
    act, place, name = parts(found["do"], 3)
    return Step(
        member_of(Act, act),
        text(place),
        text(name),
        recipes(found["args"]),
        pairs(found["kwargs"], recipe),
        optional(found["bind"], text),
    )


def receiver_of(plain: Plain) -> str | None:
    """The variable that a step acts on, None for a call, without decoding the rest."""
    act, place, name = parts(fields(plain, _STEP)["do"], 3)
    return Step(member_of(Act, act), text(place), text(name)).receiver


_STEP: Final = frozenset(("bind", "do", "args", "kwargs"))


def encode_patch(patch: Patch) -> Plain:
    """The plain form of a patch."""
    match patch:
        case FunctionPatch(place, calls, tells):
            return (place, "told" if tells else "results", [(c.way.value, encode(c.recipe)) for c in calls])
        case EnvironPatch(values, alone, place):
            return (place, "environ", (dict(values), alone))
        case StdinPatch(given, place):
            return (place, "stdin", encode(given))
        case ClassPatch(place, module, qualname, uses):
            return (place, "class", (module, qualname, list(uses)))
        case AwakePatch(place, module):
            return (place, "awake", module)


def decode_patch(plain: Plain) -> Patch:
    """The patch that a plain form stands for."""
    place, how, what = parts(plain, 3)
    place = text(place)
    match how:
        case "results" | "told":
            calls = [parts(call, 2) for call in items(what)]
            made = tuple(PatchedCall(member_of(Way, way), recipe(part)) for way, part in calls)
            return FunctionPatch(place, made, how == "told")
        case "environ":
            values, alone = parts(what, 2)
            return EnvironPatch(dict(pairs(list(table(values).items()), text)), flag(alone), place)
        case "stdin":
            return StdinPatch(recipe(what), place)
        case "class":
            module, qualname, uses = parts(what, 3)
            return ClassPatch(place, text(module), text(qualname), tuple(map(text, items(uses))))
        case "awake":
            return AwakePatch(place, text(what))
        case _:
            raise Malformed(f"not a patch: {type(plain).__name__}")


def encode_case(case: Case) -> Plain:
    """The plain form of a case."""
    return {
        "target": (case.module, case.target),
        "kind": case.kind,
        "steps": list(map(encode_step, case.steps)),
        "patches": list(map(encode_patch, case.patches)),
        "origin": case.origin,
        "shows": list(case.shows),
        "found": case.found,
        "refused": case.refused,
        "ways": case.asks_paths,
        "leaks": case.asks_leaks,
    }


def decode_case(plain: Plain) -> Case:
    """The case that a plain form stands for; what it may leave out takes its default."""
    found = fields(plain, frozenset(("target", "kind", "steps")))
    module, target = parts(found["target"], 2)
    return Case(
        text(module),
        text(target),
        text(found["kind"]),
        tuple(map(decode_step, items(found["steps"]))),
        tuple(map(decode_patch, items(found.get("patches", ())))),
        text(found.get("origin", "")),
        tuple(items(found.get("shows", ()))),
        float(found.get("found", 0.0)),
        text(found.get("refused", "")),
        flag(found.get("ways", False)),
        flag(found.get("leaks", False)),
    )
