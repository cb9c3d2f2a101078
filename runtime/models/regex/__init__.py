"""`re` on traced texts: matches, pieces and replacements are expressions.

A pattern may be traced itself: which groups it has is then a condition.
"""

from __future__ import annotations

from runtime.models.regex import entries  # noqa: F401 - registers all models
from runtime.models.regex.matches import TracedMatch, TracedMatches

__all__ = ["TracedMatch", "TracedMatches"]
