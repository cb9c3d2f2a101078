"""A target whose functions do what no target should."""

# Hostile, and as direct as possible.
# ruff: noqa: BLE001, PTH101, PTH104, PTH107, PTH118, PTH119, PTH120, PTH123, PTH208, PTH211, T201

from __future__ import annotations

import builtins
import contextlib
import ctypes
import gc
import io
import multiprocessing
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

kept: list[object] = []


def fine(number):
    return number + 1


# -- never ending


def slow(number):
    time.sleep(0.15)
    return number


def loops():
    while True:
        pass


def swallows():
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue


def sleeps():
    time.sleep(1000)


def waits_for_a_lock():
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def matches_for_ever():
    return re.match(r"(a+)+$", "a" * 64 + "b")


def computes_in_c():
    return len(str(7 ** (10**8)))


def ignores_the_alarm():
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True:
        pass


def blocks_signals():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))
    while True:
        pass


def joins_a_thread():
    thread = threading.Thread(target=loops, daemon=True)
    thread.start()
    thread.join()


def reads_a_pipe():
    reading, _ = os.pipe()
    return os.read(reading, 1)


# -- ends the process


def exits_hard(status):
    os._exit(status)


def aborts():
    os.abort()


def kills_itself():
    os.kill(os.getpid(), signal.SIGKILL)


def crashes():
    # A null pointer without ctypes: an object forged from bytecode.
    code = (lambda: 0).__code__
    with contextlib.suppress(Exception):
        exec(code.replace(co_code=bytes(len(code.co_code)), co_consts=(), co_names=(), co_stacksize=0))
    signal.raise_signal(signal.SIGSEGV)


def recurses_in_c():
    sys.setrecursionlimit(10**9)

    def deeper(value):
        return deeper([value])

    return deeper(0)


def closes_everything():
    os.closerange(3, 10_000)


def writes_to_every_descriptor():
    for fd in range(3, 256):
        with contextlib.suppress(OSError):
            os.write(fd, b"garbage garbage garbage")


def leaves_by_alarm():
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(1)
    while True:
        pass


def ends_later():
    def end():
        time.sleep(0.05)
        os._exit(9)

    threading.Thread(target=end).start()


# -- ends the interpreter, as it thinks


def exits():
    sys.exit(3)


def interrupts():
    raise KeyboardInterrupt


def recurses():
    return recurses()


def eats_memory():
    hoard = []
    while True:
        hoard.append(bytes(64 << 20))


def allocates_at_once():
    return len(bytearray(1 << 40))


# -- harmless to us, if noticed


def prints_much():
    for _ in range(2000):
        print("x" * 10_000)
        sys.stderr.write("y" * 10_000)
        os.write(1, b"z" * 10_000)


def reads_stdin():
    return sys.stdin.read(), os.read(0, 10)


def asks():
    return input("? ")


def takes_streams_away():
    sys.stdout = sys.stderr = sys.stdin = None


def closes_streams():
    sys.stdout.close()
    sys.stderr.close()
    os.close(0)
    os.close(1)
    os.close(2)


def leaves_a_thread():
    thread = threading.Thread(target=time.sleep, args=(1000,), daemon=False)
    thread.start()


def tinkers():
    sys.setrecursionlimit(100_000)
    sys.settrace(lambda *_: None)
    gc.disable()
    builtins.len = None  # type: ignore[assignment]
    sys.path.clear()
    sys.meta_path.clear()
    os.environ.clear()
    os.umask(0o777)
    os.chdir("/")


def changes_settings():
    sys.setrecursionlimit(100_000)
    sys.setprofile(lambda *_: None)
    gc.disable()
    os.environ.clear()
    os.umask(0o777)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def spoils_builtins():
    before = builtins.isinstance is None
    builtins.isinstance = builtins.len = builtins.getattr = None  # type: ignore[assignment]
    return before


def keeps():
    kept.append(1)
    return len(kept)


def draws():
    import random

    return random.random(), random.gauss(0, 1)


