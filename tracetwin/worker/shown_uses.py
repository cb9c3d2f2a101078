"""Inputs from examples: the words of the sequences that they show on objects, and the values of arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from tracetwin.drawing.discovery.invokables import PlannedInvokable
from tracetwin.drawing.objects.encoding import by_parameter, retraced, retraced_call
from tracetwin.model.flatten import variable_name
from tracetwin.model.recipe import PreparedObject, PreparingCall

MOST_WORDS: Final = 8
"""Calls of a sequence."""

MOST_HISTORIES: Final = 8
"""Sequences on objects of one class."""

MOST_USES: Final = 6
"""Sequences that end in a call of one member."""

Sequenced: TypeAlias = "tuple[list[str], dict[str, Any]]"
"""The words of a sequence, and an input for it."""


class ShownUses:
    """The sequences of a module's examples.

    Args:
        histories: the objects of the examples.
        find: gives what a word means before an invokable, or raises LookupError.
    """

    def __init__(
        self,
        histories: Sequence[PreparedObject],
        find: Callable[[PlannedInvokable, str], PlannedInvokable],
    ) -> None:
        self._histories = histories
        self._find = find
        self._of_class: dict[str, list[Sequenced]] = {}

    def histories(self, invokable: PlannedInvokable) -> list[Sequenced]:
        """Return what examples do on objects that may be the receiver of a member."""
        if invokable.receiver is None:
            return []
        owner = str(invokable.owner)
        if owner not in self._of_class:
            found: list[Sequenced] = []
            for made in self._histories:
                sequence = self._sequence(invokable, made, made.calls)
                if sequence and sequence[0] and sequence not in found:
                    found.append(sequence)
            longest = sorted(found, key=lambda item: -len(item[0]))[:MOST_HISTORIES]
            self._of_class[owner] = [item for item in found if item in longest]
        return self._of_class[owner]

    def uses(self, invokable: PlannedInvokable) -> list[Sequenced]:
        """Return what examples do before they call a member, and its arguments there."""
        found: list[Sequenced] = []
        for made, place in self._calls_of(invokable):
            sequence = self._sequence(invokable, made, made.calls[:place])
            if sequence is None or not sequence[0]:
                continue  # on a new object it is a plain example
            call = made.calls[place]
            own = retraced_call(invokable.parameters, by_parameter(invokable.parameters, call))
            use = sequence[0], sequence[1] | own
            if use not in found:
                found.append(use)
        return found[:MOST_USES]

    def _calls_of(self, invokable: PlannedInvokable) -> Iterator[tuple[PreparedObject, int]]:
        if invokable.receiver is None or invokable.access == "del":
            return
        name = f"{invokable.name}=" if invokable.access == "set" else invokable.name
        for made in self._histories:
            for place, call in enumerate(made.calls):
                if call.name == name:
                    yield made, place

    def _sequence(
        self, invokable: PlannedInvokable, made: PreparedObject, calls: Sequence[PreparingCall]
    ) -> Sequenced | None:
        """The calls as words of a sequence; None where the receiver can't be such an object."""
        if invokable.receiver is None:
            return None
        given = retraced(invokable.receiver, made.construction, variable_name(str(invokable.owner)))
        if given is None:
            return None
        words: list[str] = []
        for call in calls:
            if len(words) == MOST_WORDS:
                break
            try:
                meant = self._find(invokable, call.name)
            except LookupError:  # it changes nothing
                continue
            words.append(call.name)
            arguments = by_parameter(meant.parameters, call)
            given |= retraced_call(meant.parameters, arguments, f"{len(words)}.{call.name}.")
        return words, given
