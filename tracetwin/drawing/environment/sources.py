"""The registry of what programs read from their environment, and one such read as it happens."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias

from runtime import trace
from runtime.expr import Sort, apply, const, var
from runtime.inputs import Inputs
from tracetwin.model.patch import PatchedCall, Way
from tracetwin.model.recipe import Reference
from tracetwin.model.recipes import Recipe, lit, reference
from tracetwin.support.data import dataclass

Patching: TypeAlias = "Recipe | PatchedCall | Callable[[], PatchedCall]"
"""What a test lets the patch do: return what a recipe describes, or something else, known then or later."""

Given: TypeAlias = "tuple[Any, Patching]"
"""What the program gets of a call, and what a test lets the patch do."""

Reader: TypeAlias = "Callable[..., Given]"
"""Gets the `Reading` and the arguments of the call."""


NOTHING: Final = PatchedCall(Way.NOTHING, lit(None))
"""Nobody asks what the call returns."""


class NotDrawn(Exception):
    """The function itself answers this call: it reads nothing, or nothing that could be written down."""


class Thrown(Exception):
    """The read ends in an exception of the program's world.

    Attributes:
        recipe: what a test lets the patch raise.
    """

    def __init__(self, error: BaseException, recipe: Recipe) -> None:
        super().__init__(recipe)
        self.error = error
        self.recipe = recipe


@dataclass(frozen=True)
class ReadSource:
    """One function that reads from the environment.

    Attributes:
        module: where it is defined.
        group: what a user switches on or off together: ``time``, ``random``, ...
        needs: what the target has to be allowed to do so that it can be called really, "" for nothing. It is
            patched where that is not allowed, and any other unless the user says otherwise.
        is_async: whether calls are awaited.
        tells: whether what it is called with is an effect of the program's, which a test asserts.
    """

    module: str
    name: str
    group: str
    read: Reader
    needs: str = ""
    is_async: bool = False
    tells: bool = False

    @property
    def title(self) -> str:
        """The name that a person calls it by."""
        return f"{self.module}.{self.name}" if self.module != "builtins" else self.name


SOURCES: Final[dict[str, ReadSource]] = {}
"""All of them by their titles."""


def reads(
    group: str, *titles: str, needs: str = "", is_async: bool = False, tells: bool = False
) -> Callable[[Reader], Reader]:
    """Register the decorated function as what draws the results of functions, ``module:qualname`` each.

    A user switches a group on or off together; with `tells`, what they are called with is asserted.
    """

    def register(reader: Reader) -> Reader:
        for title in titles:
            module, _, name = title.partition(":")
            source = ReadSource(module, name, group, reader, needs, is_async, tells)
            if source.title in SOURCES:
                raise TypeError(f"{source.title} is read twice")
            SOURCES[source.title] = source
        return reader

    return register


@dataclass
class EnvironmentRead:
    """One read: where its values come from.

    Attributes:
        inputs: the values of the input.
        title: what is read: ``time.time``.
        name: what the values drawn for it are called: ``time.time()``, ``time.time(2)`` for the second read.
        number: which read of this source it is, from 1.
        handled: the exceptions that callers of this function handle.
        memory: what the reads of this run leave for later ones.
        package: the folder of the package whose code reads, "" where that is in none.
        writable: files and folders that the program may really change.
    """

    inputs: Inputs
    title: str
    name: str
    number: int
    handled: Sequence[type[BaseException]] = ()
    memory: dict[Any, Any] = field(default_factory=dict)
    package: str = ""
    writable: Sequence[str] = ()

    def may_raise(self, *usual: type[BaseException]) -> None:
        """Let the read fail in one of the ways for which the program has a handler, if the input says so.

        Args:
            usual: how it fails in the world; what is raised for a handler of something wider is the first.

        Raises:
            Thrown: it fails.
        """
        errors = list(dict.fromkeys(error for kind in self.handled if (error := _meant(kind, usual))))
        chosen = decided(self.inputs, f"{self.name}!", f"{self.title}!", 1 + len(errors))
        if chosen:
            raise failure(errors[chosen - 1])


def decided(inputs: Inputs, name: str, topic: str, count: int, default: int = 0) -> int:
    """A choice that counts as a decision of the program: what follows it may have no branch of its own.

    The choices of all reads with the same topic are one decision.
    """
    chosen = inputs.choice(name, count, default)
    for way in range(1, count):
        beyond = apply("ge", Sort.BOOL, var(name, Sort.INT), const(way))
        site = -2 - zlib.crc32(f"{topic}{way}".encode())
        trace.current.record(beyond, chosen >= way, site, trace.Kind.HINT)
    return chosen


def failure(kind: type[BaseException]) -> Thrown:
    """A read that fails with an exception, as it is written: by its class alone."""
    return Thrown(kind(), Reference(*reference(kind)))


def _meant(kind: type[BaseException], usual: Sequence[type[BaseException]]) -> type[BaseException] | None:
    """The exception that is raised for a handler; None where it waits for something else."""
    if any(issubclass(kind, base) for base in usual):
        return kind
    return next((error for error in usual if issubclass(error, kind)), None)
