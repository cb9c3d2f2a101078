"""The cheapest choice that covers everything, asked of z3, with a limit that is counted and not timed."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from tracetwin.solving.smt.z3lib import z3

RLIMIT = 2_000_000
"""z3's resource limit for one choice: some tenths of a second."""


def cheapest_cover(
    offers: Sequence[Collection[Hashable]], costs: Sequence[int], rlimit: int = RLIMIT
) -> list[int] | None:
    """Return the places of the cheapest offers that cover what all of them do; None where z3 gives up."""
    context = z3.Context()
    chosen = [z3.Bool(f"c{place}", context) for place in range(len(offers))]
    optimizer = z3.Optimize(ctx=context)
    optimizer.set("rlimit", rlimit)
    by_goal: dict[Hashable, list[int]] = {}
    for place, offer in enumerate(offers):
        for goal in offer:
            by_goal.setdefault(goal, []).append(place)
    for places in sorted(set(map(tuple, by_goal.values()))):  # z3's choice among equals depends on the order
        optimizer.add(z3.Or([chosen[place] for place in places]))
    for one, cost in zip(chosen, costs, strict=True):
        optimizer.add_soft(z3.Not(one), cost)
    if optimizer.check() != z3.sat:
        return None
    model = optimizer.model()
    return [place for place, one in enumerate(chosen) if z3.is_true(model.eval(one))]
