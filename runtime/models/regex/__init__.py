"""`re`: what patterns do to traced texts is expressed; one file for each thing that they do.

A pattern may be traced itself: which groups it has is then a condition.
"""

from __future__ import annotations

from runtime.models.regex import entries  # noqa: F401 - registers all models
from runtime.models.regex.matches import TracedMatch, TracedMatches

__all__ = ["TracedMatch", "TracedMatches"]
