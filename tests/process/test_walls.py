"""What Python code may not do inside: whatever the way, it meets the hook, and gets `Refused`."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.process.conftest import STUB
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import Ready, Worker
from tracetwin.target.module import TargetModule as Target

LINUX = sys.platform.startswith("linux")

SOURCE = """
    import os

    def attempt(code, *values):
        names = {"os": os}
        for number, value in enumerate(values):
            names["abc"[number]] = value
        try:
            exec(code, names)
        except BaseException as error:
            return type(error).__name__
        return names.get("result", "done")
"""


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """A worker that tries one thing after the other."""
    root = tmp_path_factory.mktemp("root")
    (root / "target.py").write_text(textwrap.dedent(SOURCE))
    (root / ".env").write_text("TOKEN=1")
    (root / "data.txt").write_text("data")
    (root / "out").symlink_to("/etc")
    target = Target("target", str(root / "target.py"), str(root))
    with Worker(target, Limits(wall_seconds=10), handler=STUB) as worker:
        assert isinstance(worker.start(), Ready)
        yield worker


def attempt(worker: Worker, code: str, *values: Any) -> Any:
    """What became of some lines: the name of an exception, `result`, or "done"."""
    kind, told = worker.request(("attempt", (textwrap.dedent(code), *values)))
    assert kind == "returned"
    return told


@pytest.fixture
def root(inside: Worker) -> str:
    """The folder that the target lies in."""
    return str(inside._start["root"])


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd')",
        "open(b'/etc/passwd')",
        "os.open('/etc/passwd', os.O_RDONLY)",
        "import pathlib; pathlib.Path('/etc/hostname').read_bytes()",
        "import io; io.FileIO('/etc/hostname')",
        "import io; io.open_code('/etc/hostname')",
        "open('/proc/self/environ')",
        "open(f'/proc/{os.getppid()}/environ')",
        "open('../../../../../../../../etc/hostname')",
        "os.listdir('/')",
        "os.scandir('/etc')",
        "import glob, os; os.listdir('/home')",
        "os.listxattr('/etc')",
        "import pwd; pwd.getpwuid(os.getuid() + 1)",
        "import pwd; pwd.getpwnam('root')",
        "import grp; grp.getgrall()",
        "class Path(str):\n startswith = lambda self, _: True\nopen(Path('/etc/hostname'))",
        "import posixpath; posixpath.realpath = lambda path: os.getcwd(); open('/etc/hostname')",
        "os.readlink = lambda path: os.getcwd(); open('/etc/hostname')",
    ],
)
def test_reading_outside_is_refused(inside: Worker, code: str) -> None:
    assert attempt(inside, code) == "Refused"
    inside.replace_runner()


def test_the_own_entry_of_a_user_and_the_processor_are_told(inside: Worker) -> None:
    asked = "import pwd; result = pwd.getpwuid(os.getuid())[0]"
    assert attempt(inside, asked) == "user"
    assert attempt(inside, "os.environ.pop('HOME', 0); result = len(os.path.expanduser('~/a')) > 2") is True
    assert attempt(inside, "import platform; result = len(list(platform.uname()))") == 6


def test_the_project_is_read_but_what_is_hidden(inside: Worker, root: str) -> None:
    assert attempt(inside, "result = open(a).read()", f"{root}/data.txt") == "data"
    assert attempt(inside, "result = os.listdir(a)", root) != "Refused"
    assert attempt(inside, "result = len(open(os.__file__).read()) > 0") is True
    assert attempt(inside, "open(a)", f"{root}/.env") == "Refused"
    assert attempt(inside, "open(a)", f"{root}/data.txt/../.env") == "Refused"
    assert attempt(inside, "open(a)", f"{root}/out/hostname") == "Refused"
    assert attempt(inside, "os.symlink('/etc', 'etc'); open('etc/hostname')") == "Refused"


@pytest.mark.parametrize(
    "code",
    [
        "import shutil; shutil.rmtree(a)",
        "import shutil; shutil.copy(b, a)",
        "import shutil; shutil.move(b, a + '/moved')",
        "import tempfile; tempfile.mkstemp(dir=a)",
        "os.open('new', os.O_CREAT | os.O_WRONLY, dir_fd=os.open(b, os.O_RDONLY))",
        "os.mkdir('new', dir_fd=os.open(b, os.O_RDONLY))",
        "os.rename('mine', a + '/mine')",
        "open('mine', 'w').close(); os.link('mine', a + '/mine')",
        "open('mine', 'w').close(); os.replace('mine', a + '/mine')",
        "os.symlink('mine', a + '/link')",
        "os.chmod(a, 0o777)",
        "os.utime(a)",
        "os.chown(a, 1, 1)",
        "os.truncate(a + '/file', 0)",
        "import sqlite3; sqlite3.connect(a + '/db')",
        "import sqlite3; sqlite3.connect('file:' + a + '/db?mode=rwc', uri=True)",
        "import sqlite3; sqlite3.connect('file:///%65tc/db', uri=True)",
        "import ssl; ssl.create_default_context().keylog_filename = a + '/keys'",
        "import zipfile; zipfile.ZipFile(a + '/z.zip', 'w')",
        "import logging; logging.FileHandler(a + '/log')",
    ],
)
def test_changing_outside_is_refused(inside: Worker, root: str, tmp_path: Path, code: str) -> None:
    (tmp_path / "file").write_text("canary")
    before = [path.lstat() for path in (tmp_path, tmp_path / "file")]
    assert attempt(inside, code, str(tmp_path), root) == "Refused"
    assert [path.lstat() for path in (tmp_path, tmp_path / "file")] == before
    inside.replace_runner()


def test_a_statement_that_opens_a_database_is_noted(inside: Worker, tmp_path: Path) -> None:
    inside.replace_runner()
    for words in ("attach '{}/db' as other", "vacuum into '{}/db'"):
        code = f"import sqlite3; sqlite3.connect(':memory:').execute({words.format(tmp_path)!r})"
        assert attempt(inside, code) == "DatabaseError"
    told = inside.request(("!refusals", ()))
    assert [event for event, _ in told] == ["sqlite3.connect"] * 2
    assert list(tmp_path.iterdir()) == []
    own = "import sqlite3; sqlite3.connect(':memory:').execute('attach \"my.db\" as own')"
    assert attempt(inside, own) == "done"


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess; subprocess.run(['true'])",
        "os.system('true')",
        "os.popen('true')",
        "os.execv('/bin/true', ['true'])",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.fork()",
        "os.forkpty()",
        "import _posixsubprocess; _posixsubprocess.fork_exec()",
        "import multiprocessing; multiprocessing.Process(target=print).start()",
        "import multiprocessing; multiprocessing.Lock()",
        "import asyncio; asyncio.run(asyncio.create_subprocess_exec('true'))",
        "os.kill(os.getppid(), 0)",
        "os.kill(1, 0)",
        "os.killpg(0, 0)",
        "os.setsid()",
        "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
        "os.sched_setaffinity(os.getppid(), {0})",
        "import resource; resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0, 0))",
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import socket; socket.socket().connect_ex(('127.0.0.1', 9))",
        "import socket; socket.socket().bind(('127.0.0.1', 0))",
        "import socket; socket.socket().listen()",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('127.0.0.1', 9))",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW)",
        "import socket; socket.socket(socket.AF_UNIX)",
        "import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
        "import socket; socket.gethostbyname('localhost')",
        "import syslog; syslog.syslog('here')",
        "import ctypes; ctypes.CDLL(None)",
        "import ctypes; ctypes.pythonapi.Py_Exit",
        "import ctypes; ctypes.string_at(id(0))",
        "import ctypes; ctypes.c_char.from_address(id(0))",
        "import multiprocessing.shared_memory as m; m.SharedMemory(create=True, size=1)",
        "import time; time.clock_settime(0, 0)",
        "os.chroot('.')",
        "import posix; posix.chroot('.')",
        "import sys; del sys.modules['posix']; import posix; posix.chroot('.')",
        "import gc; gc.get_objects()",
        "import gc; gc.get_referrers(os)",
        "import _testcapi",
        """
        import importlib.machinery as m
        file = os.path.abspath('x.so')
        open(file, 'w').close()
        m.ExtensionFileLoader('x', file).create_module(m.ModuleSpec('x', None, origin=file))
        """,
        """
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        interpreters.create()
        """,
    ],
)
@pytest.mark.skipif(not LINUX, reason="not every system has all of these")
def test_what_reaches_others_is_refused(inside: Worker, code: str) -> None:
    assert attempt(inside, code) == "Refused"
    inside.replace_runner()


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("import tempfile; tempfile.NamedTemporaryFile().write(b'x')", "done"),
        ("import tempfile; tempfile.TemporaryDirectory().cleanup()", "done"),
        ("import tempfile; tempfile.TemporaryFile().write(b'x')", "done"),
        ("import pathlib; pathlib.Path('new').touch()", "done"),
        ("import shutil; open('one', 'w').close(); shutil.copy('one', 'two')", "done"),
        ("import shutil; os.makedirs('x/y/z'); shutil.rmtree('x')", "done"),
        ("open('f', 'w').close(); os.chmod('f', 0o644)", "done"),
        ("open('f', 'w').close(); os.chmod('f', 0o600)", "Refused"),
        ("os.utime('no-such-file')", "FileNotFoundError"),
        ("import sqlite3; sqlite3.connect('my.db').execute('create table t (c)')", "done"),
        ("import socket; a, b = socket.socketpair(); a.send(b'x'); result = b.recv(1)", b"x"),
        ("import asyncio; result = asyncio.run(asyncio.sleep(0, 7))", 7),
        ("import concurrent.futures as f; result = list(f.ThreadPoolExecutor(2).map(abs, [-1]))", [1]),
        ("import uuid; result = len(str(uuid.uuid1()))", 36),
        ("import zoneinfo; result = str(zoneinfo.ZoneInfo('UTC'))", "UTC"),
        ("import mimetypes; result = mimetypes.guess_type('a.html')[0]", "text/html"),
        ("import ssl; ssl.create_default_context()", "done"),
        ("import platform; platform.platform()", "done"),
        ("import ctypes; result = ctypes.sizeof(ctypes.c_int)", 4),
        ("import ctypes; result = ctypes.create_string_buffer(3).raw", b"\0\0\0"),
        ("import threading; t = threading.Thread(target=int); t.start(); t.join()", "done"),
        ("import random; random.SystemRandom().random()", "done"),
        ("import logging; logging.FileHandler('my.log').close()", "done"),
        ("import os; os.kill(os.getpid(), 0)", "done"),
    ],
)
def test_what_harms_nobody_goes_through(inside: Worker, code: str, result: Any) -> None:
    assert attempt(inside, code) == result
    inside.replace_runner()


def test_a_broken_guard_is_noticed(inside: Worker) -> None:
    inside.replace_runner()
    assert inside.request(("!intact", ()))
    for broken in (
        "guard._checks.clear()",
        "guard.forking = True",
        "guard._below = ('/',)",
        "guard.refusals.clear(); guard.refused = 0",
        "type(guard).refuse = lambda *_: None",
        "type(guard)._file.__code__ = (lambda *_: None).__code__",
    ):
        code = f"""
            import sys
            frame = sys._getframe()
            while 'sandbox' not in frame.f_globals:
                frame = frame.f_back
            guard = frame.f_globals['sandbox'].guard()
            try:
                os.remove('/no-such-file')
            except OSError:
                {broken}
        """
        assert attempt(inside, code) == "done"
        assert not inside.request(("!intact", ())), broken
        inside.replace_runner()


@pytest.mark.skipif(not LINUX, reason="as above")
def test_nothing_but_its_own_channel_is_open(inside: Worker) -> None:
    inside.replace_runner()
    code = """
        result = []
        for fd in range(256):
            try:
                result.append((fd, os.readlink(f'/proc/self/fd/{fd}')))
            except OSError:
                pass
    """
    told = dict(attempt(inside, code))
    assert {told[fd] for fd in (0, 1, 2)} == {os.devnull}
    others = [place for fd, place in told.items() if fd > 2]
    assert all(place.startswith(("socket:", "pipe:")) or "tracetwin-" in place for place in others), others
    assert len(others) <= 4


@pytest.mark.skipif(not LINUX or os.getuid() != 0, reason="only root has any")
def test_root_has_no_capabilities_but_reading(inside: Worker) -> None:
    inside.request(("attempt", ("",)))
    status = Path(f"/proc/{inside.runner_pid}/status").read_text().splitlines()
    told = {name: value.strip() for name, _, value in (line.partition(":") for line in status)}
    assert [int(told[name], 16) for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")] == [4, 4, 0, 0]
    assert (told["NoNewPrivs"], told["Seccomp"], told["Seccomp_filters"]) == ("1", "2", "2")


def test_a_folder_that_is_there_is_not_made_again(inside: Worker, tmp_path: Path) -> None:
    inside.replace_runner()
    code = "import pathlib; os.makedirs(os.getcwd(), exist_ok=True); pathlib.Path(a).mkdir(exist_ok=True)"
    assert attempt(inside, code, str(tmp_path)) == "done"
    assert attempt(inside, "os.mkdir(a)", str(tmp_path)) == "FileExistsError"
    assert attempt(inside, "os.mkdir('/')") == "FileExistsError"
    assert inside.request(("!refusals", ())) == []
    assert attempt(inside, "os.mkdir(a + '/new')", str(tmp_path)) == "Refused"


def test_the_standard_streams_are_not_opened_by_number(inside: Worker) -> None:
    inside.replace_runner()
    for number in range(3):
        assert attempt(inside, f"open({number}, 'rb', closefd=False)") == "Refused"
    assert attempt(inside, "with open('own', 'w') as one: open(one.fileno(), 'w', closefd=False)") == "done"
