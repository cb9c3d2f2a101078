"""Turns the interpreter's own switches: tracing, profiling, the collector, hooks, the switch interval."""

# options: --max-runs 70
# within: 180
# report: no answer after 3 s in line 
# alone: no

import gc
import sys
import threading
import warnings


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def traces(x: int) -> int:
    def tracer(frame: object, event: str, arg: object) -> object:
        while x > 3:
            pass
        return tracer

    sys.settrace(tracer)
    threading.settrace(tracer)
    return fine(x) != ""


def profiles(x: int) -> int:
    def profiler(frame: object, event: str, arg: object) -> None:
        raise SystemExit("from a profiler")

    sys.setprofile(profiler)
    return x


def collects(x: int) -> int:
    gc.disable()
    gc.set_threshold(0)
    gc.freeze()
    gc.set_debug(gc.DEBUG_SAVEALL)
    return x + 1 if x > 3 else x


def garbage(x: int) -> int:
    gc.disable()
    for _ in range(3_000_000 if x > 3 else 1):
        cycle: list = []
        cycle.append(cycle)
    return x


def callbacks(x: int) -> int:
    def forever(*_: object) -> None:
        while True:
            pass

    gc.callbacks.append(forever)
    return x


def hooks(x: int) -> int:
    def forever(*_: object) -> None:
        while True:
            pass

    sys.excepthook = sys.unraisablehook = sys.displayhook = sys.breakpointhook = forever
    threading.excepthook = forever
    warnings.showwarning = forever
    return x


def switches(x: int) -> int:
    sys.setswitchinterval(1000)
    sys.set_int_max_str_digits(0)
    return x


def breaks(x: int) -> int:
    breakpoint()
    return x


def audits(x: int) -> int:
    def hook(event: str, args: tuple) -> None:
        raise RuntimeError(event)

    sys.addaudithook(hook)
    return x


def slow_audit(x: int) -> int:
    def hook(event: str, args: tuple) -> None:
        while True:
            pass

    sys.addaudithook(hook)
    return x


def coroutine_wrapper(x: int) -> int:
    sys.set_asyncgen_hooks(firstiter=lambda *_: 1 / 0)
    sys.set_coroutine_origin_tracking_depth(1000)
    return x
