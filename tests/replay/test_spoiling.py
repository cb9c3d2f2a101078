"""What a case leaves behind that would harm the tests after it, or the user, makes no test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emit.support import function, observe_twice, target
from tracetwin.model.recipe import Scalar
from tracetwin.replay.session import replay

ACTS = {
    "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)": "the handler of signal 2 is another",
    "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])": "other signals are blocked",
    "import os\nos.umask(0o777)": "the umask is another",
    "import warnings\nwarnings.simplefilter('error')": "warnings became errors",
    "import logging\nlogging.disable(50)": "logging is switched off",
    "import socket\nsocket.setdefaulttimeout(0.1)": "sockets have another limit of time",
    "import sys\nsys.path.insert(0, 'x')": "sys.path is another",
    "import threading\nthreading.settrace(print)": "threads are traced",
    "LOCK.acquire()": "it leaves the lock LOCK held",
    "AGAIN.acquire()": "it leaves the lock AGAIN held",
    "import os\nlist(os.scandir('build'))": "it depends on which files there are",
    "import os\nlist(os.walk('.'))": "it depends on which files there are",
    "import webbrowser\nwebbrowser.open('x')": "webbrowser.open(x) is refused",
    "import os\nos.ftruncate(1, 0)": "os.truncate(1) is refused",
}
HEAD = "import logging, socket, threading\nLOCK, AGAIN = threading.Lock(), threading.RLock()\n"


def module(body: str) -> str:
    return (
        f"{HEAD}def f():\n    try:\n"
        + "".join(f"        {line}\n" for line in body.splitlines())
        + ("    except OSError:\n        pass\n")
    )


@pytest.mark.parametrize("body", ACTS)
def test_it_is_refused_with_its_reason(tmp_path: Path, body: str) -> None:
    (tmp_path / "sample.py").write_text(module(body))
    (seen,) = replay(target("sample", tmp_path), [function("sample", "f")]).observations
    assert "refused" == seen.outcome
    assert ACTS[body] in seen.why


@pytest.mark.parametrize(
    "body",
    [
        "with LOCK: pass",
        "import colorsys",
        "import warnings\nwarnings.warn('x')",
        "import warnings\nwarnings.simplefilter('always', DeprecationWarning)",
    ],
)
def test_what_leaves_nothing_is_not(tmp_path: Path, body: str) -> None:
    (tmp_path / "sample.py").write_text(module(body))
    (seen,) = replay(target("sample", tmp_path), [function("sample", "f")]).observations
    assert "returned" == seen.outcome


@pytest.mark.parametrize(
    "expression", ["sys.stdout.isatty()", "os.isatty(1)", "len(sys.path)", "resource.getrlimit(7)"]
)
def test_what_depends_on_the_surroundings_differs_in_them(tmp_path: Path, expression: str) -> None:
    (tmp_path / "sample.py").write_text(f"import os, resource, sys\ndef f():\n    return {expression}\n")
    found = observe_twice(target("sample", tmp_path), [function("sample", "f")])
    assert any("differs between two runs" in reason for reason in found.reasons[0])


def test_printing_any_letters_while_importing_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text("print('✓ geladen')\ndef f(): return 1\n", encoding="utf-8")
    found = observe_twice(target("sample", tmp_path), [function("sample", "f")])
    assert None is found.error


def test_a_name_that_is_known_outside_of_the_walls_only_makes_no_test(tmp_path: Path) -> None:
    """`bind` looks it up before anything tells of it."""
    (tmp_path / "sample.py").write_text(
        "import socket\n"
        "def f():\n    with socket.socket() as s:\n        s.bind(('nobody.invalid', 0))\n"
        "def g():\n    raise socket.gaierror(-2, 'Name or service not known')\n"
        "def h():\n    socket.create_server(('nobody.invalid', 0))\n"
        "def i():\n    with socket.socket() as s:\n        return s.connect_ex(('localhost', 9))\n"
        "def j():\n    try:\n        f()\n    except OSError:\n        return False\n"
    )
    cases = [function("sample", name) for name in "fghij"]
    seen = replay(target("sample", tmp_path), cases).observations
    assert [one.outcome for one in seen] == ["refused", "raised", "refused", "refused", "refused"]


def test_the_main_program_has_a_file_as_any_runner_of_tests_has(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(
        "import sys\n"
        "def has(): return hasattr(sys.modules['__main__'], '__file__')\n"
        "def which(): return sys.modules['__main__'].__file__\n"
    )
    cases = [function("sample", name) for name in ("has", "which")]
    found = observe_twice(target("sample", tmp_path), cases)
    has, which = (one.value for one in found.observations)
    assert has == Scalar(True)
    assert not isinstance(which, Scalar), "each runner has another"


def test_what_depends_on_how_the_main_program_was_started_is_not_asserted(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(
        "from importlib.util import find_spec\ndef found(): return find_spec('__main__') is None\n"
    )
    seen = observe_twice(target("sample", tmp_path), [function("sample", "found")]).observations
    assert seen[0].outcome != "raised", "a program that runs tests as a module has a spec"
