"""Docstrings read for types and exceptions: Google's, NumPy's, Sphinx's, Epytext's and PEP 257's forms."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Final

from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.spelled_types import Lookup, Meaning, note_type, usual
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.evidence.type_names import NUMBERS, WORDS
from tracetwin.support.syntax import expression

# Google: the indented entries below such a heading.
_SECTION: Final = re.compile(
    r"(?im)^[ \t]*(?:args|arguments|parameters|params|keyword args|keyword arguments|other parameters"
    r"|attributes)[ \t]*:[ \t]*$"
)
_GOOGLE: Final = re.compile(r"^[ \t]*\*{0,2}(\w+)[ \t]*\((.+?)\)[ \t]*:(?:\s|$)")
# NumPy: a heading above a line of hyphens, then `names : type`.
_NUMPY: Final = re.compile(
    r"(?ims)^[ \t]*(?:other )?(?:parameters|attributes)[ \t]*\n[ \t]*-{3,}[ \t]*\n"
    r"(.*?)(?=^[ \t]*[A-Z][\w ]*\n[ \t]*-{3,}|\Z)"
)
_NUMPY_ENTRY: Final = re.compile(r"^([*\w][\w, *]*?)[ \t]*:[ \t]*(.+)$")
# Sphinx `:type x: ...`, `:param int x: ...`; Epytext `@type x: ...`.
_FIELD: Final = re.compile(
    r"(?m)^[ \t]*[:@](type|vartype|param|parameter|arg|argument|key|keyword|kwtype)[ \t]+([^:\n]+?)[ \t]*:"
    r"(.*)$"
)
_OF_TYPES: Final = ("type", "vartype", "kwtype")
# PEP 257: `name -- what it is`, of which the first words may be a type.
_DASHED: Final = re.compile(r"(?m)^[ \t]*\*{0,2}(\w+)[ \t]+--[ \t]+(.+)$")
_PHRASE: Final = re.compile(
    r"(?:(?:an?|the)\s+)?(?:[\w-]+\s+)??([\w.-]+)((?:\s+of\s+[\w-]+(?:\s+to\s+[\w-]+)?)?)"
    r"(?:\s+(?:objects?|instances?|values?))?(?:\s+(?:taking|returning)\b.*|\s*(?:[;:,.(]|[-=]>).*)?$"
)

# What a parameter is, in prose: `:param x: The list of names to look for`, `x: a datetime at which to start`.
_PROSE: Final = re.compile(r"^[ \t]*\*{0,2}(\w+)[ \t]*:[ \t]+(\S.*)$")
_ARTICLE: Final = re.compile(r"(?i)(?:optional(?:ly)?,?\s+)?(?:an?|the|one|any|either)\s+")
_NOUN_ENDS: Final = re.compile(
    r"[,.;:(]|\s+-+\s|\s+(?:to|at|that|which|for|with|used|from|in|on|is|are|by|containing|whose|where|as|if|when"
    r"|holding|specifying|representing|describing|naming|of the)\b"
)
_SUCH: Final = re.compile(r"\s+(?:objects?|instances?|values?)$")

# Exceptions: Sphinx's field, the section of Google and NumPy and its entries.
_RAISES_FIELD: Final = re.compile(r"^:(?:raises?|exceptions?|except) +([\w.]+)", re.MULTILINE)
_RAISES: Final = re.compile(r"^Raises(?::|[ \t]*\n-+)[ \t]*\n((?:.*\n?)*)", re.MULTILINE)
_RAISES_ENTRY: Final = re.compile(r"^[ \t]*([A-Za-z_][\w.]*)[ \t]*(?::|$)", re.MULTILINE)

_MARKUP: Final = re.compile(r":[a-z][a-z:]*:`[~!]?([^`<]+?)(?:\s*<[^>]*>)?`")
_ASIDE: Final = re.compile(
    r"(?i)^(?:optional|required|keyword[- ]only|positional[- ]only|default(?:s|ed)?\b.*|if .*|shape\b.*"
    r"|of (?:shape|length|size)\b.*|must be\b.*|by default\b.*)$"
)
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"


def by_docstring(text: str | None, facts: Mapping[str, ValueFacts], classes: Mapping[str, object]) -> None:
    """Add what a docstring says of parameters."""
    if not text:
        return

    def lookup(name: str) -> Meaning:
        found = _class_of(name, classes) or _class_of(name.rpartition(".")[2], classes)
        return usual(name) or WORDS.get(name) if found is None else found

    for name, description in documented(inspect.cleandoc(text)):
        if name in facts:
            described(description, facts[name], lookup)
    for name, phrase in _noun_phrases(inspect.cleandoc(text)):
        if name in facts:
            _words(phrase, facts[name], lookup, Strength.USED)


def _class_of(name: str, names: Mapping[str, object]) -> type | None:
    """The class that a dotted name means where these names are known."""
    first, *rest = name.split(".")
    found = names.get(first)
    for part in rest:
        found = vars(found).get(part) if isinstance(found, (ModuleType, type)) else None
    return found if isinstance(found, type) else None


def documented(text: str) -> Iterator[tuple[str, str]]:
    """The parameters that a docstring describes with a type, and these types as they are written."""
    for found in _FIELD.finditer(text):
        yield from _of_field(found[1], found[2].split(), _with_continuation(text, found))
    for section in _NUMPY.finditer(text):
        for line in inspect.cleandoc(section[1]).splitlines():
            if entry := _NUMPY_ENTRY.match(line):
                yield from ((name.strip(" *"), entry[2]) for name in entry[1].split(","))
    for dashed in _DASHED.finditer(text):
        if phrase := _PHRASE.match(dashed[2]):
            yield dashed[1], phrase[1] + phrase[2]
    for heading in _SECTION.finditer(text):
        for line in _below(text[heading.end() :], _indent(heading[0])):
            if entry := _GOOGLE.match(line):
                yield entry[1], entry[2]


def _noun_phrases(text: str) -> Iterator[tuple[str, str]]:
    """The parameters that a docstring describes without a type, and the first noun that each is called by."""
    told: list[tuple[str, str]] = []
    for found in _FIELD.finditer(text):
        if found[1] not in _OF_TYPES and " " not in found[2]:
            told += [(found[2].strip("*\\`"), _with_continuation(text, found))]
    for heading in _SECTION.finditer(text):
        lines = _below(text[heading.end() :], _indent(heading[0]))
        told += [(entry[1], entry[2]) for entry in map(_PROSE.match, lines) if entry is not None]
    for name, prose in told:
        words = _MARKUP.sub(r"\1", prose).replace("`", "").strip()
        if article := _ARTICLE.match(words):
            words = words[article.end() :]
        yield name, _SUCH.sub("", _NOUN_ENDS.split(words, maxsplit=1)[0])


def documented_errors(text: str) -> list[str]:
    """The names of the exceptions that a docstring promises, in the forms of Google, NumPy and Sphinx."""
    found = [*_RAISES_FIELD.findall(text)]
    for section in _RAISES.finditer(text):
        found += _RAISES_ENTRY.findall(section[1])
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _below(text: str, indent: int) -> Iterator[str]:
    """The entries of a section: its lines of the first indentation that is deeper than the heading's."""
    first = 0
    for line in text.splitlines():
        if not line.strip():
            continue
        if _indent(line) <= indent:
            return
        first = first or _indent(line)
        if _indent(line) == first:
            yield line


