"""Our sources as Python 3.9 understands them: a target's interpreter of that version loads these.

Only what differs is rewritten, by the syntax tree: `match` becomes `if`, unions of classes become `Union`,
what the library does not have comes from `tracetwin.support.older_python`.
"""

from __future__ import annotations

import ast
import atexit
import functools
import hashlib
import itertools
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from tracetwin.support import own_modules

Nodes: TypeAlias = "list[ast.expr]"

_LACKING: Final = {
    **{f"types.{name}": name for name in ("UnionType", "NoneType")},
    **{f"typing.{name}": name for name in ("TypeAlias", "TypeGuard", "is_typeddict")},
    "itertools.pairwise": "pairwise",
    "sys.stdlib_module_names": "stdlib_module_names",
    "inspect.get_annotations": "get_annotations",
    "int.bit_count": "bit_count",
    "ast.TryStar": "TryStar",
    **{f"ast.{name}": "Pattern" for name in ("Match", "match_case", "pattern")},
    **{f"ast.Match{name}": "Pattern" for name in
       ("Value", "Singleton", "Sequence", "Mapping", "Class", "Star", "As", "Or")},
}  # fmt: skip
"""What 3.9 has not, by its dotted name, and its name among ours."""

_KEPT: Final = 4
"""Folders for other versions of tracetwin that stay."""

_OURS: Final = "_older"
_HELP: Final = "tracetwin/support/older_python.py"
_IMPORT: Final = f"from tracetwin.support import older_python as {_OURS}"
_BUILTIN_CLASSES: Final = frozenset(("int", "str", "bytes", "bool", "float", "type", "list", "dict", "tuple"))


@functools.cache
def lowered_packages(places: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return where lowered copies of our packages lie: in the user's cache, one for each state of them."""
    files = {f"{name}/{file.relative_to(folder).as_posix()}": file.read_bytes()
             for name, folder in places for file in sorted(Path(folder).rglob("*"))
             if file.is_file() and file.suffix != ".pyc"}  # fmt: skip
    digest = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for name, content in files.items():
        digest.update(f"{name} {len(content)} ".encode() + content)
    home = cast("Path | None", cast("Any", own_modules.load("instrumenter.cache")).default_directory())
    name = f"lowered/{digest.hexdigest()[:32]}"
    place = (home or _temporary()) / name
    if not place.is_dir():
        try:
            _write(place, files)
        except OSError:  # a cache that can't be written
            place = _temporary() / name
            _write(place, files)
    return {name: str(place / name) for name, _ in places}


def _write(place: Path, files: Mapping[str, bytes]) -> None:
    """Make a folder of lowered files, all of it or nothing; another process may do the same."""
    place.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".new-", dir=place.parent))
    try:
        for name, content in files.items():
            file = made / name
            file.parent.mkdir(parents=True, exist_ok=True)
            is_source = file.suffix == ".py" and name != _HELP
            file.write_bytes(lowered(content.decode()).encode() if is_source else content)
        made.rename(place)
    except OSError:
        if not place.is_dir():
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
    by_age = sorted(
        (one for one in place.parent.iterdir() if one != place), key=lambda one: one.stat().st_mtime
    )
    for old in by_age[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)


