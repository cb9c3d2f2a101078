"""Code in C, which Python's audit events do not tell of, and child processes: the kernel keeps them in."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.process.conftest import STUB
from tracetwin.process.walls import landlock, syscalls
from tracetwin.process.walls.kernel import Kernel
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import Ready, RunnerDied, Worker
from tracetwin.target.module import TargetModule as Target

COMPILER = shutil.which("gcc") or shutil.which("cc")
HERE = Path(__file__).parent
MACHINE = syscalls.architecture()

pytestmark = [
    pytest.mark.skipif(MACHINE is None, reason="the kernel's walls are there on Linux only"),
    pytest.mark.skipif(landlock.version(Kernel()) < 3, reason="no Landlock that knows of truncation"),
]

SOURCE = """
    import os, subprocess, sys
    try:
        import escape
    except ImportError:
        escape = None

    def number(name): return name
    def fine(value): return value + 1
    def call(*args): return escape.call(*args)
    def connect_unix(name): return escape.connect_unix(name)
    def reads_environment(): return dict(os.environ)
    def shell(words):
        done = subprocess.run(["/bin/sh", "-c", words], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr
    def leaves_a_process(words):
        subprocess.Popen(["/bin/sh", "-c", words], start_new_session=True)
        return True
    def tries(act, *args):
        try:
            return getattr(os, act)(*args)
        except PermissionError as error:
            return type(error).__name__
    def reads(path):
        with open(path) as file: return file.read()
    def writes(path):
        with open(path, "w") as file: file.write("changed")
    def removes(path): os.remove(path)
    def connects(port):
        import socket
        socket.create_connection(("127.0.0.1", port), 2).close()
        return True
"""


class Canary:
    """Files outside, and what they are like."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "file"
        folder.mkdir()
        self.file.write_text("canary")
        os.utime(self.file, (1_000_000, 1_000_000))
        (folder / "sub").mkdir()
        self.before = self.state()

    def state(self) -> object:
        """All that could be changed of it."""
        told: list[object] = []
        for path in sorted(self.folder.rglob("*")):
            seen = path.lstat()
            text = path.read_text() if path.is_file() else ""
            told.append((path.name, seen.st_mode, seen.st_uid, seen.st_gid, seen.st_mtime_ns, text))
            told.append(("attributes", *os.listxattr(path)))
        return told


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Canary]:
    """It is the same in the end."""
    made = Canary(tmp_path / "canary")
    yield made
    assert made.state() == made.before


