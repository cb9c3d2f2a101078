"""Processes that leave their group are found and ended."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import os
import subprocess
import sys
import time
from tracetwin.process import strays

strays.adopt()
child = strays.start([sys.executable, "-c", {child!r}], stdout=subprocess.PIPE)
stray = int(child.stdout.readline())
other = strays.start([sys.executable, "-c", "import time; time.sleep(60)"])
child.kill()
strays.ended(child)
try:
    os.kill(stray, 0)
    print("it lives")
except ProcessLookupError:
    print("ended", other.poll())
other.kill()
strays.ended(other)
"""
CHILD = """
import os
import time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    print(os.getpid(), flush=True)
    time.sleep(60)
time.sleep(60)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="orphans are handed over on Linux only")
def test_a_process_that_left_its_group_is_ended_and_ours_is_not() -> None:
    command = [sys.executable, "-c", PROGRAM.format(child=CHILD)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout.strip() == "ended None", done.stderr
