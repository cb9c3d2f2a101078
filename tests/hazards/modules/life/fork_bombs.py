"""Makes processes without need: by fork, spawn, multiprocessing and pools; bounded by itself."""

# options: --max-runs 70
# within: 120
# report: os.fork() is refused
# report: os.posix_spawn(
# report: subprocess.Popen(
# alone: no

import multiprocessing
import os
import subprocess
import sys


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def forks(x: int) -> int:
    made = 0
    while x > 3 and made < 20:
        if os.fork() == 0:
            os._exit(0)
        made += 1
    return made


def forks_quietly(x: int) -> int:
    made = 0
    for _ in range(20):
        try:
            if os.fork() == 0:
                os._exit(0)
        except OSError:
            continue
        made += 1
    return made


def spawns(x: int) -> int:
    return os.posix_spawn(sys.executable, [sys.executable, "-c", "pass"], {}) if x > 3 else x


def starts(x: int) -> int:
    return subprocess.call([sys.executable, "-c", "import time; time.sleep(100)"]) if x > 3 else x


def _nothing() -> None:
    pass


def pool(x: int) -> list:
    with multiprocessing.get_context("fork").Pool(4) as workers:
        return workers.map(abs, range(x))


def process(x: int) -> int:
    child = multiprocessing.Process(target=_nothing, daemon=True)
    child.start()
    child.join()
    return x
