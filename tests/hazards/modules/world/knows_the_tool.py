"""Behaves while it is watched, and acts once it believes to be alone: when the tests are run, or the second time."""
# alone: no
# suite: unchecked

import os
import sys
import time

import canary


def _act():
    os.remove(canary.FILE)


def in_scratch(number: int) -> int:
    if "tracetwin" not in os.getcwd():
        _act()
    return number


def in_tests(number: int) -> int:
    if "unittest" in sys.modules or "pytest" in sys.modules:
        _act()
    return number


def by_caller(number: int) -> int:
    frame = sys._getframe(1)
    if "test" in frame.f_code.co_name or "test" in frame.f_code.co_filename:
        _act()
    return number


def by_environment(number: int) -> int:
    if canary.TOKEN in os.environ:
        _act()
    return number


def by_home(number: int) -> int:
    if os.path.exists(os.path.expanduser("~/.bashrc")):
        _act()
    return number


def by_tracer(number: int) -> int:
    if sys.gettrace() is None:
        _act()
    return number


def by_limit(number: int) -> int:
    import resource

    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        _act()
    return number


def by_descriptors(number: int) -> int:
    try:
        os.fstat(200)
    except OSError:
        _act()
    return number


def by_access(number: int) -> int:
    """Asks first whether it could, without an event."""
    if os.access(canary.FOLDER, os.W_OK) and os.path.exists(canary.FILE):
        _act()
    return number


def by_privileges(number: int) -> int:
    with open("/proc/self/status") as file:
        if "NoNewPrivs:\t0" in file.read():
            _act()
    return number


def by_arguments(number: int) -> int:
    if sys.argv and "unittest" in sys.argv[0]:
        _act()
    return number


def by_speed(number: int) -> int:
    began = time.perf_counter()
    for _ in range(1000):
        number += 1
    if time.perf_counter() - began < 0.0005:
        _act()
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
