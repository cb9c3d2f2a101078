"""Backward deduction of call sequences (Buy, Orso, Pezze, section 6).

How to use it::

    shape = shape_of(heaps, module)                       # summaries.shapes; heaps of runs with heap=True
    summaries = Summaries(executor, solver, target, words, shape, budget)       # made lazily, keep it
    for conditions in summaries.ways_to(side):            # the target's paths on a free receiver
        for found in SequenceSearch(summaries, conditions, SearchLimits(longest=...)):
            run = executor.run(Request(target, found.prefix, found.assignment))     # confirm it, else go on

`conditions` are nodes over ``self.attr`` (as a free receiver names them) and the target's parameters by their
plain names. A `Deduced` has the words of the prefix and values for all drawn names (``1.add_qtr.n``, those of
the receiver's constructor, and the target's own), so it can be run as it is. Once all
were taken, ``exhausted`` of the search says that there is no other sequence, which is a proof.

The search begins with the wanted condition and puts words in front. What must hold before a path, so that the
condition holds after it, is the condition with the path's results in the place of attributes, and the path's
own precondition. A state that implies one that was expanded already is left alone; a constructor is tried at
once; the condition with the fewest conjuncts is expanded first.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from runtime.expr import Node, Sort, apply, const_int
from tracetwin.explore.summaries.logic import NEVER, Condition
from tracetwin.explore.summaries.regress import CallTurn, Regressor
from tracetwin.explore.summaries.repeats import least_times, names_wanted
from tracetwin.explore.summaries.summary import CONSTRUCTOR, MethodPath, Summaries
from tracetwin.solving import Sat, Unknown, Unsat
from tracetwin.support.data import dataclass

LONGEST: Final = 64
MOST_STATES: Final = 300
_ANCESTORS_ASKED: Final = 12
_DOUBTFUL: Final = 3
"""How far back a condition is put of which it is not known whether anything meets it."""
_AWAY: Final = 2
"""Words that a conjunct is thought to cost that a new object does not meet."""
_SHORT: Final = 6
"""Words in a sequence that nobody minds."""
_PATIENCE: Final = 25
"""Conditions expanded in search of something shorter than a long sequence."""
_MOST_HALVINGS: Final = 12


@dataclass(frozen=True)
class SearchLimits:
    """How far to search.

    Attributes:
        longest: words in a prefix, where no word is repeated in closed form.
        repetitions: how often a word may be repeated in closed form.
        stop: asked before each of them; true ends the search.
    """

    longest: int = LONGEST
    repetitions: int = 2000
    states: int = MOST_STATES
    stop: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Deduced:
    """A sequence that should lead to the goal.

    Attributes:
        prefix: the words before the target.
        assignment: a value for every drawn name that matters.
        sure: it follows from exact summaries; otherwise it is a proposal.
    """

    prefix: tuple[str, ...]
    assignment: Mapping[str, object]
    sure: bool


@dataclass(frozen=True)
class _Link:
    """One word of a sequence that is being deduced, and the rest behind it."""

    word: str
    tag: int
    times: Node | None
    behind: _Link | None
    exact: bool


@dataclass(frozen=True)
class _State:
    """A condition that must hold when the words behind it begin.

    Attributes:
        condition: over attributes, and over arguments of the words behind.
        links: these words, the first one outermost.
        depth: how many they are at least.
        defined: the wanted definition is among them, or none is wanted.
        parent: the state that it leads to.
        doubtful: the solver could not tell whether anything meets the condition.
    """

    condition: Condition
    links: _Link | None
    depth: int
    defined: bool
    parent: _State | None
    doubtful: bool = False


@dataclass(frozen=True)
class Definition:
    """A definition that must reach the goal: which paths make it, and which leave it as it is.

    Attributes:
        makes: whether it is the last definition of its attribute on a path.
        spares: whether a path does not define that attribute.
    """

    makes: Callable[[MethodPath], bool]
    spares: Callable[[MethodPath], bool]


class SequenceSearch:
    """A backward search; iterate over it for what it finds.

    Attributes:
        exhausted: every sequence of the words was considered, exactly: if none was found, there is none.
        why: otherwise, the first thing that was left open.
        expanded: how many conditions were expanded.
    """

    def __init__(
        self,
        summaries: Summaries,
        conditions: Iterable[Node],
        limits: SearchLimits | None = None,
        definition: Definition | None = None,
        *,
        defined: bool = False,
    ) -> None:
        """Prepare a search. With `defined`, the target's own path has made the definition."""
        self._summaries = summaries
        self._reasoner = summaries.reasoner
        self._limits = limits or SearchLimits()
        self._definition = definition
        self._regressor = Regressor(summaries)
        self._order = 0
        self._open: list[tuple[int, int, int, _State]] = []
        self._expanded: dict[bool, list[Condition]] = {True: [], False: []}
        self._about: dict[Condition, Condition] = {}
        self._waiting: list[tuple[int, int, Deduced]] = []  # found, but something shorter is likely
        self._most = self._limits.states
        self._left_open = ""
        self.expanded = 0
        self._found_at = self._limits.states
        self.why = ""
        self.exhausted = False
        start = self._reasoner.canonical(conditions)
        if self._reasoner.possible(start):
            self._push(_State(start, None, 0, defined or definition is None, None))

    def __iter__(self) -> Iterator[Deduced]:
        """Give the sequences found within the limits; after `extend`, iterate again to go on."""
        waiting = self._waiting
        while self._open or waiting:
            if waiting and (not self._open or waiting[0][0] <= self._open[0][1] or self._is_late(waiting)):
                yield heapq.heappop(waiting)[-1]
                continue
            if self.expanded >= self._most or self._limits.stop():
                if waiting:
                    yield heapq.heappop(waiting)[-1]
                    continue
                self.why = self._left_open or f"more than {self.expanded} states"
                return
            state = heapq.heappop(self._open)[-1]
            if self._is_worth_it(state):
                self._visit(state)
        self.why = self._left_open or self._summaries.why_incomplete()
        self.exhausted = not self.why

    def extend(self, states: int) -> None:
        """Let so many more conditions be expanded, where the search ended at its limit."""
        self._most += states

    def _visit(self, state: _State) -> None:
        self._expanded[state.defined].append(state.condition)
        self.expanded += 1
        for found in self._made(state):
            self._order += 1
            heapq.heappush(self._waiting, (len(found.prefix), self._order, found))
            self._found_at = min(self._found_at, self.expanded)
        self._expand(state)

    def _is_late(self, waiting: list[tuple[int, int, Deduced]]) -> bool:
        """Return whether enough was spent on looking for something shorter than what is there."""
        return self.expanded - self._found_at >= (_PATIENCE if len(waiting[0][-1].prefix) > _SHORT else 0)

    def _leave_open(self, why: str) -> None:
        self._left_open = self._left_open or why

    # -- what comes before a state

    def _made(self, state: _State) -> Iterator[Deduced]:
        """The sequences in which the receiver's making leads to a state."""
        for path in self._summaries.of(CONSTRUCTOR).usable():
            if not state.defined and not self._makes(path):
                continue
            condition = self._before(self._regressor.made(path), state, "the constructor")
            if condition is not None:
                found = self._deduced(_Link(CONSTRUCTOR, 0, None, state.links, path.exact), condition)
                if found is not None:
                    yield found

    def _expand(self, state: _State) -> None:
        if state.depth >= self._limits.longest:
            self._leave_open(f"more than {self._limits.longest} calls")
            return
        of_elements = any("[" in name for name in self._regressor.wanted(state.condition))
        for word in self._summaries.words:
            for path in self._summaries.of(word).usable():
                if of_elements or not path.member:  # otherwise the general path says as much
                    self._prepend(path, state)

    def _prepend(self, path: MethodPath, state: _State) -> None:
        makes = not state.defined and self._makes(path)
        if not state.defined and not makes and not self._spares(path):
            return
        if not makes and not self._regressor.touches(path, state.condition):
            return  # it would ask for what the state asks for, and for its own precondition
        tag = state.depth + 1
        once, many = self._regressor.turns(path, tag)
        defined = state.defined or makes
        condition = self._before(once, state, path.word)
        if condition is not None:
            link = _Link(path.word, tag, None, state.links, path.exact)
            self._push(_State(condition, link, tag, defined, state))
        for again in many:
            condition = self._before(again, state, path.word)
            if condition is not None and again.times is not None:
                most = apply("le", Sort.BOOL, again.times, const_int(self._limits.repetitions))
                condition = self._reasoner.canonical((*condition, most))
                link = _Link(path.word, tag, again.times, state.links, exact=False)
                turns = least_times(condition, again.times) or 2
                self._push(_State(condition, link, state.depth + turns, defined, state))

    def _makes(self, path: MethodPath) -> bool:
        return self._definition is None or self._definition.makes(path)

    def _spares(self, path: MethodPath) -> bool:
        return self._definition is None or self._definition.spares(path)

    def _before(self, turn: CallTurn, state: _State, word: str) -> Condition | None:
        """Return the condition before a turn, None where nothing can hold, or where it can't be said."""
        condition = self._regressor.before(turn, state.condition)
        if condition == NEVER:
            return None
        lost = self._regressor.lost(turn, state.condition)
        if lost:
            self._leave_open(f"what {word} leaves in {lost} can't be said")
            return None
        return condition

    # -- which states are worth it

    def _is_worth_it(self, state: _State) -> bool:
        """Return whether a state can be, and asks for less than others."""
        if self._is_known(state):
            return False
        hint = self._reasoner.satisfied(state.parent.condition) if state.parent else None
        known = hint.model if isinstance(hint, Sat) else {}
        answer = self._reasoner.satisfied(state.condition, known)
        if isinstance(answer, Unsat) or not self._regressor.is_made(state.condition):
            return False
        if self._implies_an_ancestor(state):
            return False
        if isinstance(answer, Unknown) and not state.doubtful:
            self._push(replace(state, doubtful=True))
            return False
        return True

    def _implies_an_ancestor(self, state: _State) -> bool:
        """Return whether a state asks for no less than one that the words behind it lead to already."""
        ancestor, asked = state.parent, 0
        while ancestor is not None and asked < _ANCESTORS_ASKED:
            if ancestor.defined == state.defined:
                asked += 1
                if self._reasoner.implies(state.condition, self._about_attributes(ancestor.condition)):
                    return True
            ancestor = ancestor.parent
        return False

    def _is_known(self, state: _State) -> bool:
        """Return whether a state was expanded that asks for no more."""
        held = set(state.condition)
        return any(held.issuperset(self._about_attributes(known)) for known in self._expanded[state.defined])

    def _about_attributes(self, condition: Condition) -> Condition:
        found = self._about.get(condition)
        if found is None:
            found = self._about[condition] = _about_attributes(condition)
        return found

    def _push(self, state: _State) -> None:
        self._order += 1
        handicap = _DOUBTFUL if state.doubtful else 0
        rank = _AWAY * self._regressor.distance(state.condition) + state.depth + handicap
        heapq.heappush(self._open, (not state.defined, rank, self._order, state))

    # -- from the first word to a request

    def _deduced(self, first: _Link, condition: Condition) -> Deduced | None:
        links = []
        link: _Link | None = first
        while link is not None:
            links.append(link)
            link = link.behind
        counted = [link for link in links if link.times is not None]
        for link in counted:
            condition = self._fewest(condition, link)
        answer = self._reasoner.satisfied(condition)
        if not isinstance(answer, Sat):
            return None
        return _request(links[1:], answer.model, all(link.exact for link in links))

    def _fewest(self, condition: Condition, link: _Link) -> Condition:
        """The condition with the number of repetitions held at the least that was found."""
        times = link.times
        assert times is not None
        least = least_times(condition, times) or 2
        answer = self._reasoner.satisfied(condition)
        most = answer.model.get(str(times.data), least) if isinstance(answer, Sat) else least
        low, high = least, most if isinstance(most, int) else least
        for _ in range(_MOST_HALVINGS):
            if low >= high:
                break
            middle = (low + high) // 2
            fewer = apply("le", Sort.BOOL, times, const_int(middle))
            answer = self._reasoner.satisfied(self._reasoner.canonical((*condition, fewer)))
            found = answer.model.get(str(times.data), middle) if isinstance(answer, Sat) else None
            if isinstance(found, int):
                high = found
            else:
                low = middle + 1
        return self._reasoner.canonical((*condition, apply("eq", Sort.BOOL, times, const_int(high))))


def _about_attributes(condition: Condition) -> Condition:
    """The conjuncts that say something of attributes, or of arguments that are tied to them."""
    tied = set(names_wanted(condition))
    grown = True
    while grown:
        grown = False
        for node in condition:
            if not tied.isdisjoint(node.names) and not node.names <= tied:
                tied |= node.names
                grown = True
    return tuple(node for node in condition if not tied.isdisjoint(node.names))


def _request(links: list[_Link], model: Mapping[str, object], sure: bool) -> Deduced:
    words: list[str] = []
    assignment = {name: value for name, value in model.items() if not name.startswith(("@", "self."))}
    for link in links:
        times = 1 if link.times is None else model.get(str(link.times.data), 1)
        assert isinstance(times, int)
        mine = f"@{link.tag}."
        drawn = {name[len(mine) :]: value for name, value in model.items() if name.startswith(mine)}
        for _ in range(times):
            words.append(link.word)
            place = f"{len(words)}.{link.word}."
            assignment |= {place + name: value for name, value in drawn.items()}
    return Deduced(tuple(words), assignment, sure)
