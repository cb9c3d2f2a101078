"""The words of a report that need to be explained."""

from __future__ import annotations

from typing import Final

TERMS: Final[dict[str, str]] = {
    "run": "The code is called once: its twin, which records the conditions that it meets.",
    "case, misuse": "A run of which a test can be made; one that only shows that a type was guessed wrong.",
    "gap": "Lines or a side that no test reaches. It opens what is missed as long as no test goes in there;"
    " what waits behind it needs one of its lines to be run first.",
    "nearest input": "An input of a test that comes closest to a gap and goes another way.",
    "factory": "A function of yours that makes an object: see [tool.tracetwin.factories].",
    "suspicious": "A test that pins what looks like a fault of the code: read it before you believe it.",
    "question": "Which input goes another way at a condition? The cheap stages of the solver come first.",
    "divergence": "An input did not go the way that was promised. It is used; nothing is claimed of it.",
    "goal": "What a criterion wants covered: a line, a side of a branch, an exception, a mutant.",
    "refusal": "The code wanted to write, read, connect or start something, and was not let: see --allow.",
    "checked, merely run": "A test checks a line where it notices a mutant of it, or where no other test"
    " covers something of it; others that come there merely run it.",
    "side": "One of the ways on from a condition.",
    "infeasible": "No input can lead there: that is proved, not guessed. In a tree, ⊘: after what stands"
    " before it nothing goes this way; another path may lead to the same side.",
    "budget spent": "The time or the runs that a function got in its turns were used up first; the rest of"
    " the time went to others, to mutants and to writing. In a tree: not tried yet. Given up: the solver"
    " found neither an input nor a proof. Came here, no test: runs did, and what they show is no test.",
    "x is of kind 2, outcome of x": "An alternative that has no name of its own; whether a mock raises.",
    "exception": "A way in which a call ends by raising, or a raise statement; the score says how many have"
    " a test.",
    "mutation": "Small changes of the code (mutants). What no test notices can break without a word.",
    "mcdc": "Each operand of a condition is shown by two tests to decide it alone.",
    "subsumed": "All that can follow from such a state of an object can follow from a known one.",
    "fold, order, cache, choices": "Stages that hardly search: constants, earlier answers, classes.",
    "candidates, backward, nearby, sweep, search": "Stages that try values: usual ones, what a condition is"
    " worked back to, neighbours, small ints, whatever comes closer.",
    "z3": "A solver that the other stages fall back on; sat: there is an input, unsat: there is none.",
    "replaying": "Inputs are run on the code itself; what it does the same each time is what tests expect.",
    "choosing, shortening, enriching": "The fewest tests that cover as much, with short inputs.",
    "mutants, leaks": "Tests are run against mutants, and must leave nothing behind for others.",
    "verifying": "The written files are run, each test by itself and in other orders.",
}