def _of_field(role: str, words: list[str], rest: str) -> Iterator[tuple[str, str]]:
    """``:type x: int`` has the type behind it, ``:param int x:`` before the name."""
    name = words[-1].strip("*\\`")
    if role in _OF_TYPES:
        yield name, rest
    elif len(words) > 1:
        yield name, " ".join(words[:-1])


def _with_continuation(text: str, found: re.Match[str]) -> str:
    """The text behind a field, with the lines that are indented below it."""
    lines = [found[3]]
    for line in text[found.end() :].splitlines()[1:]:
        if not line.startswith((" ", "\t")) or line.lstrip().startswith((":", "@")):
            break
        lines.append(line)
    return " ".join(line.strip() for line in lines)


def described(text: str, facts: ValueFacts, lookup: Lookup = usual) -> bool:
    """Add what a type in words says: ``int``, ``list of str, optional``, ``{'a', 'b'}``, ``str or None``.

    Returns:
        Whether it says anything.
    """
    text = _MARKUP.sub(r"\1", text).replace("`", "").strip(" .~!")
    said = False
    for part in _alternatives(text):
        said = _part(part, facts, lookup) or said
    return said


def _alternatives(text: str) -> list[str]:
    """The types between `or`, `|`, `/` and commas, none of them inside of brackets; without asides."""
    parts = [""]
    depth = 0
    for token in re.split(r"(\s+or\s+|[][(){}|/,]|'[^']*'|\"[^\"]*\")", text):
        depth += (token in _OPENING) - (token in _CLOSING) if token else 0
        if not depth and (token in ("|", "/", ",") or token.strip() == "or"):
            parts.append("")
        else:
            parts[-1] += token
    parts = [re.sub(r"(?i)^or\s+|^either\s+|^one of\s+(?=[{(\[])", "", part.strip()) for part in parts]
    return [part for part in parts if part and not _ASIDE.match(part)]


