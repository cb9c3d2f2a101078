"""Measures programs with coverage.py, as originals and as twins.

Usage: python -m tests.instrumenter.covered FOLDER branch|line FILE...
"""

from __future__ import annotations

import builtins
import contextlib
import io
import json
import sys
import warnings
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import coverage

from instrumenter.build import positioned
from instrumenter.transform import instrument
from runtime import trace, twin

KINDS = (
    "executed_lines", "missing_lines", "excluded_lines", "executed_branches", "missing_branches",
)  # fmt: skip


def codes(file: Path) -> tuple[CodeType, CodeType]:
    """A file's own code and its twin's."""
    source = file.read_bytes()
    traced = instrument(source, name=file.stem, filename=str(file))
    assert traced.untouched is None
    assert "_tt" == traced.prelude_name
    tree = positioned(traced, source)
    return compile(source, str(file), "exec"), compile(tree, str(file), "exec")


def measured(file: Path, code: CodeType, folder: Path, *, branch: bool) -> dict[str, Any]:
    """What coverage.py reports of one run of a file's code."""
    trace.start()
    setattr(builtins, "_tt", twin)  # noqa: B010 - mypy knows no such builtin
    cover = coverage.Coverage(data_file=None, branch=branch, include=[str(file)], config_file=False)
    module = ModuleType(file.stem)
    module.__file__ = str(file)
    sys.modules[file.stem] = module
    cover.start()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            exec(code, vars(module))
            if "exercise" in vars(module):
                vars(module)["exercise"]()
    finally:
        cover.stop()
        del sys.modules[file.stem]
    out = folder / "report.json"
    cover.json_report(outfile=str(out))
    (report,) = json.loads(out.read_text(encoding="utf-8"))["files"].values()
    lines = sorted(cover.get_data().lines(str(file)) or ())
    return {kind: report.get(kind) for kind in KINDS} | {"lines": lines}


def _apart(before: list[Any], after: list[Any]) -> str:
    gone = [item for item in before if item not in after]
    new = [item for item in after if item not in before]
    return f"lost {gone}, gained {new}"


def main(folder: str, branch: str, *names: str) -> None:
    """Print the names of files whose twin is measured otherwise, and how."""
    warnings.simplefilter("ignore")
    for name in names:
        file = Path(name)
        both = [measured(file, code, Path(folder), branch=branch == "branch") for code in codes(file)]
        before, after = both
        for kind in before:
            if before[kind] != after[kind]:
                sys.stdout.write(f"{file.name} {kind}: {_apart(before[kind], after[kind])}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
