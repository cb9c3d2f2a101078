"""Strings and bytes in z3's sequence theory; bytes are strings of the code points 0 to 255."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.encoding import TextEncoding
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.objects import Match
from tracetwin.solving.smt.seq import numbers, regex, split
from tracetwin.solving.smt.seq.classes import Reading
from tracetwin.solving.smt.seq.octets import text_of
from tracetwin.solving.smt.terms import Term, Terms, Unsupported
from tracetwin.solving.smt.z3lib import z3

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_MOST_REPEATS: Final = 40
_LAST_BYTE: Final = 255


class Sequences(TextEncoding):
    """The encoding."""

    name = "sequence"

    def __init__(self, terms: Terms, *, wide: bool = False) -> None:
        """Take the context; `wide` is for proofs about patterns whose sets have letters of all scripts."""
        super().__init__(terms)
        self.wide = wide
        self.handlers = HANDLERS

    def constant(self, value: Any) -> Term:
        return self.terms.text(value if isinstance(value, str) else value.decode("latin-1"))

    def variable(self, name: str, sort: Sort) -> Term:
        return self.terms.variable(name, self.terms.text_sort)

    def fresh(self, hint: str, sort: Sort) -> Term:
        return self.terms.fresh(self.terms.text_sort, hint)

    def prefix(self, prefix: Term, text: Term) -> Term:
        """Return whether `text` starts with `prefix`."""
        return self.terms.prefix(prefix, text)

    def suffix(self, suffix: Term, text: Term) -> Term:
        """Return whether `text` ends with `suffix`."""
        return self.terms.suffix(suffix, text)

    def within(self, term: Term, most: int) -> Term | None:
        return self.terms.le(self.terms.length(term), self.terms.int(most))

    def made_of(
        self,
        translator: Translator,
        text: Term,
        ranges: Sequence[tuple[int, int]],
        *,
        complete: bool,
        empty: bool,
    ) -> Term:
        """Return whether it is in the regular language of texts of such characters."""
        if not complete:
            translator.inexact()
        return self.terms.matches(text, regex.repeated(self.terms, ranges, empty=empty))

    def value(self, model: Any, term: Term, sort: Sort) -> object:
        """The Python text of a term in a model."""
        found = model.eval(term, model_completion=True)
        if not z3.is_string_value(found):
            raise Unsupported("a text that has no value in the model")
        text = to_text(found)
        if sort is Sort.STR:
            return text
        if any(ord(ch) > _LAST_BYTE for ch in text):
            raise Unsupported("characters that are no bytes")
        return text.encode("latin-1")


def to_text(literal: Any) -> str:
    """The content of a z3 string literal, character by character (its printed form is ambiguous)."""
    ref = literal.ctx.ref()
    length = z3.Z3_get_string_length(ref, literal.ast)
    codes = (ctypes.c_uint * length)()
    z3.Z3_get_string_contents(ref, literal.ast, length, codes)
    return "".join(map(chr, codes))


def _concat(tr: Translator, _node: Node, args: list[Term]) -> Term:
    return tr.terms.concat(*args)


def _repeat(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    text, count = (0, 1) if node.args[1].sort in (Sort.INT, Sort.BOOL) else (1, 0)
    times = constant(node.args[count])
    if times is not None:
        if times > _MOST_REPEATS:
            raise Unsupported("that many repetitions")
        return t.concat(*[args[text]] * times) if times > 0 else t.text("")
    number = tr.ints(node, args)[count]
    result = tr.abstract(node)
    positive = t.ite(t.lt(number, t.int(0)), t.int(0), number)
    tr.side(t.eq(t.length(result), t.mul(positive, t.length(args[text]))))
    return result


def _length(tr: Translator, _node: Node, args: list[Term]) -> Term:
    return tr.terms.length(args[0])


def _position(tr: Translator, node: Node, args: list[Term]) -> Term:
    """An index as z3 counts it: negative ones from the end."""
    t = tr.terms
    index = constant(node.args[1])
    from_end = t.add(t.length(args[0]), args[1])
    if index is not None:
        return args[1] if index >= 0 else from_end
    return t.ite(t.lt(args[1], t.int(0)), from_end, args[1])


def _item(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    args = tr.ints(node, args)
    turned = _turned(node.args[0])
    if turned is not None:  # count from the other end instead
        source = tr.done[turned].term
        args = [source, args[1]]
        at = t.at(source, t.sub(t.sub(t.length(source), t.int(1)), _position(tr, node, args)))
    else:
        at = t.at(args[0], _position(tr, node, args))
    return at if node.args[0].sort is Sort.STR else t.code(at)


def _bound(tr: Translator, length: Term, bound: Node, term: Term, default: Term) -> Term:
    """A slice bound as an offset from the start, not below zero."""
    t = tr.terms
    if bound.sort is Sort.OBJ:
        if bound.op == "const" and bound.data is None:
            return default
        raise Unsupported("a slice bound that may be None")
    value = constant(bound)
    if value is not None and value >= 0:
        return term
    from_end = t.add(length, term)
    clipped = t.ite(t.lt(from_end, t.int(0)), t.int(0), from_end)
    return clipped if value is not None else t.ite(t.lt(term, t.int(0)), clipped, term)


def _slice(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    step = node.args[3]
    if step.op != "const" or step.data not in (None, 1):
        return _strange_slice(tr, node, args)
    args = tr.ints(node, args)
    length = t.length(args[0])
    start = _bound(tr, length, node.args[1], args[1], t.int(0))
    stop = _bound(tr, length, node.args[2], args[2], length)
    return t.extract(args[0], start, t.sub(stop, start))


def _turned(node: Node) -> Node | None:
    """The text that ``node`` is the reverse of, if it is ``text[::-1]``."""
    if node.op != "slice" or [bound.data for bound in node.args[1:]] != [None, None, -1]:
        return None
    return node.args[0] if all(bound.op == "const" for bound in node.args[1:]) else None


def _strange_slice(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    if _turned(node) is not None:
        result = tr.abstract(node)
        tr.side(t.eq(t.length(result), t.length(args[0])))
        return result
    raise Unsupported("a slice with a step")


def _comparison(tr: Translator, node: Node, args: list[Term]) -> Term:
    return tr.terms.compare_texts(node, args, tr.terms.eq, tr.terms.text_lt, tr.terms.text_le)


def _contains(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    if node.args[1].sort in (Sort.INT, Sort.BOOL):
        return t.contains(args[0], t.from_code(tr.ints(node, args)[1]))
    return t.contains(args[0], args[1])


def _affix(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    if len(args) != 2 or node.args[1].sort is not node.args[0].sort:
        raise Unsupported("an affix within bounds")
    test = t.prefix if node.op.endswith("startswith") else t.suffix
    return test(args[1], args[0])


def _find(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    name = node.op.partition(".")[2]
    if len(args) > 3 or node.args[1].sort is not node.args[0].sort:
        raise Unsupported("find within bounds")
    if name.startswith("r"):
        if len(args) > 2:
            raise Unsupported("rfind within bounds")
        return t.last_index(args[0], args[1])
    start = t.int(0)
    if len(args) == 3:
        start = _bound(tr, t.length(args[0]), node.args[2], tr.ints(node, args)[2], start)
    return t.index(args[0], args[1], start)


def _count(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    if len(args) != 2 or node.args[1].sort is not node.args[0].sort:
        raise Unsupported("count within bounds")
    if node.args[1].op != "const" or not node.args[1].data:
        raise Unsupported("counting what may be nothing")
    result = tr.abstract(node)
    zero, one = t.int(0), t.int(1)
    several = t.contains(args[0], t.concat(args[1], args[1]))
    tr.side(t.le(zero, result))
    tr.side(t.eq(t.lt(zero, result), t.contains(args[0], args[1])))
    tr.side(t.or_(t.not_(several), t.lt(one, result)))
    tr.side(t.le(t.mul(result, t.length(args[1])), t.add(t.length(args[0]), one)))
    return result


def _replace(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    old = node.args[1]
    count = constant(node.args[3]) if len(node.args) > 3 else -1
    if old.op != "const" or not old.data or count is None:
        raise Unsupported("replace of a variable text")
    if count < 0:
        return t.replace_all(args[0], args[1], args[2])
    if count == 1:
        return t.replace(args[0], args[1], args[2])
    raise Unsupported("replace a number of times")


def _remove_affix(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    text, affix = args
    rest = t.sub(t.length(text), t.length(affix))
    if node.op.endswith("prefix"):
        return t.ite(t.prefix(affix, text), t.extract(text, t.length(affix), rest), text)
    return t.ite(t.suffix(affix, text), t.extract(text, t.int(0), rest), text)


def _class_test(tr: Translator, node: Node, args: list[Term]) -> Term:
    language, exact = regex.method_class(tr.terms, node.op.partition(".")[2], node.args[0].sort)
    if not exact:
        tr.inexact()
    return tr.terms.matches(args[0], language)


def _ord(tr: Translator, _node: Node, args: list[Term]) -> Term:
    tr.inexact()  # Python has more characters than z3
    return tr.terms.code(args[0])


def _chr(tr: Translator, node: Node, args: list[Term]) -> Term:
    tr.inexact()
    return tr.terms.from_code(tr.ints(node, args)[0])


def _recode(tr: Translator, _node: Node, args: list[Term]) -> Term:
    """Encode and decode: the same code points, as long as they are ASCII."""
    tr.inexact()
    return args[0]


def _pattern(tr: Translator, node: Node, args: list[Term]) -> Term:
    if len(node.args) != 3:
        raise Unsupported("a search from a place on")
    pattern, flags, _ = node.args
    if pattern.op != "const" or flags.op != "const":
        raise Unsupported("a variable pattern")
    kind = node.op.partition(".")[2]

    def language(reading: Reading) -> regex.Language:
        return regex.compiled(tr.terms, pattern.data, constant(flags) or 0, kind, reading)

    assert isinstance(tr.text, Sequences)
    if tr.text.wide:
        return _between(tr, args[2], language(Reading.MORE), language(Reading.LESS))
    likely = language(Reading.ASCII)
    if not likely.exact:
        tr.inexact()
    found = tr.terms.matches(args[2], likely.term)
    return Match(found, split.group_spans(tr, args[2], found, likely))


def _between(tr: Translator, text: Term, more: regex.Language, less: regex.Language) -> Term:
    """A match that is known within bounds: more models than the pattern has, never fewer."""
    t = tr.terms
    found = tr.auxiliary(t.bool_sort)
    tr.side(t.or_(t.not_(found), t.matches(text, more.term)))
    tr.side(t.or_(found, t.not_(t.matches(text, less.term))))
    return Match(found, split.group_spans(tr, text, found, more))


_METHODS: Final[dict[str, Handler]] = {
    "startswith": _affix,
    "endswith": _affix,
    "find": _find,
    "rfind": _find,
    "index": _find,
    "rindex": _find,
    "count": _count,
    "replace": _replace,
    "removeprefix": _remove_affix,
    "removesuffix": _remove_affix,
    "encode": _recode,
    "decode": _recode,
    "split": split.split,
    "rsplit": split.split,
    "partition": split.partition,
    "rpartition": split.partition,
    **dict.fromkeys(("strip", "lstrip", "rstrip"), split.strip),
    **dict.fromkeys(("upper", "lower", "casefold", "swapcase"), split.changed_case),
    **dict.fromkeys(("isupper", "islower", "isidentifier"), _class_test),
}

HANDLERS: Final[dict[str, Handler]] = {
    **numbers.HANDLERS,
    **{f"{kind}.{name}": handler for kind in ("str", "bytes") for name, handler in _METHODS.items()},
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _comparison),
    **dict.fromkeys(("re.match", "re.fullmatch", "re.search"), _pattern),
    "add": _concat,
    "mul": _repeat,
    "len": _length,
    "item": _item,
    "slice": _slice,
    "contains": _contains,
    "ord": _ord,
    "chr": _chr,
    "to_bytes": text_of,
}
