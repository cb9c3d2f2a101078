"""Tools that inverses of operators share: the values of a run, and simple changes of values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeAlias

from runtime.expr import Node
from tracetwin.solving.constants import ConstantPool
from tracetwin.solving.task import Task

Proposal: TypeAlias = tuple[Node, Any]
"""An operand, and what it should be."""


class View:
    """The values of all expressions in the last evaluation of a task's program."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._program = task.program

    def value(self, node: Node) -> Any:
        """The value of an expression."""
        return self._program.value(node)

    @cached_property
    def texts(self) -> list[str]:
        """The constant texts of the conditions."""
        return [text for text in ConstantPool(self._task.nodes).texts if text][:12]

    @cached_property
    def separators(self) -> list[str]:
        """Texts that may stand between two matches of a pattern."""
        mentioned = [text for text in self.texts if len(text) <= 2 and not text.isalnum()]
        return list(dict.fromkeys(("", " ", ",", ";", *mentioned, "\n", "-", "a")))


Inverse: TypeAlias = Callable[[Node, Any, View], Iterator[Proposal]]
"""For an expression and its wished value, what its operands should be."""


def undone_by(undo: Callable[[Any], Any]) -> Inverse:
    """The inverse of an operator whose value a function turns back into the operand."""

    def inverse(node: Node, value: Any, _view: View) -> Iterator[Proposal]:
        yield node.args[0], undo(value)

    return inverse


def of_its_type(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    """The inverse of a conversion: the value, in the type of the operand."""
    yield node.args[0], type(view.value(node.args[0]))(value)


def spliced(text: Any, span: tuple[int, int], part: Any) -> Any:
    """The text with another part from where to where `span` says."""
    start, stop = span
    return text[:start] + part + text[stop:]


def resized(text: Any, size: int) -> Iterator[Any]:
    """Texts of a certain length that have much in common with this one."""
    if size < 0 or size > 400:
        return
    if size <= len(text):
        yield text[:size]
        yield text[len(text) - size :]
        return
    missing = size - len(text)
    filler = "a" if isinstance(text, str) else b"a"
    for unit in dict.fromkeys((text[-1:] or filler, text[:1] or filler, filler)):
        yield text + unit * missing
        yield unit * missing + text
    middle = len(text) // 2
    yield text[:middle] + text[middle : middle + 1] * missing + text[middle:]


def different(value: Any, view: View) -> Iterator[Any]:
    """Values that are not this one: near ones first."""
    options: list[Any] = []
    if isinstance(value, bool):
        options = [not value]
    elif isinstance(value, (int, float)):
        options = [value + shift for shift in (1, -1, 10, 100)]
    elif isinstance(value, str):
        nearby = [value + "a", "a" + value, value[:-1], value + "0"]
        options = ["a", "b", "0", "1", "", *view.texts, *nearby]
    elif isinstance(value, bytes):
        options = [b"a", b"b", b"0", b"", value + b"a", value[:-1]]
    return (option for option in options if option != value)
