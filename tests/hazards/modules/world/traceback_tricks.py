"""Takes the guard out of the traceback of a refusal, and disarms it."""

import os
import sys

import canary


def _frames():
    """All frames that a refusal shows, and those below us."""
    try:
        os.remove(canary.FILE)
    except OSError as error:
        trace = error.__traceback__
        while trace is not None:
            yield trace.tb_frame
            trace = trace.tb_next
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def _things():
    for frame in list(_frames()):
        yield from frame.f_locals.values()
        yield from frame.f_globals.values()


def _guards():
    return [thing for thing in _things() if type(thing).__name__ == "Guard"]


def opens_door(number: int) -> int:
    for guard in _guards():
        guard.forking = guard.allow_fork = True
        guard._roots, guard._below = ("/",), ("/",)
        guard.refusals.clear()
        guard.refused = 0
    os.remove(canary.FILE)
    return number


def no_checks(number: int) -> int:
    for guard in _guards():
        guard._checks.clear()
        guard.refusals.clear()
        guard.refused = 0
    os.remove(canary.FILE)
    return number


def no_refusal(number: int) -> int:
    for guard in _guards():
        type(guard)._refuse = lambda *_: None
    os.remove(canary.FILE)
    return number


def no_events(number: int) -> int:
    for guard in _guards():
        for name in [name for name in vars(type(guard)) if not name.startswith("__")]:
            setattr(type(guard), name, lambda *_, **__: None)
    os.remove(canary.FILE)
    return number


def other_globals(number: int) -> int:
    for frame in list(_frames()):
        if "Guard" in frame.f_globals or "_realpath" in frame.f_globals:
            frame.f_globals["_realpath"] = lambda *_: os.getcwd() + "/mine"
    os.remove(canary.FILE)
    return number


def kills(number: int) -> int:
    for guard in _guards():
        guard.forking = True
        guard._checks.clear()
    os.kill(canary.NEIGHBOUR, 15)
    return number


def forks(number: int) -> int:
    import time

    for guard in _guards():
        guard.forking = True
        guard._checks.clear()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(20)
        os._exit(0)
    return number


def sends(number: int) -> int:
    import socket

    for guard in _guards():
        guard._checks.clear()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        return one.sendto(b"was here", ("127.0.0.1", canary.UDP_PORT))


def reads(number: int) -> str:
    for guard in _guards():
        guard._checks.clear()
        guard.refusals.clear()
        guard.refused = 0
    with open(canary.SECRET_FILE) as file:
        return file.read()


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
