"""Exhibits: what two runs of a case had in common, and what of that is worth an assertion."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields, replace
from typing import Final, TypeAlias

from tracetwin.model.case import Case
from tracetwin.model.observation import AGAIN, Observation, Shown, ValuePath
from tracetwin.model.snapshot import Attributes, Snapshot, is_container, within
from tracetwin.support.data import dataclass

MANY: Final = 6
"""Parts of an object that are asserted in any case."""

Mark: TypeAlias = tuple[Hashable, ...]
"""Which of a test's assertions one is, however the test is written."""

Called: TypeAlias = tuple[int, str]
"""The number of a mock, and a member."""


@dataclass(frozen=True, slots=True)
class Exhibit(Observation):
    """An observation with what the cases beside it tell about it.

    Attributes:
        held: what is asserted to be unchanged.
        strict: the containers that are left alone, and those that are handed out as copies, are told of as
            well: some mutant is noticed by nothing else.
        effective: the target changes its receiver in some case, if only in private.
        told: members of mocks whose calls are asserted.
        asked: members that give answers, whose calls are asserted here for all tests of the function.
        silent: members of which it is asserted that they were not called.
        unused: members whose results nobody uses.
        telling: what the call returned says something though it is None.
        ordered: the order of what a returned dict holds is asserted.
        as_class: mocks are written as classes, which do exactly what was replayed.
        lasting: functions and objects that are passed get names, by which they live on in the test.
        silenced: assertions that turned out not to hold in every run.
        needless: assertions that hold, and without which the test notices the same; a mark of a path alone
            says that nothing is asserted of it.
    """

    held: Shown = ()
    strict: bool = False
    effective: bool = False
    told: tuple[Called, ...] = ()
    asked: tuple[Called, ...] = ()
    silent: tuple[Called, ...] = ()
    unused: frozenset[Called] = frozenset()
    telling: bool = False
    ordered: bool = False
    as_class: bool = False
    lasting: bool = False
    silenced: frozenset[Mark] = frozenset()
    needless: frozenset[Mark] = frozenset()

    @property
    def left_behind(self) -> Shown:
        """Return what is changed, and what is asserted to be as before."""
        left = [pair for pair in self.kept if pair not in self.held and is_container(pair[1])]
        return (*self.changed, *self.held, *(left if self.strict else ()))

    @property
    def spoken_of(self) -> list[ValuePath]:
        """The places of arguments and variables that assertions are about."""
        places = [path for _, path in self.apart if path.attribute != AGAIN] if self.strict else []
        return [*(path for path, _ in self.left_behind), *places]

    @property
    def could_tell_more(self) -> bool:
        """Return whether there is more to assert where it is strict."""
        strict = replace(self, strict=True)
        more = bool(self.apart) or strict.left_behind != self.left_behind or _has_many(self.value)
        return not self.strict and more


def _has_many(snap: Snapshot) -> bool:
    """Return whether a value is one of which not all parts are asserted."""
    return isinstance(snap, Attributes) and len(list(within(snap))) > MANY


def exhibited(seen: Observation) -> Exhibit:
    """Return an observation as one of which nothing more is known yet."""
    if isinstance(seen, Exhibit):
        return seen
    return Exhibit(**{field.name: getattr(seen, field.name) for field in fields(Observation)})


Chosen: TypeAlias = tuple[Case, Exhibit]
"""What a test is made of."""
