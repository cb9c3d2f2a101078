"""Source to facts, kept in the process and on disk."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping
from dataclasses import replace

from instrumenter.lowering.code import Class, Function, Unreadable
from tracetwin.analysis.flow import store
from tracetwin.analysis.flow.bodies import FlowBody, bodies
from tracetwin.analysis.flow.facts import ClassFacts, InvokableFacts, ModuleFacts, close, masks
from tracetwin.analysis.flow.hierarchy import CONSTRUCTORS
from tracetwin.analysis.flow.locations import LocationTable
from tracetwin.analysis.flow.pairs import DefUsePair, pairs_of
from tracetwin.analysis.flow.solve import Solved, solve
from tracetwin.analysis.flow.store import from_plain, pairs_from_plain, pairs_to_plain, to_plain


@functools.lru_cache(maxsize=32)
def facts_of(source: bytes | str, module: str) -> ModuleFacts:
    """The data-flow facts of a module.

    A source that can't be read has facts with a `problem`, and every question gets the cautious answer.
    """
    kept = store.load(source, module, "facts")
    facts = None
    if kept is not None:
        with contextlib.suppress(ValueError, TypeError, IndexError):
            facts = from_plain(kept, module)
    if facts is None:
        facts = _analysed(source, module)
        store.save(source, module, "facts", to_plain(facts))
    return replace(facts, pairs=_Pairs(source, module, tuple(facts.classes)))


def _analysed(source: bytes | str, module: str) -> ModuleFacts:
    try:
        assembly = _assembled(source, module)
    except Unreadable as error:
        return ModuleFacts(module, {}, {}, {}, str(error))
    return assembly.facts()


@functools.lru_cache(maxsize=2)
def _assembled(source: bytes | str, module: str) -> _Assembly:
    from instrumenter.lowering.lower import lower  # libcst is slow to load, and facts are mostly in the store

    solved = solve(lower(source, module))
    if not solved.complete:
        raise Unreadable("its values could not be followed to an end")
    return _Assembly(solved, module)


class _Pairs(Mapping[str, "tuple[DefUsePair, ...]"]):
    """The pairs of each class of a module, found when they are asked for."""

    def __init__(self, source: bytes | str, module: str, classes: tuple[str, ...]) -> None:
        self._source = source
        self._module = module
        self._classes = classes
        self._found: dict[str, tuple[DefUsePair, ...]] = {}

    def __getitem__(self, name: str) -> tuple[DefUsePair, ...]:
        if name not in self._classes:
            raise KeyError(name)
        if name not in self._found:
            self._found[name] = self._look(name)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)

    def _look(self, name: str) -> tuple[DefUsePair, ...]:
        kept = store.load(self._source, self._module, f"pairs of {name}")
        if kept is not None:
            with contextlib.suppress(ValueError, TypeError):
                return pairs_from_plain(kept)
        assembly = _assembled(self._source, self._module)
        pairs = pairs_of(assembly.solved, assembly.table, name)
        store.save(self._source, self._module, f"pairs of {name}", pairs_to_plain(pairs))
        return pairs


class _Assembly:
    """Puts together what was found out."""

    def __init__(self, solved: Solved, module: str) -> None:
        self.solved = solved
        self.module = module
        self.numbers = solved.state.numbers
        self.functions = solved.program.functions
        self.classes = list(solved.program.classes)
        self.table = LocationTable({name: solved.hierarchy.order(name) for name in self.classes})
        self.bodies: list[FlowBody] = bodies(solved, self.table)
        self.closed = close(self.bodies)

    def facts(self) -> ModuleFacts:
        """The facts of the module."""
        found = sorted(self._invokables(), key=lambda i: (i.line, i.qualname))
        return ModuleFacts(
            self.module,
            {invokable.qualname: invokable for invokable in found},
            {name: self._class(name) for name in self.classes},
            {},
            "",
            self.table,
            tuple(self.bodies),
            self._observable(),
        )

    def _observable(self) -> dict[str, int]:
        """The number of the function behind each name that a code object may have."""
        return {f.name: n for n, f in enumerate(self.functions) if f.role not in {"module", "class body"}}

    def _invokables(self) -> Iterator[InvokableFacts]:
        for function in self.functions:
            if function.role in {"module", "class body", "lambda"} or "<locals>" in function.name:
                continue
            if function.owner and function.name.rpartition(".")[2] in CONSTRUCTORS:
                continue
            if not function.made:
                yield self._invokable(function.name, function.first_line, [function])
        for name in self.classes:
            if "<locals>" not in name:
                yield self._constructor(self.solved.program.classes[name])

    def _constructor(self, class_: Class) -> InvokableFacts:
        members = self.solved.hierarchy.members(class_.name)
        functions = [members[name] for name in CONSTRUCTORS if name in members]
        own = [f for f in functions if f.name.endswith("__init__")] or functions
        line = own[0].first_line if own and own[0].owner == class_.name else 0
        return self._invokable(class_.name, line or class_.first_line, functions)

    def _invokable(self, qualname: str, line: int, functions: list[Function]) -> InvokableFacts:
        numbers = tuple(self.numbers[function] for function in functions)
        return InvokableFacts(qualname, line, *masks(numbers, self.bodies, self.closed), numbers)

    def _class(self, name: str) -> ClassFacts:
        hierarchy = self.solved.hierarchy
        rows: list[tuple[str, str]] = []
        for member, function in hierarchy.members(name).items():
            if function.made or member in CONSTRUCTORS or member.endswith(".deleter"):
                continue
            word = f"{member.removesuffix('.setter')}=" if member.endswith(".setter") else member
            rows.append((word, function.name))
        return ClassFacts(name, hierarchy.order(name), tuple(rows))
