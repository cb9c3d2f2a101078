"""Hints at types beside the code: type comments, and the names of parameters."""

from __future__ import annotations

import ast
import builtins
import functools
import typing
from collections.abc import Mapping
from fnmatch import fnmatchcase

from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.spelled_types import note_type
from tracetwin.analysis.evidence.strength import Strength, shares
from tracetwin.analysis.sources import FunctionNode
from tracetwin.support.syntax import expression

# Patterns of names, and what they speak for.
_TEXTS = """
    text string s str word name *_name title label prefix suffix sep path filename url line message
    msg email pattern key char ch token fmt format unit lang locale slug description currency
"""
_COUNTS = """
    n m i j k num number count size length index idx year month day hour minute second seed port
    num_* n_* *_count
"""
_NUMBERS = """
    width height depth limit start stop end step total age level position offset max_* min_*
"""
_VALUES = """
    x y z a b c value val v amount lo hi low high
"""
_MEASURES = """
    rate ratio price weight temperature threshold factor percent probability alpha beta epsilon
    tolerance radius mass speed score cost discount fraction duration seconds distance
"""
_SERIES = """
    items xs ys values elements numbers nums list lst arr array seq sequence rows results data
    entries *_list words names lines tokens args points records scores prices stack queue children
"""
_MAPPINGS = """
    d mapping dct dictionary config settings options params kwargs headers table lookup cache *_map
    *_dict counts registry env environ payload record row
"""
_FLAGS = """
    flag enabled verbose strict force debug reverse ascending recursive quiet is_* has_* should_*
    use_* allow_*
"""
_FUNCTIONS = """
    f func fn function callback predicate handler factory cb *_func *_fn
"""
_BYTES = """
    raw buf buffer bytes blob octets
"""
_STREAMS = """
    stream fp file fileobj fh
"""
_NAMES: tuple[tuple[list[str], str], ...] = (
    (_TEXTS.split(), "str"),
    (_COUNTS.split(), "int"),
    (_NUMBERS.split(), "int > float"),
    (_VALUES.split(), "int > float > str"),
    (_MEASURES.split(), "float > int"),
    (_SERIES.split(), "list"),
    (_MAPPINGS.split(), "dict"),
    (_FLAGS.split(), "bool"),
    (_FUNCTIONS.split(), "function > str"),
    (_BYTES.split(), "bytes > str"),
    (_STREAMS.split(), "file > str"),
)

_OF_TEXT = ("words", "names", "lines", "tokens")


def is_character(name: str) -> bool:
    """True if a loop variable of that name is likely a character."""
    return name in ("c", "ch", "char", "character", "letter", "digit")


def by_name(name: str, facts: ValueFacts, alone: bool) -> None:
    """Adds evidence from the name of a parameter; other evidence it only decides between."""
    known = {kind for item in facts.evidence for kind in item.shares()}
    name = name.strip("_").lower()
    kinds = _kinds_by_name(name)
    if not kinds:
        return
    if alone:
        facts.may_be(kinds, Strength.SUITS)
    elif likely := " > ".join(kind for kind in shares(kinds) if kind in known):
        facts.may_be(likely, Strength.HINT)
    if kinds == "list" and (alone or "list" in known) and facts.elements().vague():
        facts.elements().may_be("str" if name in _OF_TEXT else "int", Strength.HINT)


@functools.lru_cache(maxsize=4096)
def _kinds_by_name(name: str) -> str:
    """The kinds that a parameter of that name is likely of, "" where the name says nothing."""
    found = (kinds for patterns, kinds in _NAMES if any(fnmatchcase(name, pattern) for pattern in patterns))
    return next(found, "")


def by_type_comments(
    node: FunctionNode, facts: Mapping[str, ValueFacts], classes: Mapping[str, object]
) -> None:
    """Adds evidence from ``# type:`` comments (PEP 484): behind parameters, and of the whole function."""
    args = node.args
    last = (args.vararg, args.kwarg)
    inner = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    parameters = [item for item in inner if item is not None]
    for item in parameters:
        if item.type_comment and item.arg in facts:
            _commented(item.type_comment, facts[item.arg], classes)
    if not node.type_comment:
        return
    try:
        whole = ast.parse(node.type_comment, mode="func_type")
    except SyntaxError:
        return
    if len(whole.argtypes) == len(parameters) - 1:
        parameters = parameters[1:]  # the receiver's type is left out
    if len(whole.argtypes) != len(parameters):
        return
    for item, annotation in zip(parameters, whole.argtypes, strict=True):
        if item.arg in facts and item not in last:
            _commented(ast.unparse(annotation), facts[item.arg], classes)


def _commented(text: str, facts: ValueFacts, classes: Mapping[str, object]) -> None:
    """The annotation itself where its names mean something here, else what its words say."""
    node = expression(text)
    if node is None:
        return
    names = [item.id for item in ast.walk(node) if isinstance(item, ast.Name)]
    if all(name in classes or hasattr(builtins, name) or hasattr(typing, name) for name in names):
        facts.name(text, Strength.DECLARED)
    else:
        note_type(node, facts)
