"""Expressions as a person would write them in Python: ``self.cur_qtrs > 0``, ``len(self.items)``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from runtime.expr import Node, Sort, const_int
from tracetwin.explore.loop.run import Run
from tracetwin.model.case import Act, Step
from tracetwin.model.recipe import (
    Call,
    Dictionary,
    Recipe,
    Reference,
    Scalar,
    Series,
    SeriesKind,
    Variable,
    subscripted,
)
from tracetwin.support.text import count, without_addresses

_BINARY: Final[Mapping[str, tuple[str, int]]] = {
    "or": ("or", 1), "and": ("and", 2), "or_": ("|", 5), "xor": ("^", 6), "and_": ("&", 7),
    "lshift": ("<<", 8), "rshift": (">>", 8), "add": ("+", 9), "sub": ("-", 9), "mul": ("*", 10),
    "truediv": ("/", 10), "floordiv": ("//", 10), "mod": ("%", 10), "percent": ("%", 10), "pow": ("**", 12),
    "eq": ("==", 4), "ne": ("!=", 4), "lt": ("<", 4), "le": ("<=", 4), "gt": (">", 4), "ge": (">=", 4),
}  # fmt: skip
_COMPARING: Final = 4
_NOT: Final = 3
_UNARY: Final[Mapping[str, str]] = {"neg": "-", "invert": "~"}
_SIGN: Final = 11
_ATOM: Final = 20
_LOWEST: Final = 0
_WORDS: Final[Mapping[str, str]] = {"to_int": "int", "to_float": "float"}
_TURNED: Final[Mapping[str, str]] = {"lt": ">", "le": ">=", "gt": "<", "ge": "<=", "eq": "==", "ne": "!="}
_DEEPEST: Final = 12
_MOST_NODES: Final = 1_000
"""Operations in one text: what stands in it several times is written as often, which may be without end."""

_CHOICE: Final = re.compile(r"\|\d+")
_RAISED: Final = re.compile(r"!\d+")
_OF_CALL: Final = re.compile(r"^(?:@?\d+\.(?:[^.]*\.)?)+")


_DECIDED: Final = re.compile(r"^(.+?)(?:\.([^.]+)\?in|(\?given)|(@result|@)|~(\d+))$")
"""Variables that decide how an input is made: it has a key, is passed, is another one, has calls before."""
_PREPARING: Final = re.compile(r"^(.+)~\d+\.(\w+)\.(.+)$")
"""An argument of a call that prepares an object."""


def told_kinds(kinds: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return alternatives in words, those by their numbers of which nothing is known."""
    return {
        name: tuple(word or f"is of kind {number}" for number, word in enumerate(words))
        for name, words in kinds.items()
    }


def condition_text(
    nodes: Iterable[Node], kinds: Mapping[str, tuple[str, ...]] | None = None, most: int = _MOST_NODES
) -> str:
    """A conjunction in Python's words, "True" where it is empty; see `text`."""
    known = kinds or {}
    listed = [(node, _choice(node) or ("", "", 0)) for node in nodes]
    named = {name for _, (name, op, _) in listed if op == "eq" and name in known}
    told = [node for node, (name, op, _) in listed if op != "ne" or name not in named]
    shown = [part for part in dict.fromkeys(_conjunct(node, known, most) for node in told) if part]
    return " and ".join(shown) or "True"


def text(node: Node, most: int = _MOST_NODES) -> str:
    """One expression in Python's words, of one with more than `most` operations the outermost ones."""
    return _text(node, _LOWEST, _outset(node, most))


def _outset(node: Node, most: int) -> int:
    """Return at which depth to begin, so that no more is written than anybody would read."""
    level, written = [node], 0
    for depth in range(_DEEPEST):
        written += len(level)
        level = [arg for one in level for arg in one.args][:most]
        if not level or written + len(level) >= most:
            return 0 if not level else _DEEPEST - depth
    return 0


def name_text(name: str) -> str:
    """A variable as a person names it: ``self.items#`` is ``len(self.items)``, ``1.add.n`` is ``n``."""
    plain = _plain(name)
    if plain.endswith("!"):
        return f"outcome of {plain[:-1]}"
    if plain.startswith("~"):
        return f"kind of {plain[1:]}"
    if plain.endswith("#"):
        return f"len({name_text(plain[:-1])})"
    if found := _PREPARING.match(plain):
        return f"{name_text(found[1])}.{found[2]}({name_text(found[3])})"
    if _DECIDED.match(plain):
        return decision_text(plain, "ne", 0)
    return f"kind of {plain[:-1]}" if plain.endswith("?") else plain


def _plain(name: str) -> str:
    return _RAISED.sub(".raised", _CHOICE.sub("", _OF_CALL.sub("", name)))


