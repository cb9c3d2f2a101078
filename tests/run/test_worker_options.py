"""Options of a worker: plain data, with the adapters and the typeshed of this installation."""

from __future__ import annotations

import marshal
from pathlib import Path

import pytest

from tracetwin.run.worker_options import worker_options
from tracetwin.support.plugins import plugin_files
from tracetwin.target.module import TargetModule


def test_adapters_of_other_packages_are_named_by_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = tmp_path / "ledger-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ledger\nVersion: 1\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[tracetwin.adapters]\nledger = led:ADAPTER\n", encoding="utf-8")
    file = tmp_path / "led.py"
    file.write_text("raise SystemExit\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    plugin_files.cache_clear()
    try:
        options = worker_options(TargetModule("led", str(file), str(tmp_path)), ("f",), {"private": True})
    finally:
        plugin_files.cache_clear()
    assert ("ledger", str(file), "ADAPTER") in options["adapters"]
    assert options["selection"] == ["f"]
    assert options["guide"] == {"private": True}
    assert Path(options["typeshed"], "builtins.pyi").is_file()
    assert marshal.loads(marshal.dumps(options)) == options
