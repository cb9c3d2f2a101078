"""What must not come of any input, and which of it did."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from feeding import Outcome
from inputs import Input

STATUSES: Final = {0, 1, 2, 4}
"""Exit statuses that a random input may have; with 4 the system refused something, such as a file."""

_STEERING: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What a terminal would obey; a tab and the end of a line are our own."""

_OURS: Final = re.compile(r"(internal error|a bug in tracetwin|Traceback \(most recent call last\))[^\n]*")


@dataclass(frozen=True)
class Finding:
    """Something that must not be.

    Attributes:
        signature: the same for the same fault, whatever the input.
        detail: what was seen.
    """

    signature: str
    detail: str


def judge(given: Input, outcome: Outcome) -> list[Finding]:
    """What is wrong with what came of an input."""
    if outcome.escaped:
        return [Finding(f"escaped {_where(outcome.escaped)}", outcome.escaped)]
    if given.command == "run":
        return _judge_run(outcome)
    found = [*_of_words(given, outcome), *_of_files(outcome)]
    found += _of_status(outcome) if not found else []
    if given.command == "generate" and not found:  # it tells in other words what standard error told
        found += _of_report(outcome)
    return found


def _judge_run(outcome: Outcome) -> list[Finding]:
    """The program's own words are not ours; a traceback through the instrumenter is."""
    said = outcome.errors.decode(errors="replace")
    places = re.findall(r'File "([^"]*)", line \d+, in ', said)
    if places and re.search("/(instrumenter|tracetwin)/", places[-1]) and not _is_of_python(said):
        return [Finding(f"run {_where(said)}", said)]
    return []


def _is_of_python(said: str) -> bool:
    """Whether the last words are those of the interpreter about a program that it refuses."""
    last = said.rstrip().rpartition("\n")[2]
    kinds = r"(SyntaxError|IndentationError|TabError|RecursionError|MemoryError|SystemExit)\b"
    return bool(re.match(kinds, last))


def _of_status(outcome: Outcome) -> list[Finding]:
    if outcome.status not in STATUSES:
        return [Finding(f"status {outcome.status}", outcome.errors.decode(errors="replace")[-2000:])]
    if outcome.status and not outcome.errors.strip() and not outcome.output.strip():
        return [Finding(f"silent status {outcome.status}", "it says nothing")]
    return []


def _of_words(given: Input, outcome: Outcome) -> list[Finding]:
    found = []
    for stream, data in (("stdout", outcome.output), ("stderr", outcome.errors)):
        text = data.decode(given.encoding, "replace")
        if steering := _STEERING.search(text):
            found.append(Finding(f"steers the terminal on {stream}", _around(text, steering)))
        if ours := _OURS.search(text):
            found.append(Finding(f"{stream}: {_general(ours.group())}", text[-3000:]))
    return found


def _of_report(outcome: Outcome) -> list[Finding]:
    report = outcome.report
    if report is None:
        return []
    if "unreadable" in report:
        return [Finding("the JSON can't be read", str(report))]
    found = []
    for module in report["modules"]:
        told = [(text, ours) for text in _texts(module) if (ours := _OURS.search(text))]
        found += [Finding(f"report: {_general(ours.group())} {_where(text)}", text) for text, ours in told]
        if not module["error"] and not module["test_file"] and not module["functions"]:
            found.append(Finding("a module without tests, functions and error", str(module)[:2000]))
    return found


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for item in value for text in _texts(item)] if isinstance(value, list) else []


def _of_files(outcome: Outcome) -> list[Finding]:
    found = []
    if outcome.changed:
        found.append(Finding("the input's files are changed", ", ".join(outcome.changed)))
    for name, data in outcome.written.items():
        if name.endswith(".py") and name.startswith("test_"):
            found += _of_test_file(name, data)
    return found


def _of_test_file(name: str, data: bytes) -> list[Finding]:
    try:
        text = data.decode()
        compile(text, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        detail = f"{error}\n{data.decode(errors='replace')}"
        return [Finding(f"a test file that is no module: {type(error).__name__}", detail)]
    steering = _STEERING.search(text)
    return [Finding("a test file that steers the terminal", _around(text, steering))] if steering else []


def _around(text: str, place: re.Match[str]) -> str:
    return repr(text[max(0, place.start() - 200) :][:400])


def _where(trace: str) -> str:
    """The innermost place of ours in a traceback, and the kind of error."""
    places = re.findall(r'File "[^"]*/((?:tracetwin|instrumenter|runtime)/[^"]+)", line \d+, in (\S+)', trace)
    lines = trace.rstrip().splitlines()
    last = next((line for line in reversed(lines) if re.match(r"[\w.]+(Error|Exception|Exit)\b", line)), "")
    kind = re.split(r"[:\s]", last, maxsplit=1)[0]
    return f"{kind} in {':'.join(places[-1])}" if places else _general(last)


def _general(text: str) -> str:
    """A message without what differs from input to input."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|\d+|/\S+", "_", text)[:160]
