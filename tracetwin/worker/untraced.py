"""The handler for a module that has no twin: inputs are plain, and the lines that run are seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import CodeType, ModuleType
from typing import Any

from runtime import trace
from runtime.class_choices import Alternative
from runtime.inputs import Inputs
from runtime.values import plain
from tracetwin.model.status import Status
from tracetwin.process.lines import LineWatch, watch
from tracetwin.target.outline import Outline, codes_in, load_code, outline_of
from tracetwin.worker.execution import Execution
from tracetwin.worker.runner import Ending, Runner


class PlainInputs(Inputs):
    """Draws values without a trace of where they came from; the module's own code could not carry it on."""

    def integer(self, name: str, default: int = 0, low: int | None = None, high: int | None = None) -> Any:
        return plain(super().integer(name, default, low, high))

    def boolean(self, name: str, default: bool = False) -> Any:
        return bool(plain(super().boolean(name, default)))

    def floating(self, name: str, default: float = 0.0, most: float | None = None) -> Any:
        return plain(super().floating(name, default, most))

    def text(self, name: str, default: str = "", max_length: int | None = None) -> Any:
        return plain(super().text(name, default, max_length))

    def octets(self, name: str, default: bytes = b"") -> Any:
        return plain(super().octets(name, default))

    def length(self, name: str, default: int, maximum: int) -> tuple[int, object]:
        value = self.integer(name, default, 0, maximum)
        self.structural.add(name)
        return value, None

    def listed(self, values: Sequence[Any], token: object) -> Any:
        return list(values)

    def mapping(self, pairs: Iterable[tuple[Any, Any]], token: object) -> Any:
        return super().mapping(pairs, None)

    def setof(self, values: Iterable[Any], token: object) -> Any:
        return super().setof(values, None)

    def decided(self, value: Any, choice: str, chosen: int, alternatives: Sequence[Alternative]) -> None:
        """Nobody asks."""


class OutsideRunner(Runner):
    """Executes plain inputs on the original; in the place of sites stand the lines that were run."""

    inputs = PlainInputs

    def prepare(self, start: dict[str, Any]) -> dict[str, Any]:
        """Import the module, describe what is in it, and get ready to see its lines."""
        info = super().prepare(start)
        code = _code_of(self._module, start["file"])
        self._lines: LineWatch = watch(codes_in(code))
        self._file = code.co_filename  # what tracebacks say, wherever the file lies now
        bodies = list(_bodies(outline_of(code)))
        called: set[int] = set()
        for described in info["invokables"]:
            described["lines"] = _within(bodies, described["first_line"], described["last_line"])
            called.update(() if described["problem"] else described["lines"])
        info["private_lines"] = [body for body in bodies if not called.intersection(body)]
        return info

    def _execute(self, execution: Execution) -> Ending:
        self._lines.take()
        self._lines.start()
        try:
            return super()._execute(execution)
        finally:
            self._lines.stop()

    def _reply(
        self,
        current: trace.Trace,
        inputs: Inputs,
        execution: Execution,
        status: Status,
        detail: str,
        line: int,
    ) -> dict[str, Any]:
        reply = super()._reply(trace.Trace(), inputs, execution, status, detail, line)
        reply["outcomes"] = [line * 2 + 1 for line in self._lines.take()]
        reply["latest"] = reply["outcomes"]
        reply["truncated"] = True  # what was tried is never all that there is
        return reply


def _code_of(module: ModuleType, file: str) -> CodeType:
    if file.endswith(".pyc"):
        return load_code(module.__name__, file)
    loader: Any = module.__spec__.loader if module.__spec__ is not None else module.__loader__
    code: CodeType = loader.get_code(module.__name__)
    return code


def _bodies(outline: Outline) -> Iterator[tuple[int, ...]]:
    """The lines of each function and method, with those of functions inside it."""
    for part in outline.parts:
        if part.kind == "class":
            yield from _bodies(part)
        elif part.lines:
            yield part.lines


def _within(bodies: Iterable[tuple[int, ...]], first: int, last: int) -> list[int]:
    """The lines of a definition that its call may run."""
    return sorted({line for body in bodies if first <= body[0] and body[-1] <= last for line in body})
