"""Patches of a test as contexts, and what it puts back of its module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tracetwin.drawing.environment.apply import same
from tracetwin.drawing.environment.uses import CHECKS, MAKES
from tracetwin.emit.exhibit import Exhibit, Mark
from tracetwin.emit.source.checks import Check, CheckKind
from tracetwin.emit.source.identifiers import Unwritable, checked
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import Atom, Group, LaidOut, Prefixed, Quoted, call, lay_out
from tracetwin.emit.source.literals import Writer, is_plain
from tracetwin.emit.source.scribe import Scribe
from tracetwin.model.observation import CalledWith, Effect, Leak
from tracetwin.model.patch import (
    ArgumentsPatch,
    AwakePatch,
    ClassPatch,
    EnvironPatch,
    FunctionPatch,
    Patch,
    PatchedCall,
    StdinPatch,
    Way,
)
from tracetwin.model.recipe import Recipe, Reference, Scalar, Series, SeriesKind
from tracetwin.model.snapshot import Attributes, Built, Snapshot

_LONGEST: Final = 60
"""Columns of a literal that is repeated for each test; what is longer is copied."""

_NEW: Final = ("    def __new__(cls, *args, **kwargs):",)


class Patches:
    """Writes the patches of one test."""

    def __init__(self, scribe: Scribe, seen: Exhibit) -> None:
        self._space = scribe.space
        self._writer = scribe.writer
        self._new_name = scribe.new
        self._told = {effect.place: effect for effect in seen.effects}
        self._names: dict[str, str] = {}

    def contexts(self, patches: Iterable[Patch]) -> list[tuple[LaidOut, str]]:
        """Return the contexts that patch, with the names of what tests speak of."""
        return [(self._context(patch), self._bound(patch.place)) for patch in patches]

    def checks(self) -> list[Check]:
        """Return what is asserted of files that are written, and of calls that are effects."""
        return [
            self._check(name, self._told[place], ("told", place)) for place, name in self._names.items()
        ]

    def _check(self, name: str, effect: Effect, mark: Mark) -> Check:
        recipe = self._writer.recipe
        if isinstance(effect, CalledWith):
            args = [*map(recipe, effect.args), *self._writer.keywords(effect.kwargs)]
            return Check(CheckKind.SAID, call(f"{name}.assert_called_once_with", args), mark=mark)
        write = f"{name}().write"
        if len(effect.parts) == 1:
            said = call(f"{write}.assert_called_once_with", [recipe(effect.parts[0])])
            return Check(CheckKind.SAID, said, mark=mark)
        parts = [part.value for part in effect.parts if isinstance(part, Scalar)]
        binary = b"".join(part for part in parts if isinstance(part, bytes))
        whole = binary if isinstance(parts[0], bytes) else "".join(map(str, parts))
        joined = Atom(f"{Quoted(type(whole)()).flat()}.join(call.args[0] for call in {write}.call_args_list)")
        return Check(CheckKind.EQUAL, joined, self._writer.scalar(whole), mark=mark)

    def _bound(self, place: str) -> str:
        """The name of a mock that a test speaks of: that of the function, `opened` for files."""
        if place not in self._told:
            return ""
        name = place.rpartition(".")[2]
        self._names[place] = self._new_name("opened" if name == "open" else name)
        return f" as {self._names[place]}"

    def _context(self, patch: Patch) -> LaidOut:
        match patch:
            case EnvironPatch(values, alone):
                return self._environ(values, alone)
            case StdinPatch(text, place):
                typed = [] if text == Scalar("") else [self._writer.recipe(text)]
                return call(self._patch(), [Quoted(place), call(self._space.name("io", "StringIO"), typed)])
            case ArgumentsPatch(words, place):
                return call(self._patch(), [Quoted(place), Group("[", tuple(map(Quoted, words)), "]")])
            case ClassPatch(place):
                return call(self._patch(), [Quoted(place), Atom(self._patchable(patch))])
            case FunctionPatch(place, calls):
                return call(self._patch(), [Quoted(place), *self._results(calls)])
            case AwakePatch(place):
                raise Unwritable(f"{place} is patched in attempts only")

    def _patch(self) -> str:
        return self._space.name("unittest.mock", "patch")

    def _patchable(self, patch: ClassPatch) -> str:
        """The name of a class of the test file that derives from one that can't be patched.

        It speaks of its base as such, as by its name the base may not be found any more: that may be what is
        patched (``shop.datetime.datetime``).
        """
        name, uses = patch.qualname, patch.uses
        base = self._space.name(patch.module, checked(name))

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

    def _results(self, calls: Sequence[PatchedCall]) -> list[LaidOut]:
        """Return what the patch takes besides its place."""
        first = calls[0]
        if not same(calls):
            return [Prefixed("side_effect=", Group("[", tuple(map(self._outcome, calls)), "]"))]
        match first.way, first.recipe:
            case Way.NOTHING, _:
                return []
            case Way.PICK, Scalar(int(position)):
                return [Atom(f"side_effect=lambda options: options[{int(position)}]")]
            case (Way.FILE | Way.SINK), recipe:
                return [self._file(recipe)]
            case way, recipe:
                word = "return_value" if way is Way.RETURN else "side_effect"
                return [Prefixed(f"{word}=", self._writer.recipe(recipe))]

    def _outcome(self, outcome: PatchedCall) -> LaidOut:
        if outcome.way in (Way.FILE, Way.SINK):
            return Atom(f"{self._file(outcome.recipe).flat()}()")
        return self._writer.recipe(outcome.recipe)

    def _file(self, recipe: Recipe) -> LaidOut:
        empty = isinstance(recipe, Scalar) and not recipe.value
        held = [] if empty else [Prefixed("read_data=", self._writer.recipe(recipe))]
        return call(self._space.name("unittest.mock", "mock_open"), held)

    def _environ(self, values: Mapping[str, str], alone: bool) -> LaidOut:
        pairs = tuple(Prefixed(f"{Quoted(name).flat()}: ", Quoted(value)) for name, value in values.items())
        clear = [Atom("clear=True")] if alone else []
        environ = Atom(self._space.name("os", "environ"))
        return call(f"{self._patch()}.dict", [environ, Group("{", pairs, "}"), *clear])


@dataclass(frozen=True)
class Restoring:
    """Puts back what a test changes of the state of its module, by decorators or by contexts in it.

    A decorator is made once, when the file is imported. A list in one would be left to the next run of the
    test as this one filled it; a test with such a patch makes all of them in its own lines.
    """

    leaks: Sequence[Leak]
    writer: Writer
    space: Namespace

    def decorators(self, indent: int) -> list[str]:
        """Return the lines above the test."""
        if not self._is_lasting:
            return []
        return [line for node in self._patches() for line in lay_out("@", node, "", indent)]

    def contexts(self) -> list[tuple[LaidOut, str]]:
        """Return the contexts for all statements of the test."""
        return [] if self._is_lasting else [(node, "") for node in self._patches()]

    @property
    def _is_lasting(self) -> bool:
        """Return whether what decorators would hold is the same at each run of the test."""
        return all(leak.is_dict or _is_fixed(leak.before) for leak in self.leaks)

    def _patches(self) -> list[LaidOut]:
        found = map(self._patch, self.leaks)
        return [node for node in found if node is not None]

    def _patch(self, leak: Leak) -> LaidOut | None:
        """The patch; None for what can't be put back: that makes other tests fail, which is noticed."""
        patch = self.space.name("unittest.mock", "patch")
        place = Quoted(f"{leak.module or self.space.target}.{leak.place}")
        if leak.is_dict:
            return call(f"{patch}.dict", [place])
        try:
            return call(patch, [place, self._before(leak)])
        except Unwritable:
            return None

    def _before(self, leak: Leak) -> LaidOut:
        """Return what was there before the first test: its literal where that is short, else a copy."""
        if is_plain(leak.before):
            node = self.writer.snap(leak.before)
            if len(node.flat()) <= _LONGEST:
                return node
        held = Atom(self.space.name(leak.module or self.space.target, leak.place))
        return held if _is_fixed(leak.before) else call(self.space.name("copy", "deepcopy"), [held])


def _is_fixed(held: Snapshot) -> bool:
    match held:
        case Scalar() | Reference() | Built("re", "compile") | Attributes("logging", "Logger"):
            return True
        case Series(SeriesKind.TUPLE | SeriesKind.FROZENSET, items):
            return all(map(_is_fixed, items))
        case _:
            return False
