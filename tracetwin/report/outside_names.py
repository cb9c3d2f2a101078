"""Names of a module for whoever patches or makes something: what is imported, constant, an attribute."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from tracetwin.analysis.entries import Definition


class OutsideNames:
    """The names that the text of a module gives to things.

    Attributes:
        constants: names that the module gives a value, with the lines.
    """

    def __init__(self, tree: ast.Module, module: str) -> None:
        self._module = module
        self._imports: dict[str, tuple[str, bool]] = {}
        for name, meant in _imports(tree, module):
            self._imports.setdefault(name, meant)  # of alternatives the first is what is meant
        self._classes = {one.name: one for one in ast.walk(tree) if isinstance(one, ast.ClassDef)}
        self.constants = dict(_constants(tree))
        self._inner = dict(_inner_functions(tree))

    def patched(self, call: str) -> str:
        """Return the full name of what a call calls, if that was imported and so can be patched, else ""."""
        found = re.match(r"([A-Za-z_][\w.]*)\(", call)
        root, _, rest = found[1].partition(".") if found else ("", "", "")
        if root not in self._imports:
            return ""
        known, whole = self._imports[root]
        if rest and not whole and root.isupper():
            return ""  # most likely an object, and what a compiled pattern has can't be replaced
        return ".".join(filter(None, (known, rest))) if rest or not whole else ""

    def full(self, name: str) -> str:
        """Return the name of a class with its module."""
        root, _, rest = name.partition(".")
        if root in self._imports:
            return ".".join(filter(None, (self._imports[root][0], rest)))
        return f"{self._module}.{name}" if root in self._classes else name

    def is_known(self, name: str) -> bool:
        """Return whether a name is one of a class of the module, or of something imported."""
        root = name.partition(".")[0]
        return root in self._classes or root in self._imports

    def fixed(self, names: Collection[str]) -> str:
        """Return what helps where names of the module, of its imports or of Python itself decide."""
        for name in sorted(self._inner.keys() & set(names)):
            told = f"`{name}` (line {self._inner[name]}) decides it, a function inside of this one"
            return f"{told}: an object, or an argument, for which that returns something else is missing."
        for name in sorted(self.constants.keys() & set(names)):
            patch = f'`unittest.mock.patch("{self._module}.{name}", ...)`'
            at = self.constants[name]
            return f"No argument decides it, but the module's `{name}` (line {at}): {patch} by hand."
        return (
            "No argument decides it, but Python's version, the platform or what is installed:"
            " another environment takes the other way, or a test by hand that patches what is asked."
        )

    def fields_at(self, node: Definition, line: int) -> list[str]:
        """Return the attributes of the object that a line of a method looks at."""
        found = (one for one in ast.walk(node) if isinstance(one, ast.Attribute) and one.lineno == line)
        return list(dict.fromkeys(one.attr for one in found if is_self(one.value)))

    def owner(self, function: str) -> str:
        """Return the class that a function, or the one around it, stands in, "" for none."""
        parts = function.split(".")
        around = (".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))
        return next((one for one in around if one.rpartition(".")[2] in self._classes), "")

    def setters(self, owner: str, field: str) -> list[tuple[str, int]]:
        """Return the methods of a class that set an attribute, or an item of it, with the lines."""
        cls = self._classes.get(owner.rpartition(".")[2])
        return [
            (f"{owner}.{method.name}", one.lineno)
            for method in (cls.body if cls else ())
            if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef))
            for one in ast.walk(method)
            if isinstance(one, (ast.Attribute, ast.Subscript)) and isinstance(one.ctx, ast.Store)
            for part in (one.value if isinstance(one, ast.Subscript) else one,)
            if isinstance(part, ast.Attribute) and part.attr == field and is_self(part.value)
        ]


    def made(self, owner: str, fields: Collection[str] = ()) -> str:
        """Return the statements that make an object of a class, and set attributes of it; "" for others."""
        cls = self._classes.get(owner.rpartition(".")[2])
        if cls is None:
            return ""
        methods = {one.name: one for one in cls.body if isinstance(one, ast.FunctionDef)}
        whole = f"{cls.name}({_wanted(methods.get('__init__'))})"
        calls = (name for field in fields for name, _ in self.setters(owner, field))
        method = next((name.rpartition(".")[2] for name in calls if "._" not in name), "")
        if method not in methods or methods[method].decorator_list:
            return f"return {whole}"
        return f"made = {whole}; made.{method}({_wanted(methods[method])}); return made"


def _wanted(function: ast.FunctionDef | None) -> str:
    """The arguments that a method can't do without, each with a gap for its value."""
    if function is None:
        return ""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)][1:]
    needed = names[: len(names) - len(function.args.defaults)]
    pairs = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    return ", ".join(f"{name}=..." for name in (*needed, *(one.arg for one, value in pairs if value is None)))


def is_self(node: ast.expr) -> bool:
    """Return whether an expression is the object of the method around it."""
    return isinstance(node, ast.Name) and node.id == "self"


def _imports(tree: ast.Module, module: str) -> Iterator[tuple[str, tuple[str, bool]]]:
    """Names that imports bring, with what they stand for, and whether that is a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                root = one.name.partition(".")[0]
                yield one.asname or root, (one.name if one.asname else root, True)
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".")[: -node.level or None] if node.level else []
            home = ".".join(filter(None, (*parts, node.module or "")))
            yield from ((one.asname or one.name, (f"{home}.{one.name}", False)) for one in node.names)


def _inner_functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the functions that are defined inside of others, with their lines."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    outer = [one for one in ast.walk(tree) if isinstance(one, kinds)]
    for node in (part for one in outer for statement in one.body for part in ast.walk(statement)):
        if isinstance(node, kinds):
            yield node.name, node.lineno


def _constants(tree: ast.Module) -> Iterator[tuple[str, int]]:
    own = [one for one in tree.body if not isinstance(one, (ast.FunctionDef, ast.ClassDef))]
    for node in ast.walk(ast.Module(own, [])):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
