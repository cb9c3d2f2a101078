"""Calls C functions through ctypes: in the C library, in Python itself, in the libraries of the system."""
# report: call C code through ctypes
# alone: no alters_guard

import ctypes
import ctypes.util
import os

import canary


def removes(number: int) -> int:
    return ctypes.CDLL(None).unlink(os.fsencode(canary.FILE))


def removes_by_name(number: int) -> int:
    return ctypes.CDLL("libc.so.6").unlink(os.fsencode(canary.FILE))


def removes_by_system_call(number: int) -> int:
    return ctypes.CDLL(None).syscall(263, -100, os.fsencode(canary.FILE), 0)


def kills(number: int) -> int:
    return ctypes.CDLL(None).kill(canary.NEIGHBOUR, 15)


def runs(number: int) -> int:
    return ctypes.CDLL(None).system(os.fsencode(f"rm {canary.FILE}"))


def python(number: int) -> int:
    return ctypes.pythonapi.PyRun_SimpleString(b"import os; os.remove(%r)" % canary.FILE)


def reads(number: int) -> bytes:
    library = ctypes.CDLL(None)
    buffer = ctypes.create_string_buffer(1000)
    library.read(library.open(os.fsencode(canary.SECRET_FILE), 0), buffer, 1000)
    return buffer.value


def module_again(number: int) -> int:
    import _ctypes

    handle = _ctypes.dlopen(None, 2)
    address = _ctypes.dlsym(handle, "unlink")
    return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)(address)(os.fsencode(canary.FILE))


def by_prototype(number: int) -> int:
    unlink = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)(("unlink", ctypes.CDLL(None)))
    return unlink(os.fsencode(canary.FILE))


def finds(number: int) -> int:
    """Looking for a library starts programs."""
    library = ctypes.util.find_library("c")
    return ctypes.CDLL(library).unlink(os.fsencode(canary.FILE))


def alters_guard(number: int) -> int:
    """Memory is written without a function of the C library."""
    ctypes.memset(id(canary.escaped), 0, 64)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
