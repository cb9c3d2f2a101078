"""Composes the rewrites and runs them over one module; imports libcst."""

from __future__ import annotations

import re

import libcst as cst

from instrumenter.positions import code, positions
from instrumenter.rewrites.assign import Assign
from instrumenter.rewrites.binary import Binary
from instrumenter.rewrites.boolean import Boolean
from instrumenter.rewrites.call import CallRewrite
from instrumenter.rewrites.compare import Compare
from instrumenter.rewrites.fstring import FString
from instrumenter.rewrites.statements import Loops, MatchRewrite, Returns, Scopes
from instrumenter.rewrites.subscript import Subscript
from instrumenter.twin import HERE, Site

REWRITES = (
    Binary, Boolean, CallRewrite, Compare, FString, Loops, MatchRewrite, Returns, Scopes, Subscript, Assign,
)  # fmt: skip


class Rewriter(Assign, Binary, Boolean, CallRewrite, Compare, FString, Loops, MatchRewrite, Returns, Scopes):
    """Every rewrite. No two of them handle the same node at the same moment."""


class LinesMovedError(RuntimeError):
    """A rewrite added or lost a line: a fault of ours, never of the source."""


def rewrite(
    text: str, *, name: str, prelude: str, version: tuple[int, int] = HERE
) -> tuple[str, tuple[Site, ...]]:
    """Return the text and the sites of a module's twin, for a version of Python.

    Raises:
        libcst.ParserSyntaxError: libcst does not know the grammar.
    """
    module = cst.parse_module(text)
    rewriter = Rewriter(module, name, prelude, version)
    twin = code(rewriter.walk(module))
    if _lines(twin) != _lines(text):
        raise LinesMovedError(name)
    places = positions(module, (site.node for site in rewriter.pending))
    # A site is dropped again where what it belongs to had to stay native.
    used = set(re.findall(r", (\d+)\)", twin))
    sites = (
        Site(rewriter.base + index, site.kind, line, column, site.scope)
        for index, (site, (line, column)) in enumerate(zip(rewriter.pending, places, strict=True))
    )
    return twin, tuple(site for site in sites if str(site.id) in used)


def _lines(text: str) -> int:
    return text.replace("\r\n", "\n").replace("\r", "\n").count("\n")
