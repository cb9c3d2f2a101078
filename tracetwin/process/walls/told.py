"""The few things that a target is told of its machine and its user, though looking them up is refused.

Programs ask for them on their way to something else: where the settings of a user lie, what system this is.
All of them differ from one replay to the other, so that no test says what they are.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable
from typing import Any, Final

from tracetwin.process.walls.audit import AuditGuard


class Told:
    """Facts that are told to all targets.

    Attributes:
        processor: as `platform.processor` says, which runs a program to find out.
        user: the name of the user.
        home: the folder of the user, "" for the one that the variable HOME names when the walls go up.
    """

    processor = ""
    user = "user"
    home = ""


TOLD: Final = Told()


def own_entry(guard: AuditGuard, event: str) -> Callable[[int], Any]:
    """Return `pwd.getpwuid` for the user's own number; all others are refused."""
    home = os.environ.get("HOME", "/")

    def getpwuid(uid: int, /) -> Any:
        if uid != os.getuid():
            guard.refuse(event, uid)
        entry = (TOLD.user, "x", uid, os.getgid(), "", TOLD.home or home, "/bin/sh")
        return pwd.struct_passwd(entry)

    getpwuid.__module__ = "pwd"
    return getpwuid


def without_programs(processor: Any) -> Any:
    """Return the class by which `platform` finds out about the processor, which is told without a program."""
    processor.from_subprocess = staticmethod(lambda: TOLD.processor)
    return processor
