"""The work behind `tracetwin run`: a program on twins, in an interpreter that has imported nothing else.

`python -m tracetwin.cli.twin_program [--twin NAME]... (-m MODULE | FILE) [ARGUMENT]...`, see `command_line`.
"""

from __future__ import annotations

import builtins
import importlib.util
import runpy
import sys
import zipfile
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from tracetwin.support.errors import TargetError

if TYPE_CHECKING:
    from instrumenter.hook import Handle


def command_line(names: Iterable[str], program: str, arguments: Sequence[str], *, module: bool) -> list[str]:
    """The command that runs a program on twins, under the options of this interpreter."""
    options = [f"-W{option}" for option in sys.warnoptions]
    options += [f"-X{key}" if value is True else f"-X{key}={value}" for key, value in sys._xoptions.items()]  # noqa: SLF001 - documented
    options += ["-O"] * sys.flags.optimize
    twins = [word for name in names for word in ("--twin", name)]
    target = ["-m", program] if module else [program]
    return [sys.executable, *options, "-m", "tracetwin.cli.twin_program", *twins, *target, *arguments]


def main() -> None:
    """Run what the command line says, and end as the program does."""
    arguments = sys.argv[1:]
    names = []
    while arguments[0] == "--twin":
        names.append(arguments[1])
        del arguments[:2]
    module = arguments[0] == "-m"
    program, *rest = arguments[module:]
    import tracetwin

    try:
        handle = tracetwin.install(names or [program.partition(".")[0] if module else "__main__"])
    except TargetError as error:
        sys.exit(f"error: {error}")
    sys.argv = [program, *rest]
    try:
        _run_module(program) if module else _run_file(program, handle)
    except Exception as error:  # noqa: BLE001 - shown as the interpreter shows it, without our frames
        error.__traceback__ = _theirs(error.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)
    finally:
        for name in names:
            if not handle.finder.patterns.matched_by(name, handle.met):
                print(f"note: no module was imported for --twin {name}", file=sys.stderr)  # noqa: T201


def _run_module(name: str) -> None:
    try:
        known = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        known = False
    if not known:
        sys.exit(f"error: there is no module {name}")
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _run_file(file: str, handle: Handle) -> None:
    """Run a script as the interpreter does; runpy would compile the original instead of the twin."""
    path = str(Path(file).absolute())
    spec: Any = _spec_within(path)
    names: dict[str, Any] = {"__builtins__": builtins, "__annotations__": {}}
    if spec is not None:
        names.update(__spec__=spec, __package__="", __cached__=spec.cached)
    else:
        if not getattr(sys.flags, "safe_path", False):
            sys.path[0] = str(Path(file).resolve().parent)
        loader = SourceFileLoader("__main__", path)
        spec = importlib.util.spec_from_file_location("__main__", path, loader=loader)
        names.update(__cached__=None)
    if handle.finder.patterns.matches("__main__"):
        handle.finder.adopt(spec)
    module = ModuleType("__main__")
    vars(module).update(names, __file__=spec.origin, __loader__=spec.loader)
    sys.modules["__main__"] = module
    exec(_code(spec), vars(module))  # noqa: S102 - that is what was asked for


def _spec_within(path: str) -> ModuleSpec | None:
    """The `__main__` of a folder or zip file, which comes first on `sys.path`; None for a script."""
    if not Path(path).is_dir() and not zipfile.is_zipfile(path):
        return None
    if getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, path)
    else:
        sys.path[0] = path
    spec = PathFinder.find_spec("__main__", [path])
    if spec is None or spec.loader is None:
        sys.exit(f"error: can't find '__main__' module in {path!r}")
    return spec


def _code(spec: Any) -> CodeType:
    try:
        code: CodeType = spec.loader.get_code("__main__")
    except (SyntaxError, ValueError) as error:
        # The interpreter shows the place in the script, and nothing of who has compiled it.
        source = spec.loader.get_data(spec.origin)
        if b"\0" in source:
            line = source[: source.index(b"\0")].count(b"\n") + 1
            message = "source code cannot contain null bytes"
            raise SyntaxError(message, (spec.origin, line, None, None)) from None
        raise error.with_traceback(None) from None
    return code


def _theirs(traceback: TracebackType | None) -> TracebackType | None:
    ours = {main.__code__.co_filename, runpy.run_module.__code__.co_filename}
    while traceback is not None and traceback.tb_frame.f_code.co_filename in ours:
        traceback = traceback.tb_next
    return traceback


if __name__ == "__main__":
    main()
