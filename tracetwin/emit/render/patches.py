"""What a test patches, as contexts, and what it puts back of its module, as decorators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tracetwin.drawing.environment.apply import same
from tracetwin.drawing.environment.uses import CHECKS, MAKES
from tracetwin.emit.source.checks import Check, Kind, Mark
from tracetwin.emit.source.identifiers import Unwritable, checked, keyword_argument
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import Atom, Group, Node, Prefixed, Text, call, lay_out
from tracetwin.emit.source.literals import Writer, is_plain
from tracetwin.emit.source.scribe import Scribe

_LONGEST: Final = 60
"""Columns of a literal that is repeated above a test; what is longer is copied."""

_NEW: Final = ("    def __new__(cls, *args, **kwargs):",)


class Patches:
    """Writes the patches of one test.

    Args:
        scribe: the page of the test.
        seen: what was observed.
    """

    def __init__(self, scribe: Scribe, seen: Mapping[str, Any]) -> None:
        self._space = scribe.space
        self._writer = scribe.writer
        self._new_name = scribe.new
        self._told = {place: (how, what) for place, how, what in seen.get("told_world", ())}
        self._names: dict[str, str] = {}

    def contexts(self, patches: Iterable[Any]) -> list[tuple[Node, str]]:
        """The contexts that patch, with the names of what tests speak of."""
        return [(self._context(*patch), self._bound(patch[0])) for patch in patches]

    def checks(self) -> list[Check]:
        """What is asserted of files that are written, and of calls that are effects."""
        told = [(place, *self._told[place]) for place in self._names]
        return [self._check(self._names[place], how, what, ("told", place)) for place, how, what in told]

    def _check(self, name: str, how: str, what: Any, mark: Mark) -> Check:
        recipe = self._writer.recipe
        if how == "called":
            args = [*map(recipe, what[0]), *(keyword_argument(key, recipe(part)) for key, part in what[1])]
            return Check(Kind.SAID, call(f"{name}.assert_called_once_with", args), mark=mark)
        write, parts = f"{name}().write", [part for _, part in what]
        if len(parts) == 1:
            return Check(Kind.SAID, call(f"{write}.assert_called_once_with", [recipe(what[0])]), mark=mark)
        empty = type(parts[0])()
        joined = Atom(f"{Text(empty).flat()}.join(call.args[0] for call in {write}.call_args_list)")
        return Check(Kind.EQUAL, joined, recipe(("lit", empty.join(parts))), mark=mark)

    def _bound(self, place: str) -> str:
        """The name of a mock that a test speaks of: that of the function, `opened` for files."""
        if place not in self._told:
            return ""
        name = place.rpartition(".")[2]
        self._names[place] = self._new_name("opened" if name == "open" else name)
        return f" as {self._names[place]}"

    def _context(self, place: str, how: str, what: Any) -> Node:
        if how == "environ":
            return self._environ(*what)
        if how == "stdin":
            typed = [self._writer.recipe(what)] if what[1] else []
            buffer = call(self._space.name("io", "StringIO"), typed)
            return call(self._patch(), [Text(place), buffer])
        if how == "class":
            return call(self._patch(), [Text(place), Atom(self._patchable(*what))])
        return call(self._patch(), [Text(place), *self._results(what)])

    def _patch(self) -> str:
        return self._space.name("unittest.mock", "patch")

    def _patchable(self, module: str, name: str, uses: Sequence[str]) -> str:
        """The name of a class of the test file that derives from one that can't be patched.

        It speaks of its base as such, as by its name the base may not be found any more: that may be what is
        patched (``shop.datetime.datetime``).
        """
        base = self._space.name(module, checked(name))

        def write(given: str) -> list[str]:
            checked = [
                f"class {given}Type(type):",
                "    def __instancecheck__(cls, instance):",
                "        return isinstance(instance, cls.__base__)",
                "",
                "",
            ]
            return [
                *(checked if CHECKS in uses else ()),
                f"class {given}({base}{f', metaclass={given}Type' if CHECKS in uses else ''}):",
                f'    """A `{name}` whose class methods can be patched."""',
                *(["", *_NEW, f"        return {given}.__base__(*args, **kwargs)"] if MAKES in uses else ()),
            ]

        return self._space.define([f"Patchable{name.title()}"], write)

    def _results(self, outcomes: Sequence[Any]) -> list[Node]:
        """What the patch takes besides its place."""
        how, recipe = outcomes[0]
        if not same(outcomes):
            return [Prefixed("side_effect=", Group("[", tuple(map(self._outcome, outcomes)), "]"))]
        if how == "nothing":
            return []
        if how == "pick":
            return [Atom(f"side_effect=lambda options: options[{int(recipe[1])}]")]
        if how in ("file", "sink"):
            return [self._file(recipe)]
        word = "return_value" if how == "return" else "side_effect"
        return [Prefixed(f"{word}=", self._writer.recipe(recipe))]

    def _outcome(self, outcome: tuple[str, Any]) -> Node:
        how, recipe = outcome
        if how in ("file", "sink"):
            return Atom(f"{self._file(recipe).flat()}()")
        return self._writer.recipe(recipe)

    def _file(self, recipe: Any) -> Node:
        held = [] if not recipe[1] else [Prefixed("read_data=", self._writer.recipe(recipe))]
        return call(self._space.name("unittest.mock", "mock_open"), held)

    def _environ(self, values: dict[str, str], alone: bool) -> Node:
        pairs = tuple(Prefixed(f"{Text(name).flat()}: ", Text(value)) for name, value in values.items())
        clear = [Atom("clear=True")] if alone else []
        environ = Atom(self._space.name("os", "environ"))
        return call(f"{self._patch()}.dict", [environ, Group("{", pairs, "}"), *clear])


def restoring(
    leaks: Sequence[tuple[str, str, Any]], writer: Writer, space: Namespace, indent: int
) -> list[str]:
    """Return the decorators of a test that changes the state of its module, which put it back.

    Args:
        leaks: what it changes, as `tracetwin.replay.observe.leaks` found it.
        writer: writes the values that were there before.
        space: where names come from.
        indent: columns before the lines.
    """
    lines: list[str] = []
    for path, how, before in leaks:
        patch = space.name("unittest.mock", "patch")
        place = Text(f"{space.target}.{path}")
        if how == "dict":
            node = call(f"{patch}.dict", [place])
        else:
            try:
                value = _before(path, before, space, writer)
            except Unwritable:
                continue  # what can't be put back makes other tests fail, which is noticed
            node = call(patch, [place, value])
        lines += lay_out("@", node, "", indent)
    return lines


def _before(path: str, before: Any, space: Namespace, writer: Writer) -> Node:
    """What was there before the first test: its literal where that is short, else a copy."""
    if is_plain(before):
        node = writer.snap(before)
        if len(node.flat()) <= _LONGEST:
            return node
    return call(space.name("copy", "deepcopy"), [Atom(space.name(space.target, path))])
