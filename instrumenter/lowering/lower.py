"""A module's source to its lowered program: functions as graphs, classes with their members.

The functions that `dataclass` makes: constructor, comparison and text, as if they were written.
"""

from __future__ import annotations

import re
from typing import Final

import libcst as cst

from instrumenter.limits import deep_recursion
from instrumenter.lowering.builder import Builder
from instrumenter.lowering.code import (
    Class,
    Function,
    Get,
    Give,
    Imported,
    Invoke,
    Load,
    LoweredModule,
    LoweredParameter,
    MakeFunction,
    Set,
    Skip,
    Store,
    Unreadable,
)
from instrumenter.lowering.conditions import is_name
from instrumenter.lowering.statements import Statements, dotted
from instrumenter.positions import positions
from instrumenter.transform import decode

_LONE_RETURN: Final = re.compile(r"\r(?!\n)")
_ACCESSORS: Final = {"setter", "deleter", "getter"}
_CACHED: Final = {"cached_property"}
_PLAIN: Final = {
    "abstractmethod",
    "override",
    "final",
    "overload",
    "no_type_check",
    "contextmanager",
    "wraps",
}
"""Decorators that call the function as it is."""


_DATACLASSES: Final = frozenset(
    {"dataclass", "define", "attrs", "frozen", "mutable", "NamedTuple", "typing.NamedTuple"}
)


def lower(source: str | bytes, name: str) -> LoweredModule:
    """Lower a module.

    Raises:
        Unreadable: libcst has no tree of it.
    """
    try:
        # CPython reads each of them as a newline, libcst does not.
        text = _LONE_RETURN.sub("\n", decode(source))
        with deep_recursion():
            tree = cst.parse_module(text)
            program = LoweredModule(name)
            _Body(program, Function("", "module", "")).module(tree)
            _place(tree, program)
            complete(program)
    except (cst.ParserSyntaxError, RecursionError, SyntaxError, UnicodeDecodeError) as error:
        raise Unreadable(f"{type(error).__name__}: {str(error).partition(chr(10))[0]}") from error
    _resolve(program)
    return program


