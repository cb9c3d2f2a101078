"""Finds calls of a module's functions where they are shown or tested: first inputs, and types.

They stand in docstrings, in the description of the package or the README of the project, in its tests and in
its other modules.
Nothing is run. A call counts where it is plain to see what it calls and what it passes: literals, instances
of classes made of those, names of functions and classes, and variables that were set to such before.
"""

from __future__ import annotations

import ast
import doctest
import itertools
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Final

from tracetwin.analysis.evidence.calls.names import (
    File,
    bindings,
    import_names,
    parametrized,
    parsed_file,
    statements,
)
from tracetwin.analysis.evidence.project_files import readmes, users
from tracetwin.analysis.sources import FunctionNode, Source, walk
from tracetwin.drawing.rules.example_reader import Documented, ExampleReader

MOST_TEXT: Final = 400_000
"""Letters of a package's description that are read."""

MOST_ROWS: Final = 6
"""Rows of a table of examples."""

_SET_UP: Final = ("setUp", "asyncSetUp", "setup_method", "setUpClass", "setup_class")

_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

_FENCED: Final = re.compile(r"^```\s*(?:python|py|pycon)?[^\n`]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_BLOCK: Final = re.compile(
    r"^([ \t]*)(?:\.\. (?:code-block|code|sourcecode):: *python[^\n]*|(?!\.\. )\S[^\n]*::[ \t]*)\n"
    r"((?:\1[ \t]+\S[^\n]*(?:\n|\Z)|[ \t]*\n)+)",
    re.MULTILINE,
)
_SIGNS: Final = (">>>", "```", "::")
"""What a docstring with examples holds."""


def documented(module: ModuleType, source: Source) -> Documented:
    """Return what examples show of a module: calls of its functions, and what is done on objects."""
    found = Documented()
    for text in itertools.chain(_docstrings(source.tree), _description(module), readmes(module)):
        for block in _examples(text):
            ExampleReader(module, source, found).read(statements(block))
    for text, name in users(module):
        if (tree := parsed_file(text)) is not None:
            file = File()
            import_names(tree, file, name, module.__name__, source)
            _read_code(tree, module, source, file.names, found)
    _read_code(source.tree, module, source, {name: name for name in source.definitions}, found)
    return found


# -- code of others


def _read_code(
    tree: ast.Module,
    module: ModuleType,
    source: Source,
    names: Mapping[str, str],
    found: Documented,
) -> None:
    """Read a file that uses the module: what it does when imported, then each of its functions."""
    outside = [item for item in tree.body if not isinstance(item, _DEFINITIONS)]
    ExampleReader(module, source, found, names).read(statements(outside))
    imported = ExampleReader(module, source, found, names)
    imported.read(outside)
    first, fixtures = _set_up(tree), _fixtures(tree)
    for node in walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = list(statements(node.body, inner=False))
            before = [*first.get(node, ()), *_of_fixtures(node, fixtures)]
            for row in _rows(node, body):
                imported.again().read([*before, *body], row)


def _set_up(tree: ast.Module) -> dict[ast.AST, list[ast.stmt]]:
    """Return the statements that are run before each method of a class: those of its ``setUp``."""
    found: dict[ast.AST, list[ast.stmt]] = {}
    for cls in walk(tree):
        if isinstance(cls, ast.ClassDef):
            methods = [node for node in cls.body if isinstance(node, ast.FunctionDef)]
            begun = [node for node in methods if node.name in _SET_UP]
            body = [part for node in begun for part in statements(node.body, inner=False)]
            found.update((node, body) for node in methods if body and node not in begun)
    return found


def _fixtures(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """The functions of a test file whose results other functions get by their names."""
    functions = (node for node in walk(tree) if isinstance(node, ast.FunctionDef))
    return {
        node.name: node for node in functions
        if any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
    }  # fmt: skip


def _of_fixtures(node: FunctionNode, fixtures: Mapping[str, ast.FunctionDef]) -> Iterator[ast.stmt]:
    """Yield what makes the arguments of a test."""
    for item in node.args.args:
        made = fixtures.get(item.arg)
        if made is None or made is node:
            continue
        for part in statements(made.body, inner=False):
            yield part
            given = part.value if isinstance(part, (ast.Return, ast.Expr)) else None
            given = given.value if isinstance(given, ast.Yield) else given
            if given is not None and not (isinstance(part, ast.Expr) and given is part.value):
                yield ast.Assign([ast.Name(item.arg, ast.Store())], given)


def _rows(node: FunctionNode, body: list[ast.stmt]) -> Iterator[dict[str, ast.expr]]:
    """Yield the values that its parametrisation and its loops over displays give to names, row by row."""
    given = bindings([item for item in body if isinstance(item, ast.For)])
    for decorator in node.decorator_list:
        given.update(parametrized(decorator))
    for place in range(min(max(map(len, given.values()), default=1), MOST_ROWS)):
        yield {name: values[place] for name, values in given.items() if place < len(values)}


# -- where examples stand


def _docstrings(tree: ast.Module) -> Iterator[str]:
    for node in walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node)
            if text and any(sign in text for sign in _SIGNS):
                yield text


def _description(module: ModuleType) -> Iterator[str]:
    """Yield what the package that a module belongs to says of itself, where it is installed."""
    top = module.__name__.partition(".")[0]
    file = getattr(sys.modules.get(top), "__file__", None)
    if not isinstance(file, str):
        return
    folder = Path(file).parent
    folder = folder.parent if Path(file).stem == "__init__" else folder
    wanted = _plain_name(top)
    try:
        for place in sorted(folder.glob("*.dist-info")):
            if wanted in _plain_name(place.name.partition("-")[0]):
                yield (place / "METADATA").read_text(encoding="utf-8", errors="replace")[:MOST_TEXT]
    except OSError:
        return


def _plain_name(name: str) -> str:
    return re.sub(r"[-_.]", "", name).lower()


def _examples(text: str) -> Iterator[list[ast.stmt]]:
    """Yield the statements of each run of examples in a text."""
    try:
        written = [example.source for example in doctest.DocTestParser().get_examples(text)]
    except ValueError:  # a prompt without its space
        written = []
    shown = [statement for source in written for statement in _parsed(source)]
    if shown:
        yield shown
    for block in itertools.chain(_FENCED.findall(text), (found[1] for found in _BLOCK.findall(text))):
        if ">>>" not in block and (found := _parsed(_undented(block))):
            yield found


def _undented(block: str) -> str:
    lines = block.splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:] for line in lines)


def _parsed(text: str) -> list[ast.stmt]:
    tree = parsed_file(text)
    return [] if tree is None else tree.body
