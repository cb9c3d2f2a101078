"""Conditions about the class of a value: which choices of the input decide it."""

from __future__ import annotations

from runtime.trace import Kind
from tracetwin.explore.loop.run import Step
from tracetwin.explore.loop.tree import Flip


def kinds_asked(flip: Flip) -> frozenset[str]:
    """The choices that a condition of the program is about, since they decide of what class a value is."""
    if flip.step.kind not in (Kind.BRANCH, Kind.HINT):
        return frozenset()
    return frozenset(name for name in flip.step.node.names & flip.run.structural if not name.endswith("#"))


def chooses(step: Step, choices: frozenset[str]) -> bool:
    """Return whether a condition only says how a choice was made that the program asks for later."""
    return step.kind == Kind.INPUT and bool(choices) and step.node.names <= choices