class _Body(Statements):
    """One body: of the module, of a class, of a function."""

    def __init__(self, program: LoweredModule, function: Function, class_: Class | None = None) -> None:
        super().__init__(function)
        self.program = program
        self.class_ = class_

    def module(self, tree: cst.Module) -> None:
        self.block(tree)
        self.program.functions.append(self.finish())
        self.program.globals |= self.function.variables

    # Names of definitions

    def _qualified(self, name: str) -> str:
        if self.class_ is not None:
            return f"{self.class_.name}.{name}"
        if self.function.role == "module":
            return name
        return f"{self.function.name}.<locals>.{name}"

    def define(self, node: cst.FunctionDef | cst.ClassDef) -> None:
        if isinstance(node, cst.ClassDef):
            self._define_class(node)
            return
        names = [_last_name(decorator.decorator) for decorator in node.decorators]
        for decorator in node.decorators:
            self.value(decorator.decorator)
        for default in _defaults(node.params):
            self.value(default)
        function = self._function(node, names)
        member = function.name.removeprefix(f"{self.class_.name}.") if self.class_ is not None else ""
        if self.class_ is not None:
            self.class_.members[member] = function
        if "." in member:
            return  # the name is that of the property, which stands already
        into = self.fresh()
        self.add(MakeFunction(into, function), node.name)
        self.write(self.attribute(node.name.value), into, node.name)

    def nested(self, node: cst.FunctionDef | cst.Lambda) -> MakeFunction:
        assert isinstance(node, cst.Lambda)
        function = Function(self._qualified("<lambda>"), "lambda", "", parent=self._scope())
        function.parameters = _parameters(node.params)
        body = _Body(self.program, function)
        body.mangle = self.mangle
        body.parameters()
        body.add(Give(body.value(node.body)), node)
        self.program.functions.append(body.finish())
        return MakeFunction(self.fresh(), function)

    def _scope(self) -> Function | None:
        """The function whose variables a function in here sees."""
        inside: Function | None = self.function
        while inside is not None and inside.role in {"class body", "module"}:
            inside = inside.parent
        return inside

    def _function(self, node: cst.FunctionDef, decorators: list[str]) -> Function:
        name, role = self._qualified(self.attribute(node.name.value)), "function"
        if self.class_ is not None:
            role = _role(node.name.value, decorators)
            name += {"setter": ".setter", "deleter": ".deleter"}.get(role, "")
        function = Function(name, role, self.class_.name if self.class_ else "", parent=self._scope())
        function.parameters = _parameters(node.params)
        function.returns = _text(node.returns)
        function.coroutine = node.asynchronous is not None
        known = {"property", "staticmethod", "classmethod", *_ACCESSORS, *_CACHED, *_PLAIN}
        function.decorators = [name for name in decorators if name not in known]
        body = _Body(self.program, function)
        body.mangle = self.mangle
        body.parameters()
        body.block(node.body)
        self.program.functions.append(body.finish())
        function.nodes[0].origin = node.name
        function.nodes[1].origin = node
        return function

    def parameters(self) -> None:
        """The parameters are the first variables."""
        self.function.variables |= {parameter.name for parameter in self.function.parameters}

    def _define_class(self, node: cst.ClassDef) -> None:
        name = self._qualified(node.name.value)
        bases = [self._base(argument.value) for argument in node.bases if not argument.star]
        for argument in (*node.bases, *node.keywords):
            self.value(argument.value)
        decorators = [_last_name(decorator.decorator) for decorator in node.decorators]
        class_ = Class(name, [base for base in bases if base])
        class_.dataclass = bool(_DATACLASSES & {*decorators, *class_.bases})
        self.program.classes[name] = class_
        function = Function(name, "class body", name, parent=self._scope())
        body = _Body(self.program, function, class_)
        body.mangle = node.name.value.lstrip("_")
        body.block(node.body)
        self.program.functions.append(body.finish())
        function.nodes[0].origin = node.name
        into = self.fresh()
        self.add(Imported(into, f"class:{name}"), node.name)
        self.write(node.name.value, into, node.name)

    def _base(self, node: cst.BaseExpression) -> str:
        while isinstance(node, cst.Subscript):  # Generic[T], list[int]
            node = node.value
        return dotted(node)

    def annotated(self, node: cst.AnnAssign) -> None:
        text = _text(node.annotation)
        target = node.target
        if self.class_ is not None and isinstance(target, cst.Name):
            if not text.startswith(("ClassVar", "typing.ClassVar")):
                name = self.attribute(target.value)
                self.class_.fields.setdefault(name, text)
                self.class_.places[name] = self.add(Skip(), target)
        elif isinstance(target, cst.Attribute) and is_name(target.value, self.function.receiver or ""):
            owner = self.program.classes.get(self.function.owner)
            if owner is not None:
                owner.fields.setdefault(f"self.{self.attribute(target.attr.value)}", text)


def _role(name: str, decorators: list[str]) -> str:
    for decorator in decorators:
        if decorator in {"property", "setter", "deleter", "staticmethod", "classmethod"}:
            return "getter" if decorator == "property" else decorator
        if decorator in _CACHED:
            return "cached"
    if name == "__new__":
        return "classmethod"
    return "classmethod" if name in {"__init_subclass__", "__class_getitem__"} else "method"


def _parameters(node: cst.Parameters) -> list[LoweredParameter]:
    found = [_parameter(p) for p in (*node.posonly_params, *node.params)]
    if isinstance(node.star_arg, cst.Param):
        found.append(_parameter(node.star_arg, "*"))
    found += [_parameter(p, "keyword") for p in node.kwonly_params]
    if node.star_kwarg is not None:
        found.append(_parameter(node.star_kwarg, "**"))
    return found


def _parameter(node: cst.Param, kind: str = "") -> LoweredParameter:
    return LoweredParameter(node.name.value, _text(node.annotation), kind)


def _defaults(node: cst.Parameters) -> list[cst.BaseExpression]:
    every = (*node.posonly_params, *node.params, *node.kwonly_params)
    return [p.default for p in every if p.default is not None]


_NOWHERE: Final = cst.Module(())


