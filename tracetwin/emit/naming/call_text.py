"""The source of what a case does, in one line, for those who do not read its test."""

from __future__ import annotations

from typing import Final

from tracetwin.emit.source.identifiers import Unwritable
from tracetwin.emit.source.layout import LaidOut
from tracetwin.emit.source.literals import Writer
from tracetwin.model.case import Act, Case, Step

LONGEST: Final = 120
"""Letters."""

CUT: Final = " ..."


def call_of(case: Case) -> str:
    """Return the steps of a case as source, cut where that is long; "" where they have none."""
    try:
        text = "; ".join(map(_step, case.steps))
    except Unwritable:
        return ""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - len(CUT)]}{CUT}"


def _no_function(_place: str, _node: LaidOut) -> str:
    raise Unwritable("a function takes lines of its own")


def _local(name: str) -> str:
    return name


def _last_part(module: str, name: str) -> str:
    return name if module else name.rpartition(".")[2]


_WRITER: Final = Writer(_last_part, _local, _no_function)


def _step(step: Step) -> str:
    given = [_WRITER.recipe(part).flat() for part in step.args]
    given += [f"{name}={_WRITER.recipe(part).flat()}" for name, part in step.kwargs]
    text = f"{step.name}({', '.join(given)})"
    if step.act is Act.METHOD:
        text = f"{step.place}.{text}"
    elif step.act is Act.GET:
        text = f"{step.place}.{step.name}"
    elif step.act is not Act.CALL or step.binds_mock:
        raise Unwritable("it takes more than calls")
    return f"{step.bind} = {text}" if step.bind else text
