"""What must hold of the instrumenter as a whole."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import libcst as cst

from instrumenter.interface import AUGMENTED, BINARY, COMPARE, INTERFACE, UNARY
from instrumenter.rewriter import REWRITES, Rewriter
from instrumenter.rewrites.facts import _Names
from tests.instrumenter import native
from tests.instrumenter.support import twin_of

EVERYTHING = """
def __bool__(self): return self.a
def every(a, b):
    a[b] = a[b:]
    del a[b]
    for x in a: pass
    match a:
        case 1: pass
    if a < b <= a == b != a > b >= a: pass
    if a is b or a is not b or a in b or a not in b: pass
    a + b; a - b; a * b; a / b; a // b; a % b; a ** b; a @ b; a << b; a >> b; a & b; a | b; a ^ b
    a += b; a -= b; a *= b; a /= b; a //= b; a %= b; a **= b; a @= b; a <<= b; a >>= b; a &= b; a |= b; a ^= b
    -a; +a; ~a; not a; a(); a(b); a(b, 1); a(*b); f"{a}"
    a < b; a <= b; a == b; a != b; a > b; a >= b; a in b; a not in b
    if a < b or a <= b or a == b or a != b or a > b or a >= b or a in b or a not in b or not a: pass
    if not a: pass
    a < 1; a <= 1; a == 1; a != 1; a > 1; a >= 1; a is None; a is not None; a[0]
    a + 1; a - 1; a * 1; a / 1; a // 1; a % 1; a ** 1; a << 1; a >> 1; a & 1; a | 1; a ^ 1
    a += 1; a -= 1; a *= 1; a /= 1; a //= 1; a %= 1; a **= 1; a <<= 1; a >>= 1; a &= 1; a |= 1; a ^= 1
"""


def test_visitor_methods_name_real_nodes():
    handlers = [
        name.partition("_")[2]
        for rewriter in (*REWRITES, Rewriter, _Names)
        for name in vars(rewriter)
        if name.startswith(("visit_", "leave_"))
    ]
    assert handlers
    assert [] == [name for name in handlers if not issubclass(getattr(cst, name, type), cst.CSTNode)]


def test_no_two_rewrites_handle_the_same_moment():
    seen: dict[str, str] = {}
    for rewrite in REWRITES:
        for name in vars(rewrite):
            if name.startswith(("visit_", "leave_")):
                assert name not in seen, f"{name} in {rewrite.__name__} and {seen[name]}"
                seen[name] = rewrite.__name__


def test_operator_tables_name_real_nodes():
    names = [*BINARY, *AUGMENTED, *UNARY, *COMPARE]
    assert [] == [name for name in names if not hasattr(cst, name)]


def test_every_operator_of_libcst_is_known():
    def leaves(base):
        return {cls.__name__ for cls in vars(cst).values() if inspect.isclass(cls) and issubclass(cls, base)}

    assert leaves(cst.BaseBinaryOp) - {"BaseBinaryOp"} == set(BINARY)
    assert leaves(cst.BaseAugOp) - {"BaseAugOp"} == set(AUGMENTED)
    assert leaves(cst.BaseUnaryOp) - {"BaseUnaryOp"} == set(UNARY)
    # `<>` is no operator of Python 3; libcst reads it as NotEqual.
    assert leaves(cst.BaseCompOp) - {"BaseCompOp"} == set(COMPARE)


def test_emitted_names_are_those_of_the_interface():
    module = cst.parse_module(twin_of(EVERYTHING).source)
    emitted = set()

    class Collect(cst.CSTVisitor):
        def visit_Attribute(self, node: cst.Attribute) -> None:  # noqa: N802 - libcst's name
            if isinstance(node.value, cst.Name) and node.value.value == "_tt":
                emitted.add(node.attr.value)

    module.visit(Collect())
    assert INTERFACE == emitted


def test_native_interface_of_the_tests_is_complete():
    assert [] == [name for name in sorted(INTERFACE) if not callable(getattr(native, name, None))]


def test_warm_load_does_not_import_libcst(tmp_path: Path):
    script = (
        "import sys; from instrumenter.cache import TwinCache; import instrumenter.hook, instrumenter.write\n"
        "TwinCache(sys.argv[1]).load(b'x = a + b', name='m', filename='m.py')\n"
        "print('libcst' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    runs = [
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path)],
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for _ in range(2)
    ]
    assert ["True", "False"] == runs
