"""The guesses for parameters without annotations, beside the annotations that they had.

    python benchmarks/stripped/guesses.py [--missed] FILE_OR_PACKAGE...

Each module, or each module of a package's folder, is copied without the annotations of its functions, and
imported. A guess agrees if its class is the annotation's, one of its alternatives, or a usual class of the
abstract one that it names (a list for `Sequence`). Annotations that say nothing (`Any`, type variables of one
letter) do not count. Exit status: 0, or 1 where nothing could be compared.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tracetwin.analysis.sources import read
from tracetwin.drawing.typing.usage import Usage

USUAL = {
    "Sequence": "list tuple",
    "Iterable": "list tuple set",
    "Iterator": "iterator list",
    "Collection": "list set",
    "Mapping": "dict",
    "MutableMapping": "dict",
    "Callable": "function",
    "List": "list",
    "Dict": "dict",
    "Tuple": "tuple",
    "Set": "set",
    "FrozenSet": "frozenset set",
    "frozenset": "frozenset set",
    "Text": "str",
    "float": "float int",
    "Path": "Path str",
    "PathLike": "str Path",
}
NOTHING = {"Any", "object", "T"}


class Stripper(ast.NodeTransformer):
    """Removes the annotations of functions; fields and variables keep theirs."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        spec = node.args
        for item in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg):
            if item is not None:
                item.annotation = None
        node.returns = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]


def classes_named(node: ast.expr) -> set[str]:
    """The classes that an annotation may mean."""
    match node:
        case ast.BinOp(left, _, right):
            return classes_named(left) | classes_named(right)
        case ast.Subscript(ast.Name("Optional" | "Union") | ast.Attribute(attr="Optional" | "Union"), inside):
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            return set().union(*map(classes_named, parts))
        case ast.Subscript(head):
            return classes_named(head)
        case ast.Constant(str(text)):
            return classes_named(ast.parse(text, mode="eval").body)
        case ast.Name(name) | ast.Attribute(attr=name):
            return {name}
        case _:
            return {ast.unparse(node)}


def said(tree: ast.AST, owner: str = "") -> Iterator[tuple[str, str, ast.expr]]:
    """The annotated parameters of functions and methods: qualified name, parameter, annotation."""
    for node in getattr(tree, "body", ()):
        own = getattr(node, "name", "")
        name = f"{owner}.{own}" if owner else own
        if isinstance(node, ast.ClassDef):
            yield from said(node, name)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            items = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            yield from ((name, item.arg, item.annotation) for item in items if item.annotation is not None)


def compared(module: str, source: str, missed: bool) -> tuple[int, int, int]:
    """How many parameters there are, whose first guess agrees, and one of whose first three does."""
    imported = importlib.import_module(module)
    usage = Usage(imported, read(imported))
    found = [0, 0, 0]
    for qualname, parameter, annotation in said(ast.parse(source)):
        names = classes_named(annotation)
        function: object = imported
        for part in qualname.split("."):
            function = inspect.getattr_static(function, part, None)
        function = getattr(function, "__func__", function)
        if names & NOTHING or not callable(function):
            continue
        wanted = {word for name in names for word in USUAL.get(name, name).split()}
        guesses = map(str, usage.guesses(qualname, function).get(parameter, []))
        kinds = [re.split(r"[\[{ ]", guess)[0].rpartition(".")[2] for guess in guesses]
        hits = 1, bool(kinds) and kinds[0] in wanted, any(kind in wanted for kind in kinds[:3])
        found = [total + hit for total, hit in zip(found, hits, strict=True)]
        if missed and not hits[1]:
            told = ", ".join(kinds[:3])
            print(f"{module} {qualname} {parameter}: {ast.unparse(annotation)}, guessed {told}")
    return found[0], found[1], found[2]


def copied(subject: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Copy a module or package without annotations; yield its modules with their sources as they were."""
    target = folder / subject.name
    if subject.is_dir():
        shutil.copytree(subject, target, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyi"))
    else:
        shutil.copy(subject, target)
    for file in sorted(target.rglob("*.py")) if subject.is_dir() else [target]:
        source = file.read_text(encoding="utf-8")
        file.write_text(ast.unparse(Stripper().visit(ast.parse(source))), encoding="utf-8")
        name = ".".join(file.relative_to(folder).with_suffix("").parts)
        yield name.removesuffix(".__init__"), source


def main() -> int:
    """Compare all subjects and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("subjects", nargs="+", type=Path, metavar="FILE_OR_PACKAGE")
    parser.add_argument("--missed", action="store_true", help="list the parameters that are missed")
    options = parser.parse_args()
    whole = [0, 0, 0]
    with tempfile.TemporaryDirectory() as scratch:
        sys.path.insert(0, scratch)
        for subject in options.subjects:
            total = [0, 0, 0]
            for module, source in list(copied(subject, Path(scratch))):
                try:
                    counts = compared(module, source, options.missed)
                except Exception as error:  # noqa: BLE001 - a module may raise anything
                    print(f"{module}: can't be compared: {type(error).__name__}: {error}")
                    continue
                total = [one + other for one, other in zip(total, counts, strict=True)]
            print(f"{subject.name}: {total[0]} parameters, first {total[1]}, one of three {total[2]}")
            whole = [one + other for one, other in zip(whole, total, strict=True)]
    if not whole[0]:
        return 1
    first, three = (100 * part / whole[0] for part in whole[1:])
    print(f"{whole[0]} parameters: first guess {first:.1f} %, one of the first three {three:.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
