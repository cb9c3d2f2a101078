"""A written test, run on the original and on a mutant: which of its assertions fail."""

from __future__ import annotations

import builtins
import contextlib
import sys
import types
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from tracetwin.process.walls import sandbox
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from types import TracebackType

TEST: Final = "test"
"""Begins a message about a written test, where others begin with the seconds of a case."""

ASSERTION: Final = "__tracetwin_assertion__"
"""The context in which each assertion of a test stands that is run here, by its number."""

ELSEWHERE: Final = -1
"""In the place of the number of an assertion: the test fails at something that is none."""

_NAME: Final = "test_on_mutants"


@dataclass
class Assertions:
    """The contexts of a test's assertions: each may fail, and the test goes on.

    Attributes:
        failed: the numbers of those that failed.
    """

    failed: set[int] = field(default_factory=set)
    _number: int = ELSEWHERE

    def __call__(self, number: int) -> Assertions:
        self._number = number
        return self

    def __enter__(self) -> None:
        """Nothing."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Note that it failed; what is no `Exception` ends the test."""
        if kind is None:
            return False
        self.failed.add(self._number)
        return issubclass(kind, Exception)


class SeparateTest:
    """One test, in a module of its own, which is imported anew for each run: decorators hold lists.

    Args:
        source: a file with that test alone, whose assertions stand in contexts.
        stand_ins: by name the sources of modules that the file imports in the place of others.
        class_name: the class of the test, "" for a function.
    """

    def __init__(self, source: str, stand_ins: Mapping[str, str], class_name: str, name: str) -> None:
        """Import the file; it raises what that raises."""
        self._assertions = Assertions()
        self._class_name = class_name
        self._name = name
        self._stand_ins = stand_ins
        self._code = compile(source, f"<{_NAME}>", "exec", dont_inherit=True)
        self._imported()

    def _imported(self) -> types.ModuleType:
        module = types.ModuleType(_NAME)
        space = vars(module)
        space["__builtins__"] = vars(builtins)
        space[ASSERTION] = self._assertions
        with standing_in(self._stand_ins):
            exec(self._code, space)  # noqa: S102 - our own text
        return module

    def run(self) -> frozenset[int]:
        """Run it; returns the numbers of the assertions that fail, `ELSEWHERE` for all else."""
        failed = self._assertions.failed
        failed.clear()
        guard = sandbox.guard()
        refused = guard.refused if guard is not None else 0
        try:
            self._test()()
        except BaseException:  # noqa: BLE001 - a mutant may raise anything
            failed |= set() if failed else {ELSEWHERE}
        if guard is not None and guard.refused != refused:
            failed.add(ELSEWHERE)
        return frozenset(failed)

    def _test(self) -> Any:
        module = self._imported()
        if not self._class_name:
            return getattr(module, self._name)
        kind = getattr(module, self._class_name)
        return kind(self._name).debug if hasattr(kind, "debug") else getattr(kind(), self._name)


@contextlib.contextmanager
def standing_in(sources: Mapping[str, str]) -> Iterator[None]:
    """Meanwhile small modules made from these sources take the place of others."""
    known = {name: sys.modules.get(name) for name in sources}
    try:
        for name, source in sources.items():
            sys.modules[name] = module = types.ModuleType(name)
            vars(module)["__builtins__"] = vars(builtins)  # not the private ones of our own modules
            exec(compile(source, f"<{name}>", "exec", dont_inherit=True), vars(module))  # noqa: S102 - a dialect's own
        yield
    finally:
        for name, module_before in known.items():
            if module_before is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module_before
