"""Calls what is left after the walls: other interpreters, remote debugging, subinterpreters, monitoring."""
# alone: no

import os
import sys
import threading

import canary


def interpreter(number: int) -> int:
    """Another interpreter has no audit hooks of its own."""
    try:
        import _xxsubinterpreters as interpreters
    except ImportError:
        import _interpreters as interpreters
    other = interpreters.create()
    program = f"import os\ntry:\n os.remove({canary.FILE!r})\nexcept OSError: pass"
    interpreters.run_string(other, program)
    interpreters.destroy(other)
    return number


def interpreter_reads(number: int) -> str:
    try:
        import _xxsubinterpreters as interpreters
    except ImportError:
        import _interpreters as interpreters
    reading, writing = os.pipe()
    other = interpreters.create()
    program = (
        f"import os\ntry:\n os.write({writing}, open({canary.SECRET_FILE!r}, 'rb').read())\n"
        f"except OSError: os.write({writing}, b'no')"
    )
    interpreters.run_string(other, program)
    return os.read(reading, 1000).decode()


def testing_helpers(number: int) -> int:
    """Functions for Python's own tests do much without an event."""
    import _testcapi

    return _testcapi.run_in_subinterp(f"import os; os.remove({canary.FILE!r})")


def testing_internals(number: int) -> int:
    import _testinternalcapi

    return _testinternalcapi.run_in_subinterp_with_config(
        f"import os; os.remove({canary.FILE!r})", use_main_obmalloc=False, allow_fork=True, allow_exec=True,
        allow_threads=True, allow_daemon_threads=True, check_multi_interp_extensions=False, own_gil=False,
    )  # fmt: skip


def remote(number: int) -> int:
    getattr(sys, "remote_exec", print)(canary.NEIGHBOUR, canary.TOOL)
    return number


def hooks_cleared(number: int) -> int:
    """Clearing hooks is an event itself, and belongs to the end of the interpreter."""
    import _testcapi

    _testcapi.clear_audit_hooks()
    os.remove(canary.FILE)
    return number


def forged_code(number: int) -> int:
    """Bytecode that takes constants from behind its own: objects that were never given to it."""

    def template():
        return 1

    for place in range(0, 64):
        code = template.__code__
        forged = bytes([100, place]) + code.co_code[2:]
        if "HAZARD_FORGED" in os.environ:
            exec(code.replace(co_code=forged))
    os.remove(canary.FILE)
    return number


def stack_size(number: int) -> int:
    threading.stack_size(1 << 30)
    thread = threading.Thread(target=os.remove, args=(canary.FILE,))
    thread.start()
    thread.join()
    return number


def no_events(number: int) -> int:
    """A module that is loaded by other ways has the same functions."""
    import importlib.machinery
    import importlib.util

    loader = importlib.machinery.BuiltinImporter
    module = importlib.util.module_from_spec(importlib.machinery.ModuleSpec("posix", loader))
    loader.exec_module(module)
    module.unlink(canary.FILE)
    module.posix_spawn("/bin/sh", ["sh", "-c", f"rm {canary.FILE}"], {})
    return number


def old_functions(number: int) -> int:
    """What others keep of functions that were replaced."""
    import multiprocessing.util
    import shutil
    import subprocess

    for holder in (multiprocessing.util, shutil, subprocess, os):
        for name in ("_posixsubprocess", "posix", "_fork_exec", "_os"):
            module = getattr(holder, name, None)
            act = getattr(module, "mkfifo", None)
            if act is not None:
                act(canary.NEW)
    os.mkfifo(canary.NEW)
    return number


def extension_of_mine(number: int) -> int:
    """C code that it writes down itself."""
    import shutil

    import _json

    shutil.copy(_json.__file__, "mine.so") if hasattr(_json, "__file__") else None
    sys.path.insert(0, os.getcwd())
    spec = __import__("importlib.util").util.spec_from_file_location("_json", os.path.abspath("mine.so"))
    __import__("importlib.util").util.module_from_spec(spec)
    return canary.escaped("it loaded C code that it had written")


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
