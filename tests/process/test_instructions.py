"""Tracers see every instruction, on every Python and from the first call on."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import dis, sys
from tracetwin.process.instructions import trace_calls, trace_instructions

def target(value):
    return [value.real, value.imag]

seen = []

def called(frame, event, argument):
    if frame.f_code is not target.__code__:
        return None
    def passed(inner, event, argument):
        if event == "opcode":
            seen.append(inner.f_lasti)
        return passed
    return trace_instructions(frame, passed)

before = trace_calls(called)
target(1)
sys.settrace(before)
target(1)
executed = [i.offset for i in dis.get_instructions(target) if i.opname not in {"RESUME", "CACHE"}]
assert executed == [o for o in seen if o in executed], (executed, seen)
assert sys.gettrace() is None
"""


def test_the_first_traced_call_of_a_process_is_seen_whole():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert "" == done.stderr
