"""Twins are built before the imports that load them.

A target is imported behind walls from which the cache can't be written: each worker would build the twins of
all that the import pulls in, within the time of the import. So they are built by our own processes first,
each of them once in a run, and outside of any module's time.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from tracetwin.process import bytecode
from tracetwin.run.module_facts import is_library, library_with, read_source, twin_of
from tracetwin.run.worker_options import MOST_MODULES, flow_of
from tracetwin.support.data import dataclass
from tracetwin.support.errors import TargetError
from tracetwin.target.imports import files_beside, imported_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from tracetwin.run.listener import Listener
    from tracetwin.target.selection import TargetModule

QUIET_SECONDS: Final = 1.0
"""What takes no longer is not shown."""

_Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class TwinTask:
    """Have the twin of a module in the cache, and tell what its import asks for.

    Attributes:
        index: the target for whose import it is.
        target: the module is the target: what its functions import when they run is loaded, too.
        analysed: its data flow is asked for when the target is opened: to be in the cache as well.
    """

    index: int
    module: TargetModule
    target: bool = False
    analysed: bool = False


@dataclass(frozen=True)
class Twinned:
    """Answer to `TwinTask`.

    Attributes:
        needs: what the module's import asks for itself.
        beside: the files of other packages of the project that it asks for, of which there are no twins.
        kept: whether the cache can be written, as far as was seen.
    """

    index: int
    module: TargetModule
    needs: tuple[TargetModule, ...] = ()
    beside: tuple[str, ...] = ()
    kept: bool = True


def build_twin(task: TwinTask) -> Twinned:
    """Do a task; what is wrong with the module is said by its import."""
    from instrumenter.hook import holds_data_only

    module, uncached = task.module, ""
    try:
        source = read_source(module)
        own = not is_library(module)
        is_table = own and not task.target and holds_data_only(source)  # which is loaded as it is
        if not is_table:
            _, uncached = twin_of(module)
        needs = imported_with(module, source, later=task.target) if own else []
        beside = files_beside(module, source, later=task.target) if own else []
        if own:
            _have_ready(task, source, analysed=task.analysed and not is_table)
    except (TargetError, SyntaxError, ValueError):
        return Twinned(task.index, module)
    return Twinned(task.index, module, (*needs, *library_with(module, source)), tuple(beside), not uncached)


def _have_ready(task: TwinTask, source: bytes, *, analysed: bool) -> None:
    """Have in the cache what else is made of a source, and would be made within a module's time."""
    if analysed:
        flow_of(source, task.module.name)
    if task.module.python is None:
        bytecode.keep(bytecode.default_folder(), list(bytecode.lacking([task.module.file])))


class Twins:
    """Which twins the imports of targets need, and which of them are there."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._needs: dict[_Key, tuple[TargetModule, ...]] = {}
        self._beside: dict[_Key, tuple[str, ...]] = {}
        self._asked_for: set[_Key] = set()
        self._running: set[_Key] = set()
        self._analysed = Counter[int]()
        self._since: float | None = None
        self._shown = False
        self._useless = False

    def missing(self, target: TargetModule) -> Iterator[TargetModule]:
        """Give the twins that are missing before a target can be imported, as far as is known by now."""
        if self._useless or target.outside:
            return
        waiting, seen = [target], {_key(target)}
        while waiting:
            module = waiting.pop()
            needs = self._needs.get(_key(module))
            if needs is None:
                yield module
                continue
            new = [need for need in needs if _key(need) not in seen]
            seen.update(map(_key, new))
            waiting += new

    def task(self, index: int, target: TargetModule) -> TwinTask | None:
        """The next thing to do before a target is imported, None where others are at it or all is done."""
        for module in self.missing(target):
            if _key(module) not in self._running:
                self._running.add(_key(module))
                self._asked_for.add(_key(module))
                analysed = not is_library(module) and self._analysed[index] < MOST_MODULES
                self._analysed[index] += analysed
                return TwinTask(index, module, target=_key(module) == _key(target), analysed=analysed)
        return None

    def library(self, target: TargetModule) -> tuple[str, ...]:
        """The modules of the standard library that a target's import loads as twins.

        None where twins can't be kept: to build them takes longer than an import should.
        """
        if self._useless or target.outside:
            return ()
        return tuple(sorted(module.name for module in self._closure(target) if is_library(module)))

    def files(self, target: TargetModule) -> list[str]:
        """The sources of a target and of what its import asks for, but for the standard library's."""
        own = self.modules(target)
        beside = [file for module in own for file in self._beside.get(_key(module), ())]
        return list(dict.fromkeys([*(module.file for module in own), *beside]))

    def modules(self, target: TargetModule) -> list[TargetModule]:
        """The target and what its import asks for as twins, but for the standard library's."""
        return [module for module in self._closure(target) if not is_library(module)]

    def _closure(self, target: TargetModule) -> list[TargetModule]:
        """A target and all that its import asks for, as far as is known."""
        found, waiting = {_key(target): target}, [target]
        while waiting:
            for need in self._needs.get(_key(waiting.pop()), ()):
                if _key(need) not in found:
                    found[_key(need)] = need
                    waiting.append(need)
        return list(found.values())

    def ready(self, target: TargetModule) -> bool:
        """Return whether nothing is missing."""
        return next(self.missing(target), None) is None

    def ended(self, task: TwinTask, answer: object = None) -> None:
        """A task was answered, or its process broke or died: the import will then say what is wrong."""
        key = _key(task.module)
        needs = answer.needs if isinstance(answer, Twinned) else ()
        self._running.discard(key)
        self._needs[key] = needs
        self._beside[key] = answer.beside if isinstance(answer, Twinned) else ()
        self._asked_for.update(map(_key, needs))
        if isinstance(answer, Twinned) and not answer.kept:
            self._useless = True  # they would be built again all the same

    def show(self, listener: Listener) -> None:
        """Tell how far it is, if it takes a while."""
        busy = bool(self._running)
        if not busy:
            self._since = None
        elif self._since is None:
            self._since = self._clock()
        lasts = self._since is not None and self._clock() - self._since >= QUIET_SECONDS
        if lasts or self._shown:
            known = len(self._asked_for)
            listener.preparing(len(self._needs) if busy else known, known)
        self._shown = lasts


def _key(module: TargetModule) -> _Key:
    return module.name, module.file
