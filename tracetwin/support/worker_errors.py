"""Errors raised where a worker did not answer a request."""

from __future__ import annotations

from typing import Final


class WorkerError(RuntimeError):
    """Something about a worker; the base of those below."""


class WorkerFailed(WorkerError):
    """A request to a worker whose target could not be imported."""


class RunnerDied(WorkerError):
    """The process that executed the request is gone.

    Attributes:
        reason: like "killed by SIGSEGV" or "exited with status 3".
        status: as of `os.waitpid`, None where unknown.
        line: the line of the target that it was in, 0 where unknown.
    """

    def __init__(self, reason: str, status: int | None = None, line: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.line = line


class RunnerSpoilt(RunnerDied):
    """The target changed the interpreter so that our own code in it did not go on."""

    def __init__(self, damage: str) -> None:
        """Say what is not as it was."""
        super().__init__(f"changed the interpreter: {damage}")


class RunnerTimeout(WorkerError):
    """The request was not answered within its time; its process is gone.

    Attributes:
        line: the line of the target that it was in, 0 where unknown.
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


class HandlerError(WorkerError):
    """An error of our own code inside the worker; the message is its traceback."""


class ReplyNotPlain(HandlerError):
    """The handler answered with something that can't be sent; the message says where in the reply it lies."""


BY_KIND: Final[dict[str, type[WorkerError]]] = {
    "timeout": RunnerTimeout,
    "spoilt": RunnerSpoilt,
    "error": HandlerError,
    "not plain": ReplyNotPlain,
}
"""What is raised for replies that are none."""
