"""A suite by Pynguin, which has an environment of its own.

python3.11 -m venv build/pynguin && build/pynguin/bin/pip install pynguin==0.48.0
"""

from __future__ import annotations

import os
from pathlib import Path

from harness import Json
from watching import run_watched

VERSION = "0.48.0"


def generate(python: Path, module: str, root: Path, seconds: float, out: Path) -> Json:
    """Let Pynguin write a suite for a module as its manual says, with its own choice of algorithm.

    Args:
        python: interpreter of the environment.
        module: dotted name.
        root: folder that it is imported from.
        seconds: time for its search, and once more for its choice of assertions by mutation.
        out: folder for the suite.

    Returns:
        `wall` and `peak`, or `error`.
    """
    # Pynguin runs the code without a sandbox and wants that to be acknowledged.
    env = {**os.environ, "PYNGUIN_DANGER_AWARE": "1", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    argv = [str(python), "-m", "pynguin", "--project-path", str(root), "--module-name", module]
    argv += ["--output-path", str(out), "--maximum-search-time", str(int(seconds)), "--seed", "0"]
    argv += ["--maximum-mutation-time", str(int(seconds))]
    done = run_watched(argv, out, seconds * 3 + 120, env)
    if not list(out.glob("test_*.py")):
        return {"error": f"no suite (exit status {done.status}): {done.output.strip()[-200:]}"}
    return {"wall": done.seconds, "peak": done.peak}