@pytest.fixture(scope="session")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The module in C, compiled."""
    if COMPILER is None:
        pytest.skip("there is no C compiler")
    include = sysconfig.get_path("include")
    if not Path(include, "Python.h").is_file():
        pytest.skip("there are no headers of Python")
    folder = tmp_path_factory.mktemp("extension")
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    words = [COMPILER, "-shared", "-fPIC", f"-I{include}", str(HERE / "data" / "escape.c")]
    subprocess.run([*words, "-o", str(folder / f"escape{suffix}")], check=True)
    return folder


@pytest.fixture(scope="module")
def escaping(extension: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """A worker whose target calls the kernel; one for all."""
    root = tmp_path_factory.mktemp("root")
    (root / "target.py").write_text(textwrap.dedent(SOURCE))
    target = Target("target", str(root / "target.py"), str(root), search_path=(str(extension),))
    with Worker(target, Limits(wall_seconds=5), handler=STUB) as worker:
        assert isinstance(worker.start(), Ready)
        yield worker


def started(make_worker: Callable[..., Worker], extension: Path | None = None, **allowed: Any) -> Worker:
    worker = make_worker(
        SOURCE, limits=Limits(wall_seconds=5), options={"guide": {"permissions": allowed}}
    )
    if extension is not None:
        worker._start["search_path"] = [str(extension)]
    assert isinstance(worker.start(), Ready)
    return worker


def numbered(name: str) -> int:
    assert MACHINE is not None
    found = syscalls.number(name, MACHINE[1])
    if found is None:
        pytest.skip(f"this machine has no {name}")
    return found


HERE_FD = -100  # AT_FDCWD


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("chmod", ["PATH", 0o777]),
        ("fchmodat", [HERE_FD, "PATH", 0o777]),
        ("fchmodat2", [HERE_FD, "PATH", 0o777, 0]),
        ("chown", ["PATH", 1, 1]),
        ("lchown", ["PATH", 1, 1]),
        ("fchownat", [HERE_FD, "PATH", 1, 1, 0]),
        ("utimensat", [HERE_FD, "PATH", 0, 0]),
        ("utime", ["PATH", 0]),
        ("setxattr", ["PATH", b"user.changed\0", b"1", 1, 0]),
        ("lsetxattr", ["PATH", b"user.changed\0", b"1", 1, 0]),
        ("socket", [2, 3, 1]),
        ("socket", [16, 3, 0]),
        ("socket", [17, 3, 0]),
        ("socket", [1, 1, 0]),
        ("socket", [1, 2, 0]),
        ("clone3", [b"\0" * 88, 88]),
        ("shmget", [4711, 4096, 0o1666]),
        ("msgget", [4711, 0o1666]),
        ("semget", [4711, 1, 0o1666]),
        ("mq_open", [b"walls\0", 0o102, 0o666, 0]),
        ("keyctl", [0, -3, 0]),
        ("add_key", [b"user\0", b"walls\0", b"1", 1, -4]),
        ("io_uring_setup", [1, b"\0" * 120]),
        ("perf_event_open", [b"\0" * 112, 0, -1, -1, 0]),
        ("name_to_handle_at", [HERE_FD, "PATH", b"\0" * 128, b"\0" * 8, 0]),
        ("capset", [b"\x22\x05\x08\x20" + b"\0" * 4, b"\xff" * 24]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_call_of_c_code_fails(escaping: Worker, canary: Canary, name: str, args: list[Any]) -> None:
    path = os.fsencode(canary.file) + b"\0"
    values = [path if arg == "PATH" else arg for arg in args]
    assert called(escaping, numbered(name), *values)[0] == -1


def called(worker: Worker, *args: Any) -> Any:
    kind, value = worker.request(("call", args))
    assert kind == "returned"
    return value


@pytest.mark.parametrize(
    ("number", "args"),
    [
        ((2, None), ["FILE", os.O_RDONLY]),
        ((257, 56), [HERE_FD, "FILE", os.O_RDONLY]),
        ((257, 56), [HERE_FD, "FILE", os.O_WRONLY]),
        ((257, 56), [HERE_FD, "FILE", os.O_WRONLY | os.O_TRUNC]),
        ((257, 56), [HERE_FD, "NEW", os.O_WRONLY | os.O_CREAT, 0o666]),
        ((257, 56), [HERE_FD, "FOLDER", os.O_RDONLY | os.O_DIRECTORY]),
        ((76, 45), ["FILE", 0]),
        ((263, 35), [HERE_FD, "FILE", 0]),
        ((263, 35), [HERE_FD, "SUB", 0x200]),
        ((258, 34), [HERE_FD, "NEW", 0o777]),
        ((316, 276), [HERE_FD, "FILE", HERE_FD, "NEW", 0]),
        ((265, 37), [HERE_FD, "FILE", HERE_FD, b"here\0", 0]),
        ((266, 36), ["FILE", HERE_FD, "NEW"]),
        ((259, 33), [HERE_FD, "NEW", 0o010666, 0]),
        ((257, 56), [HERE_FD, b"/etc/passwd\0", os.O_RDONLY]),
        ((257, 56), [HERE_FD, b"/proc/1/environ\0", os.O_RDONLY]),
        ((257, 56), [HERE_FD, b"/proc/self/environ\0", os.O_RDONLY]),
        ((257, 56), [HERE_FD, b"/dev/shm/walls\0", os.O_RDWR | os.O_CREAT, 0o666]),
        ((257, 56), [HERE_FD, b"/dev/tty\0", os.O_RDWR]),
    ],
)
def test_landlock_keeps_files_from_c_code(
    escaping: Worker, canary: Canary, number: tuple[int, int | None], args: list[Any]
) -> None:
    assert MACHINE is not None
    found = number[MACHINE[1]]
    if found is None:
        pytest.skip("this machine has no such call")
    known = {
        "FILE": os.fsencode(canary.file) + b"\0",
        "NEW": os.fsencode(canary.folder / "new") + b"\0",
        "FOLDER": os.fsencode(canary.folder) + b"\0",
        "SUB": os.fsencode(canary.folder / "sub") + b"\0",
    }
    result, _errno = called(escaping, found, *(known[arg] if isinstance(arg, str) else arg for arg in args))
    assert result == -1


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("kill", ["PARENT", 0]),
        ("kill", [-1, 0]),
        ("sendmsg", [0, b"\0" * 56, 0]),
        ("execve", [b"/bin/true\0", 0, 0]),
        ("fork", []),
        ("clone", [17, 0, 0, 0, 0]),
        ("connect", [0, b"\2\0" + b"\0" * 14, 16]),
        ("bind", [0, b"\2\0" + b"\0" * 14, 16]),
        ("listen", [0, 1]),
        ("sendto", [0, b"x", 1, 0, b"\2\0" + b"\0" * 14, 16]),
        ("prlimit64", ["PARENT", 7, 0, 0]),
        ("sched_setaffinity", ["PARENT", 8, b"\1" + b"\0" * 7]),
        ("setpriority", [0, "PARENT", 19]),
        ("ptrace", [16, "PARENT", 0, 0]),
        ("process_vm_readv", ["PARENT", 0, 0, 0, 0, 0]),
        ("process_vm_writev", ["PARENT", 0, 0, 0, 0, 0]),
        ("mount", [0, 0, 0, 0, 0]),
        ("umount2", [b"/no-such-place\0", 0]),
        ("unshare", [0x10000000]),
        ("setns", [-1, 0]),
        ("chroot", [b"/no-such-place\0"]),
        ("bpf", [0, 0, 0]),
        ("open_by_handle_at", [-1, 0, 0]),
        ("pidfd_getfd", [-1, 0, 0]),
        ("settimeofday", [0, 0]),
        ("sethostname", [b"\0", -1]),
        ("init_module", [0, 0, 0]),
        ("fsopen", [b"tmpfs\0", 0]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_an_attack_ends_the_runner_and_nothing_else(escaping: Worker, name: str, args: list[Any]) -> None:
    starts = escaping.starts
    with pytest.raises(RunnerDied, match="filter of system calls"):
        called(escaping, numbered(name), *(escaping.pid if arg == "PARENT" else arg for arg in args))
    assert escaping.request(("fine", (1,))) == ("returned", 2)
    assert escaping.starts == starts


def test_a_group_of_its_own_is_only_pretended(escaping: Worker) -> None:
    assert called(escaping, numbered("setsid"))[0] == 0
    assert os.getpgid(escaping.runner_pid or 0) == escaping.pid


def test_a_call_that_nobody_knows_yet_is_not_there(escaping: Worker) -> None:
    assert called(escaping, syscalls.LAST + 1) == (-1, 38)


@pytest.mark.parametrize("name", ["{folder}/listening", "@tracetwin-test-{pid}"])
def test_no_unix_socket_is_reached(escaping: Worker, tmp_path: Path, name: str) -> None:
    name = name.format(folder=tmp_path, pid=os.getpid())
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name.replace("@", "\0"))
        server.listen()
        server.settimeout(0.05)
        assert escaping.request(("connect_unix", (name,)))[1][0] == -1
        with pytest.raises(TimeoutError):
            server.accept()


def test_c_code_of_the_import_stands_behind_the_walls(
    extension: Path, tmp_path: Path, canary: Canary
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    path = os.fsencode(canary.file) + b"\0"
    (root / "target.py").write_text(
        f"import escape\nSEEN = [escape.call({numbered('fchmodat')}, -100, {path!r}, 0o777),"
        f" escape.call(263, -100, {path!r}, 0), escape.call({numbered('socket')}, 1, 1, 0)]\n"
        "def seen(): return SEEN\n"
    )
    target = Target("target", str(root / "target.py"), str(root), search_path=(str(extension),))
    with Worker(target, handler=STUB) as worker:
        assert [result for result, _ in worker.request(("seen", ()))[1]] == [-1, -1, -1]


# -- what the user allows


def test_programs_stand_behind_the_same_walls(make_worker: Callable[..., Worker], canary: Canary) -> None:
    worker = started(make_worker, subprocess=True)
    assert worker.request(("shell", ("echo fine; echo here > mine; cat mine",)))[1][:2] == (0, "fine\nhere\n")
    for words in (
        f"echo changed > {canary.file}",
        f"rm -f {canary.file}",
        f"chmod 777 {canary.file}",
        f"touch {canary.file}",
        f"mv {canary.file} here",
        f"cat {canary.file}",
        f"ls {canary.folder}",
        f"kill -9 {os.getpid()}",
        f"kill -9 {worker.pid}",
    ):
        status, out, _err = worker.request(("shell", (words,)))[1]
        assert (status != 0, out) == (True, ""), words


def test_programs_that_leave_the_group_end_with_the_worker(make_worker: Callable[..., Worker]) -> None:
    worker = started(make_worker, subprocess=True)
    mark = f"{os.getpid()}.{time.monotonic_ns() % 997}"
    assert worker.request(("leaves_a_process", (f"setsid sleep 7{mark} & setsid setsid sleep 7{mark}",)))[1]
    assert until(lambda: len(running(mark)) >= 2)
    worker.close()
    assert until(lambda: running(mark) == [])


def running(mark: str) -> list[str]:
    done = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if line.startswith("sleep") and mark in line]


def until(holds: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def test_one_thing_is_opened_and_no_other(
    make_worker: Callable[..., Worker], canary: Canary, tmp_path: Path
) -> None:
    opened = tmp_path / "opened"
    opened.mkdir()
    (opened / "old").write_text("old")
    worker = started(make_worker, write=[str(opened)])
    assert worker.request(("writes", (str(opened / "new"),)))[0] == "returned"
    assert worker.request(("removes", (str(opened / "old"),)))[0] == "returned"
    assert [path.read_text() for path in opened.iterdir()] == ["changed"]
    for name in ("writes", "removes", "reads"):
        assert worker.request((name, (str(canary.file),)))[:2] == ("raised", "Refused")
    assert worker.request(("shell", ("true",)))[:2] == ("raised", "Refused")


def test_what_is_not_there_stays_closed(make_worker: Callable[..., Worker], tmp_path: Path) -> None:
    path = str(tmp_path / "nothing")
    worker = started(make_worker, write=[path])
    assert worker.request(("writes", (path,)))[:2] == ("raised", "Refused")
    assert isinstance(worker.handshake, Ready)
    assert worker.handshake.info["walls"]["missing"] == [
        f"write:{path}: nothing is there, so nothing may be written there"
    ]


def test_reading_is_opened_alone(make_worker: Callable[..., Worker], canary: Canary) -> None:
    worker = started(make_worker, read=[str(canary.folder)])
    assert worker.request(("reads", (str(canary.file),))) == ("returned", "canary")
    assert worker.request(("tries", ("listdir", str(canary.folder))))[0] == "returned"
    for name in ("writes", "removes"):
        assert worker.request((name, (str(canary.file),)))[:2] == ("raised", "Refused")


def test_the_network_is_opened_alone(extension: Path, make_worker: Callable[..., Worker]) -> None:
    worker = started(make_worker, extension, net=True)
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert worker.request(("connects", (server.getsockname()[1],))) == ("returned", True)
    assert worker.request(("connect_unix", ("/no-such-socket",)))[1][0] == -1
    assert worker.request(("shell", ("true",)))[:2] == ("raised", "Refused")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="as above")
def test_nothing_of_the_users_environment_is_seen(
    make_worker: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    worker = started(make_worker)
    seen = worker.request(("reads_environment", ()))[1]
    assert "SECRET_TOKEN" not in seen
    assert seen["HOME"] == seen["TMPDIR"] != str(Path.home())
