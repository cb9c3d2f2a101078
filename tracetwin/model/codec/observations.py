"""The plain form of observations, which come from processes that run the target's code."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from tracetwin.model.codec.checks import (
    Malformed,
    Plain,
    flag,
    items,
    member_of,
    number,
    optional,
    pairs,
    parts,
    table,
    text,
)
from tracetwin.model.codec.recipes import EQUAL, encode, recipe, recipes, snapshot, snapshots
from tracetwin.model.observation import (
    Arc,
    CalledWith,
    Consumption,
    DescribedMember,
    DescribedParameter,
    Effect,
    InstructionArc,
    Interface,
    Leak,
    MockCall,
    Observation,
    Raised,
    Root,
    Shown,
    Spelled,
    ValuePath,
    Written,
)
from tracetwin.model.status import Outcome

Item = TypeVar("Item")


def encode_observation(seen: Observation) -> Plain:
    """The plain form of an observation."""
    raised = seen.raised
    return {
        "outcome": seen.outcome.value,
        "why": seen.why,
        "value": encode(seen.value),
        "raised": None if raised is None else (raised.module, raised.qualname, raised.message),
        "bases": list(seen.bases),
        "raised_at": seen.raised_at,
        "how": seen.how.value,
        "changed": _shown(seen.changed),
        "kept": _shown(seen.kept),
        "state": _shown(seen.state),
        "touched": [_path(path) for path in seen.touched],
        "altered": [_path(path) for path in seen.altered],
        "stdout": seen.stdout,
        "stderr": seen.stderr,
        "stdin": seen.stdin,
        "effects": [_effect(effect) for effect in seen.effects],
        "setup": [encode(brief) for brief in seen.setup],
        "awaited": list(seen.awaited),
        "same": None if seen.same is None else _path(seen.same),
        "calls": [_call(call) for call in seen.calls],
        "reads": None if seen.reads is None else list(seen.reads),
        "interfaces": [_interface(interface) for interface in seen.interfaces],
        "empty": seen.empty,
        "paths": list(seen.paths),
        "leaks": [_leak(leak) for leak in seen.leaks],
        "lines": list(seen.lines),
        "arcs": list(seen.arcs),
        "own_lines": list(seen.own_lines),
        "own_arcs": list(seen.own_arcs),
    }


def observation_key(seen: Observation, parts: Iterable[str]) -> bytes:
    """Equal for observations of which these parts are equal, as `tracetwin.model.codec.recipes.key` is."""
    plain = encode_observation(seen)
    return marshal.dumps([plain[name] for name in parts], EQUAL)


def _path(path: ValuePath) -> Plain:
    return (path.root.value, path.key, path.attribute)


def _shown(shown: Shown) -> Plain:
    return [(_path(path), encode(snap)) for path, snap in shown]


def _effect(effect: Effect) -> Plain:
    match effect:
        case Written(place, written):
            return (place, "written", list(map(encode, written)))
        case CalledWith(place, args, kwargs):
            by_name = [(name, encode(part)) for name, part in kwargs]
            return (place, "called", (list(map(encode, args)), by_name))


def _call(call: MockCall) -> Plain:
    kwargs = [(name, encode(part)) for name, part in call.kwargs]
    return (call.number, call.member, list(map(encode, call.args)), kwargs, call.line)


def _spelled(spelled: Spelled | None) -> Plain:
    return None if spelled is None else (spelled.text, list(spelled.names))


def _interface(interface: Interface) -> Plain:
    members = {
        name: (
            member.kind,
            member.needed,
            [(p.name, p.kind, _spelled(p.annotation), _spelled(p.default)) for p in member.parameters],
            _spelled(member.returns),
        )
        for name, member in interface.members.items()
    }
    return (interface.module, interface.qualname, interface.starts, members)


def decode_observation(plain: Plain) -> Observation:
    """The observation that a plain form stands for.

    Raises:
        Malformed: it is none: anything may have been sent.
    """
    found = table(plain)
    if found.keys() != _READERS.keys():
        raise Malformed(f"not the parts of an observation: {len(found)} parts")
    return Observation(**{name: read(found[name]) for name, read in _READERS.items()})


def _all(read: Callable[[Plain], Item]) -> Callable[[Plain], tuple[Item, ...]]:
    return lambda plain: tuple(map(read, items(plain)))


def _or_none(read: Callable[[Plain], Item]) -> Callable[[Plain], Item | None]:
    return lambda plain: optional(plain, read)


def _read_path(plain: Plain) -> ValuePath:
    root, key, attribute = parts(plain, 3)
    place = key if type(key) is int else text(key)
    return ValuePath(member_of(Root, root), place, optional(attribute, text))


def _read_shown(plain: Plain) -> tuple[ValuePath, object]:
    path, snap = parts(plain, 2)
    return _read_path(path), snapshot(snap)


def _read_raised(plain: Plain) -> Raised:
    module, qualname, message = parts(plain, 3)
    return Raised(text(module), text(qualname), optional(message, text))


def _read_effect(plain: Plain) -> Effect:
    place, how, what = parts(plain, 3)
    if how == "written":
        return Written(text(place), recipes(what))
    if how != "called":
        raise Malformed(f"no such effect: {type(how).__name__}")
    args, kwargs = parts(what, 2)
    return CalledWith(text(place), recipes(args), pairs(kwargs, recipe))


def _read_call(plain: Plain) -> MockCall:
    mock, member, args, kwargs, line = parts(plain, 5)
    given = pairs(kwargs, snapshot)
    return MockCall(number(mock), text(member), snapshots(args), given, optional(line, number))


def _read_read(plain: Plain) -> tuple[int, str]:
    mock, name = parts(plain, 2)
    return number(mock), text(name)


def _read_name(plain: Plain) -> tuple[str, str, str]:
    dotted, module, qualname = map(text, parts(plain, 3))
    return dotted, module, qualname


def _read_spelled(plain: Plain) -> Spelled:
    written, names = parts(plain, 2)
    return Spelled(text(written), tuple(map(_read_name, items(names))))


def _read_parameter(plain: Plain) -> DescribedParameter:
    name, kind, annotation, default = parts(plain, 4)
    spelled = (optional(part, _read_spelled) for part in (annotation, default))
    return DescribedParameter(text(name), number(kind), *spelled)


def _read_member(plain: Plain) -> DescribedMember:
    kind, needed, parameters, returns = parts(plain, 4)
    read = tuple(map(_read_parameter, items(parameters)))
    return DescribedMember(text(kind), flag(needed), read, optional(returns, _read_spelled))


def _read_interface(plain: Plain) -> Interface:
    module, qualname, starts, members = parts(plain, 4)
    read = {name: _read_member(member) for name, member in table(members).items()}
    return Interface(text(module), text(qualname), flag(starts), read)


def _leak(leak: Leak) -> Plain:
    after = None if leak.after is None else encode(leak.after)
    return leak.place, leak.is_dict, encode(leak.before), list(leak.defaults), after


def _read_leak(plain: Plain) -> Leak:
    place, is_dict, before, defaults, after = parts(plain, 5)
    names = tuple(map(text, items(defaults)))
    return Leak(text(place), flag(is_dict), snapshot(before), names, optional(after, snapshot))


def _read_base(plain: Plain) -> tuple[str, str]:
    module, qualname = map(text, parts(plain, 2))
    return module, qualname


def _read_instructions(plain: Plain) -> InstructionArc:
    name, line, first, second = parts(plain, 4)
    return text(name), number(line), number(first), number(second)


def _read_arc(plain: Plain) -> Arc:
    first, second = map(number, parts(plain, 2))
    return first, second


_READERS: Final[dict[str, Callable[[Plain], Plain]]] = {
    "outcome": lambda plain: member_of(Outcome, plain),
    "why": text,
    "value": snapshot,
    "raised": _or_none(_read_raised),
    "bases": _all(_read_base),
    "raised_at": _or_none(number),
    "how": lambda plain: member_of(Consumption, plain),
    "changed": _all(_read_shown),
    "kept": _all(_read_shown),
    "state": _all(_read_shown),
    "touched": _all(_read_path),
    "altered": _all(_read_path),
    "stdout": _or_none(text),
    "stderr": _or_none(text),
    "stdin": flag,
    "effects": _all(_read_effect),
    "setup": snapshots,
    "awaited": _all(number),
    "same": _or_none(_read_path),
    "calls": _all(_read_call),
    "reads": _or_none(_all(_read_read)),
    "interfaces": _all(_read_interface),
    "empty": flag,
    "paths": _all(_read_instructions),
    "leaks": _all(_read_leak),
    "lines": _all(number),
    "arcs": _all(_read_arc),
    "own_lines": _all(number),
    "own_arcs": _all(_read_arc),
}
