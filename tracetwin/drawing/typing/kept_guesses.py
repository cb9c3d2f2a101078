"""Which of the ranked guesses for a value are kept: the first, all classes asked for, what is caught."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtime.classes import is_subclass
from tracetwin.analysis.evidence.facts import BUILTINS, ValueFacts
from tracetwin.drawing.typing.guesses import DictGuess, DuckGuess, Guess, RecordGuess, SeriesGuess, TypeGuess

MOST_GUESSES: Final = 5
MOST_NESTED: Final = 2
MOST_OF_ASKED: Final = 20
"""Types of a value whose class the code looks at."""

MOST_ASKED: Final = 4
"""Types of a part whose class the code looks at, among them one that it does not look for."""

_ANY_OBJECT: Final = DuckGuess(())
"""An object that can do nothing, for code that catches what is raised then."""

_BUILTIN: Final = frozenset(BUILTINS.values())


def kept(
    ranked: list[Guess], facts: ValueFacts, depth: int, others: Sequence[Guess]
) -> tuple[Guess, ...]:
    """The first guesses; where the code looks for classes all of these, and in parts one of `others`."""
    most = MOST_GUESSES if depth == 0 else MOST_NESTED
    if facts.asked:
        ranked = _with_asked(ranked, most)
        most = max(most, len(ranked))
    if facts.asked and depth > 0:  # of parameters the planner knows that
        most = MOST_ASKED
        ranked = [*ranked[: most - 1], *[guess for guess in others if guess not in ranked][:1]]
    ranked = ranked[:most]
    if facts.forgiven and depth == 0:
        iterated = [SeriesGuess("iterator")] * ("__iter__" in facts.specials)
        first = ranked[: most - 2]
        ranked = [*first, *filter(_is_asked, ranked[len(first) :]), *iterated, _ANY_OBJECT]
    if facts.none and TypeGuess(None) not in ranked:
        ranked = [*ranked[: max(1, most - 1)], TypeGuess(None)]
    return tuple(ranked)


def _with_asked(ranked: list[Guess], most: int) -> list[Guess]:
    """The first guesses, and all classes that the code asks for and nothing before makes an instance of."""
    kept: list[Guess] = []
    made: list[type] = []
    for guess in ranked:
        cls = _class_of(guess)
        is_abstract = cls is not None and cls.__module__ == "collections.abc"
        if cls is not None and is_abstract and any(is_subclass(known, cls) for known in made):
            continue
        if len(kept) < most or (_is_asked(guess) and len(kept) < MOST_OF_ASKED):
            kept.append(guess)
            made += [] if cls is None else [cls]
    return kept


def _is_asked(guess: Guess) -> bool:
    """True if a guess is a class that is not builtin, as the code asks for it."""
    cls = _class_of(guess)
    return isinstance(guess, TypeGuess) and cls is not None and cls not in _BUILTIN


def _class_of(guess: Guess) -> type | None:
    """The class of what a guess makes, None where it is not known."""
    match guess:
        case TypeGuess(type() as cls):
            return cls
        case SeriesGuess(kind):
            return BUILTINS.get(kind)
        case DictGuess() | RecordGuess():
            return dict
        case _:
            return None