def decision_text(name: str, op: str, number: int) -> str:
    """Return what it means that a variable which decides how an input is made is, or is not, a number."""
    found = _DECIDED.match(_plain(name))
    if found is None:
        return ""
    owner, key, given, again, calls = name_text(found[1]), *found.groups()[1:]
    holds = (op == "eq") == bool(number)
    if key:
        return f"{owner} has {key}" if holds else f"{owner} has no {key}"
    if given:
        return f"{owner} is passed" if holds else f"{owner} is not passed"
    no = "" if op == "eq" else "not "
    if again:
        known = "what an earlier call returned" if again == "@result" else "an object that was there before"
        new = not number and op == "eq"
        return f"{owner} is a new object" if new else f"{owner} is {no if number else ''}{known}"
    if number:
        return f"call {int(calls) + 1} on {owner} before is {no}choice {number}"
    counted = count(int(calls), "call")
    if calls == "0":
        return f"{owner} has {'no calls' if op == 'eq' else 'calls'} before"
    return f"{owner} has {'at most' if op == 'eq' else 'more than'} {counted} before"


def _decision(node: Node) -> str:
    """The words for a condition on how an input is made, "" for others."""
    if node.op not in ("eq", "ne") or node.args[0].op != "var" or not isinstance(node.args[1].data, int):
        return ""
    return decision_text(str(node.args[0].data), node.op, node.args[1].data)


def _conjunct(node: Node, kinds: Mapping[str, tuple[str, ...]], most: int) -> str:
    if node.op in ("ge", "lt") and node.args[0].op == "var" and node.args[0].data in kinds:
        return ""  # how many alternatives there are
    chosen = _choice(node)
    if chosen is not None:
        name, op, number = chosen
        words = kinds.get(name)
        if words is not None and 0 <= number < len(words):
            is_it = f"{name_text(name)[8:]} {words[number]}"
            if op == "eq":
                return is_it
            if len(words) == 2:
                return f"{name_text(name)[8:]} {words[1 - number]}"
            return f"not {is_it}"
        return "" if words is not None else _text(node, _NOT, _outset(node, most))
    if node.op in ("and", "or") and not kinds.keys().isdisjoint(node.names):
        return f"({f' {node.op} '.join(_conjunct(part, kinds, most) or 'True' for part in node.args)})"
    if node.op == "not" and not kinds.keys().isdisjoint(node.names):
        return f"not {_conjunct(node.args[0], kinds, most)}"
    return _text(node, _NOT, _outset(node, most))


def _choice(node: Node) -> tuple[str, str, int] | None:
    if node.op not in ("eq", "ne") or node.args[0].op != "var" or node.args[1].op != "const":
        return None
    name, number = str(node.args[0].data), node.args[1].data
    return (name, node.op, number) if name.endswith("?") and isinstance(number, int) else None


def _text(node: Node, around: int, depth: int) -> str:
    if depth > _DEEPEST:
        return "..."
    written, strength = _written(node, depth + 1)
    return f"({written})" if strength < around else written


def _written(node: Node, depth: int) -> tuple[str, int]:
    """The text, and how tightly its outermost operator binds."""
    op, args = node.op, node.args
    if op == "const":
        return without_addresses(repr(node.data)), _SIGN if _is_negative(node.data) else _ATOM
    if op == "var":
        return name_text(str(node.data)), _ATOM
    if told := _decision(node):
        return told, _COMPARING
    if op.removesuffix("_ok") in _BINARY and len(args) == 2:
        return _binary(node, depth)
    if op in _UNARY:
        return f"{_UNARY[op]}{_text(args[0], _SIGN, depth)}", _SIGN
    if op == "not":
        return f"not {_text(args[0], _NOT, depth)}", _NOT
    return _written_otherwise(node, depth)


def _written_otherwise(node: Node, depth: int) -> tuple[str, int]:
    """Return the text of an operation that has no operator sign: a call, a method, a slice."""
    op, args = node.op, node.args
    if op == "ite":
        table = _table(node)
        if table is not None:
            return f"{table[0]!r}[{_text(table[1], _LOWEST, depth)}]", _ATOM
        condition, then, otherwise = (_text(arg, 1, depth) for arg in args)
        return f"{then} if {condition} else {otherwise}", _LOWEST
    if op == "item":
        return f"{_text(args[0], _ATOM, depth)}[{_text(args[1], _LOWEST, depth)}]", _ATOM
    if op == "slice" and len(args) == 4:
        return _slice(node, depth), _ATOM
    if op == "contains":
        return f"{_text(args[1], 5, depth)} in {_text(args[0], 5, depth)}", _COMPARING
    if op == "is_none":
        return f"{_text(args[0], 5, depth)} is None", _COMPARING
    return _call(node, depth), _ATOM


