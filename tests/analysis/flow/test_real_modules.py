"""Facts of modules of the standard library: whatever is in them, there are facts."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.analysis.flow.flows import influences
from tracetwin.analysis.flow import analyse
from tracetwin.analysis.flow.analyse import facts_of


def source(name: str) -> bytes:
    return Path(importlib.import_module(name).__file__ or "").read_bytes()


@pytest.mark.parametrize(
    "name", ["heapq", "sched", "queue", "shlex", "textwrap", "collections", "cmd", "contextlib"]
)
def test_facts_of_the_standard_library(name):
    found = analyse._analysed(source(name), name)
    assert "" == found.problem
    assert found.invokables


def test_queue():
    found = facts_of(source("queue"), "queue")
    assert influences(found, "Queue.put", "Queue.get")
    assert influences(found, "LifoQueue._put", "LifoQueue._get")
    assert {"queue", "maxsize"} <= found.relevant_attributes("Queue", ["Queue.get"])
    assert found.pairs["LifoQueue"]


def test_scheduler():
    found = facts_of(source("sched"), "sched")
    assert influences(found, "scheduler.enterabs", "scheduler.run")
    assert not found.invokables["scheduler.empty"].defines


PROBE = textwrap.dedent(
    """
    import sys
    from tracetwin.analysis.flow.analyse import facts_of
    found = facts_of(open(sys.argv[1], "rb").read(), "m")
    for one in found.invokables.values():
        print(one.qualname, sorted(found.names(one.uses)), sorted(found.names(one.defines)))
    for name in found.classes:
        words = [qualname for _, qualname in found.classes[name].words]
        print(name, sorted(found.relevant_attributes(name, words[:2])))
        print(found.pairs[name])
    """
)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shlex", "queue"])
def test_facts_do_not_depend_on_hash_order_nor_on_the_cache(name, tmp_path):
    file = importlib.import_module(name).__file__ or ""
    said = {
        subprocess.run(
            [sys.executable, "-c", PROBE, file],
            env={**os.environ, "PYTHONHASHSEED": seed, "TRACETWIN_CACHE": str(tmp_path / cache)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, cache in (("1", "a"), ("2", "b"), ("3", "a"))
    }
    assert 1 == len(said)
    assert list(tmp_path.glob("a/flow/*/*"))


def test_a_damaged_or_forbidden_cache_is_ignored(tmp_path, monkeypatch):
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path))
    text = "class A:\n    def m(self): self.x = 1\n"
    facts_of.cache_clear()
    facts_of(text, "a")
    kept = next(tmp_path.glob("flow/*/*"))
    for content in (b"", b"rubbish", kept.read_bytes()[:-3]):
        kept.write_bytes(content)
        facts_of.cache_clear()
        assert ("A", "A.m") == tuple(facts_of(text, "a").invokables)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "file"))
    facts_of.cache_clear()
    assert ("A", "A.m") == tuple(facts_of(text, "a").invokables)
