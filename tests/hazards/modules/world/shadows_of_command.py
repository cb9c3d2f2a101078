"""The same, with the tool run as `python -m tracetwin` from the folder of the hostile project.

Not those names that Python itself looks for there before it comes to the tool: contextlib, warnings.
"""
# command: module
# suite: unchecked
# alone: no
# shadows: _pytest ast asyncio click concurrent conftest coverage ctypes dataclasses difflib dis fcntl hashlib
# shadows: inspect json libcst locale multiprocessing packaging pdb platform pytest random readline resource
# shadows: rich secrets select selectors shutil signal site sitecustomize socket sqlite3 string struct
# shadows: subprocess tempfile textwrap tokenize tomllib traceback typing unittest usercustomize weakref z3
# shadows: zipfile


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
