"""A target as the explorer knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from tracetwin.support.data import dataclass

Sequenced: TypeAlias = "tuple[Sequence[str], Mapping[str, object]]"
"""The words of a call sequence, and an input for it."""


@dataclass(frozen=True)
class Invokable:
    """A target, as far as the explorer knows it.

    Attributes:
        qualname: dotted name in the module.
        kind: function, method, constructor, ...
        owner: qualified name of the class, or "".
        first_line: first line of the definition.
        last_line: last line of the definition.
        typed: whether every argument's type is known from an annotation.
        problem: why it can't be called, or "".
        constants: values by sort name that occur in its code.
        examples: inputs that the project's own tests have passed.
        uses: sequences that examples show before they call it, with an input for them and for the call.
        histories: sequences that examples show on objects of its class.
        bare: whether it takes no arguments but its object.
        methods: methods that may prepare its receiver.
        lines: what is wanted of it where it is explored from outside.
    """

    qualname: str
    kind: str
    owner: str
    first_line: int
    last_line: int
    typed: bool
    problem: str
    constants: Mapping[str, Sequence[object]] = field(default_factory=dict)
    methods: Sequence[str] = ()
    lines: Sequence[int] = ()
    examples: Sequence[dict[str, object]] = ()
    uses: Sequence[Sequenced] = ()
    histories: Sequence[Sequenced] = ()
    bare: bool = False


def variable_name(owner: str) -> str:
    """Return the name of a receiver: `TemperatureMonitor` gives ``temperature_monitor``."""
    short = owner.rpartition(".")[2]
    words = "".join(f"_{c.lower()}" if c.isupper() and i and not short[i - 1].isupper() else c.lower()
                    for i, c in enumerate(short)).strip("_")  # fmt: skip
    return words or "receiver"
