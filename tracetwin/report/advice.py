"""Reasons why no test goes somewhere: which kind each is of, and what helps against reasons of that kind."""

from __future__ import annotations

from typing import Final

MISSED: Final = "missed"
GIVEN_UP: Final = "given-up"
UNWRITTEN: Final = "unwritten"
PENDING: Final = "pending"
OUTSIDE: Final = "outside"
INFEASIBLE: Final = "infeasible"

FATES: Final = {
    MISSED: ("✗", "not reached"),
    GIVEN_UP: ("?", "given up"),
    UNWRITTEN: ("✎", "came here, no test"),
    PENDING: ("…", "budget spent"),
    OUTSIDE: ("◌", "out of scope"),
    INFEASIBLE: ("∅", "infeasible, proved"),
}
"""The kinds of reasons, each with its mark and its name."""

_SHOW: Final = (
    "A type hint, a factory in the configuration or your own tests (--learn-from) show what leads here."
)
_STATE: Final = (
    "It hangs on something other than the arguments: patch that (--patch NAME), or name a factory in the"
    " configuration that makes objects in the state that is missing."
)
_OTHER: Final = (
    "Another value of that leads there: a doctest or your own tests (--learn-from) show one, a factory in the"
    " configuration makes an object with it."
)
_OPAQUE: Final = (
    "Nothing can be solved behind such a call: your own tests (--learn-from) or a doctest can show inputs, or"
    " --patch NAME takes its place."
)
_MORE: Final = (
    "Time or runs were used up before an input was found: raise --time-limit or --max-runs, or give all of"
    " them to one function (FILE.py:FUNCTION)."
)
_PRIVATE: Final = "No call came here: more time, or --private for private ones at first."
_IMPORTED: Final = "No call can change it: it is decided by what can be imported, or by Python's version."
_MISSING: Final = "Install it where the code runs, or patch the name that stands for it (--patch NAME)."
_FAILING: Final = (
    "Something that is called here has to fail: --patch NAME lets a test say so, or your own tests"
    " (--learn-from) show how."
)
_COMMAND_LINE: Final = (
    "What the program is called with decides it: a test by hand sets that, by"
    ' `unittest.mock.patch("sys.argv", [...])`.'
)
_FACTORY: Final = "A factory in [tool.tracetwin.factories] can say how such an object is made."

_NOT_THERE: Final = (
    "It is meant for another version of Python, or a fault: no argument changes that. A test of the error is"
    " written with --misuse keep."
)
_KINDS: Final = (
    "It takes a value of another kind: a type hint, your own tests (--learn-from) or a doctest show one."
)
_ENDLESS: Final = (
    "Look whether that line ends for each input: a loop that does not is a fault. Other values, or an object"
    " by a factory or your own tests (--learn-from), may come past it."
)
_WHILE_IMPORTED: Final = "while the module is imported"
_AS_PROGRAM: Final = "only as a program"

