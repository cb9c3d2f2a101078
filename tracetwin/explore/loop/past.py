"""The past of a shard, read from its journal: tasks, their runs, answers, and the checks that came too late.

A shard is what is explored in one process (see `tracetwin.explore.objects.classes`). Replies of runs stay in
the file until they are asked for.
"""

from __future__ import annotations

import itertools
import marshal
import struct
from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import field
from typing import Any, Final, NamedTuple, Protocol

from tracetwin.explore.loop.digests import DIGEST_BYTES
from tracetwin.solving.answers import Answer, Sat, Unknown, Unsat
from tracetwin.support.data import dataclass
from tracetwin.support.records import Journal, Record

TASK, RUN, ASKED, ANSWERED, HUNG, LATE, DONE = (bytes([letter]) for letter in b"TRQAHLD")
"""The first byte of a record says what it is."""

MARK_BYTES: Final = 12
RUN_HEAD: Final = struct.Struct(f"<c{MARK_BYTES}sIc")
"""Kind of the record, mark of the request, segment, kind of the reply; behind it the reply."""

QUESTION: Final = struct.Struct(f"<{DIGEST_BYTES}sd")
"""The mark of a question: its digest, and the effort that it was asked with."""

_PAST: Final = "past"
_numbers: Final = itertools.count()

REPLY, TIMEOUT, DIED = b"=", b"t", b"d"


class Asked(Protocol):
    """A worker."""

    def request(self, message: object) -> Any:
        """Its reply to a message."""

    def replace_runner(self) -> None:
        """The next request gets a new runner."""


def is_past(epoch: object) -> bool:
    """Return whether the numbers of expressions are those of a journal."""
    return isinstance(epoch, tuple) and epoch[0] == _PAST


class Begun(NamedTuple):
    """A task of the past, as it was given.

    Attributes:
        number: how many tasks for the same function there were before.
        missing: sides that the explorations of other functions missed.
    """

    qualname: str
    number: int
    runs: int | None
    seconds: float
    models: tuple[dict[str, object], ...]
    missing: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[str, int]:
        """By which it is found."""
        return self.qualname, self.number


@dataclass
class PastTask:
    """A task of the past.

    Attributes:
        index: its place in the journal.
        answers: marks of questions and their answers, in order.
        late: the numbers of the checks at which time was up.
        left: runs and answers that were not taken yet.
        done: whether it came to its end.
        last: whether there is no task behind it.
    """

    begun: Begun
    index: int
    answers: deque[tuple[bytes, Answer]] = field(default_factory=deque)
    late: set[int] = field(default_factory=set)
    left: int = 0
    done: bool = False
    last: bool = True


@dataclass(frozen=True)
class ReplyPlace:
    """Where the reply of a run stands.

    Attributes:
        segment: the replies that tell of expressions by the same numbers.
    """

    task: PastTask
    offset: int
    size: int
    segment: int
    kind: bytes


