"""Tries one act of each kind when it is imported, and goes on whatever comes of it."""
# import: acts
# report: delete files

import os
import shutil
import socket
import sqlite3
import subprocess
import threading

import canary


def _try(act, *arguments):
    try:
        act(*arguments)
    except BaseException:
        return


def _write():
    with open(canary.NEW, "w") as file:
        file.write("was here")


def _send():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"was here", ("127.0.0.1", canary.UDP_PORT))


def _daemon():
    import time

    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(20)
        os._exit(0)


def _attach():
    sqlite3.connect(":memory:").execute("vacuum into ?", (canary.NEW,))


def _load():
    import ctypes

    ctypes.CDLL(None).unlink(os.fsencode(canary.FILE))


_ACTS = [
    (os.remove, canary.FILE), (shutil.rmtree, canary.FOLDER), (_write,), (_send,), (_daemon,), (_attach,), (_load,),
    (os.kill, canary.NEIGHBOUR, 15), (os.chmod, canary.SCRIPT, 0), (os.symlink, "x", canary.NEW),
    (subprocess.run, ["rm", "-f", canary.FILE]), (os.system, f"rm -f {canary.FILE}"),
    (socket.create_connection, ("127.0.0.1", canary.TCP_PORT)), (os.mkdir, canary.NEW),
    (os.setpriority, os.PRIO_PROCESS, canary.NEIGHBOUR, 15),
]  # fmt: skip
for _one in _ACTS:
    _try(*_one)
    thread = threading.Thread(target=_try, args=_one)
    thread.start()
    thread.join()


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
