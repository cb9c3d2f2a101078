from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from instrumenter.write import with_prelude, write_twin

P = "from runtime import twin as _tt"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1\n", f"{P}; x = 1\n"),
        ('"""Doc."""\nx = 1\n', f'"""Doc."""\n{P}; x = 1\n'),
        ('"""Doc."""; x = 1\n', f'"""Doc."""; {P}; x = 1\n'),
        ("'é'; x = 1\n", f"'é'; {P}; x = 1\n"),
        (
            "from __future__ import annotations\nfrom a import b\n",
            f"from __future__ import annotations\n{P}; from a import b\n",
        ),
        ("'Doc'  # c\ndef f(): pass\nx = 1\n", f"'Doc'; {P}  # c\ndef f(): pass\nx = 1\n"),
        (
            "from __future__ import (\n  annotations,\n)\n\n@f\nclass A: pass\n",
            f"from __future__ import (\n  annotations,\n); {P}\n\n@f\nclass A: pass\n",
        ),
        (
            "#!/usr/bin/python\n# coding: utf-8\n# note\ndef f(): pass\n",
            f"#!/usr/bin/python\n# coding: utf-8\n{P}  # note\ndef f(): pass\n",
        ),
        ("\n\ndef f(): pass\n", f"{P}\n\ndef f(): pass\n"),
        ("def f(): pass\n", f"def f(): pass\n{P}"),
        ("def f(): pass", f"def f(): pass\n{P}"),
        ("", P),
        ("\n", f"{P}\n"),
        ("# only\n", f"{P}  # only\n"),
        ("try: pass\nfinally: pass\n", f"try: pass\nfinally: pass\n{P}"),
    ],
)
def test_import_stands_on_a_line_that_exists(before, after):
    assert after == with_prelude(before, P)
    compile(after, "twin", "exec")


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
    assert "_tt.add(x, 'é')" in twin.source
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