@functools.cache
def _temporary() -> Path:
    """Return a folder for this process, where there is no cache."""
    folder = tempfile.mkdtemp(prefix="tracetwin-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def lowered(source: str) -> str:
    """Return a source of ours as Python 3.9 understands it, the same text where it does already."""
    tree = ast.parse(source)
    lowering = _Lowering()
    lowering.visit(tree)
    if not lowering.changed:
        return source
    at = next(
        (i for i, node in enumerate(tree.body) if not _comes_first(node)),
        len(tree.body),
    )
    tree.body.insert(at, ast.parse(_IMPORT).body[0])
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _comes_first(node: ast.stmt) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


def _parse(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _all_of(tests: Nodes) -> ast.expr:
    if not tests:
        return ast.Constant(True)
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _keep(name: str, value: ast.expr) -> ast.expr:
    """Return a test that always holds, and gives a name to a value."""
    return ast.List([ast.NamedExpr(ast.Name(name, ast.Store()), value)], ast.Load())


class _Lowering(ast.NodeTransformer):
    """Rewrites one tree in place.

    Attributes:
        changed: whether anything was.
    """

    def __init__(self) -> None:
        self.changed = False
        self._numbers = itertools.count()

    def _ours(self, name: str) -> ast.expr:
        self.changed = True
        return _parse(f"{_OURS}.{name}")

    # Names that the library does not have.

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        here: list[ast.alias] = []
        lacking: list[ast.alias] = []
        for alias in node.names:
            (lacking if f"{node.module}.{alias.name}" in _LACKING else here).append(alias)
        if not lacking or node.level:
            return node
        made: list[ast.stmt] = [ast.ImportFrom(node.module, here, 0)] if here else []
        for alias in lacking:
            target = ast.Name(alias.asname or alias.name, ast.Store())
            made.append(ast.Assign([target], self._ours(_LACKING[f"{node.module}.{alias.name}"])))
        return made

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
            if name in _LACKING:
                return self._ours(_LACKING[name])
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in ("aiter", "anext"):
            return self._ours("MISSING")
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        names = [keyword.arg for keyword in node.keywords]
        match node.func:
            case ast.Name("zip") if "strict" in names:
                node.func = self._ours("zipped")
            case ast.Name("dataclass") | ast.Attribute(attr="dataclass") if "slots" in names:
                node.keywords = [keyword for keyword in node.keywords if keyword.arg != "slots"]
                self.changed = True
            case ast.Attribute(value, "co_lines"):
                node.func, node.args = self._ours("co_lines"), [value]
            case ast.Name("NameError" | "AttributeError") if names:
                node.args.insert(0, node.func)
                node.func = self._ours("named_error")
            case ast.Name("eval") if len(node.args) > 1:  # perhaps of an annotation
                node.func = self._ours("evaluate")
            case ast.Name("isinstance" | "issubclass") if len(node.args) > 1:
                node.args[1] = self._classes(node.args[1])
        return node

    def _classes(self, kinds: ast.expr) -> ast.expr:
        """Return the second argument of `isinstance`."""
        match kinds:
            case ast.Subscript(ast.Attribute(ast.Name(id), "Union"), ast.Tuple() as parts) if id == _OURS:
                return parts
        return kinds

    # Unions of classes.

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        parts = list(_parts(node))
        self.generic_visit(node)
        return self._union([self.visit(one) for one in parts]) if any(map(_is_class, parts)) else node

    def _union(self, parts: Nodes) -> ast.expr:
        return ast.Subscript(self._ours("Union"), ast.Tuple(parts, ast.Load()), ast.Load())

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        if node.value is not None:
            is_type = ast.unparse(node.annotation) == "TypeAlias"
            node.value = self._annotation(node.value) if is_type else self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return node  # annotations of functions are not read by anyone

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        for field in node.body:
            if isinstance(field, ast.AnnAssign):
                field.annotation = self._annotation(field.annotation)
        return self.generic_visit(node)

    def _annotation(self, node: ast.expr) -> ast.expr:
        return cast("ast.expr", _Annotation(self).visit(node))

    # Patterns.

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        self.changed = True
        subject = self._name()
        first: list[ast.stmt] = [ast.Assign([ast.Name(subject, ast.Store())], self.visit(node.subject))]
        place: list[ast.stmt] = first
        for case in node.cases:
            tests, names = self._pattern(case.pattern, ast.Name(subject, ast.Load()))
            tests += [_keep(name, ast.Name(kept, ast.Load())) for name, kept in names.items()]
            if case.guard is not None:
                tests.append(self.visit(case.guard))
            body = [one for part in case.body for one in _as_list(self.visit(part))]
            choice = ast.If(_all_of(tests), body, [])
            place.append(choice)
            place = choice.orelse
        return first

    def _name(self) -> str:
        return f"_match_{next(self._numbers)}"

    def _pattern(self, pattern: ast.pattern, subject: ast.expr) -> tuple[Nodes, dict[str, str]]:
        """Return the tests of a pattern, and by the names it binds those that keep values till then."""
        match pattern:
            case ast.MatchValue(value):
                return [ast.Compare(subject, [ast.Eq()], [self.visit(value)])], {}
            case ast.MatchSingleton(value):
                return [ast.Compare(subject, [ast.Is()], [ast.Constant(value)])], {}
            case ast.MatchAs(inner, name):
                tests, names = ([], {}) if inner is None else self._pattern(inner, subject)
                return self._captured(tests, names, name, subject)
            case ast.MatchOr(patterns):
                return self._any_of([self._pattern(one, subject) for one in patterns])
            case ast.MatchClass():
                return self._class(pattern, subject)
            case ast.MatchSequence(patterns):
                return self._series(patterns, subject)
            case ast.MatchMapping():
                return self._mapping(pattern, subject)
            case _:
                raise NotImplementedError(ast.dump(pattern))

    def _captured(
        self, tests: Nodes, names: dict[str, str], name: str | None, value: ast.expr
    ) -> tuple[Nodes, dict[str, str]]:
        if name is None:
            return tests, names
        kept = f"_kept_{name}"
        return [*tests, _keep(kept, value)], {**names, name: kept}

    def _any_of(self, found: list[tuple[Nodes, dict[str, str]]]) -> tuple[Nodes, dict[str, str]]:
        names = {name: kept for _, one in found for name, kept in one.items()}
        return [ast.BoolOp(ast.Or(), [_all_of(tests) for tests, _ in found])], names

    def _inner(self, parts: Iterable[tuple[ast.pattern, ast.expr, bool]]) -> tuple[Nodes, dict[str, str]]:
        """Return the tests of patterns on parts of a subject, which may be missing."""
        tests: Nodes = []
        names: dict[str, str] = {}
        for pattern, value, may_be_missing in parts:
            if isinstance(pattern, ast.MatchAs) and pattern.name is None and pattern.pattern is None:
                continue
            name = self._name()
            kept = ast.NamedExpr(ast.Name(name, ast.Store()), value)
            if may_be_missing:
                tests.append(ast.Compare(kept, [ast.IsNot()], [self._ours("MISSING")]))
            else:
                tests.append(ast.List([kept], ast.Load()))
            more, bound = self._pattern(pattern, ast.Name(name, ast.Load()))
            tests += more
            names |= bound
        return tests, names

    def _class(self, pattern: ast.MatchClass, subject: ast.expr) -> tuple[Nodes, dict[str, str]]:
        cls = self.visit(pattern.cls)
        parts: list[tuple[ast.pattern, ast.expr, bool]] = []
        for place, inner in enumerate(pattern.patterns):
            parts.append((inner, ast.Call(self._ours("part"), [subject, cls, ast.Constant(place)], []), True))
        for name, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            asked: Nodes = [subject, ast.Constant(name), self._ours("MISSING")]
            parts.append((inner, ast.Call(_parse("getattr"), asked, []), True))
        tests, names = self._inner(parts)
        return [ast.Call(_parse("isinstance"), [subject, cls], []), *tests], names

    def _series(self, patterns: list[ast.pattern], subject: ast.expr) -> tuple[Nodes, dict[str, str]]:
        star = next((i for i, one in enumerate(patterns) if isinstance(one, ast.MatchStar)), None)
        count, text = len(patterns), ast.unparse(subject)
        least = count if star is None else count - 1
        long_enough = _parse(f"len({text}) {'==' if star is None else '>='} {least}")
        tests: Nodes = [ast.Call(self._ours("is_series"), [subject], []), long_enough]
        parts: list[tuple[ast.pattern, ast.expr, bool]] = []
        rest: tuple[str, ast.expr] | None = None
        for place, inner in enumerate(patterns):
            behind = count - place
            if isinstance(inner, ast.MatchStar):
                end = f"len({text}) - {behind - 1}"
                rest = (inner.name, _parse(f"list({text})[{place}:{end}]")) if inner.name else None
            else:
                at = str(place) if star is None or place < star else str(-behind)
                parts.append((inner, _parse(f"{text}[{at}]"), False))
        more, names = self._inner(parts)
        tests += more
        return self._captured(tests, names, *rest) if rest else (tests, names)

    def _mapping(self, pattern: ast.MatchMapping, subject: ast.expr) -> tuple[Nodes, dict[str, str]]:
        if pattern.rest is not None:
            raise NotImplementedError("`**rest` in a pattern")
        parts: list[tuple[ast.pattern, ast.expr, bool]] = []
        for key, inner in zip(pattern.keys, pattern.patterns, strict=True):
            asked = [self.visit(key), self._ours("MISSING")]
            get = ast.Attribute(subject, "get", ast.Load())
            parts.append((inner, ast.Call(get, asked, []), True))
        tests, names = self._inner(parts)
        return [ast.Call(self._ours("is_mapping"), [subject], []), *tests], names


class _Annotation(ast.NodeTransformer):
    """Rewrites what stands for a type."""

    def __init__(self, whole: _Lowering) -> None:
        self._whole = whole

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self._whole._union([self.visit(one) for one in _parts(node)])  # noqa: SLF001 - they are one

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, str) and "|" in node.value:
            return ast.Constant(ast.unparse(self.visit(_parse(node.value))))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return node if ast.unparse(node.value) == "Literal" else cast("ast.expr", self.generic_visit(node))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._whole.visit_Attribute(node)


def _parts(node: ast.expr) -> Iterable[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _parts(node.left)
        yield from _parts(node.right)
    else:
        yield node


def _is_class(node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _BUILTIN_CLASSES
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "ast"
    return isinstance(node, ast.Constant) and node.value is None


def _as_list(made: Any) -> list[ast.stmt]:
    return made if isinstance(made, list) else [made]
