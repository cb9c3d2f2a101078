"""The parent's side: handshake, requests, replacement of runners, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tracetwin.process import messages
from tracetwin.process import worker as process
from tracetwin.process.channel import Channel
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import (
    Failed,
    HandlerError,
    Ready,
    ReplyNotPlain,
    RunnerDied,
    RunnerTimeout,
    Worker,
    WorkerFailed,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., Worker]

ROOT = Path(__file__).resolve().parents[2]


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def gone(*pids: int) -> bool:
    until = time.monotonic() + 5
    while time.monotonic() < until:
        if not any(map(alive, pids)):
            return True
        time.sleep(0.01)
    return False


def test_a_ready_worker_tells_what_the_handler_found(make_worker: Make) -> None:
    started = make_worker("def f(x): return x + 1").start()
    assert isinstance(started, Ready)
    assert started.info["names"] == ["f"]


@pytest.mark.slow
def test_an_import_that_ended_before_anybody_looked_is_not_waited_for(
    make_worker: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(control: Channel, deadline: float) -> tuple[object, ...]:
        time.sleep(1.0)  # on a busy machine both events have come by then, and are read at once
        return messages.event(control, deadline)

    monkeypatch.setattr(process, "event", late)
    began = time.monotonic()
    assert isinstance(make_worker("def f(x): return x + 1").start(), Ready)
    assert time.monotonic() - began < Limits().import_seconds / 2


def test_requests_are_answered_by_one_runner(make_worker: Make) -> None:
    worker = make_worker("def f(x): return x + 1")
    assert [worker.request(("f", (n,))) for n in range(5)] == [("returned", n + 1) for n in range(5)]
    assert worker.forks == 1


def test_an_exception_of_the_target_is_an_answer(make_worker: Make) -> None:
    worker = make_worker("def f(): raise ValueError('no')")
    assert worker.request(("f", ())) == ("raised", "ValueError", "no")


def test_large_messages_pass_in_both_directions(make_worker: Make) -> None:
    worker = make_worker("def f(x): return x * 2")
    assert worker.request(("f", ("x" * 5_000_000,)), 30) == ("returned", "x" * 10_000_000)


def test_a_finished_runner_is_replaced(make_worker: Make) -> None:
    worker = make_worker("import os\nstate = []\ndef f(): state.append(1); return os.getpid(), len(state)")
    first = worker.request(("f", ()))[1]
    assert worker.request(("!finish", ())) == "finished"
    second = worker.request(("f", ()))[1]
    assert (first[1], second[1]) == (1, 1)
    assert first[0] != second[0]
    assert worker.starts == 1


def test_state_of_the_import_is_there_in_every_runner(make_worker: Make) -> None:
    worker = make_worker("import os\npid = os.getpid()\ndef f(): return pid")
    before = worker.request(("f", ()))
    worker.replace_runner()
    assert worker.request(("f", ())) == before


def test_a_reply_that_is_no_plain_data_is_an_error_of_the_handler(make_worker: Make) -> None:
    worker = make_worker("def f(): return object()")
    with pytest.raises(HandlerError, match="not plain data"):
        worker.request(("f", ()))


def test_the_error_says_where_in_the_reply_it_is(make_worker: Make) -> None:
    worker = make_worker("def f(): return {'steps': [1, object()]}")
    with pytest.raises(ReplyNotPlain, match=r"\['steps'\] \[1\] \(object\)"):
        worker.request(("f", ()))
    assert worker.starts == 1


def test_a_request_that_is_no_plain_data_is_refused_at_once(make_worker: Make) -> None:
    worker = make_worker("def f(x): return x")
    with pytest.raises(HandlerError, match="not plain data"):
        worker.request(("f", (object(),)))
    assert worker.request(("f", (1,))) == ("returned", 1)


def test_an_error_of_the_handler_is_told_and_costs_the_runner_only(make_worker: Make) -> None:
    worker = make_worker("def f(): return 1")
    with pytest.raises(HandlerError, match="ValueError"):
        worker.request("neither name nor arguments")
    assert worker.request(("f", ())) == ("returned", 1)
    assert worker.starts == 1


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ("x = 1\nraise ValueError('bad\\nday')", "import raised", "ValueError: bad day (line 2)"),
        ("1 +", "import raised", "SyntaxError"),
        ("import no_such_module_at_all", "import raised", "no_such_module_at_all"),
        ("raise KeyboardInterrupt", "import raised", "KeyboardInterrupt"),
        ("class E(BaseException):\n  def __str__(self): raise self\nraise E", "import raised", "E (line 3)"),
        ("import sys; sys.exit(4)", "exited", "sys.exit(4)"),
        ("import os; os._exit(4)", "exited", "exited with status 4"),
        ("import os; os.abort()", "exited", "SIGABRT"),
        ("import os; os.closerange(3, 5000)", "exited", "closed file descriptors"),
        ("import os\ntry:\n  while True: os.dup(0)\nexcept OSError: pass", "spent", "no file descriptors"),
        ("while True: pass", "hung", "within 0.6 s"),
        ("try:\n  while True: pass\nfinally:\n  while True: pass", "hung", "within 0.6 s"),
        ("open('/tmp/no-such-file', 'w')", "import raised", "Refused"),
    ],
)
def test_an_import_that_fails_is_told_in_one_sentence(
    make_worker: Make, source: str, kind: str, words: str
) -> None:
    worker = make_worker(source, limits=Limits(import_seconds=0.6))
    failed = worker.start()
    assert isinstance(failed, Failed)
    assert failed.kind == kind
    assert words in failed.message
    assert worker.pid is None
    with pytest.raises(WorkerFailed, match=kind):
        worker.request(("f", ()))


def test_a_module_that_is_not_there_is_missing(make_worker: Make, tmp_path: Path) -> None:
    worker = make_worker("", name="target")
    (tmp_path / "root" / "target.py").unlink()
    failed = worker.start()
    assert isinstance(failed, Failed)
    assert failed.kind == "missing"


def test_a_module_of_another_place_is_not_taken_for_it(make_worker: Make, tmp_path: Path) -> None:
    worker = make_worker("", name="pkg.target")
    other = tmp_path / "root" / "other"
    (tmp_path / "root" / "pkg" / "__init__.py").write_text(f"__path__ = ['{other}']")
    other.mkdir()
    (other / "target.py").touch()
    failed = worker.start()
    assert isinstance(failed, Failed)
    assert failed.kind == "missing"
    assert "other" in failed.message


@pytest.mark.parametrize(
    "name", ["runtime", "instrumenter", "tracetwin", "protocol", "state", "textwrap", "random"]
)
def test_a_target_called_like_one_of_ours_is_imported(make_worker: Make, name: str) -> None:
    worker = make_worker("def mine(): return __name__", name=name)
    assert worker.request(("mine", ())) == ("returned", name)


def test_our_packages_are_hidden_from_the_target(make_worker: Make) -> None:
    worker = make_worker(
        """
        import sys
        ours = ('tracetwin', 'runtime', 'instrumenter')
        def seen(): return [m for m in sys.modules if m.split('.')[0] in ours]
        def load(name): __import__(name)
        """
    )
    assert worker.request(("seen", ())) == ("returned", [])
    for name in ("tracetwin", "runtime.expr", "instrumenter"):
        assert worker.request(("load", (name,)))[:2] == ("raised", "ModuleNotFoundError")


def test_replaced_builtins_do_not_reach_our_side(make_worker: Make) -> None:
    worker = make_worker(
        """
        import builtins
        def spoil():
            for name in ('len', 'isinstance', '__import__', 'getattr', 'type', 'dict', 'sorted', 'vars'):
                setattr(builtins, name, None)
        """
    )
    assert worker.request(("spoil", ())) == ("returned", None)
    assert worker.request(("spoil", ())) == ("returned", None)
    assert worker.forks == 1


def test_secrets_of_the_environment_do_not_reach_the_target(
    make_worker: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    worker = make_worker("import os\ndef f(): return dict(os.environ)")
    environment = worker.request(("f", ()))[1]
    assert "hush" not in environment.values()
    assert environment["HOME"] == environment["TMPDIR"] != os.environ.get("HOME")


def test_close_leaves_no_process_and_no_folder(make_worker: Make) -> None:
    worker = make_worker("import os\ndef f(): return os.getpid(), os.getcwd()")
    pid, folder = worker.request(("f", ()))[1]
    zygote = worker.pid
    assert zygote is not None
    worker.close()
    assert gone(pid, zygote)
    assert not Path(folder).parent.exists()


def test_a_closed_worker_can_be_used_again(make_worker: Make) -> None:
    worker = make_worker("def f(): return 1")
    worker.request(("f", ()))
    worker.close()
    assert worker.request(("f", ())) == ("returned", 1)
    assert worker.starts == 2


def test_a_killed_zygote_is_started_again(make_worker: Make) -> None:
    worker = make_worker("def f(): return 1")
    worker.request(("f", ()))
    assert worker.pid is not None
    os.killpg(worker.pid, signal.SIGKILL)
    assert worker.request(("f", ())) == ("returned", 1)
    assert worker.starts == 2


def test_a_target_that_kills_every_runner_is_told_so(make_worker: Make) -> None:
    worker = make_worker("import os\ndef f(): os._exit(1)")
    for _ in range(2):
        with pytest.raises(RunnerDied, match="exited with status 1"):
            worker.request(("f", ()))
    assert worker.starts == 1


def test_a_handler_without_memory_costs_its_request_only(make_worker: Make) -> None:
    worker = make_worker("def f(): return 1")
    with pytest.raises(RunnerDied, match="used up its memory"):
        worker.request(("!memory", ()))
    assert ("returned", 1) == worker.request(("f", ()))


def test_a_zygote_killed_between_requests_costs_nothing(make_worker: Make) -> None:
    worker = make_worker("def f(): return 1")
    worker.request(("f", ()))
    worker.replace_runner()
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    assert worker.request(("f", ())) == ("returned", 1)


def test_an_interrupted_request_does_not_mix_up_answers(make_worker: Make) -> None:
    worker = make_worker("import time\ndef f(x):\n  time.sleep(x)\n  return x")
    worker.request(("f", (0,)))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            worker.request(("f", (0.5,)))
    finally:
        signal.signal(signal.SIGALRM, before)
    assert worker.request(("f", (0.25,))) == ("returned", 0.25)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="PR_SET_PDEATHSIG is of Linux")
@pytest.mark.parametrize("during", ["run", "import"])
def test_nothing_is_left_when_the_parent_is_killed(tmp_path: Path, during: str) -> None:
    hang = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(1000)"
    source = hang if during == "import" else f"def f(): {hang}"
    (tmp_path / "target.py").write_text(source, encoding="utf-8")
    script = f"""
        import sys
        sys.path[:0] = [{str(ROOT)!r}, {str(Path(__file__).parent)!r}]
        from conftest import STUB
        from tracetwin.target.module import TargetModule as Target
        from tracetwin.process.worker import Worker
        from tracetwin.process.walls.sandbox import Limits
        worker = Worker(Target("target", {str(tmp_path / "target.py")!r}, {str(tmp_path)!r}),
                        Limits(wall_seconds=60, import_seconds=60), handler=STUB)
        import threading
        def tell():
            import pathlib, time
            while worker._live is None:
                time.sleep(0.01)
            pid = pathlib.Path(worker._live.base, "scratch", "pid")
            while not pid.exists() or not pid.read_text():
                time.sleep(0.01)
            print(worker.pid, pid.read_text(), worker._live.base, flush=True)
        threading.Thread(target=tell, daemon=True).start()
        worker.request(("f", ()))
        """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert parent.stdout is not None
    with parent.stdout:
        zygote, inner, base = parent.stdout.readline().split()
    assert alive(int(zygote))
    assert alive(int(inner))
    parent.kill()
    parent.wait()
    assert gone(int(zygote), int(inner))
    assert base.startswith("/")
    subprocess.run(["rm", "-r", base], check=True)


def test_a_worker_that_is_forgotten_is_closed(tmp_path: Path, make_worker: Make) -> None:
    del tmp_path
    worker = make_worker("def f(): return 1")
    worker.request(("f", ()))
    live = worker._live
    assert live is not None
    assert live.process is not None
    pid = live.process.pid
    finalizer = worker._finalizer
    assert finalizer is not None
    finalizer()
    assert gone(pid)


def test_a_timeout_inside_is_told_apart_from_a_death(make_worker: Make) -> None:
    worker = make_worker("def f():\n  while True: pass\ndef g(): return 1", limits=Limits(wall_seconds=0.2))
    with pytest.raises(RunnerTimeout, match=r"no end after 0\.2 s"):
        worker.request(("f", ()))
    assert worker.request(("g", ())) == ("returned", 1)
