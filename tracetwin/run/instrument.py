"""The work behind `tracetwin instrument`: the twins of some modules, in the cache or as a tree of files."""

from __future__ import annotations

import stat
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

from tracetwin.support.data import dataclass
from tracetwin.support.errors import TargetError
from tracetwin.support.failures import Failure, failure_of
from tracetwin.support.text import count
from tracetwin.target.selection import TargetModule, source_of
from tracetwin.target.trees import FoundTargets, TreeFile


@dataclass(frozen=True)
class FileMessage:
    """The message about one file.

    Attributes:
        error: whether its twin is missing.
        warning: whether it is less than was asked for.
        minor: whether only those want to know who want to know everything.
        excerpt: what CPython shows of a syntax error.
        failure: where that is not the file's fault, what happened.
    """

    text: str
    error: bool = False
    warning: bool = False
    minor: bool = False
    excerpt: tuple[str, ...] = ()
    failure: Failure | None = None

    @classmethod
    def of_failure(cls, file: str, failure: Failure) -> FileMessage:
        """Return the message about an error of ours, or of the system."""
        return cls(f"{file}: {failure.sentence}", error=True, failure=failure)


class CacheFiller:
    """Builds the twins of modules that are not in the cache yet.

    Attributes:
        wanted: how many there should be.
        twins: how many are in the cache now.
    """

    def __init__(self, modules: Iterable[TargetModule]) -> None:
        from instrumenter.cache import TwinCache

        self._modules = list(modules)
        self._cache = TwinCache()
        self.wanted = len(self._modules)
        self.twins = 0

    def run(self) -> Iterator[FileMessage]:
        """Do it; one sentence per module. A cache that can't be written ends it, for it fails each time."""
        for module in self._modules:
            yield self._fill(module)
            if self._cache.failure is not None:
                return

    def _fill(self, module: TargetModule) -> FileMessage:
        from instrumenter.build import InstrumenterWarning

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InstrumenterWarning)  # we say it ourselves
                source = source_of(module)
                twin = self._cache.load(source, name=module.name, filename=module.file).twin
        except (TargetError, SyntaxError) as error:
            return FileMessage(f"{module.name}: {error}", error=True)
        except Exception as error:  # noqa: BLE001 - the others go on
            return FileMessage.of_failure(module.name, failure_of(error, "making its twin"))
        if self._cache.failure is not None:
            return FileMessage(f"{module.name}: {self._cache.failure}", error=True)
        self.twins += 1
        if twin.untouched is not None:
            return FileMessage(f"warning: {module.file} is left as it is: {twin.untouched}", warning=True)
        return FileMessage(f"{module.name}: {count(len(twin.sites), 'site')}", minor=True)

    def summary(self) -> str:
        """Return the result in one sentence."""
        return f"{self.twins} of {self.wanted} twins are in the cache"


class TreeWriter:
    """Writes a target with twins in the place of its modules.

    Attributes:
        copies: how many files were copied.
        replaced: how many of both were there before, with other content.
    """

    def __init__(self, tree: FoundTargets, output: Path) -> None:
        self._tree = tree
        self._output = output
        self.twins = self.copies = self.replaced = 0

    def run(self) -> Iterator[FileMessage]:
        """Do it; one sentence or more per file. What is wrong with one does not keep the others."""
        for file in self._tree.files.values():
            try:
                yield from self._write(file)
            except OSError as error:
                failure = failure_of(error, "writing it")
                text = f"{self._output / file.place}: can't be written: {error.strerror}"
                yield FileMessage(text, error=True, failure=failure)
            except Exception as error:  # noqa: BLE001 - the others go on
                yield FileMessage.of_failure(str(file.file), failure_of(error, "making its twin"))

    def _write(self, file: TreeFile) -> Iterator[FileMessage]:
        destination = self._output / file.place
        before = destination.read_bytes() if destination.is_file() else None
        if file.module:
            yield from self._write_twin(file, destination)
        else:
            self._copy(file, destination)
            yield FileMessage(f"copied {destination}", minor=True)
        self.replaced += before is not None and before != destination.read_bytes()

    def _write_twin(self, file: TreeFile, destination: Path) -> Iterator[FileMessage]:
        from instrumenter.write import write_twin

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # ours we say ourselves, the original's come when it runs
                twin = write_twin(
                    file.file.read_bytes(), file.module, str(file.file), destination, _mode(file.file)
                )
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self._copy(file, destination)
            yield _broken(self._tree.in_users_words(str(file.file)), error)
            return
        if twin.untouched is not None:
            self.copies += 1
            name = self._tree.in_users_words(str(file.file))
            yield FileMessage(f"warning: {name} is copied as it is: {twin.untouched}", warning=True)
            return
        self.twins += 1
        yield FileMessage(f"wrote {destination}")

    def _copy(self, file: TreeFile, destination: Path) -> None:
        from instrumenter.files import write_atomically

        write_atomically(destination, file.file.read_bytes(), _mode(file.file))
        self.copies += 1

    def summary(self) -> str:
        """Return the result in one sentence."""
        replaced = f"; {count(self.replaced, 'file')} that differed replaced" if self.replaced else ""
        copies = f" and {count(self.copies, 'copied file')}" if self.copies else ""
        return f"{count(self.twins, 'twin')}{copies} in {self._output}{replaced}"


def _mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def _broken(file: str, error: Exception) -> FileMessage:
    """Return the message about a source that Python refuses, with the file as the user knows it."""
    if isinstance(error, SyntaxError):
        error.filename = file
    is_deep = isinstance(error, (RecursionError, MemoryError))
    reason = "it is nested too deeply for Python's compiler" if is_deep else str(error)
    problem = TargetError(file, f"is copied as it is: {reason}")
    problem.__cause__ = error
    return FileMessage(str(problem), error=True, excerpt=tuple(problem.excerpt))
