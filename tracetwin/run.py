"""The work behind `tracetwin run`: a program on twins, in an interpreter that has imported nothing else.

`python -m tracetwin.run [--twin NAME]... (-m MODULE | FILE) [ARGUMENT]...`, as `command_line` writes it.
"""

from __future__ import annotations

import builtins
import importlib.util
import runpy
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from tracetwin.errors import TargetError

if TYPE_CHECKING:
    from instrumenter.hook import Handle


def command_line(names: Iterable[str], program: str, arguments: Sequence[str], *, module: bool) -> list[str]:
    """The command that runs a program on twins, under the options of this interpreter.

    Args:
        names: modules to be twins, as for `tracetwin.install`; none for those of the program itself.
        program: a file or the name of a module.
        arguments: the program's own.
        module: whether it is the name of a module.
    """
    options = [f"-W{option}" for option in sys.warnoptions]
    options += [f"-X{key}" if value is True else f"-X{key}={value}" for key, value in sys._xoptions.items()]  # noqa: SLF001 - documented
    options += ["-O"] * sys.flags.optimize
    twins = [word for name in names for word in ("--twin", name)]
    target = ["-m", program] if module else [program]
    return [sys.executable, *options, "-m", "tracetwin.run", *twins, *target, *arguments]


def main() -> None:
    """Run what the command line says, and end as the program does."""
    from tracetwin.__main__ import load_ours_first

    load_ours_first()
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
            if not handle.finder.patterns.matched_by(name, {*handle.twins, *handle.untouched, *handle.early}):
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
    """As the interpreter runs a script: runpy would compile it by itself."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = str(Path(file).resolve().parent)
    path = str(Path(file).absolute())
    loader = SourceFileLoader("__main__", path)
    spec: Any = importlib.util.spec_from_file_location("__main__", path, loader=loader)
    if handle.finder.patterns.matches("__main__"):
        handle.finder.adopt(spec)
    module = ModuleType("__main__")
    vars(module).update(
        __file__=path, __loader__=spec.loader, __builtins__=builtins, __annotations__={}, __cached__=None
    )
    sys.modules["__main__"] = module
    exec(spec.loader.get_code("__main__"), vars(module))  # noqa: S102 - that is what was asked for


def _theirs(traceback: TracebackType | None) -> TracebackType | None:
    ours = {main.__code__.co_filename, runpy.run_module.__code__.co_filename}
    while traceback is not None and traceback.tb_frame.f_code.co_filename in ours:
        traceback = traceback.tb_next
    return traceback


if __name__ == "__main__":
    main()
