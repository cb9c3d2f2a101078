"""Has C code of the library write files, which tells no audit hook."""
# alone: no trace

import ssl
import sys

import canary


def keys(number: int) -> int:
    context = ssl.create_default_context()
    context.keylog_filename = canary.NEW
    return number


def history(number: int) -> int:
    import readline

    readline.add_history("was here")
    readline.write_history_file(canary.NEW)
    return number


def shared(number: int) -> str:
    import _posixshmem
    import os

    _posixshmem.shm_open(canary.SHARED, os.O_CREAT | os.O_RDWR, mode=0o600)
    return canary.escaped("shared memory was made")


def shared_by_library(number: int) -> str:
    from multiprocessing import shared_memory

    shared_memory.SharedMemory(canary.SHARED.lstrip("/"), create=True, size=16)
    return canary.escaped("shared memory was made")


def semaphore(number: int) -> str:
    import _multiprocessing

    _multiprocessing.SemLock(1, 1, 1, canary.SHARED, False)
    return canary.escaped("a semaphore was made")


def trace(number: int) -> int:
    """The trampolines of perf: a file in /tmp."""
    import os

    if not hasattr(sys, "activate_stack_trampoline"):
        return number
    sys.activate_stack_trampoline("perf")
    try:
        if os.path.exists(f"/tmp/perf-{os.getpid()}.map"):
            return canary.escaped("a map for perf was written")
    finally:
        sys.deactivate_stack_trampoline()
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
