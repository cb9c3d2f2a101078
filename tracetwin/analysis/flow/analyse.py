"""Source to facts, kept in the process and on disk."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping
from dataclasses import replace

from instrumenter.lowering import code
from instrumenter.lowering.code import Class, Function, Unreadable
from tracetwin.analysis.flow import store
from tracetwin.analysis.flow.bodies import FlowBody, bodies
from tracetwin.analysis.flow.facts import Argument, ClassFacts, InvokableFacts, ModuleFacts, close, masks
from tracetwin.analysis.flow.hierarchy import CONSTRUCTORS
from tracetwin.analysis.flow.locations import LocationTable
from tracetwin.analysis.flow.pairs import DefUsePair, pairs_of
from tracetwin.analysis.flow.solve import Solved, solve
from tracetwin.analysis.flow.state import Value
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
                yield self._invokable(function.name, function.role, [function])
        for name in self.classes:
            if "<locals>" not in name:
                yield self._constructor(self.solved.program.classes[name])

    def _constructor(self, class_: Class) -> InvokableFacts:
        members = self.solved.hierarchy.members(class_.name)
        functions = [members[name] for name in CONSTRUCTORS if name in members]
        return self._invokable(class_.name, "constructor", functions, class_)

    def _invokable(
        self, qualname: str, kind: str, functions: list[Function], class_: Class | None = None
    ) -> InvokableFacts:
        numbers = tuple(self.numbers[function] for function in functions)
        first = next(
            (f for f in functions if f.name.endswith("__init__")), functions[0] if functions else None
        )
        arguments = self._arguments(first) if first is not None else ()
        owner = class_.name if class_ is not None else first.owner if first is not None else ""
        returns = (class_.name,) if class_ is not None else self._returned(functions[0])
        receiver = (owner,) if owner and kind not in {"constructor", "staticmethod", "classmethod"} else ()
        line = first.first_line if first is not None and first.owner == owner else 0
        accepted = self._mask((*receiver, *(c for a in arguments for c in a.classes)), below=True)
        return InvokableFacts(
            qualname,
            kind,
            owner,
            line or (class_.first_line if class_ is not None else 0),
            *masks(numbers, self.bodies, self.closed),
            arguments,
            first.returns if first is not None and kind != "constructor" else "",
            returns,
            accepted,
            self._mask(returns, below=False),
            numbers,
        )

    def _mask(self, names: tuple[str, ...], *, below: bool) -> int:
        mask = 0
        for name in names:
            for class_ in (name, *(self.solved.hierarchy.below(name) if below else ())):
                mask |= 1 << self.classes.index(class_)
        return mask

    def _returned(self, function: Function) -> tuple[str, ...]:
        value = self.solved.state.returns[function]
        if function.generator or function.role == "setter":
            value = self.solved.state.inside(value)
        inside = self.solved.state.inside(frozenset(a for a in value if a[0] == "l"))
        return self._classes_in(value | inside)

    def _classes_in(self, value: Value) -> tuple[str, ...]:
        names = {atom[1] for atom in value if atom[0] == "i"}
        return tuple(name for name in self.classes if name in names)

    def _arguments(self, function: Function) -> tuple[Argument, ...]:
        return tuple(
            Argument(p.name, p.annotation, self._fitting(function, p))
            for p in function.parameters
            if p.name != function.receiver
        )

    def _fitting(self, function: Function, parameter: code.LoweredParameter) -> tuple[str, ...]:
        """The classes of a parameter: annotated, tested for, or those that have what is asked of it."""
        state = self.solved.state
        value = state.variable(function, parameter.name)
        inside = state.inside(frozenset(a for a in value if a[0] == "l"))
        if parameter.annotation:
            return self._classes_in(value | inside)
        tested: Value = frozenset()
        asked: set[str] = set()
        registers: set[code.Reg] = set()
        for node in function.nodes:
            op = node.op
            if isinstance(op, code.Load) and op.name == parameter.name and op.place is function:
                registers.add(op.into)
            elif isinstance(op, code.Narrow) and op.source in registers:
                tested |= state.variable(function, op.into)
            elif isinstance(op, code.Get) and op.base in registers:
                asked.add(op.name)
            elif isinstance(op, code.Invoke) and op.base in registers:
                asked.add(op.method)
            elif isinstance(op, code.Invoke) and self._tests(function, op, registers):
                kinds = state.variable(function, op.arguments[1])
                tested |= {("i", atom[1]) for atom in kinds | state.inside(kinds) if atom[0] == "c"}
        known = self._classes_in(value) + self._classes_in(tested)
        having = (name for name in self.classes if asked and self._has(name, asked))
        return tuple(dict.fromkeys((*known, *having)))

    def _tests(self, function: Function, op: code.Invoke, registers: set[code.Reg]) -> bool:
        """True if a call asks for the class of one of the registers."""
        if len(op.arguments) != 2 or op.arguments[0] not in registers or op.callee is None:
            return False
        return ("x", "isinstance") in self.solved.state.variable(function, op.callee)

    def _has(self, name: str, asked: set[str]) -> bool:
        members = self.solved.hierarchy.members(name)
        attributes = self.table.attributes(name)
        return all(a in members or a in attributes for a in asked)

    def _class(self, name: str) -> ClassFacts:
        hierarchy = self.solved.hierarchy
        rows: list[tuple[str, str]] = []
        for member, function in hierarchy.members(name).items():
            if function.made or member in CONSTRUCTORS or member.endswith(".deleter"):
                continue
            word = f"{member.removesuffix('.setter')}=" if member.endswith(".setter") else member
            rows.append((word, function.name))
        return ClassFacts(name, hierarchy.order(name), tuple(rows))