def leaves_a_descriptor():
    os.open(os.devnull, os.O_RDONLY)


def leaves_finalizers():
    class Last:
        def __del__(self):
            while True:
                pass

    import atexit

    atexit.register(loops)
    kept.append(Last())


# -- harms others


def writes(path):
    with open(path, "w") as file:
        file.write("harm")


def appends(path):
    with open(path, "ab") as file:
        file.write(b"harm")


def opens_low(path):
    os.open(path, os.O_RDWR)


def removes(path):
    os.remove(path)


def removes_beside(path):
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    os.unlink(os.path.basename(path), dir_fd=folder)


def removes_all(path):
    shutil.rmtree(os.path.dirname(path))


def renames(path):
    os.rename(path, path + ".away")


def moves_in(path):
    os.rename(path, os.path.join(tempfile.gettempdir(), "mine"))


def links_in(path):
    mine = os.path.join(tempfile.gettempdir(), "mine")
    os.link(path, mine)
    writes(mine)


def follows_a_link(path):
    mine = os.path.join(tempfile.gettempdir(), "link")
    os.symlink(path, mine)
    writes(mine)


def climbs(path):
    writes(os.path.join(tempfile.gettempdir(), "..", "..", "..", "..", path.lstrip("/")))


def makes_executable(path):
    os.chmod(path, 0o777)


def changes_by_descriptor(path):
    with open(path) as file:
        os.fchmod(file.fileno(), 0o777)


def touches(path):
    os.utime(path, (0, 0))


def truncates(path):
    os.truncate(path, 0)


def makes_a_folder(path):
    Path(path).with_suffix(".folder").mkdir()


def makes_a_pipe(path):
    os.mkfifo(path + ".fifo")


def opens_relative(path):
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    os.open(os.path.basename(path), os.O_WRONLY | os.O_TRUNC, dir_fd=folder)


def databases(path):
    import sqlite3

    with sqlite3.connect(path) as connection:
        connection.execute("create table harm (x)")


def runs_a_program(path):
    subprocess.run(["touch", path], check=True)


def runs_a_shell(path):
    if os.system(f"echo harm > {path}"):
        raise OSError


def becomes_a_program(path):
    os.execv("/bin/rm", ["rm", path])


def spawns(path):
    os.posix_spawn("/bin/rm", ["rm", path], {})


def spawns_a_worker(path):
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=writes, args=(path,))
    process.start()
    process.join()


def forks(path):
    if os.fork() == 0:
        writes(path)


def loads_c(path):
    ctypes.CDLL(None).unlink(path.encode())


def uses_loaded_c(path):
    ctypes.pythonapi.remove(path.encode())


def raises_limits(path):
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
    writes(path)


def connects(port):
    socket.create_connection(("127.0.0.1", port), timeout=1)


def sends(port):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"harm", ("127.0.0.1", port))


def spies(pid):
    with open(f"/proc/{pid}/environ", "rb") as file:
        return file.read()


def listens():
    socket.socket().bind(("127.0.0.1", 0))


def looks_up():
    socket.getaddrinfo("localhost", 80)


def kills(pid):
    os.kill(pid, signal.SIGKILL)


def kills_the_parent():
    os.kill(os.getppid(), signal.SIGKILL)


def kills_the_group():
    os.killpg(0, signal.SIGKILL)


def kills_all():
    os.kill(-1, signal.SIGKILL)


# -- allowed


def uses_scratch():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a").write_text("text")
        Path(folder, "a").rename(Path(folder, "b"))
        Path(folder, "sub").mkdir()
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x")
    return Path(os.devnull).write_text("gone")


def leaves_a_file():
    names = os.listdir()
    Path("left").write_text("x")
    return names


def fills_the_disk():
    with open("large", "wb") as file:
        while True:
            file.write(bytes(1 << 20))


def runs_a_loop():
    import asyncio

    async def both():
        return await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2))

    return asyncio.run(both())


def catches_the_refusal(path):
    try:
        writes(path)
    except OSError:
        return io.StringIO("went on").read()
