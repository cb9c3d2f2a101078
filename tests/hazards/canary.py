"""What a hazard must leave as it is: files, sockets, a neighbour process, secrets."""

from __future__ import annotations

import hashlib
import os
import secrets
import selectors
import shutil
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NEIGHBOUR = Path(__file__).with_name("neighbour.py")
TOKEN = "HAZARD_TOKEN"
_QUIET_SECONDS = 0.05


class Canary:
    """A tree of files, four sockets that listen, and a process, all of them watched.

    Attributes:
        base: the folder that holds everything.
        home: the home of the user who runs a hazard.
        secret: a text that stands in files and in the environment, and must not be seen anywhere else.
        escaped: what a hazard tells if it did what leaves no trace elsewhere.
        shared: a name of shared memory that is free.
        notes: the file in which the neighbour notes its signals.
    """

    def __init__(self, base: Path) -> None:
        """Lay everything out in a folder."""
        self.base = base
        self.home = base / "home"
        self.files = base / "files"
        self.secret = f"secret-{secrets.token_hex(8)}"
        self.escaped = f"escaped-{secrets.token_hex(8)}"
        self.shared = f"/tracetwin-{secrets.token_hex(6)}"
        self._grow()
        self.notes = base / "notes"  # beside the tree: the neighbour writes it
        self.listeners = Listeners(base / "socket")
        self.neighbour = subprocess.Popen(
            [sys.executable, "-I", "-S", str(NEIGHBOUR), str(self.notes)],
            env={TOKEN: self.secret},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        while not self.notes.is_file() or not self.notes.read_bytes():
            time.sleep(0.005)
        self._before = self._look()
        self._process = _process_state(self.neighbour.pid)

    def __enter__(self) -> Canary:  # noqa: PYI034 - `Self` is of Python 3.11
        """Everything is there already."""
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """End the neighbour, close the sockets, remove the tree."""
        self.neighbour.kill()
        self.neighbour.wait()
        self.listeners.close()
        for shared in self._shared():
            shared.unlink()
        for folder in self.base.rglob("*/"):
            if not folder.is_symlink():
                folder.chmod(0o700)
        shutil.rmtree(self.base)

    def _grow(self) -> None:
        texts = {
            "files/plain.txt": "alive\n",
            "files/empty.txt": "",
            "files/large.bin": "0123456789abcdef" * 4096,
            "files/deep/er/leaf.txt": "leaf\n",
            "files/run.sh": "#!/bin/sh\necho run\n",
            "files/locked.txt": "locked\n",
            "files/first": "one file, two names\n",
            "files/tool.py": "VALUE = 1\n",
            "files/secret.txt": f"password={self.secret}\n",
            "home/.bashrc": "export EDITOR=vi\n",
            "home/.profile": "umask 022\n",
            "home/.netrc": f"machine example.org login me password {self.secret}\n",
            "home/.ssh/id_ed25519": f"-----BEGIN {self.secret}-----\n",
            "home/.ssh/authorized_keys": "ssh-ed25519 AAAA me\n",
            "home/.aws/credentials": f"[default]\naws_secret_access_key={self.secret}\n",
            "home/.config/autostart/readme": "nothing\n",
            "home/.gitconfig": "[user]\n\tname = me\n",
            "cron.d/nightly": "0 3 * * * root true\n",
        }
        for name, text in texts.items():
            path = self.base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (self.files / "void").mkdir()
        (self.files / "second").hardlink_to(self.files / "first")
        (self.files / "link").symlink_to("plain.txt")
        (self.files / "dangling").symlink_to("nowhere")
        (self.files / "run.sh").chmod(0o755)
        (self.files / "locked.txt").chmod(0o400)
        (self.home / ".ssh").chmod(0o700)
        (self.home / ".ssh/id_ed25519").chmod(0o600)

    def places(self) -> dict[str, object]:
        """What a hazard module finds in `canary`: the only place where it learns what to aim at."""
        return {
            "BASE": str(self.base),
            "HOME": str(self.home),
            "FOLDER": str(self.files),
            "FILE": str(self.files / "plain.txt"),
            "LARGE": str(self.files / "large.bin"),
            "LEAF": str(self.files / "deep/er/leaf.txt"),
            "SCRIPT": str(self.files / "run.sh"),
            "LOCKED": str(self.files / "locked.txt"),
            "FIRST": str(self.files / "first"),
            "VOID": str(self.files / "void"),
            "LINK": str(self.files / "link"),
            "DANGLING": str(self.files / "dangling"),
            "TOOL": str(self.files / "tool.py"),
            "SECRET_FILE": str(self.files / "secret.txt"),
            "NEW": str(self.files / "new"),
            "CRON": str(self.base / "cron.d"),
            "TOKEN": TOKEN,
            "SHARED": self.shared,
            "NEIGHBOUR": self.neighbour.pid,
            **self.listeners.places(),
        }

    def damage(self, *, patience: float = _QUIET_SECONDS) -> list[str]:
        """What has changed, in words; nothing where all is as it was.

        Args:
            patience: seconds in which what is still on its way may arrive.
        """
        until = time.monotonic() + patience
        while not (found := self._damage()) and time.monotonic() < until:
            time.sleep(0.01)
        return found

    def _damage(self) -> list[str]:
        after = self._look()
        found = [
            f"{name}: {_difference(self._before.get(name), after.get(name))}"
            for name in sorted({*self._before, *after})
            if self._before.get(name) != after.get(name)
        ]
        found += [f"{shared} is new" for shared in self._shared()]
        return found + self._neighbour_damage() + self.listeners.heard()

    def _shared(self) -> list[Path]:
        name = self.shared.lstrip("/")
        places = Path("/dev/shm", name), Path("/dev/shm", f"sem.{name}"), Path("/dev/mqueue", name)
        return [place for place in places if place.exists()]

    def _neighbour_damage(self) -> list[str]:
        if self.neighbour.poll() is not None:
            return [f"the neighbour ended with {self.neighbour.returncode}"]
        found = self.notes.read_text().split("\n")[1:-1]
        now = _process_state(self.neighbour.pid)
        return [f"the neighbour got {note}" for note in found] + [
            f"the neighbour's {name} changed: {_first_difference(value, now[name])}"
            for name, value in self._process.items()
            if now[name] != value
        ]

    def _look(self) -> dict[str, tuple[object, ...]]:
        return {
            str(path.relative_to(self.base)): _state(path)
            for path in [self.base, *self.base.rglob("*")]
            if path not in (self.base / "notes", self.base)
        }


def _state(path: Path) -> tuple[object, ...]:
    """Everything about a file but when it was read."""
    found = path.lstat()
    content: object = ""
    if stat.S_ISLNK(found.st_mode):
        content = str(path.readlink())
    elif stat.S_ISREG(found.st_mode):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    extra = _extended(path)
    modified = 0 if stat.S_ISSOCK(found.st_mode) else found.st_mtime_ns
    changed = 0 if stat.S_ISSOCK(found.st_mode) else found.st_ctime_ns
    return (
        oct(found.st_mode), found.st_uid, found.st_gid, found.st_nlink, found.st_size, modified, changed,
        content, extra,
    )  # fmt: skip


def _extended(path: Path) -> tuple[str, ...]:
    if not hasattr(os, "listxattr"):
        return ()
    return tuple(os.listxattr(path, follow_symlinks=False))


def _difference(before: tuple[object, ...] | None, after: tuple[object, ...] | None) -> str:
    if before is None:
        return "is new"
    if after is None:
        return "is gone"
    names = ("mode", "owner", "group", "links", "size", "mtime", "ctime", "content", "attributes")
    changed = [name for name, old, new in zip(names, before, after, strict=True) if old != new]
    return f"changed in {', '.join(changed)}"


def _first_difference(before: object, after: object) -> str:
    lines = zip(str(before).splitlines(), str(after).splitlines(), strict=False)
    return next((f"{old} became {new}" for old, new in lines if old != new), "")


def _process_state(pid: int) -> dict[str, object]:
    """What others can change of a process without a signal."""
    told: dict[str, object] = {"priority": os.getpriority(os.PRIO_PROCESS, pid)}
    if hasattr(os, "sched_getaffinity"):
        told["processors"] = os.sched_getaffinity(pid)
        told["scheduler"] = os.sched_getscheduler(pid)
    for name in ("limits", "oom_score_adj", "comm"):
        place = Path(f"/proc/{pid}/{name}")
        if place.exists():
            told[name] = place.read_text().strip()
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        lines = status.read_text().splitlines()
        told["tracer"] = [line for line in lines if line.startswith(("TracerPid", "NSpid"))]
        told["stopped"] = any(line.startswith("State:\tT") for line in lines)
    return told


class Listeners:
    """A TCP, a UDP, a named and an unnamed (abstract) local socket; whatever reaches them is remembered."""

    def __init__(self, path: Path) -> None:
        """Listen."""
        self.path = path
        self.abstract = f"\0tracetwin-{secrets.token_hex(6)}" if sys.platform.startswith("linux") else ""
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        local: list[tuple[str, str]] = [("local", str(path))]
        if self.abstract:
            local.append(("abstract", self.abstract))
        self._sockets: dict[str, socket.socket] = {"tcp": self.tcp, "udp": self.udp}
        for name, address in local:
            self._sockets[name] = one = socket.socket(socket.AF_UNIX)
            one.bind(address)
            one.listen()
        self._heard: list[str] = []
        self._choice = selectors.DefaultSelector()
        for name, one in self._sockets.items():
            one.setblocking(False)
            self._choice.register(one, selectors.EVENT_READ, name)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def places(self) -> dict[str, object]:
        """Where they listen."""
        return {
            "TCP_PORT": self.tcp.getsockname()[1],
            "UDP_PORT": self.udp.getsockname()[1],
            "SOCKET": str(self.path),
            "ABSTRACT": self.abstract,
        }

    def heard(self) -> list[str]:
        """Who came."""
        return list(self._heard)

    def close(self) -> None:
        """No longer listen."""
        self._closing.set()
        self._thread.join()
        self._choice.close()
        for one in self._sockets.values():
            one.close()

    def _listen(self) -> None:
        while not self._closing.is_set():
            for key, _events in self._choice.select(0.05):
                self._heard.append(f"the {key.data} socket was reached")
                _take(key.fileobj)


def _take(one: Any) -> None:
    try:
        if one.type == socket.SOCK_DGRAM:
            one.recv(1 << 16)
        else:
            one.accept()[0].close()
    except OSError:  # who knocked has gone again
        return
