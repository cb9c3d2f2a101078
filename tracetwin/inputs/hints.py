"""Weak hints at types: docstrings (Google, NumPy, reST), type comments and the names of parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase

from tracetwin.inputs.facts import Facts
from tracetwin.inputs.sources import FunctionNode

# Patterns of names, and what they speak for.
_TEXTS = """
    text string s str word name *_name title label prefix suffix sep path filename url line message
    msg email pattern char ch token fmt format unit lang locale slug description currency
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
    f func fn function callback key predicate handler factory cb *_func *_fn
"""
_BYTES = """
    raw buf buffer bytes blob octets
"""
_STREAMS = """
    stream fp file fileobj fh
"""
_NAMES: tuple[tuple[list[str], dict[str, float]], ...] = (
    (_TEXTS.split(), {"str": 2.0}),
    (_COUNTS.split(), {"int": 2.0, "float": -1.0}),
    (_NUMBERS.split(), {"int": 1.0, "float": 0.5}),
    (_VALUES.split(), {"int": 0.8, "float": 0.6, "str": 0.5}),
    (_MEASURES.split(), {"float": 1.0, "int": 0.9}),
    (_SERIES.split(), {"list": 1.0}),
    (_MAPPINGS.split(), {"dict": 1.0}),
    (_FLAGS.split(), {"bool": 1.2}),
    (_FUNCTIONS.split(), {"function": 0.9, "str": 0.4}),
    (_BYTES.split(), {"bytes": 1.0, "str": 0.5}),
    (_STREAMS.split(), {"file": 1.0, "str": 0.5}),
)

_OF_TEXT = ("words", "names", "lines", "tokens")

_WORDS: dict[str, str] = {
    "int": "int",
    "integer": "int",
    "ints": "int",
    "integers": "int",
    "str": "str",
    "string": "str",
    "strings": "str",
    "strs": "str",
    "text": "str",
    "unicode": "str",
    "float": "float",
    "floats": "float",
    "double": "float",
    "bool": "bool",
    "boolean": "bool",
    "bytes": "bytes",
    "complex": "complex",
    "list": "list",
    "array": "list",
    "sequence": "list",
    "iterable": "list",
    "tuple": "tuple",
    "dict": "dict",
    "dictionary": "dict",
    "mapping": "dict",
    "set": "set",
    "callable": "function",
    "function": "function",
    "datetime": "datetime",
    "date": "date",
    "path": "path",
}


def is_character(name: str) -> bool:
    """Whether a loop variable of that name is likely a character."""
    return name in ("c", "ch", "char", "character", "letter", "digit")


def by_name(name: str, facts: Facts, alone: bool) -> None:
    """What the name of a parameter suggests; with other evidence it only decides between those types."""
    known = {kind for weights, _ in facts.evidence for kind in weights}
    name = name.strip("_").lower()
    for patterns, votes in _NAMES:
        if any(fnmatchcase(name, pattern) for pattern in patterns):
            facts.vote(**(votes if alone else {kind: 0.5 * votes[kind] for kind in votes if kind in known}))
            if "list" in votes and (alone or "list" in known):
                facts.elements().vote(**({"str": 0.8} if name in _OF_TEXT else {"int": 0.5}))
            return


def by_docstring(node: FunctionNode, facts: Mapping[str, Facts], classes: Mapping[str, object]) -> None:
    """What the docstring says of the types of parameters."""
    text = ast.get_docstring(node)
    if text:
        for name, description in _documented(text):
            if name in facts:
                _described(description, facts[name], classes)


_GOOGLE = r"(?m)^\s*\*{0,2}(\w+)\s*\(([^()]*(?:\([^()]*\))?[^()]*)\)\s*:"


def _documented(text: str) -> list[tuple[str, str]]:
    found = [(m[1], m[2]) for m in re.finditer(r":type\s+\*{0,2}(\w+)\s*:\s*(.+)", text)]
    found += [(m[2], m[1]) for m in re.finditer(r":param\s+([^:]+?)\s+(\w+)\s*:", text)]
    found += [
        (m[1], m[2])
        for m in re.finditer(r"(?m)^\s*\*{0,2}(\w+)\s*\(([^()]*(?:\([^()]*\))?[^()]*)\)\s*:", text)
    ]
    if numpy := re.search(
        r"(?ms)^\s*Parameters\s*\n\s*-{3,}\s*\n(.*?)(?:\n\s*\n\s*\w+\s*\n\s*-{3,}|\Z)", text
    ):
        found += [(m[1], m[2]) for m in re.finditer(r"(?m)^\s*\*{0,2}(\w+)\s*:\s*(.+)$", numpy[1])]
    return found


def _described(text: str, facts: Facts, classes: Mapping[str, object]) -> None:
    """Votes for a type in words: ``int``, ``list of str, optional``, ``str or None``."""
    text = text.strip().strip("`:").replace(":class:", "").replace("`", "").replace("~", "")
    plain = re.sub(r",?\s*\(?(optional|default\b.*)\)?\s*$", "", text, flags=re.IGNORECASE).strip()
    if "[" in plain:
        try:
            ast.parse(plain, mode="eval")
        except SyntaxError:
            return
        facts.name(plain, 5.0)
        return
    for part in re.split(r"\s*(?:\bor\b|\||/|,)\s*", plain):
        first, _, rest = part.partition(" of ")
        word = first.strip().rpartition(" ")[2].rpartition(".")[2]
        kind = _WORDS.get(word.lower())
        if word == "None":
            facts.none = True
        elif word in classes and isinstance(classes[word], type):
            facts.name(classes[word], 5.0)
        elif word.lower() in ("number", "numeric", "scalar"):
            facts.vote(int=4.5, float=4.0)
        elif kind is not None:
            facts.vote(**{kind: 5.0})
            if rest and (inner := _WORDS.get(rest.strip().partition(" ")[0].lower())):
                facts.elements().vote(**{inner: 4.0})


def by_type_comments(node: FunctionNode, facts: Mapping[str, Facts]) -> None:
    """What ``# type:`` comments say of parameters."""
    parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    for item in parameters:
        if item.type_comment and item.arg in facts:
            facts[item.arg].name(item.type_comment, 6.0)
    if not node.type_comment:
        return
    try:
        whole = ast.parse(node.type_comment, mode="func_type")
    except SyntaxError:
        return
    mine = [item for item in parameters if item.arg in facts]
    if len(whole.argtypes) == len(mine):
        for item, annotation in zip(mine, whole.argtypes, strict=True):
            if not isinstance(annotation, ast.Constant) or annotation.value is not Ellipsis:
                facts[item.arg].name(ast.unparse(annotation), 6.0)
