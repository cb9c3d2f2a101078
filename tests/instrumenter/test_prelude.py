from __future__ import annotations

import ast
import sys
from types import ModuleType

import pytest

from instrumenter.write import with_prelude

P = "from runtime import twin as _tt"
G = f"global _tt; {P}"
E = '(globals().update(_tt=__import__("runtime.twin", fromlist=["twin"])), ('

CASES = {
    "first simple statement": ("x = 1\n", f"{P}; x = 1\n"),
    "behind a docstring": ('"""Doc."""\nx = 1\n', f'"""Doc."""\n{P}; x = 1\n'),
    "on the docstring's line": ('"""Doc."""; x = 1\n', f'"""Doc."""; {P}; x = 1\n'),
    "columns are bytes": ("'é'; x = 1\n", f"'é'; {P}; x = 1\n"),
    "behind future imports": (
        "from __future__ import annotations\nfrom a import b\n",
        f"from __future__ import annotations\n{P}; from a import b\n",
    ),
    "docstring before a definition": (
        "'Doc'  # c\ndef f(): pass\nx = 1\n",
        f"'Doc'; {P}  # c\ndef f(): pass\nx = 1\n",
    ),
    "future import before a definition": (
        "from __future__ import (\n  annotations,\n)\n\n@f\nclass A: pass\n",
        f"from __future__ import (\n  annotations,\n); {P}\n\n@f\nclass A: pass\n",
    ),
    "comment line": (
        "#!/usr/bin/python\n# coding: utf-8\n# note\ndef f(): pass\n",
        f"#!/usr/bin/python\n# coding: utf-8\n{P}  # note\ndef f(): pass\n",
    ),
    "no comment above the encoding": (
        "# note\n# coding: utf-8\n\ndef f(): pass\n",
        f"# note\n# coding: utf-8\n{P}\ndef f(): pass\n",
    ),
    "empty line": ("\n\ndef f(): pass\n", f"{P}\n\ndef f(): pass\n"),
    "empty line behind a definition": ("def f(): _tt\n\nx = f()\n", f"def f(): _tt\n{P}\nx = f()\n"),
    "statement behind a definition": ("def f(): _tt\nx = f()\n", f"def f(): _tt\n{P}; x = f()\n"),
    "no line that goes on": ("def f(): _tt; \\\n\nx = f()\n", f"def f(): _tt; \\\n\n{P}; x = f()\n"),
    "carriage returns": ("\r\ndef f(): pass\r\n", f"{P}\r\ndef f(): pass\r\n"),
    "old Macs": ("# c\rdef f(): pass\r", f"{P}  # c\rdef f(): pass\r"),
    "form feed": ("\fx = 1\n", f"\f{P}; x = 1\n"),
    # The file begins with a compound statement.
    "try": ("try:\n    import a\nexcept E: pass\n", f"try:\n    {P}; import a\nexcept E: pass\n"),
    "try with a comment": (
        "try:\n  # c\n  import a\nfinally: pass\n",
        f"try:\n  {P}  # c\n  import a\nfinally: pass\n",
    ),
    "try that defines": (
        "try:\n  def f(): pass\nfinally:\n  x = f()\n",
        f"try:\n  def f(): pass\nfinally:\n  {P}; x = f()\n",
    ),
    "if": ("if _tt.x: pass\n", f"if {E}_tt.x))[1]: pass\n"),
    "for": ("for x in 1, 2:\n  pass\n", f"for x in {E}1, 2))[1]:\n  pass\n"),
    "while": ("while (_tt.x):\n  pass\n", f"while ({E}_tt.x))[1]):\n  pass\n"),
    "with": ("with a() as b, c: pass\n", f"with {E}a()))[1] as b, c: pass\n"),
    "match": ("match _tt.x:\n  case 1: pass\n", f"match {E}_tt.x))[1]:\n  case 1: pass\n"),
    "header on several lines": ("if (_tt.a(\n  b)):\n  pass\n", f"if ({E}_tt.a(\n  b)))[1]):\n  pass\n"),
    "class body": ("class A:\n  x = 1\n", f"class A:\n  {G}; x = 1\n"),
    "class body on its line": ("class A: x = 1\n", f"class A: {G}; x = 1\n"),
    "class docstring": ("class A:\n  'D'\n  x = 1\n", f"class A:\n  'D'\n  {G}; x = 1\n"),
    "class with a gap": (
        "class A(Exception):\n  'D'\n\n  def f(self): pass\n  x = 1\n",
        f"class A(Exception):\n  'D'\n  {G}\n  def f(self): pass\n  x = 1\n",
    ),
    "try in a class": ("class A:\n  try: x\n  finally: y\n", f"class A:\n  try: {G}; x\n  finally: y\n"),
    "if in a class": ("class A:\n  if _tt.x: y\n", f"class A:\n  if {E}_tt.x))[1]: y\n"),
    "class with bases": ("class A(*_tt.b):\n  x = 1\n", f"class A(*{E}_tt.b))[1]):\n  x = 1\n"),
    "metaclass": ("class A(metaclass=m()): pass\n", f"class A(metaclass={E}m()))[1]): pass\n"),
    "decorator": (
        "def d(f): return f\n@d\ndef g(): pass\n",
        f"def d(f): return f\n@{E}d))[1]\ndef g(): pass\n",
    ),
    "decorator of builtins": ("@property\ndef g(): pass\nx = 1\n", f"@property\ndef g(): pass\n{P}; x = 1\n"),
    "default": ("def f(a=1, *, b=_tt.x): pass\n", f"def f(a=1, *, b={E}_tt.x))[1]): pass\n"),
    # Nothing but definitions, and no room between them.
    "function": ("def f(x):\n  return _tt.x\n", f"def f(x):\n  {G}; return _tt.x\n"),
    "functions": (
        "def f(x):\n  'D'\n  return _tt.x\ndef g(\n    # c\n  ): return 1\ndef h(): _tt\n",
        f"def f(x):\n  'D'\n  {G}; return _tt.x\ndef g(\n    # c\n  ): return 1\ndef h(): {G}; _tt\n",
    ),
    "coroutine": (
        "async def h():\n  async for x in _tt.x: pass\n",
        f"async def h():\n  async for x in {E}_tt.x))[1]: pass\n",
    ),
    "method": ("class A:\n  def f(x): return _tt.x\n", f"class A:\n  def f(x): {G}; return _tt.x\n"),
    "function without an end": ("def f(): return _tt.x", f"def f(): {G}; return _tt.x"),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_import_stands_on_a_line_that_exists(before: str, after: str):
    assert after == with_prelude(before, "_tt")
    compile(after, "twin", "exec")
    assert len(before.splitlines()) == len(after.splitlines())


RUNS = {
    "class": "class A:\n  x = _tt.add(1, 2)\n  def f(self): return _tt.add(self.x, 1)\nresult = A().f()\n",
    "nested": "class A:\n  class B:\n    x = [_tt.add(n, 2) for n in (1,)]\nresult = _tt.add(A.B.x[0], 1)\n",
    "header": "for x in _tt.add([1], [2]):\n  y = x\nresult = _tt.add(y, 2)\n",
    "base": "class A(_tt.add(int, 0)):\n  x = _tt.add(1, 3)\nresult = A.x\n",
    "method": "class A:\n  def f(s):\n    if _tt.add(1, 0): return [_tt.add(2, 2)][0]\nresult = A().f()\n",
    "decorator": "def d(f):\n  return _tt.add(f(), 1)\n@d\ndef result(): return _tt.add(1, 2)\n",
    "generator": "def g():\n  while _tt.add(1, 0):\n    yield _tt.add(2, 2)\nresult = next(g())\n",
}


@pytest.mark.parametrize("text", RUNS.values(), ids=RUNS)
def test_import_runs_before_the_first_operation(text: str, monkeypatch: pytest.MonkeyPatch):
    interface = ModuleType("runtime.twin")
    interface.add = lambda a, b: a if a is int else a + b  # type: ignore[attr-defined]
    package = ModuleType("runtime")
    package.twin = interface  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "runtime", package)
    monkeypatch.setitem(sys.modules, "runtime.twin", interface)
    space: dict[str, object] = {"__name__": "m"}
    exec(with_prelude(text, "_tt"), space)
    assert 4 == space["result"]
    assert space["_tt"] is interface


def test_docstrings_stay():
    for text in ("class A:\n  # c\n  'D'\n  x = 1\n", "class A:\n  'D'\n  def f(self): return _tt\n"):
        (node,) = ast.parse(with_prelude(text, "_tt")).body
        assert isinstance(node, ast.ClassDef)
        assert "D" == ast.get_docstring(node)
