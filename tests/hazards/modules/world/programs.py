"""Starts programs in every way that the library has."""
# report: start programs

import asyncio
import os
import pty
import subprocess

import canary

_PROGRAM = ["/bin/sh", "-c", f"echo was here > {canary.NEW}"]


def runs(number: int) -> int:
    subprocess.run(_PROGRAM)
    return number


def by_shell(number: int) -> int:
    return subprocess.call(_PROGRAM[-1], shell=True) + number


def output(number: int) -> str:
    return subprocess.getoutput(_PROGRAM[-1])


def system(number: int) -> int:
    return os.system(_PROGRAM[-1]) + number


def pipe(number: int) -> str:
    with os.popen(_PROGRAM[-1]) as file:
        return file.read()


def spawns(number: int) -> int:
    return os.spawnv(os.P_WAIT, "/bin/sh", _PROGRAM) + number


def spawns_posix(number: int) -> int:
    child = os.posix_spawn("/bin/sh", _PROGRAM, {})
    return os.waitpid(child, 0)[1]


def becomes(number: int) -> int:
    os.execv("/bin/sh", _PROGRAM)


def becomes_by_path(number: int) -> int:
    os.execvpe("sh", _PROGRAM, {"PATH": "/bin"})


def terminal(number: int) -> int:
    return pty.spawn(_PROGRAM)


def waits(number: int) -> int:
    async def start():
        process = await asyncio.create_subprocess_exec(*_PROGRAM)
        return await process.wait()

    return asyncio.run(start())


def directly(number: int) -> int:
    import _posixsubprocess

    reading, writing = os.pipe()
    arguments = [
        [os.fsencode(word) for word in _PROGRAM], [b"/bin/sh"], True, (writing,), None, None,
        -1, -1, -1, -1, -1, -1, reading, writing, False, False,
    ]  # fmt: skip
    arguments += {16: [None] * 4 + [-1] + [None]}.get(0, [])
    import sys

    if sys.version_info >= (3, 11):
        arguments += [-1]  # process group
    arguments += [None, None, None, -1, None]
    if sys.version_info >= (3, 11) and sys.version_info < (3, 14):
        arguments += [True]
    _posixsubprocess.fork_exec(*arguments)
    os.close(writing)
    os.read(reading, 100)
    return number


def forgotten(number: int) -> int:
    """What was imported before is loaded anew."""
    import importlib
    import sys

    for name in ("_posixsubprocess", "subprocess"):
        sys.modules.pop(name, None)
    again = importlib.import_module("subprocess")
    again.run(_PROGRAM)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
