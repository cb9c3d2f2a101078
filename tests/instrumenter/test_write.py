from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from instrumenter.write import write_twin

P = "from runtime import twin as _tt"


def test_written_twin_runs_and_keeps_encoding(tmp_path: Path):
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / "__init__.py").touch()
    (tmp_path / "runtime" / "twin.py").write_text(Path(__file__).with_name("native.py").read_text())
    source = (
        "# coding: latin-1\n'é'\nimport sys\ndef f(x):\n    return x + 'é'\n"
        "sys.stdout.buffer.write(f('ü').encode('latin-1'))\n"
    )
    twin = write_twin(source.encode("latin-1"), "m", "m.py", tmp_path / "sub" / "m.py")
    written = (tmp_path / "sub" / "m.py").read_bytes().decode("latin-1")
    assert written.splitlines()[2].startswith(f"{P}; import sys")
    assert len(source.splitlines()) == len(written.splitlines())
    assert "_tt.add" in twin.source
    run = subprocess.run(
        [sys.executable, str(tmp_path / "sub" / "m.py")],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    assert "üé".encode("latin-1") == run.stdout


def test_twin_without_operations_imports_nothing(tmp_path: Path):
    write_twin("x = 1\n", "m", "m.py", tmp_path / "m.py")
    assert "x = 1\n" == (tmp_path / "m.py").read_text()
