"""Twins of the running interpreter's own modules: they compile, and no code object's lines move."""

from __future__ import annotations

import importlib
import inspect
import os
import sysconfig
import warnings
from pathlib import Path

import pytest

from instrumenter.build import positioned
from instrumenter.transform import instrument
from tests.instrumenter.watching import line_sets

pytestmark = pytest.mark.slow

MODULES = """
    abc argparse ast base64 bisect calendar cmd code codecs colorsys compileall contextlib copy copyreg
    csv dataclasses dis enum filecmp fileinput fnmatch fractions functools genericpath getopt glob gzip
    hashlib heapq hmac html html.parser io json.decoder json.encoder keyword linecache mimetypes netrc
    numbers operator os plistlib posixpath pprint queue quopri random re reprlib sched shelve shlex
    shutil string tabnanny textwrap timeit tokenize traceback types uuid warnings weakref asyncio.tasks
    email.message http.cookies logging urllib.parse xml.dom.minidom
""".split()

WHOLE = "TRACETWIN_WHOLE_STDLIB"  # set it to look at every file; that takes minutes
LEFT_OUT = {"site-packages", "dist-packages", "test", "tests", "idlelib", "idle_test", "turtledemo"}


def files() -> list[Path]:
    if not os.environ.get(WHOLE):
        return [Path(inspect.getsourcefile(importlib.import_module(name)) or "") for name in MODULES]
    root = Path(sysconfig.get_path("stdlib"))
    return [path for path in sorted(root.rglob("*.py")) if LEFT_OUT.isdisjoint(path.relative_to(root).parts)]


@pytest.mark.parametrize("file", files(), ids=str)
def test_twin_compiles_with_the_lines_of_its_original(file: Path):
    source = file.read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            original = compile(source, str(file), "exec", dont_inherit=True)
        except SyntaxError:
            pytest.skip("a file that is wrong on purpose")
        twin = instrument(source, name=file.stem, filename=str(file))
        if file.name == "topics.py":
            pytest.skip("strings of some thousand parts are more than libcst can walk through")
        assert twin.untouched is None
        traced = compile(positioned(twin, source), str(file), "exec", dont_inherit=True)
    assert line_sets(original) == line_sets(traced)
