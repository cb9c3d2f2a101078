"""Signatures of a module's functions and classes, as its text spells them out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from tracetwin.analysis.displays import Documented, displays, lines_of_display
from tracetwin.emit.select.telling.constants import lists_of
from tracetwin.emit.select.telling.documents import WayToRead, defaults_of, documents_of, readings_of
from tracetwin.emit.select.telling.shapes import shapes_of
from tracetwin.emit.select.telling.tables import columns_of, tables_of

_QUOTED: Final = re.compile(r"(?<!\w)(['\"])((?:(?!\1)[^\n]){1,40})\1(?!\w)")
MOST_DISPLAYED: Final = 12
"""Lines that a docstring shows of which each is an example."""

_ENUMS: Final = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))
_ABSTRACT: Final = frozenset(("Protocol", "ABC", "TypedDict"))


class SpelledParameter(NamedTuple):
    """A parameter of a function or class.

    Attributes:
        name: its name.
        annotation: what the text says of its type, None where it says nothing.
        needed: whether each call must give it.
        by_name: whether it is given by keyword only.
        default: what it is where it is not given, if that is plain and says something.
        by_place: whether it can't be given by keyword.
    """

    name: str
    annotation: ast.expr | None
    needed: bool = True
    by_name: bool = False
    default: str | int | float | None = None
    by_place: bool = False


class Signatures:
    """The functions, classes and names of a module.

    Attributes:
        module: its name.
        functions: the parameters of each function or method, its receiver left out, by the qualified name.
        classes: those of each class that can be made.
        members: the names of each enumeration's members.
        imported: the module and name behind each name that is imported; "" where it is a module's.
        aliases: the types that names of the module stand for.
        examples: texts that docstrings quote or show, by qualified name; "" for the module's own.
        times: hours and minutes of times of day that the module names.
        dated: whether days that stand in texts are read, or written.
        keys: those that something is looked up by.
        documents: the keys by which functions look into dicts of anything.
        needed: those of the keys that have to be there.
        defaults: for others what is taken where they are not, if it stands there.
        shapes: what is asked of texts by the names of what holds them, as `shapes_of` tells.
        columns: lists of texts that may name the columns of a table.
        formats: for functions and their parameters that are read as a document how that is done.
    """

    def __init__(self, module: str, tree: ast.Module) -> None:
        """Read the text of a module."""
        self.module = module
        self.functions: dict[str, list[SpelledParameter]] = {}
        self.classes: dict[str, list[SpelledParameter]] = {}
        self.members: dict[str, list[str]] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        self.aliases: dict[str, ast.expr] = {}
        self.examples: dict[str, list[str]] = {"": _quoted(tree)}
        self.times = list(_times(tree))
        words = {getattr(node, "attr", "") for node in ast.walk(tree)}
        self.dated = not words.isdisjoint(("fromisoformat", "strptime"))
        self.keys = sorted(set(_keys(tree)))
        found = documents_of(tree)
        self.documents, self.needed = found.whole, found.needed
        self.defaults = dict(defaults_of(tree))
        self.shapes = shapes_of(tree)
        self.formats: dict[tuple[str, str], WayToRead] = {}
        self.columns = columns_of(list(lists_of(tree)))
        self._by_name = found.by_name
        for node in tree.body:
            self._read(node)

    def _read(self, node: ast.stmt) -> None:
        match node:
            case ast.Import():
                self.imported.update((one.asname or one.name, (one.name, "")) for one in node.names)
            case ast.ImportFrom():
                self.imported.update(
                    (one.asname or one.name, (node.module or "", one.name)) for one in node.names
                )
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, "")
            case ast.ClassDef():
                self._class(node)
            case ast.Assign(targets=[ast.Name(name)], value=value):
                self.aliases[name] = value
            case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value):
                self.aliases[name] = value
            case _:
                pass

    def called(self, name: str) -> Sequence[SpelledParameter]:
        """Return the parameters of a class or function, by its qualified name; none where it is not known."""
        return self.classes.get(name) or self.functions.get(name) or ()

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: str) -> None:
        name = f"{owner}.{node.name}" if owner else node.name
        free = any(ast.unparse(one) == "staticmethod" for one in node.decorator_list)
        spec = node.args
        given = [*spec.posonlyargs, *spec.args]
        first_default = len(given) - len(spec.defaults)
        defaults = [*([None] * first_default), *map(_plain, spec.defaults)]
        found = [
            SpelledParameter(
                one.arg, one.annotation, at < first_default, default=default, by_place=one in spec.posonlyargs
            )
            for at, (one, default) in enumerate(zip(given, defaults, strict=True))
        ]
        if owner and not free:
            found = found[1:]
        found += [
            SpelledParameter(one.arg, one.annotation, default is None, by_name=True, default=_plain(default))
            for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
        ]
        self.functions[name] = found
        self.examples[name] = _quoted(node)
        for ways in (readings_of(node, self._by_name), tables_of(node, self._by_name)):
            self.formats.update(((name, text), read) for text, read in ways)

    def _class(self, node: ast.ClassDef) -> None:
        bases = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}
        for part in node.body:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._function(part, node.name)
        self.examples[node.name] = _quoted(node)
        if bases & _ENUMS:
            self.members[node.name] = [
                part.targets[0].id
                for part in node.body
                if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)
            ]
        elif not bases & _ABSTRACT:
            made = self.functions.get(f"{node.name}.__init__")
            inherited = [one for base in node.bases for one in self.classes.get(ast.unparse(base), [])]
            self.classes[node.name] = [*inherited, *_fields(node)] if made is None else made


def _plain(default: ast.expr | None) -> str | int | float | None:
    """A default that is a text or number; None for anything else."""
    value = default.value if isinstance(default, ast.Constant) else None
    return value if isinstance(value, (str, int, float)) else None


def _fields(node: ast.ClassDef) -> Iterator[SpelledParameter]:
    """The parameters of a class whose constructor is made of its fields."""
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            told = "" if part.value is None else ast.unparse(part.value)
            if "init=False" not in told and "ClassVar" not in ast.unparse(part.annotation):
                needed = not told or ("field(" in told and "default" not in told)
                yield SpelledParameter(
                    part.target.id, part.annotation, needed, by_name="kw_only=True" in told
                )


def _times(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """The times of day that the module makes."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func, [ast.Constant(int() as hour), *rest]) if ast.unparse(func).endswith("time"):
                minute = rest[0].value if rest and isinstance(rest[0], ast.Constant) else 0
                if 0 <= hour < 24 and isinstance(minute, int):
                    yield hour, minute
            case _:
                pass


