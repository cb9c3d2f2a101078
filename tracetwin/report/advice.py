"""Advice where something is not covered, by the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_SHOW: Final = (
    "A type hint, a factory in the configuration or your own tests (--learn-from) show what leads here."
)
_STATE: Final = (
    "It hangs on something other than the arguments: patch that (--patch NAME), or name a factory in the"
    " configuration that makes objects in the state that is missing."
)
_OPAQUE: Final = (
    "Nothing can be solved behind such a call: your own tests (--learn-from) or a doctest can show inputs, or"
    " --patch NAME takes its place."
)
_LONGER: Final = "It takes a longer input than is tried; your own tests (--learn-from) can show one."
_FACTORY: Final = "A factory in [tool.tracetwin.factories] can say how such an object is made."
_UNSTABLE: Final = "What it does differs from run to run, or can't be written down; the reason says which."

_ADVICE: Final[Mapping[str, str]] = {
    "infeasible": "No input can lead here. If that is meant, a comment (# pragma: no cover) says so.",
    "budget spent": "More time may help: --time-limit.",
    "solver gave up": "More time, or an example to begin with: your own tests (--learn-from), a doctest.",
    "could not be built": _FACTORY,
    "did not depend": _STATE,
    "lost at a call into C": _OPAQUE,
    "preconditions": "The preconditions in [tool.tracetwin] may exclude it.",
    "limits of generated inputs": _LONGER,
    "configuration does not let": "The configuration forbids to call it: see `forbid` in [tool.tracetwin].",
    "refused": "The walls refuse what the code wants to do: --allow lets it.",
    "no test could be written": _UNSTABLE,
    "not reached by any public": "No public function came here: --private calls private ones; or more time.",
    "while the module is imported": "No test can change how a module was imported.",
    "no path that was found": _SHOW,
    "no input or sequence": _SHOW,
    "none notices it": "A value for which the change matters is missing; a test by hand may be shortest.",
}
"""Sentences by what the reason says."""


def advice(reason: str) -> str:
    """Return a sentence on what would help, "" where nothing is known."""
    return next((sentence for words, sentence in _ADVICE.items() if words in reason), "")
