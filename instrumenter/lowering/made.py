"""The functions that `dataclass` makes: constructor, comparison and text, as if they were written."""

from __future__ import annotations

from instrumenter.lowering.builder import Builder
from instrumenter.lowering.code import Call, Class, Function, Get, Load, Parameter, Program, Set


def complete(program: Program) -> None:
    """Add to each dataclass what its decorator adds."""
    for class_ in list(program.classes.values()):
        if class_.dataclass:
            fields = _fields(program, class_)
            for name, parameters in (("__init__", list(fields)), ("__eq__", ["other"]), ("__repr__", [])):
                if name not in class_.members:
                    _add(program, class_, name, parameters, fields)


def _fields(program: Program, class_: Class) -> dict[str, tuple[str, int]]:
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
    program: Program, class_: Class, name: str, parameters: list[str], fields: dict[str, tuple[str, int]]
) -> None:
    function = Function(f"{class_.name}.{name}", "method", class_.name, made=True)
    texts = {field: text for field, (text, _) in fields.items()}
    function.parameters = [Parameter("self", ""), *(Parameter(p, texts.get(p, "")) for p in parameters)]
    function.variables |= {"self", *parameters}
    function.first_line = function.last_line = class_.first_line
    build = Builder(function)
    for field, (_, line) in fields.items():
        if name == "__init__":
            node = build.add(Set(build.read("self"), field, build.read(field)))
        else:
            into = build.fresh()
            node = build.add(Get(into, build.read("self"), field))
        function.nodes[node].line = line or class_.first_line
    if name == "__init__" and "__post_init__" in class_.members:
        build.add(Call(build.fresh(), None, build.read("self"), "__post_init__", (), ()))
    build.finish()
    for made in function.nodes:
        if isinstance(made.op, Load):
            made.op.place = function
    class_.members[name] = function
    program.functions.append(function)