_KNOWN: Final[tuple[tuple[str, str, str], ...]] = (
    ("infeasible for the argument types", MISSED,
     "No value of the types that were tried leads here; a type hint says which others are meant."),
    ("infeasible", INFEASIBLE,
     "No input can lead here. If that is meant, a comment (# pragma: no cover) says so."),
    ("excluded on each path", MISSED, "Other paths may lead there: " + _SHOW),
    ("only while they prepared", UNWRITTEN, _STATE),
    ("no run goes there but by misuse", UNWRITTEN, "Such tests are written with --misuse keep."),
    ("sys.argv", OUTSIDE, _COMMAND_LINE),
    ("budget spent", PENDING, _MORE),
    ("are ended in it", MISSED, "An input for which the line does not raise is missing. " + _SHOW),
    ("by what the object holds", UNWRITTEN, _STATE),
    ("solver gave up", GIVEN_UP,
     "More time, or an example to begin with: your own tests (--learn-from), a doctest."),
    ("were given up: still running", GIVEN_UP, _ENDLESS),
    ("given up", GIVEN_UP,
     "Runs died, hung or were too long: a type hint or a factory for smaller inputs may help."),
    ("can't be instantiated", OUTSIDE, _FACTORY),
    ("made by its class", OUTSIDE, ""),
    ("can't be read", GIVEN_UP, ""),
    ("can't be looked at", GIVEN_UP, ""),
    ("could not be built", GIVEN_UP, _FACTORY),
    ("did not depend", MISSED, _STATE),
    ("which value would is not known", MISSED, _OTHER),
    ("value of another kind", MISSED, _KINDS),
    ("lost at a call into C", GIVEN_UP, _OPAQUE),
    ("preconditions", OUTSIDE, "The preconditions in [tool.tracetwin] may exclude it."),
    ("limits of generated inputs", OUTSIDE,
     "It takes a longer input than is tried; your own tests (--learn-from) can show one."),
    ("configuration does not let", OUTSIDE,
     "The configuration forbids to call it: see `forbid` in [tool.tracetwin]."),
    ("refused", GIVEN_UP, "The walls refuse what the code wants to do: --allow lets it."),
    ("deleted or edited", OUTSIDE,
     "What you edited is yours and not counted; what you deleted comes back once the file is gone."),
    ("it changes files", UNWRITTEN,
     "One by hand can do so in a folder of its own: `tempfile.TemporaryDirectory()`."),
    ("it depends on which files there are", UNWRITTEN,
     "A test by hand makes these files first, in a folder of its own (`tempfile.TemporaryDirectory()`)."),
    ("the written test did not pass", UNWRITTEN,
     "In a test the standard streams, the command line or earlier calls are others: set that up by hand."),
    ("it imports, is not installed", UNWRITTEN, _MISSING),
    ("goes another way when the code itself", UNWRITTEN,
     "The twin and the code do not do the same there: see the divergences, and write a test by hand."),
    ("no test that was kept", UNWRITTEN, "Generate again, with more time: the next suite may keep it."),
    ("no test could be written", UNWRITTEN,
     "What it does differs from run to run, or can't be written down; the reason says which."),
    ("no test of it was written", UNWRITTEN, "Such runs end before a test could show anything."),
    ("not reached by any public", MISSED, _PRIVATE),
    ("which no test runs", MISSED, _PRIVATE),
    (_WHILE_IMPORTED, OUTSIDE, _IMPORTED),
    (_AS_PROGRAM, OUTSIDE, ""),
    ("can be imported", OUTSIDE, _MISSING),
    ("no input leads past", OUTSIDE, _NOT_THERE),
    ("which is not installed", OUTSIDE, _MISSING),
    ("ends there", MISSED, "An input for which the line does not raise is missing. " + _SHOW),
    ("goes on in the handler", MISSED, "An input for which the line does not raise is missing. " + _SHOW),
    ("comes after the yield", MISSED, "A test by hand, or your own, has to go on with the generator."),
    ("no input was found that raises", MISSED, _FAILING),
    ("no path that was found", MISSED, _SHOW),
    ("no sequence of calls", MISSED, _STATE),
    ("no input", MISSED, _SHOW),
    ("none notices it", MISSED,
     "A value for which the change matters is missing; a test by hand may be shortest."),
)  # fmt: skip
"""Words of reasons, the kind of each, and a sentence on what would help."""


def advice(reason: str) -> str:
    """Return a sentence on what helps against such a reason anywhere, "" where nothing is known."""
    return next((sentence for words, _, sentence in _KNOWN if words in reason), "")


def fate_of(reason: str) -> str:
    """Return which of the `FATES` a reason tells of."""
    return next((fate for words, fate, _ in _KNOWN if words in reason), MISSED)


def is_of_import(reason: str) -> bool:
    """Return whether a reason is that importing the module, and no call, would run a line."""
    return _WHILE_IMPORTED in reason or _AS_PROGRAM in reason