def _part(text: str, facts: ValueFacts, lookup: Lookup) -> bool:
    """One alternative."""
    if (enclosed := _enclosed(text)) is not None:
        return _choice(enclosed, facts, lookup)
    if text == "None":
        facts.none = True
        return True
    match expression(text):
        case ast.Constant(value=str() | int() | bytes()) as constant:
            return note_type(ast.Subscript(ast.Name("Literal"), constant), facts, lookup)
        case ast.List(elts=[inner]):
            return note_type(ast.Subscript(ast.Name("list"), inner), facts, lookup)
        case ast.Subscript() | ast.BinOp() as node if note_type(node, facts, lookup):
            return True
        case _:
            return _words(text, facts, lookup)


def _enclosed(text: str) -> list[str] | None:
    """The parts in the braces or parentheses around a whole text; None where there are none."""
    if len(text) < 2 or text[0] + text[-1] not in ("{}", "()"):
        return None
    return [part.strip() for part in _split(text[1:-1])]


def _split(text: str) -> list[str]:
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def _choice(parts: list[str], facts: ValueFacts, lookup: Lookup) -> bool:
    """``{'left', 'right'}`` names the values, ``(int, str)`` the items of a tuple, ``(int)`` a type."""
    nodes = [expression(part) for part in parts]
    if nodes and all(isinstance(node, ast.Constant) for node in nodes):
        literal = ast.Subscript(ast.Name("Literal"), ast.Tuple([node for node in nodes if node is not None]))
        return note_type(literal, facts, lookup)
    if len(parts) == 1:
        return described(parts[0], facts, lookup)
    items = [ValueFacts() for _ in parts]
    said = [described(part, item, lookup) for part, item in zip(parts, items, strict=True)]
    if not any(said):
        return False
    facts.may_be("tuple", Strength.DECLARED)
    facts.arity = facts.arity or items
    return True


def _words(text: str, facts: ValueFacts, lookup: Lookup, strength: Strength = Strength.DECLARED) -> bool:
    """``positive integer``, ``list of str``, ``dict of str to int``, ``tuple of (int, str)``."""
    head, _, rest = _of(text)
    word = head.rpartition(" ")[2]
    if word.lower() in NUMBERS:
        facts.may_be("int > float", strength)
        return True
    first = head.partition(" ")[0]
    meaning = lookup(word) or WORDS.get(word.lower()) or lookup(first) or WORDS.get(first.lower())
    if isinstance(meaning, type):
        facts.name(meaning, strength)
    elif isinstance(meaning, str):
        facts.may_be(meaning, strength)
        if rest:
            _inside(meaning, rest, facts, lookup)
    return meaning is not None


def _of(text: str) -> tuple[str, str, str]:
    """Around the first `of`, `mapping`, `with` or opening parenthesis."""
    found = re.search(r"\s+(?:of|containing|mapping|from|with)\s+|\s*(?=[(<\[])", text)
    if found is None or not found.start():
        return text, "", ""
    return text[: found.start()], found[0], text[found.end() :]


def _inside(kind: str, text: str, facts: ValueFacts, lookup: Lookup) -> None:
    """Adds evidence for the elements of a container."""
    if kind == "dict":
        key, _, value = re.sub(r"[()<>]", " ", text).strip().partition(" to ")
        if not value:
            key, _, value = key.partition(":") if ":" in key else key.partition(",")
        described(key, facts.key_facts(), lookup)
        if value:
            described(value, facts.elements(), lookup)
    elif kind == "tuple" and (parts := _enclosed(text)) is not None and len(parts) > 1:
        _choice(parts, facts, lookup)
    elif kind in ("list", "set", "frozenset", "tuple", "iterator"):
        described(re.sub(r"^<(.*)>$", r"\1", text), facts.elements(), lookup)