def _text(annotation: cst.Annotation | None) -> str:
    if annotation is None:
        return ""
    node = annotation.annotation
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.SimpleString):
        return str(node.evaluated_value)
    return " ".join(_NOWHERE.code_for_node(node).split())


def _last_name(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Call):
        return _last_name(node.func)
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def _place(tree: cst.Module, program: LoweredModule) -> None:
    """Give every node its line and column, and every function its lines."""
    nodes = [node for function in program.functions for node in function.nodes if node.origin is not None]
    for node, (line, column) in zip(nodes, positions(tree, [node.origin for node in nodes]), strict=True):
        node.line, node.column, node.origin = line, column + _parentheses(node.origin), None
    for function in program.functions:
        lines = [node.line for node in function.nodes if node.line]
        function.first_line = function.nodes[0].line or min(lines, default=0)
        function.nodes[1].line = function.nodes[1].column = 0
    for function in program.functions:
        if function.role == "class body":
            program.classes[function.owner].first_line = function.first_line


def _resolve(program: LoweredModule) -> None:
    """Say for every name which function's variable it is."""
    for function in program.functions:
        for node in function.nodes:
            if isinstance(node.op, (Load, Store)):
                node.op.place = _owner(function, node.op.name)


def _owner(function: Function, name: str) -> Function | None:
    inside: Function | None = function
    while inside is not None:
        if name in inside.variables:
            return None if inside.role == "module" else inside
        inside = inside.parent
    return None


def _parentheses(origin: object) -> int:
    """How many characters of parentheses stand before an expression, on its line."""
    before = origin.lpar if isinstance(origin, (cst.Attribute, cst.Name, cst.Subscript, cst.Call)) else ()
    spaces = [
        p.whitespace_after.value for p in before if isinstance(p.whitespace_after, cst.SimpleWhitespace)
    ]
    return sum(1 + len(space) for space in spaces) if len(spaces) == len(before) else 0


def complete(program: LoweredModule) -> None:
    """Add to each dataclass what its decorator adds."""
    for class_ in list(program.classes.values()):
        if class_.dataclass:
            fields = _fields(program, class_)
            for name, parameters in (("__init__", list(fields)), ("__eq__", ["other"]), ("__repr__", [])):
                if name not in class_.members:
                    _add(program, class_, name, parameters, fields)


def _fields(program: LoweredModule, class_: Class) -> dict[str, tuple[str, int]]:
    """Annotation and line of each field, those of bases first."""
    found: dict[str, tuple[str, int]] = {}
    for base in class_.bases:
        inherited = program.classes.get(base)
        if inherited is not None and inherited is not class_ and inherited.dataclass:
            found.update(_fields(program, inherited))
    body = next((f for f in program.functions if f.role == "class body" and f.owner == class_.name), None)
    for name, text in class_.fields.items():
        if not name.startswith("self."):
            line = body.nodes[class_.places[name]].line if body is not None else 0
            found[name] = (text, line)
    return found


def _add(
    program: LoweredModule,
    class_: Class,
    name: str,
    parameters: list[str],
    fields: dict[str, tuple[str, int]],
) -> None:
    function = Function(f"{class_.name}.{name}", "method", class_.name, made=True)
    texts = {field: text for field, (text, _) in fields.items()}
    given = [LoweredParameter(p, texts.get(p, "")) for p in parameters]
    function.parameters = [LoweredParameter("self", ""), *given]
    function.variables |= {"self", *parameters}
    function.first_line = class_.first_line
    build = Builder(function)
    for field, (_, line) in fields.items():
        if name == "__init__":
            node = build.add(Set(build.read("self"), field, build.read(field)))
        else:
            into = build.fresh()
            node = build.add(Get(into, build.read("self"), field))
        function.nodes[node].line = line or class_.first_line
    if name == "__init__" and "__post_init__" in class_.members:
        build.add(Invoke(build.fresh(), None, build.read("self"), "__post_init__", (), ()))
    build.finish()
    for made in function.nodes:
        if isinstance(made.op, Load):
            made.op.place = function
    class_.members[name] = function
    program.functions.append(function)
