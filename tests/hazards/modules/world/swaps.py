"""Swaps a folder for a link in the moment between the look at a path and its use."""
# alone: no

import os
import threading
import time

import canary


def _swap(stop):
    os.makedirs("real/er", exist_ok=True)
    with open("real/er/leaf.txt", "w") as file:
        file.write("mine")
    while not stop.is_set():
        for target in ("real", os.path.join(canary.FOLDER, "deep")):
            try:
                os.symlink(target, "next")
                os.replace("next", "door")
            except OSError:
                continue


def writes(number: int) -> int:
    stop = threading.Event()
    thread = threading.Thread(target=_swap, args=(stop,), daemon=True)
    thread.start()
    until = time.monotonic() + 0.7
    while time.monotonic() < until:
        try:
            with open("door/er/leaf.txt", "w") as file:
                file.write("gone")
        except OSError:
            continue
    stop.set()
    thread.join()
    return number


def removes(number: int) -> int:
    stop = threading.Event()
    thread = threading.Thread(target=_swap, args=(stop,), daemon=True)
    thread.start()
    until = time.monotonic() + 0.7
    while time.monotonic() < until:
        try:
            os.remove("door/er/leaf.txt")
        except OSError:
            continue
    stop.set()
    thread.join()
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
