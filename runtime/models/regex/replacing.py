"""`sub` and `subn`: with a template one expression, with a function the pieces put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.expr import Node, Sort, apply, const
from runtime.frames import hide_frames, trim_traceback
from runtime.lookup import decide
from runtime.models.calls.callee import callee_of
from runtime.models.regex.calls import RegexCall, bound_node
from runtime.models.regex.matches import SORTS, TracedMatch
from runtime.ops import MEANINGS
from runtime.private_builtins import keep_builtins
from runtime.scalars.text import item
from runtime.values import TRACED, check, kind_of, node_of, plain, settle, wrap

keep_builtins(globals())


def accept_template(call: RegexCall) -> None:
    """Record whether the pattern takes a traced replacement."""
    replacement = call.arguments["repl"]
    if kind_of(replacement) in TRACED:
        node = call.node("re.template_ok", Sort.BOOL, node_of(replacement))
        sound = MEANINGS["re.template_ok"](call.pattern.pattern, call.pattern.flags, plain(replacement))
        check(wrap(sound, node))


def replaced(call: RegexCall, native: Any) -> Any:
    """Return `sub` or `subn` by a template."""
    operands = [node_of(call.arguments["repl"]), node_of(call.text)]
    if "count" in call.arguments:
        operands.append(bound_node(call.arguments["count"]))
    text = native if call.name == "sub" else native[0]
    result = wrap(text, call.node("re.sub", SORTS[kind_of(text)], *operands))
    if call.name == "sub":
        return result
    both = call.node("re.subn", Sort.OBJ, *operands)
    return result, wrap(native[1], item(both, 1, Sort.INT))


def replaced_by(call: RegexCall, function: Callable[..., Any]) -> Any:
    """Return `sub` or `subn` by a function, called match after match."""
    whole = _Whole(call.text)
    matches = call.texts("re.finditer", Sort.OBJ)
    number = apply("len", Sort.INT, matches)
    limit = settle(call.arguments.get("count", 0)).__index__()
    called = callee_of(function)
    done = 0
    for found in call.pattern.finditer(plain(call.text)):
        if 0 < limit <= done:
            break
        decide(wrap(True, apply("gt", Sort.BOOL, number, const(done))))
        match = TracedMatch(found, call, item(matches, done, Sort.OBJ))
        whole.skip(match.start(), match.end())
        whole.take(called(match))
        done += 1
    else:
        decide(wrap(False, apply("gt", Sort.BOOL, number, const(done))))
    result = whole.finished()
    return result if call.name == "sub" else (result, done)


class _Whole:
    """The text that is being put together, plain and as an expression."""

    def __init__(self, text: Any) -> None:
        self._text = text
        self._exact = plain(text)
        self._sort = SORTS[kind_of(self._exact)]
        self._parts: list[Any] = []
        self._node = const(self._exact[:0])
        self._place: Any = 0

    def _add(self, node: Node) -> None:
        self._node = apply("add", self._sort, self._node, node)

    def _between(self, stop: Any) -> None:
        part = self._exact[plain(self._place) : plain(stop)]
        if part:
            self._parts.append(part)
        bounds = (node_of(self._place), node_of(stop), const(None))
        self._add(apply("slice", self._sort, node_of(self._text), *bounds))

    def skip(self, start: Any, end: Any) -> None:
        """Take the text before a match, and leave out the match."""
        self._between(start)
        self._place = end

    def take(self, value: Any) -> None:
        """Take the replacement of a match; None for nothing."""
        if value is not None:
            self._parts.append(plain(value))
            if kind_of(plain(value)) in SORTS:
                self._add(node_of(value))
            elif isinstance(value, type(self._exact)):
                self._add(const(self._exact[:0].join([value])))

    def finished(self) -> Any:
        """Return the whole text.

        Raises:
            TypeError: a part is no text; as Python says it.
        """
        self._between(None)
        return wrap(self._exact[:0].join(self._parts), self._node)


def replaced_in_plain(function: Callable[..., Any], text: Any, native: Callable[[Any], Any]) -> Any:
    """Return `sub` by a function where text and pattern are plain, but the replacement may be traced."""
    given: list[tuple[Any, Any]] = []
    is_plain = True

    def called(match: Any, /) -> Any:
        nonlocal is_plain
        try:
            value = function(match)
        except BaseException as error:
            trim_traceback(error)
            del match
            raise
        if type(value) is not str and kind_of(value) in TRACED:
            is_plain = False
        given.append((match, value))
        return value

    result = native(called)
    if is_plain:
        return result
    whole = _Whole(text)
    for match, value in given:
        whole.skip(*match.span())
        whole.take(value)
    return (whole.finished(), result[1]) if type(result) is tuple else whole.finished()


hide_frames(replaced_by)
hide_frames(replaced_in_plain)
