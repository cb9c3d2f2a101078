"""Errors that drawing, exploring and replaying share."""

from __future__ import annotations


class Unbuildable(Exception):
    """No plan exists for an annotation; the message is the reason that a user reads."""
