"""The source is read for observers before runners are forked."""

from __future__ import annotations

from tracetwin.process.worker import Worker
from tracetwin.target.selection import resolve

TELLING = """\
from tracetwin.worker.dataflow.flow import FlowObserver
from tracetwin.worker.dataflow.syntax import read
from tracetwin.worker.runner import Runner


class Telling(Runner):
    def handle(self, message):
        before = read.cache_info().misses
        FlowObserver(self._file, self._text)
        return [before, read.cache_info().misses]
"""


def test_no_runner_reads_the_source_again(tmp_path):
    (tmp_path / "telling.py").write_text(TELLING, encoding="utf-8")
    (tmp_path / "box.py").write_text("def put(x: int) -> int:\n    return x\n", encoding="utf-8")
    (module,) = resolve(str(tmp_path / "box.py"))
    with Worker(module, handler=("telling", "Telling", str(tmp_path / "telling.py"))) as worker:
        first = worker.request(())
        worker.replace_runner()
        assert [[1, 1], [1, 1]] == [first, worker.request(())]
