"""Finds what a call leaves alone, where that is worth an assertion.

An attribute that the target changes in some case is asserted to be as before in the cases where it stays:
after an exception that is the promise a reader cares about. And a container handed in that resembles the one
handed out, with items of the same kind, is asserted to be unchanged: a function that works on its argument
in place looks the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from tracetwin.emit.exhibit import Exhibit
from tracetwin.model.case import Case
from tracetwin.model.observation import Root, ValuePath
from tracetwin.model.recipe import Dictionary, Series, Variable
from tracetwin.model.snapshot import Snapshot, parts
from tracetwin.replay.stability import type_of

_Place: TypeAlias = tuple[Root, int | str, str | None]


def mark_held(cases: Sequence[Case], exhibits: Sequence[Exhibit]) -> list[Exhibit]:
    """Return the exhibits with what their tests assert to be unchanged.

    And with ``effective``: whether some case's call of the same method changes its receiver, if only in
    private; then it is worth a look where it does not.
    """
    pairs = list(zip(cases, exhibits, strict=True))
    effective = {_target(case) for case, seen in pairs if _acts(case, seen)}
    changing: set[tuple[object, _Place]] = set()
    for case, seen in pairs:
        for path, _ in seen.changed:
            changing.update((_target(case), place) for place in _places(path, case))
    resembling = {
        _target(case)
        for case, seen in pairs
        if any(_kinds(snap) & _kinds(seen.value) for _, snap in seen.kept)
    }

    def is_told(case: Case, seen: Exhibit, path: ValuePath, snap: Snapshot) -> bool:
        if any((_target(case), place) in changing for place in _places(path, case)):
            return True
        return _target(case) in resembling and _resembles_result(path, snap, seen)

    return [
        replace(
            seen,
            effective=_target(case) in effective,
            held=tuple((path, snap) for path, snap in seen.kept if is_told(case, seen, path, snap)),
        )
        for case, seen in pairs
    ]


def _target(case: Case) -> tuple[str, str]:
    return case.module, case.target


def _acts(case: Case, seen: Exhibit) -> bool:
    return ValuePath(Root.VAR, case.last.place) in seen.touched


def _places(path: ValuePath, case: Case) -> list[_Place]:
    """Return what a path speaks of, whatever the test calls it: an object bound before may be an argument."""
    if path.root is not Root.VAR:
        return [(path.root, path.key, path.attribute)]
    bound = Variable(str(path.key))
    places: list[_Place] = [
        (Root.ARG, i, path.attribute) for i, part in enumerate(case.last.args) if part == bound
    ]
    places += [(Root.KWARG, name, path.attribute) for name, part in case.last.kwargs if part == bound]
    return places or [(Root.VAR, "", path.attribute)]


def _container(snap: Snapshot) -> str:
    """The type of a container that can be changed, "" for everything else."""
    if isinstance(snap, Series) and snap.kind.is_mutable:
        return snap.kind.value
    return "dict" if isinstance(snap, Dictionary) else ""


def _kinds(snap: Snapshot) -> set[tuple[str, str]]:
    """Of what a container consists."""
    items: Iterable[Snapshot] = ()
    if isinstance(snap, Dictionary):
        items = (key for key, _ in snap.pairs)
    elif isinstance(snap, Series) and snap.kind.is_mutable:
        items = snap.items
    return {(_container(snap), type_of(item) or type(item).__name__) for item in items}


def _resembles_result(path: ValuePath, snap: Snapshot, seen: Exhibit) -> bool:
    """Return whether an argument left alone is a container of the kind that is returned."""
    kind = _container(snap)
    return path.attribute is None and kind != "" and kind == _container(seen.value) and bool(parts(snap))
