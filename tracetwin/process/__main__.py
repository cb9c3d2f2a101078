"""The first lines of a program of ours: ``python .../process/__main__.py PROGRAM FD NAME=FOLDER...``.

Run by file name rather than with ``-m``, so that nothing of ours has to be on `sys.path`.
"""

from __future__ import annotations

import builtins
import gc
import importlib.util
import os
import sys


def boot(arguments: list[str]) -> None:
    """Load our side privately and hand over to the program."""
    gc.disable()  # what we load stays; the program has it on again before anything else runs
    here = os.path.dirname(os.path.abspath(__file__))
    # Python puts the script's folder first; the target must not find `state` or `protocol` there.
    if sys.path and os.path.abspath(sys.path[0]) == here:
        del sys.path[0]
    loader = os.path.join(os.path.dirname(here), "support", "own_modules.py")
    spec = importlib.util.spec_from_file_location("_tracetwin_private", loader)
    assert spec is not None
    assert spec.loader is not None
    private = importlib.util.module_from_spec(spec)
    private.__dict__["__builtins__"] = dict(vars(builtins))
    spec.loader.exec_module(private)
    places = dict(argument.split("=", 1) for argument in arguments[2:])
    own = private.OwnModules(places)
    own.load(arguments[0]).main(own, int(arguments[1]))


if __name__ == "__main__":
    boot(sys.argv[1:])
