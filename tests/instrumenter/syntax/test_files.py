"""Sources as they lie on disk: encodings, newlines, indentation, extremes; and what `-O` leaves out."""

# ruff: noqa: E501 - the programs are dense on purpose

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.instrumenter.alike import assert_alike

BODY = "x = 'é' + 'ü'\ndef f(a):\n    return a + x, len(x), f'{x}é{a:>{len(x)}}'\nprint(ascii(f('ß')), ascii(f.__doc__))\n"

SOURCES: dict[str, bytes] = {
    "latin-1": b"# -*- coding: latin-1 -*-\n" + BODY.encode("latin-1"),
    "cookie on the second line": b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n" + BODY.encode("cp1252"),
    "koi8": "# coding: koi8-r\nимя = 'текст' + 'ё'\nprint(ascii(имя))\n".encode("koi8-r"),
    "shift_jis": "# coding: shift_jis\nx = '表' + 'ソ\\\\'\nprint(ascii(x), ascii(f'{x}表'))\n".encode("shift_jis"),
    "byte order mark": b"\xef\xbb\xbf" + BODY.encode(),
    "mark and cookie": b"\xef\xbb\xbf# coding: utf-8\n" + BODY.encode(),
    "carriage returns": BODY.replace("\n", "\r").encode(),
    "both": BODY.replace("\n", "\r\n").encode(),
    "mixed": b"x = 1\r\ny = x + 1\rz = '''a\r\nb\rc\n''' + f'''{y}\r\n{x}\r{y}'''\nprint(repr(z), x +\\\r\n y, (x\r -\n y))\r",
    "no last newline": b"x = 1\nprint(x + 1)",
    "comment without newline": b"x = 1\nprint(x + 1)  # end",
    "ends in spaces": b"if 1:\n  print(-int('1'))\n  ",
    "empty": b"",
    "blank": b"\n\n  \n\t\n",
    "only a comment": b"# nothing",
    "only documentation": b"'''doc'''",
    "form feeds": b"x = 1\n\x0c\ndef f():\n    \x0c\n\x0c    return x + 1\n\x0cprint(f())\n",
    "tabs": b"if 1:\n\tif 1:\n\t\tx = [1,\t2][\t0\t]\n\t\tprint(x\t+\t1)\n        \n\telse:\n\t\tpass\nclass A:\n\n\tdef f(self):\n\t\t\treturn self\n",
    "uneven indentation": b"if 1:\n   x = 1\n   if x:\n     print(x + 1)\nelse:\n         print(-x)\nfor i in 1,: print(i * 2); x += i\nprint(x)\n",
    "continued lines": b"x = 1 + \\\n  2 \\\n  - 3\nif x \\\n   == 0 \\\n   and not \\\n   x: print(\\\n x, [1, 2] \\\n [0], 'a' \\\n 'b')\nassert \\\n x \\\n == 0\nx \\\n += \\\n 1\nprint(x)\n",
    "semicolons": b"x = [1]; x[0] += 1; x += [2];\nif x: print(x); del x[0];\nfor i in x: i += 1; print(i); continue\nclass A: a = 1; a += a; b = a\nprint(A.b);\n",
    "names in other forms": "ﬁ = 1 + 1\nprint(fi)\nclass Å:\n    def µ(self, ª=1): self.ﬀ = ª; self.ff += 1; return vars(self)\nprint(Å().μ(), 'ﬁ' in globals(), ascii(sorted(n for n in globals() if n[0] != '_')))\n".encode(),
    "separators that are no newlines": "x = '\u2028\u0085\x1c' + '\x0b'\nprint(ascii(x), len(x))\n".encode(),
    "long lines": ("x = " + " + ".join(["1"] * 600) + "\ny = [" + ", ".join(f"{i} * 2" for i in range(3000)) + "]\nprint(x, sum(y))\n").encode(),
    "a long chain": ("a = 1\nx = " + " + ".join(["a"] * 600) + "\ny = " + " and ".join(["a < 2"] * 300) + "\nprint(x, y)\n").encode(),
    "deep brackets": ("a = 1\nx = " + "[" * 60 + "a + 1" + "]" * 60 + "\ny = " + "-(" * 80 + "a" + ")" * 80 + "\nprint(x, y)\n").encode(),
    "deep blocks": ("".join(f"{' ' * i}if i_ < {i} + 100:\n" for i in range(60)) + " " * 60 + "print(i_ + 1)\n").encode().replace(b"if i_", b"i_ = 1\nif i_", 1),
    "deep functions": ("".join(f"{' ' * i}def f{i}(a=1 + {i}):\n" for i in range(18)) + " " * 18 + "return a + 1\n" + "".join(f"{' ' * i}return f{i}()\n" for i in range(17, 0, -1)) + "print(f0())\n").encode(),
}  # fmt: skip


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_files(source):
    assert_alike(source)


OPTIMIZED = '''"""Module doc."""
def f(x):
    """Doc."""
    assert x > 1, "small"
    if __debug__: return "debug", f.__doc__
    elif not __debug__ and x: return "optimized", f.__doc__
    assert x + 1
    return -x
try: print(f(0))
except AssertionError as error: print(error)
print(f(2), __doc__, __debug__, 1 if __debug__ else 2, f.__code__.co_consts[0])
class A:
    """A."""
    assert print("evaluated") or 1
print(A.__doc__)
'''


# Without `assert`: it is left out as well.
COMPARED = """
import builtins, sys
from instrumenter.build import build
from runtime import twin
from tests.instrumenter.alike import FILE, NAME, observed
source = {source!r}
built = build(source, name=NAME, filename=FILE)
setattr(builtins, built.twin.prelude_name, twin)
before, after = observed(compile(source, FILE, "exec", dont_inherit=True)), observed(built.code)
sys.exit(before != after and repr((before, after)))
"""


@pytest.mark.parametrize("flag", ["-O", "-OO"])
def test_optimized_runs(flag, tmp_path):
    script = tmp_path / "check.py"
    script.write_text(COMPARED.format(source=OPTIMIZED))
    done = subprocess.run(
        [sys.executable, flag, str(script)],
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "") == (done.returncode, done.stderr)
