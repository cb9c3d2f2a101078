"""Lies beside files with the names of modules that the tool and the library import: none may act unguarded."""
# import: acts
# shadows: _pytest ast asyncio click concurrent conftest contextlib coverage ctypes dataclasses difflib dis
# shadows: fcntl hashlib inspect json libcst locale marshal multiprocessing packaging pdb platform pytest
# shadows: random readline resource rich secrets select selectors shutil signal site sitecustomize socket
# shadows: sqlite3 string struct subprocess tempfile textwrap tokenize tomllib traceback typing unittest
# shadows: usercustomize warnings weakref z3 zipfile

import proof


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
