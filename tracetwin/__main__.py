"""`python -m tracetwin` is `tracetwin`."""

import importlib
import os
import sys


def load_ours_first() -> None:
    """Import our rooms from beside this package, whatever the current folder holds.

    With ``-m`` the current folder comes first on `sys.path`; a target's own ``runtime.py`` in it would be
    taken for ours.
    """
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - before all else
    sys.path.insert(0, home)
    try:
        for room in ("runtime", "instrumenter"):
            importlib.import_module(room)
    finally:
        sys.path.remove(home)


if __name__ == "__main__":
    load_ours_first()
    from tracetwin.cli import main

    main(prog_name="tracetwin")