def _keys(tree: ast.Module) -> Iterator[str]:
    named = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    for node in ast.walk(tree):
        match node:
            case (
                ast.Subscript(_, part)
                | ast.Call(ast.Attribute(_, "get" | "pop" | "setdefault"), [part, *_])
                | ast.Compare(part, [ast.In() | ast.NotIn()])
            ) if key := _written_out(part, named):
                yield key
            case _:
                pass


def _written_out(node: ast.expr, named: Mapping[str, str]) -> str:
    """A text that is written out, maybe behind one that has a name; "" for anything else."""
    match node:
        case ast.Constant(str() as text):
            return text
        case ast.BinOp(ast.Name(name), ast.Add(), ast.Constant(str() as text)):
            return named[name] + text if name in named else ""
        case ast.JoinedStr([ast.FormattedValue(ast.Name(name)), ast.Constant(str() as text)]):
            return named[name] + text if name in named else ""
        case _:
            return ""


def _quoted(node: Documented) -> list[str]:
    """The texts that a docstring quotes, and those that it shows in lines of their own."""
    told = ast.get_docstring(node) or ""
    return [*(text for _, text in _QUOTED.findall(told)), *_displayed(node)]


def _displayed(node: Documented) -> Iterator[str]:
    """The displays of a docstring: their lines one by one, and all of them where they are several."""
    for display in displays(node):
        shown = list(lines_of_display(display))
        yield from shown[:MOST_DISPLAYED]
        if len(shown) > 1:
            yield display