def _table(node: Node) -> tuple[tuple[object, ...], Node] | None:
    """The tuple and index that a choice between constants by the values of one expression was made of."""
    values: list[object] = []
    places: list[object] = []
    index: Node | None = None
    while node.op == "ite" and node.args[0].op == "eq" and node.args[1].op == "const":
        asked, place = node.args[0].args
        if place.op != "const" or (index is not None and asked is not index):
            return None
        index = asked
        places.append(place.data)
        values.append(node.args[1].data)
        node = node.args[2]
    if index is None or node.op != "const" or len(values) < 2:
        return None
    values.append(node.data)
    return (tuple(values), index) if places in _places(len(values)) else None


def _places(count: int) -> list[list[int]]:
    """The indices that all but the last item of a tuple have, from the front and from the back."""
    return [list(range(count - 1)), list(range(-count, -1))]


def _slice(node: Node, depth: int) -> str:
    parts = ["" if arg.op == "const" and arg.data is None else _text(arg, 1, depth) for arg in node.args[1:]]
    if parts[2:] == [""]:
        parts.pop()
    return f"{_text(node.args[0], _ATOM, depth)}[{':'.join(parts)}]"


def _is_negative(value: object) -> bool:
    return isinstance(value, (int, float)) and value < 0


def _binary(node: Node, depth: int) -> tuple[str, int]:
    word, strength = _BINARY[node.op.removesuffix("_ok")]
    left, right = node.args
    if node.op.endswith("_ok"):
        return f"{_text(left, strength, depth)} {word} {_text(right, strength + 1, depth)} works", _COMPARING
    if left.op == "re.shape" and isinstance(right.data, tuple):
        return f"re.compile({_text(left.args[0], _LOWEST, depth)}).groups {word} {right.data[0]}", strength
    if strength == _COMPARING and left.op == "const":
        return f"{_text(right, 5, depth)} {_TURNED[node.op]} {_text(left, 5, depth)}", strength
    if strength == _COMPARING and left.sort is Sort.INT and right.op == "const":
        word, left, right = _plain_comparison(node)
    if node.op == "add" and node.sort is Sort.INT and right.op == "const" and _is_negative(right.data):
        return f"{_text(left, strength, depth)} - {-right.data}", strength  # type: ignore[operator]
    around = strength + 1 if strength == _COMPARING else strength
    return f"{_text(left, around, depth)} {word} {_text(right, strength + 1, depth)}", strength


def _plain_comparison(node: Node) -> tuple[str, Node, Node]:
    """``x >= 1`` as ``x > 0``, and ``x - y < 1`` as ``x <= y``."""
    word, (left, right) = _BINARY[node.op][0], node.args
    if (node.op, right.data) in (("ge", 1), ("le", -1)):
        word, right = word[0], const_int(0)
    if left.op == "sub" and right.data == 0:
        left, right = left.args
    return word, left, right


def _call(node: Node, depth: int) -> str:
    op = node.op.removesuffix("_ok")
    works = " works" if op != node.op else ""
    owner, _, name = op.partition(".")
    if owner in ("str", "bytes") and name and node.args:
        rest = ", ".join(_text(arg, _LOWEST, depth) for arg in node.args[1:])
        return f"{_text(node.args[0], _ATOM, depth)}.{name}({rest}){works}"
    inside = ", ".join(_text(arg, _LOWEST, depth) for arg in node.args)
    return f"{_WORDS.get(op, op)}({inside}){works}"


def call_text(run: Run) -> str:
    """A run's sequence of calls in one line: ``CoinBox(); add_qtr(); vend()``."""
    return "; ".join(_step_text(step) for step in run.steps)


def _step_text(step: Step) -> str:
    given = _given(step.args, step.kwargs)
    if step.act is Act.GET:
        return step.name
    return f"{step.name} = {given}" if step.act is Act.SET else f"{step.name}({given})"


def _given(args: Iterable[Recipe], kwargs: Iterable[tuple[str, Recipe]]) -> str:
    return ", ".join([*map(recipe_text, args), *(f"{name}={recipe_text(part)}" for name, part in kwargs)])


def recipe_text(recipe: Recipe) -> str:
    """An argument in short."""
    match recipe:
        case Scalar(value):
            return repr(value)
        case Series(SeriesKind.LIST, items):
            return f"[{', '.join(map(recipe_text, items))}]"
        case Series(SeriesKind.TUPLE, items):
            inside = ", ".join(map(recipe_text, items))
            return f"({inside},)" if len(items) == 1 else f"({inside})"
        case Dictionary(pairs):
            return "{" + ", ".join(f"{recipe_text(k)}: {recipe_text(v)}" for k, v in pairs) + "}"
        case Variable(name) | Reference(_, name):
            return name
        case Call(_, name, args) if holder := subscripted(name):
            return f"{holder}[{_given(args, ())}]"
        case Call(_, name, args, kwargs):
            return f"{name}({_given(args, kwargs)})"
        case _:
            return "..."