class Past:
    """All that stands in a journal.

    Attributes:
        tasks: in order.
        hung: the questions that no answer came to, by their digests, and the least effort that was too much.
        segment: a number that no reply has yet.
    """

    def __init__(self, journal: Journal, *, lost: bool = False) -> None:
        self.tasks: list[PastTask] = []
        self.hung: dict[bytes, float] = {}
        self.segment = 0
        self._number = next(_numbers)
        self._journal = journal
        self._runs: dict[bytes, deque[ReplyPlace]] = defaultdict(deque)
        self._segments: dict[int, deque[ReplyPlace]] = defaultdict(deque)
        self._asked = b""
        if not lost and (death := _last_death(journal)) is not None:
            journal.cut(death)
        for record in journal.records():
            self._take(record)
        if lost and self._asked:
            self._note_hung(self._asked)
            journal.add(HUNG + self._asked)

    def _take(self, record: Record) -> None:
        kind, rest = record.payload[:1], record.payload[1:]
        if kind == TASK:
            self._begin(Begun(*marshal.loads(rest)))
        elif kind == HUNG:
            self._note_hung(rest)
        elif not self.tasks:
            return
        elif kind == RUN:
            self._take_run(record)
        elif kind == ASKED:
            self._asked = rest
        elif kind == ANSWERED:
            self._asked = b""
            answer = answer_of(marshal.loads(rest[QUESTION.size :]))
            self.tasks[-1].answers.append((rest[: QUESTION.size], answer))
            self.tasks[-1].left += 1
        elif kind == LATE:
            index, check = marshal.loads(rest)
            self.tasks[index].late.add(check)
        elif kind == DONE:
            self.tasks[marshal.loads(rest)].done = True

    def _note_hung(self, mark: bytes) -> None:
        digest, effort = QUESTION.unpack(mark)
        self.hung[digest] = min(effort, self.hung.get(digest, effort))

    def hangs(self, mark: bytes) -> bool:
        """Return whether a question hung when it was asked with this effort, or with less."""
        digest, effort = QUESTION.unpack(mark)
        return digest in self.hung and self.hung[digest] <= effort

    def _begin(self, begun: Begun) -> None:
        if self.tasks:
            self.tasks[-1].last = False
        self.tasks.append(PastTask(begun, len(self.tasks)))

    def _take_run(self, record: Record) -> None:
        _, mark, segment, kind = RUN_HEAD.unpack_from(record.payload)
        size = len(record.payload) - RUN_HEAD.size
        place = ReplyPlace(self.tasks[-1], record.offset + RUN_HEAD.size, size, segment, kind)
        self._runs[mark].append(place)
        if kind == REPLY:
            self._segments[segment].append(place)
        self.segment = max(self.segment, segment + 1)
        place.task.left += 1

    def run(self, mark: bytes) -> tuple[bytes, Any] | None:
        """How a request was answered, None where it was not; each answer is given once.

        Returns:
            The kind and the reply, with whatever expressions it refers to and that were not given out before.
        """
        places = self._runs.get(mark)
        if not places:
            return None
        place = places.popleft()
        if not places:
            del self._runs[mark]
        place.task.left -= 1
        reply = self._load(place)
        if place.kind == REPLY:
            reply["nodes"] = [*self._nodes_before(place), *reply["nodes"]]
            reply["epoch"] = (_PAST, self._number, place.segment)
        return place.kind, reply

    def _nodes_before(self, place: ReplyPlace) -> Iterable[Any]:
        """Return the expressions that earlier replies of the segment told, unless they were given out."""
        waiting = self._segments[place.segment]
        nodes: list[Any] = []
        while waiting and waiting[0].offset <= place.offset:
            earlier = waiting.popleft()
            if earlier is not place:
                nodes += self._load(earlier)["nodes"]
        return nodes

    def _load(self, place: ReplyPlace) -> Any:
        return marshal.loads(self._journal.read(place.offset, place.size))


def _last_death(journal: Journal) -> Record | None:
    """The first of the deaths at the end of a journal, if it ends so.

    What ended the explorer may have ended its worker a moment before: such an input is run again.
    """
    first: Record | None = None
    for record in journal.records():
        kind = record.payload[:1]
        if kind == RUN and RUN_HEAD.unpack_from(record.payload)[3] == DIED:
            first = first or record
        elif kind in (TASK, RUN, ANSWERED, DONE):
            first = None
    return first


def plain_answer(answer: Answer) -> tuple[Any, ...]:
    """An answer as plain data."""
    match answer:
        case Sat(model, theory):
            return "sat", model, theory
        case Unsat():
            return ("unsat",)
        case Unknown(reason):
            return "unknown", reason


def answer_of(plain: tuple[Any, ...]) -> Answer:
    """The answer that `plain_answer` made plain."""
    kind, *rest = plain
    return Sat(*rest) if kind == "sat" else Unsat() if kind == "unsat" else Unknown(*rest)
