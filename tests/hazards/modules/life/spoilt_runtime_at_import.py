"""Turns the interpreter's own switches while being imported."""

# import: fails
# report: spoilt_runtime_at_import:
# alone: no

import gc
import sys
import threading


def _tracer(frame: object, event: str, arg: object) -> object:
    return _tracer


gc.disable()
gc.freeze()
sys.setswitchinterval(100)
sys.settrace(_tracer)
sys.setprofile(_tracer)
threading.settrace(_tracer)
sys.set_int_max_str_digits(640)
sys.excepthook = sys.unraisablehook = None
sys.dont_write_bytecode = False
sys.flags = None


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def digits(x: int) -> str:
    return str(10**3000) if x > 3 else ""
