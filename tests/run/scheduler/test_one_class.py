"""One class in several processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracetwin.api import generate_tests

SOURCE = """\
class Box:
    def __init__(self, size: int) -> None:
        self.size = size
        self.held = []

""" + "".join(
    f"""\
    def put{number}(self, text: str) -> int:
        found = 0
        for letter in text:
            if letter == "{number}" and len(self.held) < self.size:
                self.held.append(letter)
                found += len(self.held)
        return found

"""
    for number in range(6)
)


@pytest.mark.slow
@pytest.mark.parametrize(("runs", "processes"), [(None, 2), (120, 1)])
def test_processes_share_out_the_methods_of_a_class_where_only_time_is_limited(
    tmp_path: Path, runs: int | None, processes: int
) -> None:
    (tmp_path / "box.py").write_text(SOURCE)
    (module,) = generate_tests(
        str(tmp_path / "box.py"), output=tmp_path / "out", time_limit=15.0, max_runs=runs, jobs=2
    )
    assert 2 == len({span.process for span in module.spans if span.kind == "importing"})
    assert processes == len({span.process for span in module.spans if span.what.startswith("Box.")})
    assert 6 == sum(function.tests > 0 for function in module.functions if "put" in function.qualname)
